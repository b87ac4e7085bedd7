#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include "core/place/Random.h"
#include "core/sim/Problem.h"

namespace doppler::place {

/// Groups of ops that probably belong on one device: ops joined along edges of large transfers, up
/// to a share of a device's work. Several clusterings, from small groups to large ones.
class Clusterings {
public:
    /// Once stopped, no further clusterings are made.
    Clusterings(const sim::Problem& problem, Random& random, const std::stop_token& stop = {});

    std::size_t count() const { return begin_.size(); }
    std::span<const OpId> cluster(std::size_t index) const {
        const std::size_t end = index + 1 < begin_.size() ? begin_[index + 1] : members_.size();
        return std::span(members_).subspan(begin_[index], end - begin_[index]);
    }

private:
    void addClustering(const sim::Problem& problem, double largest, Random& random);

    std::vector<std::size_t> begin_;
    std::vector<OpId> members_;
};

} // namespace doppler::place
