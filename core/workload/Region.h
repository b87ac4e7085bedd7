#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace doppler::workload {

/// Indices begin, begin + 1, ..., end - 1 of one dimension.
struct Interval {
    std::int64_t begin = 0;
    std::int64_t end = 0;

    std::int64_t size() const { return end - begin; }
    bool empty() const { return end <= begin; }
    bool operator==(const Interval&) const = default;
};

inline Interval intersect(const Interval& a, const Interval& b) {
    return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

/// A box of a tensor, an interval per dimension.
using Region = std::vector<Interval>;

/// Elements of a region; 1 for no dimensions, 0 if any interval is empty.
inline std::int64_t elementCount(const Region& region) {
    std::int64_t count = 1;
    for (const Interval& interval : region) {
        count *= std::max<std::int64_t>(interval.size(), 0);
    }
    return count;
}

/// Calls `visit` with every index in a box (a std::vector<std::int64_t>), last dimension fastest.
template <typename Visit>
void forEachIndex(const Region& box, Visit visit) {
    if (elementCount(box) == 0) {
        return;
    }
    std::vector<std::int64_t> index;
    for (const Interval& interval : box) {
        index.push_back(interval.begin);
    }
    while (true) {
        visit(index);
        std::size_t d = box.size();
        while (d > 0 && ++index[d - 1] == box[d - 1].end) {
            --d;
            index[d] = box[d].begin;
        }
        if (d == 0) {
            return;
        }
    }
}

/// Part `index` of a dimension that is cut into `ways` parts, as even as they can be. Cuts of
/// partitions that divide each other fall on the same places, even where the parts are not equal.
inline Interval part(std::int64_t size, std::int64_t ways, std::int64_t index) {
    return {size * index / ways, size * (index + 1) / ways};
}

} // namespace doppler::workload
