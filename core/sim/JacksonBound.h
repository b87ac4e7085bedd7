#pragma once

#include <algorithm>
#include <queue>
#include <span>
#include <vector>

namespace doppler::sim {

/// A job of a machine: released at `head`, takes `work`, and `tail` passes after its end.
template <typename Number>
struct MachineJob {
    Number head{};
    Number work{};
    Number tail{};
};

/// The makespan of Jackson's preemptive schedule on one machine: at any time the released job of
/// the longest tail runs. It equals the largest value over sets of jobs of (least head + sum of
/// work + least tail), so it is a lower bound for any schedule, preemptive or not. `jobs` must be
/// ordered by head. (Carlier, "The one-machine sequencing problem", 1982.)
template <typename Number>
Number jacksonBound(std::span<const MachineJob<Number>> jobs) {
    struct Waiting {
        Number tail;
        Number left;
        bool operator<(const Waiting& other) const { return tail < other.tail; }
    };
    std::vector<Waiting> storage;
    storage.reserve(jobs.size());
    std::priority_queue<Waiting> waiting({}, std::move(storage));
    Number time{};
    Number bound{};
    std::size_t next = 0;
    while (next < jobs.size() || !waiting.empty()) {
        if (waiting.empty()) {
            time = std::max(time, jobs[next].head);
        }
        while (next < jobs.size() && jobs[next].head <= time) {
            waiting.push({jobs[next].tail, jobs[next].work});
            ++next;
        }
        Waiting job = waiting.top();
        waiting.pop();
        if (next < jobs.size() && time + job.left > jobs[next].head) {
            job.left -= jobs[next].head - time;
            time = jobs[next].head;
            waiting.push(job);
        } else {
            time += job.left;
            bound = std::max(bound, time + job.tail);
        }
    }
    return bound;
}

} // namespace doppler::sim
