#include "core/sim/HeadTailBound.h"

#include <algorithm>
#include <numeric>

#include "core/sim/JacksonBound.h"

namespace doppler::sim {

Time headTailBound(std::span<const WeightedWork> works, const HeadsAndTails& paths) {
    std::vector<std::size_t> byHead(paths.heads.size());
    std::iota(byHead.begin(), byHead.end(), std::size_t{0});
    std::stable_sort(byHead.begin(), byHead.end(),
                     [&](std::size_t a, std::size_t b) { return paths.heads[a] < paths.heads[b]; });
    Time bound = 0;
    std::vector<MachineJob<WideInt>> jobs(byHead.size());
    for (const WeightedWork& work : works) {
        for (std::size_t i = 0; i < byHead.size(); ++i) {
            const std::size_t op = byHead[i];
            jobs[i] = {paths.heads[op] * work.capacity, work.work[op],
                       paths.tails[op] * work.capacity};
        }
        const WideInt scaled = jacksonBound<WideInt>(jobs);
        bound = std::max(bound, static_cast<Time>((scaled + work.capacity - 1) / work.capacity));
    }
    return bound;
}

} // namespace doppler::sim
