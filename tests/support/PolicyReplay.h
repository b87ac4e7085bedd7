#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core/learn/Episode.h"
#include "core/learn/NetworkShape.h"
#include "core/learn/TrainOptions.h"
#include "core/sim/Problem.h"

namespace doppler::tests {

/// Log probabilities of the choices of an episode, by step; 0 where there was no choice.
struct ReplayedEpisode {
    std::vector<double> op;
    std::vector<double> device;
    std::vector<double> pair; ///< of a joint policy; the other two are empty then

    double sum() const;
};

/// The dual policy once more, written as its formulas stand, in double precision and without a
/// tensor library: nothing is shared with the encoder, the rollouts and the gradient under test but
/// the features of ops and edges. Device features are computed from the schedule anew at each step.
class PolicyReplay {
public:
    PolicyReplay(const sim::Problem& problem, const learn::NetworkShape& shape, bool extended);

    /// Log probabilities of `episode` for these weights.
    ReplayedEpisode run(const std::vector<double>& weights, const learn::Episode& episode,
                        learn::PolicyMode mode = learn::PolicyMode::Dual) const {
        return run(networks(weights), episode, mode);
    }

    /// What the networks say of a problem, for many episodes.
    struct Networks;
    std::shared_ptr<const Networks> networks(const std::vector<double>& weights) const;
    ReplayedEpisode run(const std::shared_ptr<const Networks>& networks,
                        const learn::Episode& episode,
                        learn::PolicyMode mode = learn::PolicyMode::Dual) const;

private:
    using Matrix = std::vector<std::vector<double>>; // by row

    struct Reader;
    struct Progress;
    std::vector<OpId> candidates(const Progress& progress) const;
    std::pair<int, int> devicesFor(const Progress& progress, OpId op) const;
    std::vector<double> deviceLogits(const Networks& networks, const learn::Episode& episode,
                                     const Progress& progress, OpId op) const;
    Matrix encode(Reader& reader) const;
    Matrix messages(Reader& reader, const Matrix& h) const;
    Matrix pathMean(const Matrix& h, const std::vector<OpId>& next) const;
    std::vector<std::vector<double>> deviceFeatures(const learn::Episode& episode, std::size_t step,
                                                    OpId candidate, int first, int end) const;

    const sim::Problem& problem_;
    learn::NetworkShape shape_;
    Matrix nodes_, edges_;
    std::vector<OpId> bNext_, tNext_;
    double unit_ = 1;
    bool alike_ = false;
};

} // namespace doppler::tests
