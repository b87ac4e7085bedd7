#pragma once

#include <memory>
#include <vector>

#include "core/learn/Elites.h"
#include "core/learn/Encoder.h"
#include "core/learn/Evaluator.h"
#include "core/learn/HeadGradient.h"
#include "core/learn/Rollout.h"
#include "core/learn/RunningBaseline.h"
#include "core/learn/Trainer.h"

namespace doppler::learn {

/// The best placement of one kind so far.
struct Record {
    Time makespan = 0; ///< 0: none yet
    std::shared_ptr<const sim::Assignment> assignment;
    Origin by = Origin::Sample;
    bool fits = true; ///< the memory of the devices

    /// Takes it if it is better, which what fits is than all that does not; true if it was.
    bool offer(Time value, const sim::Assignment& candidate, Origin origin, bool candidateFits);
};

/// One of the problems that are trained on: what the network and the rollouts need of it, and what
/// has been found.
struct ProblemState {
    ProblemState(const std::shared_ptr<const sim::Problem>& source, const TrainOptions& options,
                 const NetworkShape& shape, int workers,
                 std::shared_ptr<Evaluator> systemEvaluator);

    std::shared_ptr<const sim::Problem> problem;
    std::shared_ptr<const GraphFeatures> features;
    std::shared_ptr<const RolloutProblem> rollout;
    Encoder encoder;
    PolicyTables tables;
    std::vector<Rollout> rollouts;   ///< by worker
    std::vector<HeadGradient> heads; ///< by worker
    std::shared_ptr<Evaluator> simulator;
    std::shared_ptr<Evaluator> system;

    /// As simulated. Not for several threads at once.
    bool fits(const sim::Assignment& assignment) const {
        return simulator->lackingMemory(0, assignment) == 0;
    }

    std::vector<Episode> imitated; ///< placements of the teacher
    Elites elites;
    Record best;   ///< by any means
    Record policy; ///< by the policy's own episodes
    Record greedy; ///< the latest greedy episode
    Time teacher = 0;
    RunningBaseline baseline;
};

} // namespace doppler::learn
