#include "core/place/policy/GeneralTraining.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "core/graph/InputError.h"
#include "core/place/policy/TrainingPool.h"
#include "core/place/policy/TrainingState.h"

namespace doppler::place {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kFirstMemberShare = 0.45; ///< of the budget; the others share the rest
constexpr double kAveragedFrom = 0.7;      ///< of a member's time: its policy is the mean from here
constexpr double kSaveEverySeconds = 5;
// Pools of different seeds share no problem, and none reaches the held-out ones.
constexpr std::uint64_t kSeeds = std::uint64_t{1} << 20U;
/// Weights of times in even shares of the work are that much larger than those of shares.
constexpr double kTimeScale = 10;
constexpr double kContextScale = 0.5;

double scaleOf(std::size_t weight) {
    if (weight < kOpFeatureCount) {
        return 0.3;
    }
    const std::size_t context = (weight - kOpFeatureCount) / kDeviceFeatureCount;
    const std::size_t feature = (weight - kOpFeatureCount) % kDeviceFeatureCount;
    const bool time = feature == kLoad || feature == kStart || feature == kFinish ||
                      feature == kChildren || feature == kChildrenHere || feature == kReserved;
    return (time ? kTimeScale : 1) * (context == 0 ? 1 : kContextScale);
}

LinearPolicy policyOf(const std::vector<double>& weights) {
    LinearPolicy policy;
    for (std::size_t i = 0; i < LinearPolicy::kWeights; ++i) {
        policy.weights[i] = static_cast<float>(weights[i]);
    }
    return policy;
}

std::vector<double> weightsOf(const LinearPolicy& policy, double scale = 1) {
    std::vector<double> weights;
    for (const float weight : policy.weights) {
        weights.push_back(scale * static_cast<double>(weight));
    }
    return weights;
}

class Training {
public:
    Training(const GeneralTrainingOptions& options, TrainingState state, std::stop_token stop,
             const std::function<void(const GeneralTrainingProgress&)>& progress)
        : options_(options)
        , stop_(std::move(stop))
        , progress_(progress)
        , pool_(options.pool, (options.seed % kSeeds) << 19U, options.threads)
        , best_(pool_.size(), std::numeric_limits<double>::max())
        , state_(std::move(state)) {}

    PolicyPortfolio run() {
        for (const LinearPolicy& member : state_.members) {
            addToBest(member);
        }
        while (static_cast<int>(state_.members.size()) < options_.members &&
               !stop_.stop_requested()) {
            trainMember();
        }
        save();
        return {"", state_.members};
    }

private:
    bool first() const { return state_.members.empty(); }

    double memberBudget() const {
        if (options_.members == 1) {
            return options_.budgetSeconds;
        }
        return options_.budgetSeconds *
               (first() ? kFirstMemberShare : (1 - kFirstMemberShare) / (options_.members - 1));
    }

    double memberFraction() const {
        return options_.generations ? static_cast<double>(state_.generation) /
                                          static_cast<double>(*options_.generations)
                                    : state_.memberSeconds / memberBudget();
    }

    EvolutionStrategy strategy() const {
        constexpr double kHandScale = 10;
        std::vector<double> scales;
        for (std::size_t i = 0; i < LinearPolicy::kWeights; ++i) {
            scales.push_back(scaleOf(i));
        }
        EvolutionStrategy made(first() ? weightsOf(handRule(), kHandScale)
                                       : weightsOf(state_.members.front()),
                               scales, options_.population, Covariance::Diagonal);
        if (!state_.strategy.mean.empty()) {
            made.restore(state_.strategy);
        }
        return made;
    }

    void trainMember() {
        EvolutionStrategy evolution = strategy();
        auto saved = Clock::now();
        while (memberFraction() < 1 && !stop_.stop_requested()) {
            const auto begin = Clock::now();
            generation(evolution);
            const std::chrono::duration<double> passed = Clock::now() - begin;
            state_.memberSeconds += passed.count();
            state_.seconds += passed.count();
            if (memberFraction() > kAveragedFrom) {
                addToMean(evolution.mean());
            }
            state_.strategy = evolution.state();
            tell(passed.count());
            if (Clock::now() - saved > std::chrono::duration<double>(kSaveEverySeconds)) {
                saved = Clock::now();
                save();
            }
        }
        if (memberFraction() >= 1) {
            finishMember();
        }
    }

