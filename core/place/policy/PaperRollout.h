#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "core/place/policy/PolicyRolloutState.h"

namespace doppler::place {

/// A linear dual policy over the features of the DOPPLER paper (its section 4), always taking the
/// best. Small enough to be tuned on one graph by trying: 66 weights.
///
/// SEL, 26 weights: compute, incoming and outgoing transfer, t-level and b-level, as z-scores and
/// as z-scores of their logarithms; the op's place in the numbering, plain and as waves of six
/// periods, so that blocks of one operation are told apart; producers, consumers, hops from the
/// start.
///
/// PLC, 4 x 10 weights, for a constant and three contexts of the op: load, compute of producers
/// there, first and last arrival of inputs, earliest start, as z-scores over the devices; earliest
/// start over the least, the producers' share. Beyond the paper, and what lets blocks that meet
/// later share a device: the shares of the op's clusters and of the other producers of its
/// consumers, and the mean earliest start of its consumers there.
class PaperRollout {
public:
    static constexpr std::size_t kSel = 26;
    static constexpr std::size_t kDeviceFeatures = 10;
    static constexpr std::size_t kContexts = 4;
    static constexpr std::size_t kWeights = kSel + kDeviceFeatures * kContexts;

    explicit PaperRollout(const std::shared_ptr<const PolicyProblem>& problem);

    /// Weights to start a search from: critical path.
    static std::vector<double> startWeights();

    /// `weights` has kWeights entries. Valid until the next run.
    const sim::Assignment& run(const std::vector<double>& weights);

    /// Once stopped, runs end early: what they return is no whole placement then.
    void stopOn(std::stop_token stop) { stop_ = std::move(stop); }
    /// Whether the last run came to its end.
    bool complete() const { return complete_; }

private:
    void addOpFeatures();
    float lookAhead(OpId op, std::size_t count);
    DeviceId choose(OpId op, int allowed);
    void commit(OpId op, DeviceId device);

    std::shared_ptr<const PolicyProblem> problem_;
    std::vector<float> opFeatures_; // [op][kSel]
    std::vector<float> contexts_;   // [op][kContexts]
    CandidateQueue candidates_;
    const std::vector<double>* weights_ = nullptr;

    sim::Assignment device_;
    std::vector<float> free_;
    std::vector<float> load_;
    std::vector<float> firstArrival_; // [op][device]
    std::vector<float> lastArrival_;
    std::vector<float> producersThere_; // compute of placed producers
    std::vector<float> clusterThere_;   // [cluster][device]
    std::vector<float> values_;         // [feature][device]
    int used_ = 0;
    std::stop_token stop_;
    bool complete_ = true;
};

} // namespace doppler::place
