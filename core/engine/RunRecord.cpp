#include "core/engine/RunRecord.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace doppler::engine {

namespace {

using sim::Cause;

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

class TimelineBuilder {
public:
    TimelineBuilder(const sim::Problem& problem, const sim::Assignment& assignment,
                    const RunPlan& plan, const std::vector<TaskRecord>& records)
        : graph_(*problem.graph), assignment_(assignment), plan_(plan), records_(records) {
        timeline_.deviceCount = problem.deviceCount();
    }

    sim::Timeline build() {
        std::vector<std::int32_t> tasks(records_.size());
        std::iota(tasks.begin(), tasks.end(), 0);
        std::sort(tasks.begin(), tasks.end(), [&](std::int32_t a, std::int32_t b) {
            return std::pair(records_[at(a)].start, records_[at(a)].order) <
                   std::pair(records_[at(b)].start, records_[at(b)].order);
        });
        place_.resize(tasks.size());
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            place_[at(tasks[i])] = static_cast<std::int32_t>(i);
        }
        for (const std::int32_t task : tasks) {
            timeline_.intervals.push_back(intervalOf(task));
            timeline_.makespan = std::max(timeline_.makespan, records_[at(task)].end);
        }
        timeline_.executionOf.assign(place_.begin(), place_.begin() + graph_.opCount());
        return std::move(timeline_);
    }

private:
    std::int32_t taskOfCopy(std::int32_t copy) const { return graph_.opCount() + copy; }

    /// The task that brought the last input of `op`, or -1.
    std::int32_t lastInputOf(OpId op) const {
        std::int32_t last = -1;
        for (const EdgeId edge : graph_.inEdges(op)) {
            const std::int32_t copy = plan_.copyOfEdge[at(edge)];
            const std::int32_t brings = copy < 0 ? graph_.source(edge) : taskOfCopy(copy);
            if (last < 0 || records_[at(brings)].end > records_[at(last)].end) {
                last = brings;
            }
        }
        return last;
    }

    sim::Interval intervalOf(std::int32_t task) const {
        const TaskRecord& record = records_[at(task)];
        sim::Interval interval{.start = record.start, .end = record.end};
        std::int32_t lastInput = -1;
        if (task < graph_.opCount()) {
            interval.op = task;
            interval.device = assignment_[at(task)];
            interval.slot = record.slot;
            lastInput = lastInputOf(task);
        } else {
            const PlannedCopy& copy = plan_.copies[at(task - graph_.opCount())];
            interval.op = copy.op;
            interval.device = copy.from;
            interval.to = copy.to;
            lastInput = copy.op;
        }
        if (lastInput >= 0) {
            interval.ready = records_[at(lastInput)].end;
            interval.lastInput = place_[at(lastInput)];
        }
        explain(interval, record, lastInput);
        return interval;
    }

    // It waited last for what ended last of all it needed.
    void explain(sim::Interval& interval, const TaskRecord& record, std::int32_t lastInput) const {
        std::int32_t by = -1;
        const auto consider = [&](std::int32_t task, Cause cause) {
            if (task >= 0 && (by < 0 || records_[at(task)].end > records_[at(by)].end)) {
                by = task;
                interval.cause = cause;
                interval.causeInterval = place_[at(task)];
            }
        };
        consider(lastInput, Cause::Input);
        consider(record.onLane, Cause::Lane);
        consider(record.freedBy, Cause::Memory);
    }

    const graph::Graph& graph_;
    const sim::Assignment& assignment_;
    const RunPlan& plan_;
    const std::vector<TaskRecord>& records_;
    std::vector<std::int32_t> place_; // by task: index of its interval
    sim::Timeline timeline_;
};

} // namespace

sim::Timeline buildTimeline(const sim::Problem& problem, const sim::Assignment& assignment,
                            const RunPlan& plan, const std::vector<TaskRecord>& records) {
    return TimelineBuilder(problem, assignment, plan, records).build();
}

} // namespace doppler::engine
