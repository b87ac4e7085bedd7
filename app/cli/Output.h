#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/io/Formats.h"
#include "core/io/TextTable.h"
#include "core/sim/Bounds.h"
#include "core/sim/Problem.h"

namespace doppler::cli {

using Json = nlohmann::ordered_json;

/// One object on stdout.
void printJson(const Json& json);

/// Members that every result of a problem has: graph, cluster, costs, unit, report.
Json problemJson(const sim::Problem& problem, const io::ImportReport& report);

/// The bound and the gap to it; null where no bound holds (random durations).
Json boundJson(const sim::Bound& bound);
Json gapJson(Time makespan, const sim::Bound& bound);

/// One line that names the problem: "chainmm (76 ops, 80 edges) on p100x4 (4 devices), ...".
std::string problemLine(const sim::Problem& problem);

using io::TextTable;

} // namespace doppler::cli
