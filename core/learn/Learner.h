#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/learn/Adam.h"
#include "core/learn/ProblemState.h"
#include "core/learn/WorkerPool.h"

namespace doppler::learn {

/// What one update came to.
struct UpdateOutcome {
    /// Of the episodes, as evaluated; of those that could not run, a penalty to learn from.
    std::vector<Time> makespans;
    std::vector<bool> failed;    ///< stage III, by episode: it could not run
    std::vector<Time> predicted; ///< stage III: as simulated
    double mean = 0;
    double judgedMean = 0; ///< of what the policy learns from
    double loss = 0;
    double entropy = 0;
    double agreement = 0;
    double gradientNorm = 0;
    bool greedy = false; ///< there was a greedy episode, and it could run
    bool sound = true;   ///< loss and gradient are finite and of a size; else no step was made
    bool cut = false;    ///< told not to go on: nothing was learnt
};

/// The weights of the policy and the updates that change them. What an update does depends on its
/// arguments and on the weights alone, not on the number of threads.
class Learner {
public:
    Learner(const TrainOptions& options, const NetworkShape& shape, int threads, int niceness);

    /// One step towards the choices of the problem's imitated placements.
    UpdateOutcome imitate(ProblemState& state, double rate);

    struct Reinforcement {
        Choosing choosing;
        double rate = 0;
        std::uint64_t seed = 0;
        bool withGreedy = true;
        bool onSystem = false; ///< judged by the system evaluator
        /// Asked before each episode is measured: false drops the update. May be empty.
        std::function<bool()> mayGoOn;
        /// Asked from any thread, in the middle of the update: true drops it. May be empty.
        std::function<bool()> isOver;
        /// Told the greedy episode while the weights are still those that made it. May be empty.
        std::function<void(const Episode&)> beforeStep;
    };
    /// A batch of episodes and one policy-gradient step. On the system evaluator the elites that
    /// it replays are measured again: one that was lucky once does not stay for that.
    UpdateOutcome reinforce(ProblemState& state, const Reinforcement& how);

    /// The greedy episode of the present weights, evaluated; none if it cannot run.
    void runGreedy(ProblemState& state, bool onSystem, std::uint64_t seed);

    /// What the greedy episode of the present weights is judged by, simulated with this seed;
    /// changes no record.
    Time judgedGreedy(ProblemState& state, std::uint64_t seed);

    /// Median of the system evaluator's measurements, as many as the options say; nothing if the
    /// placement cannot run.
    std::optional<Time> measure(ProblemState& state, const sim::Assignment& assignment,
                                std::uint64_t seed);
    /// The same of at least five: what records are compared by.
    std::optional<Time> measureWell(ProblemState& state, const sim::Assignment& assignment,
                                    std::uint64_t seed);
    /// Why the latest placement that could not run could not; empty: all could.
    const std::string& failure() const { return failure_; }

    WorkerPool& pool() { return pool_; }
    const std::vector<Episode>& episodes() const { return episodes_; }
    const NetworkShape& shape() const { return shape_; }
    std::vector<float>& weights() { return weights_; }
    Adam& adam() { return adam_; }
    TrainTimes& times() { return times_; }

private:
    std::optional<Time> medianOf(ProblemState& state, const sim::Assignment& assignment,
                                 int repeats, std::uint64_t seed);
    /// Measures the batch, the elites that it replays, and the greedy episode; false: cut short.
    bool measureBatch(ProblemState& state, const Reinforcement& how,
                      const std::vector<std::size_t>& elites, UpdateOutcome& outcome);
    bool uses(int network) const;
    void encode(ProblemState& state, bool train);
    /// Weights of the batch's episodes and of `elites` replayed ones after them.
    std::vector<float> advantages(const RunningBaseline& baseline, const UpdateOutcome& outcome,
                                  int elites) const;
    /// Gradient of the first `count` episodes with their weights, then the step; none at rate 0.
    void learn(ProblemState& state, int count, const std::vector<float>& weights, double rate,
               const std::function<bool()>& isOver, UpdateOutcome& outcome);

    TrainOptions options_;
    NetworkShape shape_;
    WorkerPool pool_;
    std::vector<float> weights_;
    std::vector<float> gradient_;
    Adam adam_;
    TrainTimes times_;
    std::vector<Episode> episodes_; // the batch, then replayed elites
    Episode greedyEpisode_;
    std::string failure_;
    std::vector<TableGradient> chunks_;
};

/// A well-mixed seed from three numbers.
std::uint64_t mixSeeds(std::uint64_t a, std::uint64_t b, std::uint64_t c);

} // namespace doppler::learn
