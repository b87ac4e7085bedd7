#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/Ids.h"

namespace doppler::io {

class ReadMonitor;

/// One event of a trace as the file states it.
struct TraceEvent {
    static constexpr Time kNoTime = std::numeric_limits<Time>::min();

    char phase = 0; ///< "ph": X, B, E, b, e, M, ...
    std::string name;
    std::string category;
    std::string process; ///< "pid", a number or any text
    std::string thread;  ///< "tid"
    std::string id;      ///< of asynchronous events and flows
    Time time = kNoTime; ///< nanoseconds
    Time duration = kNoTime;
    bool flowIn = false; ///< binds to a flow by "bind_id", which is `id` then
    bool flowOut = false;
    // of metadata
    std::string label; ///< "args": "name" or "labels"
    double sortIndex = 0;
};

struct TraceEvents {
    bool isTrace = false; ///< there was a list of events where a trace has it
    bool brokenOff = false;
    std::vector<TraceEvent> events;
};

/// Events of a JSON text, in its order. See parseTrace() for what it takes and throws.
TraceEvents parseTraceEvents(std::string_view text, const std::string& where,
                             const ReadMonitor* monitor);

/// Decimal microseconds as nanoseconds, exact, rounded to the nearest; kNoTime for no number or
/// one beyond 64 bits.
Time traceTime(std::string_view microseconds);

} // namespace doppler::io