    void generation(EvolutionStrategy& evolution) {
        // Drawn anew from the numbers of the generation: a resumed run goes on as it would have.
        Random random(options_.seed ^ (state_.members.size() << 40U) ^
                      (static_cast<std::uint64_t>(state_.generation) << 8U));
        std::vector<std::size_t> problems;
        for (int i = 0; i < options_.problemsPerGeneration; ++i) {
            problems.push_back(random.below(pool_.size()));
        }
        std::vector<LinearPolicy> policies;
        for (const std::vector<double>& sample : evolution.ask(random)) {
            policies.push_back(policyOf(sample));
        }
        const auto measured = pool_.measure(problems, policies, options_.threads);
        std::vector<double> values(policies.size(), 0);
        double sum = 0;
        for (std::size_t i = 0; i < problems.size(); ++i) {
            for (std::size_t k = 0; k < policies.size(); ++k) {
                const double value = std::min(best_[problems[i]], measured[i][k]);
                values[k] += value / static_cast<double>(problems.size());
                sum += value;
            }
        }
        evolution.tell(values);
        const double mean = sum / static_cast<double>(problems.size() * policies.size());
        constexpr double kSmoothing = 0.03;
        state_.value =
            state_.generation == 0 ? mean : state_.value + kSmoothing * (mean - state_.value);
        ++state_.generation;
    }

    void addToMean(const std::vector<double>& mean) {
        state_.meanSum.resize(mean.size(), 0);
        for (std::size_t i = 0; i < mean.size(); ++i) {
            state_.meanSum[i] += mean[i];
        }
        ++state_.meanCount;
    }

    void finishMember() {
        std::vector<double> mean = state_.strategy.mean;
        for (std::size_t i = 0; state_.meanCount > 0 && i < mean.size(); ++i) {
            mean[i] = state_.meanSum[i] / static_cast<double>(state_.meanCount);
        }
        // With the digits that files keep, so that a resumed run goes on alike.
        constexpr double kDigits = 1e5;
        for (double& weight : mean) {
            weight = std::round(weight * kDigits) / kDigits;
        }
        LinearPolicy member = policyOf(mean);
        member.name = "member " + std::to_string(state_.members.size() + 1);
        addToBest(member);
        TrainingState next;
        next.members = std::move(state_.members);
        next.members.push_back(std::move(member));
        next.seconds = state_.seconds;
        state_ = std::move(next);
        save();
    }

    void addToBest(const LinearPolicy& member) {
        std::vector<std::size_t> all;
        for (std::size_t i = 0; i < pool_.size(); ++i) {
            all.push_back(i);
        }
        const auto measured = pool_.measure(all, {member}, options_.threads);
        for (std::size_t i = 0; i < pool_.size(); ++i) {
            best_[i] = std::min(best_[i], measured[i].front());
        }
    }

    void save() const {
        if (!options_.statePath.empty()) {
            writeTrainingState(state_, options_);
        }
    }

    void tell(double generationSeconds) const {
        if (!progress_) {
            return;
        }
        GeneralTrainingProgress told;
        told.seconds = state_.seconds;
        told.fraction =
            options_.generations
                ? (static_cast<double>(state_.members.size()) + memberFraction()) / options_.members
                : state_.seconds / options_.budgetSeconds;
        told.member = static_cast<int>(state_.members.size());
        told.generation = state_.generation;
        told.value = state_.value;
        told.rolloutsPerSecond =
            options_.population * options_.problemsPerGeneration / generationSeconds;
        progress_(told);
    }

    GeneralTrainingOptions options_;
    std::stop_token stop_;
    const std::function<void(const GeneralTrainingProgress&)>& progress_;
    TrainingPool pool_;
    std::vector<double> best_; ///< of the finished members, on each problem of the pool
    TrainingState state_;
};

/// Neither starts over what is there already, nor goes on with another training.
SavedTraining begun(const GeneralTrainingOptions& options) {
    const std::string where = options.statePath.string();
    if (!options.resume) {
        if (!options.statePath.empty() && std::filesystem::exists(options.statePath)) {
            throw InputError(where, "the state of an earlier training",
                             "--resume to go on with it, or no such file to start anew");
        }
        return {options, {}};
    }
    SavedTraining saved = readSavedTraining(options.statePath);
    if (saved.options.seed != options.seed || saved.options.pool != options.pool ||
        saved.options.members != options.members ||
        saved.options.population != options.population ||
        saved.options.problemsPerGeneration != options.problemsPerGeneration) {
        throw InputError(where, "the state of a training with other options",
                         "the same seed, pool, members and population as now");
    }
    return saved;
}

} // namespace

PolicyPortfolio
trainGeneralPolicies(const GeneralTrainingOptions& options, std::stop_token stop,
                     const std::function<void(const GeneralTrainingProgress&)>& progress) {
    SavedTraining saved = begun(options);
    if (saved.finished()) {
        return {"", std::move(saved.state.members)};
    }
    return Training(options, std::move(saved.state), std::move(stop), progress).run();
}

} // namespace doppler::place
