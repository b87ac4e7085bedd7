#include "core/learn/ProblemState.h"

namespace doppler::learn {

bool Record::offer(Time value, const sim::Assignment& candidate, Origin origin,
                   bool candidateFits) {
    if (assignment != nullptr && rankOf(value, candidateFits) >= rankOf(makespan, fits)) {
        return false;
    }
    makespan = value;
    assignment = std::make_shared<const sim::Assignment>(candidate);
    by = origin;
    fits = candidateFits;
    return true;
}

ProblemState::ProblemState(const std::shared_ptr<const sim::Problem>& source,
                           const TrainOptions& options, const NetworkShape& shape, int workers,
                           std::shared_ptr<Evaluator> systemEvaluator)
    : problem(source)
    , features(std::make_shared<const GraphFeatures>(*source, options.extendedFeatures))
    , rollout(std::make_shared<const RolloutProblem>(source, *features))
    , encoder(shape, features)
    , simulator(simulatorEvaluator(source, workers))
    , system(std::move(systemEvaluator))
    , elites(options.elites) {
    tables.resize(rollout->ops, shape.hidden);
    for (int worker = 0; worker < workers; ++worker) {
        rollouts.emplace_back(rollout, shape.hidden);
        heads.emplace_back(*rollout, shape.hidden);
    }
}

} // namespace doppler::learn
