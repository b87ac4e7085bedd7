#pragma once

#include <cstdint>
#include <vector>

#include "core/engine/RunPlan.h"
#include "core/sim/SimOptions.h"

namespace doppler::engine {

/// Copies that wait for their link, first come first served on each directed pair, and which links
/// are busy.
class LinkQueues {
public:
    LinkQueues(int deviceCount, sim::LinkContention contention);
    /// Forgets everything; there are `copies` of them in the run to come.
    void reset(std::size_t copies);

    void add(std::int32_t copy, const PlannedCopy& planned);
    /// Takes the copy that waits longest among those whose link is free and for which `fits(copy)`;
    /// its link is busy until give(). -1: none.
    template <class Fits>
    std::int32_t take(Fits fits) {
        std::int32_t best = -1;
        std::int32_t before = -1; // of the best one, in its queue
        Pair* from = nullptr;
        for (const std::size_t number : waitingPairs_) {
            Pair& pair = pairs_[number];
            if (!isFree(pair)) {
                continue;
            }
            std::int32_t previous = -1;
            for (std::int32_t copy = pair.first; copy >= 0;
                 previous = copy, copy = next_[at(copy)]) {
                if (best >= 0 && arrival_[at(copy)] > arrival_[at(best)]) {
                    break;
                }
                if (fits(copy)) {
                    best = copy;
                    before = previous;
                    from = &pair;
                    break;
                }
            }
        }
        if (best >= 0) {
            remove(*from, best, before);
        }
        return best;
    }
    /// `copy`, taken before, has ended.
    void give(std::int32_t copy, const PlannedCopy& planned);
    /// The copy that last left the link of `planned` free, or -1.
    std::int32_t lastOn(const PlannedCopy& planned) const;

    bool empty() const { return waitingPairs_.empty(); }
    /// The copy that waits longest on any pair, or -1.
    std::int32_t oldest() const;

private:
    struct Pair {
        DeviceId from = 0;
        DeviceId to = 0;
        std::int32_t first = -1;
        std::int32_t last = -1;
        bool busy = false;
        std::int32_t lastEnded = -1;
    };
    struct Port {
        bool busy = false;
        std::int32_t lastEnded = -1;
        std::int32_t ended = 0; // number of that end
    };

    static std::size_t at(std::int32_t id) { return static_cast<std::size_t>(id); }
    std::size_t pairOf(DeviceId from, DeviceId to) const { return at(from) * devices_ + at(to); }
    bool isFree(const Pair& pair) const;
    void setBusy(Pair& pair, bool busy);
    void remove(Pair& pair, std::int32_t copy, std::int32_t before);

    std::size_t devices_;
    sim::LinkContention contention_;
    std::vector<Pair> pairs_;
    std::vector<Port> out_; // by device
    std::vector<Port> in_;
    Port bus_;
    std::vector<std::size_t> waitingPairs_;
    std::vector<std::int32_t> next_;    // by copy: behind it in its queue
    std::vector<std::int32_t> arrival_; // by copy
    std::int32_t arrivals_ = 0;
    std::int32_t ends_ = 0;
};

} // namespace doppler::engine
