#pragma once

#include <string>
#include <vector>

#include "app/cli/Output.h"
#include "app/cli/ProblemOptions.h"
#include "core/learn/Trainer.h"
#include "core/sim/Bounds.h"

/// What `doppler train` prints. `runtime` is what stage system runs on; empty: there is none.
namespace doppler::cli {

bool isEmulated(const std::string& runtime);

/// What follows a figure that comes from the runtime.
std::string runtimeLabel(const std::string& runtime);

/// One line an update.
Json updateJson(const learn::UpdateFacts& facts, const sim::Problem& problem,
                const std::string& runtime);

/// Beside the progress bar; `bound` 0: none.
std::string progressText(const learn::UpdateFacts& facts, const sim::Problem& problem, Time bound,
                         const std::string& runtime);

/// On stdout, at once: it is read while the training runs.
void printLine(const Json& json);

/// The result, problem by problem.
Json resultJson(const learn::TrainResult& result, const std::vector<OpenedProblem>& opened,
                const std::vector<sim::Bound>& bounds, const std::string& runtime);
void printResult(const learn::TrainResult& result, const std::vector<OpenedProblem>& opened,
                 const std::vector<sim::Bound>& bounds, const std::string& runtime);

} // namespace doppler::cli
