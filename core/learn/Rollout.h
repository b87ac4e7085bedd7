#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core/learn/Episode.h"
#include "core/learn/PolicyTables.h"
#include "core/learn/RolloutProblem.h"
#include "core/learn/TrainOptions.h"
#include "core/place/Random.h"

namespace doppler::learn {

/// How an episode's choices are made.
struct Choosing {
    bool greedy = false;    ///< always the likeliest; ties to the smaller op or device
    double temperature = 1; ///< scores and logits are divided by it before they are sampled
    double epsilon = 0;     ///< share of choices that are uniform
    PolicyMode mode = PolicyMode::Dual;
};

/// Runs episodes of one problem as a loop over plain arrays, without a tensor library. Holds all
/// scratch space; one object a thread.
///
/// Probabilities that an episode records are those of the policy at temperature 1, whatever the
/// choosing.
///
/// Of ops that are alike (AlikeOps.h) SEL is offered the one that got ready first; the others wait.
/// A choice between them would be chance, and what comes of it noise. The joint policy, which sees
/// the state of the devices with every op, is offered all.
///
/// The features of device d when op v is placed, as z-scores over the devices that may
/// be chosen: work assigned to d; work of v's parents on d; least and largest time at which an
/// input of v is there; earliest start of v on d. Then scale-free: assigned work above the least;
/// earliest finish above the least; the parents' share; least and largest input time relative to
/// the least earliest start. Transfers are taken without contention.
class Rollout {
public:
    Rollout(std::shared_ptr<const RolloutProblem> problem, int hidden);

    void run(const PolicyTables& tables, const Choosing& choosing, std::uint64_t seed,
             Episode& episode);

    /// Follows the order and assignment that `episode` has, and records what the policy would have
    /// made of each choice. The order must be topological.
    void replay(const PolicyTables& tables, PolicyMode mode, Episode& episode);

    const RolloutProblem& problem() const { return *problem_; }

private:
    void begin(const PolicyTables& tables, const Choosing& choosing, Episode& episode);
    /// `op` is ready from step `index` on: a candidate, or waiting behind one that is alike.
    void makeReady(OpId op, int index, Episode& episode);
    /// The candidate is taken at step `index`; the next that is alike comes after it.
    void take(std::size_t candidate, int index, Episode& episode);
    /// `op` changes places with the candidate that it waits behind, which is returned.
    std::size_t bringForward(OpId op, Episode& episode);
    void step(const PolicyTables& tables, int index, OpId forcedOp, DeviceId forcedDevice,
              Episode& episode);
    struct Pair {
        std::size_t candidate = 0; // index in candidates_
        DeviceId device = 0;
    };
    /// The joint policy's choice (JointChoice.cpp).
    Pair selectPair(const PolicyTables& tables, OpId forcedOp, DeviceId forcedDevice,
                    Episode& episode);
    /// See Episode::opShare. `probability`: the policy's, of a choice among `count`.
    float ownShare(double probability, std::size_t count) const;
    std::size_t sampleRow(const float* probability, std::size_t count, float largest);
    /// The devices that may be chosen for an op: [first, end).
    std::pair<int, int> devicesFor(OpId op) const;
    std::size_t selectOp(const PolicyTables& tables, OpId forced, int index, Episode& episode);
    std::size_t sampleOp(const PolicyTables& tables, double sum);
    DeviceId selectDevice(const PolicyTables& tables, OpId op, int low, int high, DeviceId forced,
                          int index, Episode& episode);
    void arrivals(OpId op, int first, int end);
    void features(OpId op, int first, int end, float* rows);
    DeviceId heuristicDevice(OpId op, int first, int end) const;
    void commit(const PolicyTables& tables, OpId op, DeviceId device);

    std::shared_ptr<const RolloutProblem> problem_;
    int hidden_;
    Choosing choosing_;
    place::Random random_{0};

    std::vector<OpId> candidates_;
    bool alikeWait_ = false;                 // of ops that are alike only the first is offered
    std::vector<std::vector<OpId>> waiting_; // by class, in the order in which they got ready
    std::vector<char> offered_;              // by class: one of it is a candidate
    std::vector<int> missing_;
    std::vector<DeviceId> device_;  // by op
    std::vector<double> finish_;    // by op
    int used_ = 0;                  // devices that were opened
    std::vector<double> load_;      // by device
    std::vector<int> count_;        // by device: ops on it
    std::vector<double> slotFree_;  // all slots of all devices
    std::vector<int> slotBegin_;    // by device, into slotFree_
    std::vector<double> available_; // by device: earliest free slot
    std::vector<double> firstInput_, lastInput_, parentWork_, start_; // by device, for one op
    std::vector<float> sums_;                                         // devices x hidden
    std::vector<float> inverse_;                                      // by device
    std::vector<float> logits_;
};

/// On alike devices: renames the episode's devices in the order in which they are opened, as the
/// policy does.
void renameDevices(const RolloutProblem& problem, Episode& episode);

/// An assignment as an episode to imitate: ops in the order in which they start in a simulation,
/// devices renamed, its makespan filled in.
Episode imitationEpisode(const RolloutProblem& problem, const sim::Assignment& assignment);

} // namespace doppler::learn
