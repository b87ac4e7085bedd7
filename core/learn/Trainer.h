#pragma once

/// core/learn: the policies of the DOPPLER paper, their rollouts and their training. Uses core
/// up to place. LibTorch stands behind Encoder.h; no other header knows it.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/learn/Evaluator.h"
#include "core/learn/PauseSwitch.h"
#include "core/learn/TrainOptions.h"
#include "core/sim/Problem.h"

namespace doppler::learn {

/// Where a placement came from.
enum class Origin : std::uint8_t {
    Teacher, ///< imitated in stage I
    Sample,  ///< an episode of the policy
    Greedy,  ///< the policy's greedy episode
    Polish,  ///< local search from one of the others
};

/// "teacher", "sample", "greedy", "polish".
std::string_view name(Origin origin);

/// What one update of the weights brought. Lives only during the call.
struct UpdateFacts {
    Stage stage = Stage::Imitation;
    int problem = 0;           ///< index in the request
    std::int64_t update = 0;   ///< over all stages, from 1
    std::int64_t episodes = 0; ///< over all stages, these included
    std::int64_t stageEpisodes = 0;
    std::int64_t stagePlanned = 0; ///< as the stage's plan says
    /// Makespans of this update's episodes, as evaluated. Stage I: of the imitated placements.
    /// Stage III: 0 for one that could not run, because it does not fit the memory of a device.
    std::span<const Time> makespans;
    /// Stage III: the simulator's makespans of the same episodes; empty in other stages.
    std::span<const Time> predicted;
    double mean = 0;      ///< of makespans of episodes that ran; 0: none did
    Time best = 0;        ///< of this problem so far, by any means (in the stage's evaluator);
                          ///< 0: stage III, none could run
    Time policyBest = 0;  ///< of this problem so far, by the policy's own episodes; 0: none yet
    Time greedy = 0;      ///< of the latest greedy episode; 0: none yet
    double loss = 0;      ///< mean over episodes of -log probability x weight, per op
    double entropy = 0;   ///< mean over decisions, in nats
    double agreement = 0; ///< stage I: share of the teacher's choices that are the policy's first
    double learningRate = 0;
    double gradientNorm = 0; ///< before clipping
    double episodesPerSecond = 0;
    double seconds = 0;     ///< trained so far, pauses excluded, earlier runs included
    double secondsLeft = 0; ///< estimate; negative: unknown
    /// The best assignment, if it improved in this update.
    std::shared_ptr<const sim::Assignment> improved;
    Origin improvedBy = Origin::Sample;
    /// Assignment of the latest greedy episode, if there was one in this update.
    std::shared_ptr<const sim::Assignment> latest;
};

/// One training: on one graph, or on several in turn.
struct TrainRequest {
    std::vector<std::shared_ptr<const sim::Problem>> problems;
    TrainOptions options;
    std::uint64_t seed = 1;
    /// Wall-clock time for all of it; none: until the stages are done.
    std::optional<double> budgetSeconds;
    int threads = 0; ///< 0: all cores
    /// Niceness of the working threads, 0..19.
    int niceness = 0;
    /// Judges stage III, one for each problem; empty: there is no stage III.
    std::vector<std::shared_ptr<Evaluator>> system;
    /// Where the run is kept; empty: nowhere.
    std::filesystem::path directory;
    /// Continue the run in `directory`; its options, seed and stages hold, and stage III must be
    /// judged by evaluators of the same names.
    bool resume = false;
    /// Least time between two checkpoints of a run that goes on; less in its first seconds.
    double saveEverySeconds = 5;
    /// Checkpoint whose weights training starts from; empty: none.
    std::filesystem::path init;

    std::stop_token stop;
    std::shared_ptr<PauseSwitch> pause; ///< may be empty
    /// Called after each update from the thread that trains; may be empty.
    std::function<void(const UpdateFacts&)> progress;
    /// What goes on when no update is made ("annealing the teacher's placements"), with a share
    /// done 0..1; may be empty.
    std::function<void(const std::string&, double)> activity;
};

enum class EndReason : std::uint8_t { Finished, Budget, Stopped, Plateau, Diverged };

/// "finished", "budget", "stopped", "plateau", "diverged".
std::string_view name(EndReason reason);

/// What training reached on one problem.
struct ProblemResult {
    Time best = 0; ///< by any means
    sim::Assignment bestAssignment;
    Origin bestBy = Origin::Sample;
    Time policy = 0; ///< the policy's own best episode, no polish; 0: it had none
    sim::Assignment policyAssignment;
    /// The policy's greedy episode with the best weights it had; 0: could not run, or a stop came
    /// before it was measured well.
    Time greedy = 0;
    sim::Assignment greedyAssignment;
    /// The best that was imitated; of a teacher that draws anew each time, its luckiest draw. 0:
    /// none.
    Time teacher = 0;
};

/// Where the time went, in seconds of wall clock.
struct TrainTimes {
    double encoder = 0;  ///< network forward
    double rollouts = 0; ///< episodes, evaluated
    double gradient = 0; ///< of the heads
    double backward = 0; ///< network backward, optimiser
    double teacher = 0;
    double polish = 0;
    double files = 0;
};

struct TrainResult {
    std::vector<ProblemResult> problems; ///< as in the request
    std::int64_t updates = 0;
    std::int64_t episodes = 0;
    double seconds = 0;
    /// Of stages II and III, polish and files left out; 0: none there.
    double episodesPerSecond = 0;
    TrainTimes times;
    EndReason reason = EndReason::Finished;
    /// The makespans are those of the system evaluators; else the simulator's, as the teacher's
    /// always are.
    bool onSystem = false;
    std::vector<std::string> notes; ///< in sentences
};

/// Trains until the stages are done, the budget is over, a stop is asked for, nothing improves any
/// more, or the numbers go astray (then the last good weights are kept). The checkpoint holds the
/// latest weights, from which resuming goes on, and the best, which a policy is used with. Apart
/// from the budget the curve depends on the request alone, not on the number of threads.
///
/// Throws InputError for a request that cannot be run (no problem, a checkpoint of another network,
/// a run of another problem in the folder), std::runtime_error where stage III found no placement
/// of a problem that can run, and what evaluators and the file system throw.
TrainResult train(const TrainRequest& request);

} // namespace doppler::learn
