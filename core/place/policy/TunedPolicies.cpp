#include "core/place/policy/TunedPolicies.h"

#include <algorithm>
#include <cmath>

#include "core/place/SearchEvaluator.h"
#include "core/place/policy/EvolutionStrategy.h"
#include "core/place/policy/PolicyRollout.h"

namespace doppler::place {

namespace {

constexpr int kPopulation = 40;
/// Of the root mean square of the weights, those of SEL and those of PLC apart.
constexpr double kScale = 0.5;
/// Where all weights are 0, any will do.
constexpr double kLeastScale = 1e-3;

std::vector<double> scalesOf(const LinearPolicy& policy) {
    std::vector<double> scales;
    const auto add = [&](std::size_t begin, std::size_t end) {
        double squares = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const auto weight = static_cast<double>(policy.weights[i]);
            squares += weight * weight;
        }
        const double scale = kScale * std::sqrt(squares / static_cast<double>(end - begin));
        scales.resize(end, std::max(scale, kLeastScale));
    };
    add(0, kOpFeatureCount);
    add(kOpFeatureCount, LinearPolicy::kWeights);
    return scales;
}

} // namespace

TunedPolicy tunePolicy(const std::shared_ptr<const PolicyProblem>& problem,
                       const LinearPolicy& start, std::int64_t rollouts, std::uint64_t seed,
                       const std::stop_token& stop, const std::function<void(double)>& each) {
    PolicyRollout rollout(problem);
    Evaluator evaluator(problem->problem, Objective());
    TunedPolicy best;
    const auto valueOf = [&](const LinearPolicy& policy) {
        const sim::Assignment& assignment = rollout.run(policy);
        const Time value = evaluator.value(assignment);
        if (best.rollouts++ == 0 || value < best.value) {
            best.policy = policy;
            best.assignment = assignment;
            best.value = value;
        }
        return static_cast<double>(value);
    };
    valueOf(start);

    EvolutionStrategy strategy({start.weights.begin(), start.weights.end()}, scalesOf(start),
                               kPopulation, Covariance::Diagonal);
    Random random(seed);
    LinearPolicy policy = start;
    std::vector<double> values;
    while (best.rollouts + kPopulation <= rollouts && !stop.stop_requested()) {
        values.clear();
        for (const std::vector<double>& sample : strategy.ask(random)) {
            std::transform(sample.begin(), sample.end(), policy.weights.begin(),
                           [](double weight) { return static_cast<float>(weight); });
            values.push_back(valueOf(policy));
        }
        strategy.tell(values);
        if (each) {
            each(static_cast<double>(best.rollouts) / static_cast<double>(rollouts));
        }
    }
    return best;
}

} // namespace doppler::place
