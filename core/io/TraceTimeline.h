#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/graph/Ids.h"
#include "core/io/Formats.h"

namespace doppler::io {

class ReadMonitor;

/// How many spans at once a lane has rows for.
inline constexpr std::int32_t kMostTraceRows = 64;

/// A stretch of time in a trace: one call, kernel or copy.
struct TraceSpan {
    std::int32_t lane = 0;
    /// Within the lane, from the top; spans of one row do not overlap. kMostTraceRows: none free.
    std::int32_t row = 0;
    std::int32_t name = 0; ///< index into TraceTimeline::names
    Time start = 0;        ///< since TraceTimeline::origin
    Time end = 0;
};

/// A thread of a process, a GPU stream, or the asynchronous spans of one category.
struct TraceLane {
    std::string name; ///< "python3.10 (GPU 0): stream 7", as the trace's metadata name them
    int rows = 0;
    int spans = 0;
    Time busy = 0; ///< covered by at least one span
};

/// What ran when, as a profiler recorded it: Chrome trace events, which PyTorch (Kineto),
/// TensorFlow and browsers write. A timeline to look at; it has no dependencies, so it is not a
/// graph. Times are nanoseconds.
struct TraceTimeline {
    std::string name;
    std::vector<TraceLane> lanes; ///< in the order that the trace asks for
    std::vector<std::string> names;
    std::vector<TraceSpan> spans; ///< by lane, then start, longer ones first
    Time origin = 0;              ///< clock of the trace at its first span
    Time length = 0;              ///< from the first start to the last end
    std::int64_t events = 0;      ///< of all kinds
    std::int64_t instants = 0;
    std::int64_t counters = 0;
    std::int64_t flows = 0; ///< events that bind spans by arrows
};

struct ReadTrace {
    std::shared_ptr<const TraceTimeline> timeline;
    ImportReport report;
};

/// Reads a trace: an array of events, or an object with "traceEvents"; a text that breaks off
/// inside its last event counts up to there. Begin and end are paired by thread, asynchronous ones
/// by id; a begin without an end lasts to the end of the trace. Nothing if the JSON is no trace.
/// Throws InputError for bad JSON, or an event whose fields have other types than the format's.
std::optional<ReadTrace> parseTrace(std::string_view text, const std::string& where,
                                    const ReadMonitor* monitor = nullptr);

/// Cheap: whether a text is worth trying.
bool mayBeTrace(std::string_view text);

/// What a file turns out to be.
using GraphOrTrace = std::variant<ReadGraph, ReadTrace>;

/// Told by content; throws InputError like parseGraph().
GraphOrTrace parseGraphOrTrace(std::string_view text, const std::string& where);

} // namespace doppler::io
