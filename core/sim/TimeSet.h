#pragma once

#include <vector>

#include "core/graph/Ids.h"

namespace doppler::sim {

/// A half-open span of time, [start, end).
struct TimeSpan {
    Time start = 0;
    Time end = 0;
};

/// A set of points in time, as disjoint ascending spans.
class TimeSet {
public:
    TimeSet() = default;
    /// Where at least `depth` of `spans` lie on top of each other.
    static TimeSet coveredBy(std::vector<TimeSpan> spans, int depth);
    /// Everything in one of the two.
    static TimeSet unionOf(const TimeSet& a, const TimeSet& b);

    /// True if nothing of `span` lies outside; an empty span never does.
    bool contains(TimeSpan span) const;
    bool empty() const { return spans_.empty(); }
    const std::vector<TimeSpan>& spans() const { return spans_; }

private:
    std::vector<TimeSpan> spans_;
};

} // namespace doppler::sim
