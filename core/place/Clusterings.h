#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include "core/place/Random.h"
#include "core/sim/Problem.h"

namespace doppler::place {

/// Groups of ops that searches move together. Clusters probably belong on one device: ops joined
/// along edges of large transfers, up to a share of a device's work; several clusterings, from
/// small groups to large ones. Ops that look alike (see StructuralClasses) are mostly the blocks of
/// one operation, one for every device.
class Clusterings {
public:
    /// Once stopped, no further groups are made.
    Clusterings(const sim::Problem& problem, Random& random, const std::stop_token& stop = {});

    std::size_t count() const { return begin_.size(); }
    std::span<const OpId> cluster(std::size_t index) const {
        const std::size_t end = index + 1 < begin_.size() ? begin_[index + 1] : members_.size();
        return std::span(members_).subspan(begin_[index], end - begin_[index]);
    }

    /// All ops of the class of `op`, ascending.
    std::span<const OpId> alike(OpId op) const {
        if (classOf_.empty()) {
            return {};
        }
        const auto cls = static_cast<std::size_t>(classOf_[static_cast<std::size_t>(op)]);
        return std::span(byClass_).subspan(classBegin_[cls],
                                           classBegin_[cls + 1] - classBegin_[cls]);
    }

private:
    void addClasses(const sim::Problem& problem);
    void addClustering(const sim::Problem& problem, double largest, Random& random);

    std::vector<std::size_t> begin_;
    std::vector<OpId> members_;
    std::vector<std::int32_t> classOf_;
    std::vector<std::size_t> classBegin_;
    std::vector<OpId> byClass_;
};

} // namespace doppler::place
