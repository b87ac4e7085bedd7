#pragma once

#include <memory>

#include "core/engine/RunSetup.h"
#include "core/engine/Runtime.h"
#include "core/engine/emulated/Testbed.h"
#include "core/learn/Evaluator.h"

namespace doppler::engine {

/// Judges assignments by running them: stage III of training. One lane; the clock is the runtime's.
/// A placement that is too big for a device's memory gets a makespan that no sensible one has: the
/// double of all compute times in a row, and of the slowest run so far. evaluate() throws
/// std::runtime_error with the run's message where a run fails otherwise.
std::shared_ptr<learn::Evaluator> runtimeEvaluator(std::shared_ptr<const sim::Problem> problem,
                                                   std::shared_ptr<Runtime> runtime);

/// The same on an emulated testbed, in as many lanes as asked for. A seed is a run's luck. Too big
/// a placement gets the double of all compute times: it must not depend on what ran before.
std::shared_ptr<learn::Evaluator> testbedEvaluator(std::shared_ptr<const sim::Problem> problem,
                                                   const Testbed& testbed, int lanes);

/// One of the two for the runtime that is asked for: the testbed of the cluster if it is emulated;
/// else the program of the graph, which must be a workload, run for real. Throws like setUpRun().
std::shared_ptr<learn::Evaluator> systemEvaluator(const RunSetupRequest& request, int lanes);

} // namespace doppler::engine
