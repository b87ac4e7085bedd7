#pragma once

#include <memory>

#include "core/engine/RunSetup.h"
#include "core/engine/Runtime.h"
#include "core/engine/emulated/Testbed.h"
#include "core/learn/Evaluator.h"

namespace doppler::engine {

/// Judges assignments by running them: stage III of training. One lane; the clock is the runtime's.
/// evaluate() throws learn::CannotRun for a placement that is too big for a device's memory, and
/// std::runtime_error where a run fails otherwise, each with the run's message.
std::shared_ptr<learn::Evaluator> runtimeEvaluator(std::shared_ptr<const sim::Problem> problem,
                                                   std::shared_ptr<Runtime> runtime);

/// The same on an emulated testbed, in as many lanes as asked for. A seed is a run's luck.
std::shared_ptr<learn::Evaluator> testbedEvaluator(std::shared_ptr<const sim::Problem> problem,
                                                   const Testbed& testbed, int lanes);

/// One of the two for the runtime that is asked for: the testbed of the cluster if it is emulated;
/// else the program of the graph, which must be a workload, run for real. Throws like setUpRun().
std::shared_ptr<learn::Evaluator> systemEvaluator(const RunSetupRequest& request, int lanes);

} // namespace doppler::engine
