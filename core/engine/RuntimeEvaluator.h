#pragma once

#include <memory>

#include "core/engine/Runtime.h"
#include "core/engine/emulated/Testbed.h"
#include "core/learn/Evaluator.h"

namespace doppler::engine {

/// Judges assignments by running them: stage III of training. One lane; the clock is the runtime's.
/// evaluate() throws std::runtime_error with the run's message where a run does not end well.
std::shared_ptr<learn::Evaluator> runtimeEvaluator(std::shared_ptr<const sim::Problem> problem,
                                                   std::shared_ptr<Runtime> runtime);

/// The same on an emulated testbed, in as many lanes as asked for. A seed is a run's luck.
std::shared_ptr<learn::Evaluator> testbedEvaluator(std::shared_ptr<const sim::Problem> problem,
                                                   const Testbed& testbed, int lanes);

} // namespace doppler::engine
