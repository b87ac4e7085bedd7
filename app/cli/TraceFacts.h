#pragma once

#include <optional>
#include <string>

#include "app/cli/Output.h"
#include "core/io/TraceTimeline.h"

namespace doppler::cli {

/// The trace in a file, or nothing if the text is a workload, no file, or another kind of file.
/// What the reader reports also goes to stderr. Throws InputError for a trace that is broken.
std::optional<io::ReadTrace> openTrace(const std::string& text);

/// Lanes, spans, length, and how busy each lane is.
void printTraceFacts(const io::ReadTrace& trace);
Json traceJson(const io::ReadTrace& trace);

} // namespace doppler::cli
