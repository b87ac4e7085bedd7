#include "core/sim/TimeSet.h"

#include <algorithm>
#include <utility>

namespace doppler::sim {

TimeSet TimeSet::coveredBy(std::vector<TimeSpan> spans, int depth) {
    std::vector<std::pair<Time, int>> steps; // ends (-1) sort before starts (+1) of the same time
    steps.reserve(2 * spans.size());
    for (const TimeSpan& span : spans) {
        if (span.start < span.end) {
            steps.emplace_back(span.start, 1);
            steps.emplace_back(span.end, -1);
        }
    }
    std::sort(steps.begin(), steps.end());
    TimeSet set;
    int open = 0;
    for (const auto& [time, step] : steps) {
        const bool before = open >= depth;
        open += step;
        const bool after = open >= depth;
        if (before == after) {
            continue;
        }
        if (!after) {
            set.spans_.back().end = time;
        } else if (!set.spans_.empty() && set.spans_.back().end == time) {
            set.spans_.back().end = time; // goes on without a gap
        } else {
            set.spans_.push_back({time, time});
        }
    }
    return set;
}

TimeSet TimeSet::unionOf(const TimeSet& a, const TimeSet& b) {
    std::vector<TimeSpan> spans = a.spans_;
    spans.insert(spans.end(), b.spans_.begin(), b.spans_.end());
    return coveredBy(std::move(spans), 1);
}

bool TimeSet::contains(TimeSpan span) const {
    if (span.start >= span.end) {
        return true;
    }
    const auto after = std::upper_bound(
        spans_.begin(), spans_.end(), span.start,
        [](Time time, const TimeSpan& candidate) { return time < candidate.start; });
    return after != spans_.begin() && std::prev(after)->end >= span.end;
}

} // namespace doppler::sim
