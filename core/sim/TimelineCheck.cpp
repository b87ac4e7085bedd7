#include "core/sim/TimelineCheck.h"

#include <algorithm>

#include "core/sim/LaneCheck.h"
#include "core/sim/TransferEdges.h"

namespace doppler::sim {

namespace {

using Violation = std::optional<std::string>;

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

/// Checks of single intervals and of what they say about each other.
class IntervalCheck {
public:
    IntervalCheck(const Problem& problem, const Assignment& assignment, const Timeline& timeline,
                  bool exactDurations, Time tolerance)
        : problem_(problem)
        , graph_(*problem.graph)
        , assignment_(assignment)
        , timeline_(timeline)
        , exactDurations_(exactDurations && problem.options.durationVariation == 0)
        , tolerance_(tolerance) {}

    Violation find() {
        Violation violation = checkShape();
        if (!violation) {
            violation = checkMoves();
        }
        for (std::size_t i = 0; !violation && i < timeline_.intervals.size(); ++i) {
            const Interval& interval = timeline_.intervals[i];
            violation = interval.isTransfer() ? checkTransfer(interval) : checkExecution(interval);
            if (!violation) {
                violation = checkCause(static_cast<std::int32_t>(i), interval);
            }
        }
        return violation;
    }

private:
    static std::string text(Time time) { return std::to_string(time); }
    std::string say(const Interval& interval) const { return describe(*problem_.graph, interval); }
    bool closelyFollows(Time later, Time earlier) const {
        return later >= earlier && later - earlier <= tolerance_;
    }

    /// Ids in range, order, one execution an op, makespan.
    Violation checkShape() {
        const auto& intervals = timeline_.intervals;
        std::vector<std::int32_t> executions(at(graph_.opCount()), -1);
        Time last = 0;
        for (std::size_t i = 0; i < intervals.size(); ++i) {
            const Interval& interval = intervals[i];
            if (interval.op < 0 || interval.op >= graph_.opCount() || interval.device < 0 ||
                interval.device >= problem_.deviceCount() || interval.to < kNoDevice ||
                interval.to >= problem_.deviceCount()) {
                return "interval " + std::to_string(i) + " names an op or device that is not there";
            }
            if (interval.start < 0 || interval.end < interval.start) {
                return say(interval) + " starts before 0 or ends before it starts";
            }
            if (i > 0 && intervals[i - 1].start > interval.start) {
                return say(interval) + " stands behind an interval that starts later";
            }
            if (interval.device != assignment_[at(interval.op)]) {
                return say(interval) + " is not on the device its op is assigned to";
            }
            last = std::max(last, interval.end);
            if (!interval.isTransfer()) {
                if (executions[at(interval.op)] >= 0) {
                    return say(interval) + " runs a second time";
                }
                executions[at(interval.op)] = static_cast<std::int32_t>(i);
            }
        }
        for (OpId op = 0; op < graph_.opCount(); ++op) {
            if (executions[at(op)] < 0) {
                return "op \"" + graph_.opName(op) + "\" never runs";
            }
        }
        if (timeline_.executionOf != executions) {
            return "executionOf does not name the executions";
        }
        if (timeline_.makespan != last) {
            return "makespan is " + text(timeline_.makespan) + ", but the last interval ends at " +
                   text(last);
        }
        if (timeline_.deviceCount != problem_.deviceCount() ||
            (!timeline_.peakMemory.empty() &&
             timeline_.peakMemory.size() != at(problem_.deviceCount()))) {
            return "the number of devices is not the cluster's";
        }
        return {};
    }

    /// Each crossing edge is served by exactly one transfer, of the kind that the options ask for.
    Violation checkMoves() {
        const bool shared = problem_.options.sharing == TransferSharing::PerDestination;
        moveOf_.assign(at(graph_.edgeCount()), -1);
        for (std::size_t i = 0; i < timeline_.intervals.size(); ++i) {
            const Interval& transfer = timeline_.intervals[i];
            if (!transfer.isTransfer()) {
                continue;
            }
            if (shared != (transfer.edge == kNoEdge)) {
                return say(transfer) + (shared ? " serves one edge, though transfers are shared"
                                               : " names no edge, though each edge has its own");
            }
            if (!shared && (transfer.edge < graph_.firstOutEdge(transfer.op) ||
                            transfer.edge >= graph_.endOutEdge(transfer.op))) {
                return say(transfer) + " serves an edge of another op";
            }
            int served = 0;
            bool twice = false;
            bool misled = false;
            forEachEdgeOf(transfer, graph_, assignment_, [&](EdgeId edge) {
                misled |= assignment_[at(graph_.target(edge))] != transfer.to;
                twice |= moveOf_[at(edge)] >= 0;
                moveOf_[at(edge)] = static_cast<std::int32_t>(i);
                ++served;
            });
            if (served == 0 || misled || transfer.to == transfer.device) {
                return say(transfer) + " goes where nobody needs it";
            }
            if (twice) {
                return say(transfer) + " moves what another transfer moves";
            }
        }
        for (EdgeId edge = 0; edge < graph_.edgeCount(); ++edge) {
            const bool crosses =
                assignment_[at(graph_.source(edge))] != assignment_[at(graph_.target(edge))];
            if (crosses && moveOf_[at(edge)] < 0) {
                return "nothing moves the output of \"" + graph_.opName(graph_.source(edge)) +
                       "\" to \"" + graph_.opName(graph_.target(edge)) + "\"";
            }
        }
        return {};
    }

    Violation checkExecution(const Interval& execution) {
        if (exactDurations_ && execution.end - execution.start !=
                                   problem_.costs->compute(execution.op, execution.device)) {
            return say(execution) + " does not take its time";
        }
        Time arrival = 0;
        for (const EdgeId edge : graph_.inEdges(execution.op)) {
            const std::int32_t move = moveOf_[at(edge)];
            const Interval& brings = move >= 0 ? timeline_.intervals[at(move)]
                                               : timeline_.execution(graph_.source(edge));
            if (execution.start < brings.end) {
                return say(execution) + " starts before its input from " + say(brings) +
                       " is there at " + text(brings.end);
            }
            arrival = std::max(arrival, brings.end);
        }
        if (!closelyFollows(execution.ready, arrival) || execution.ready > execution.start) {
            return say(execution) + " says it was ready at " + text(execution.ready) +
                   ", but its inputs were there at " + text(arrival);
        }
        return checkLastInput(execution, arrival);
    }

    Violation checkLastInput(const Interval& execution, Time arrival) {
        const auto edges = graph_.inEdges(execution.op);
        if (edges.empty() || execution.lastInput < 0) {
            return edges.empty() == (execution.lastInput < 0)
                       ? Violation{}
                       : say(execution) + " has a last input exactly if it has none";
        }
        for (const EdgeId edge : edges) {
            const std::int32_t move = moveOf_[at(edge)];
            const std::int32_t brings =
                move >= 0 ? move : timeline_.executionOf[at(graph_.source(edge))];
            if (brings == execution.lastInput &&
                closelyFollows(arrival, timeline_.intervals[at(brings)].end)) {
                return {};
            }
        }
        return say(execution) + " names a last input that is not its last";
    }

    Violation checkTransfer(const Interval& transfer) {
        const Interval& producer = timeline_.execution(transfer.op);
        if (transfer.start < producer.end) {
            return say(transfer) + " starts before its value is there at " + text(producer.end);
        }
        if (!closelyFollows(transfer.ready, producer.end) || transfer.ready > transfer.start ||
            transfer.lastInput != timeline_.executionOf[at(transfer.op)]) {
            return say(transfer) + " does not say when or by what its value was produced";
        }
        Time time = 0;
        forEachEdgeOf(transfer, graph_, assignment_, [&](EdgeId edge) {
            time = std::max(
                time, problem_.costs->transfer(edge, transfer.op, transfer.device, transfer.to));
        });
        if (exactDurations_ && transfer.end - transfer.start != time) {
            return say(transfer) + " does not take its time";
        }
        return {};
    }

    Violation checkCause(std::int32_t index, const Interval& interval) {
        const std::int32_t cause = interval.causeInterval;
        if (interval.cause == Cause::Nothing) {
            return cause < 0 && interval.start <= tolerance_
                       ? Violation{}
                       : say(interval) + " waited for something, but its cause says for nothing";
        }
        if (cause < 0 || cause >= index) {
            return say(interval) + " has a cause that does not lie before it";
        }
        const Interval& by = timeline_.intervals[at(cause)];
        if (!closelyFollows(interval.start, by.end)) {
            return say(interval) + " did not start when its cause, " + say(by) + ", ended";
        }
        if (!explains(interval, by)) {
            return say(interval) + " has a cause of the wrong kind (" + name(interval.cause) +
                   "), " + say(by);
        }
        return {};
    }

    static std::string name(Cause cause) {
        constexpr const char* kNames[] = {"nothing", "input",   "lane",
                                          "memory",  "barrier", "processors"};
        return kNames[static_cast<std::size_t>(cause)];
    }

    bool explains(const Interval& interval, const Interval& by) const {
        switch (interval.cause) {
        case Cause::Nothing:
            return true;
        case Cause::Input:
            return &by == &timeline_.intervals[at(interval.lastInput)];
        case Cause::Lane:
            return sameLane(interval, by);
        case Cause::Memory:
            return problem_.options.memory == MemoryPolicy::Hold || tolerance_ > 0;
        case Cause::Barrier:
            return problem_.options.mode == ExecutionMode::BulkSynchronous;
        case Cause::Core:
            return problem_.options.cores > 0;
        }
        return false;
    }

    bool sameLane(const Interval& a, const Interval& b) const {
        if (a.isTransfer() != b.isTransfer()) {
            return false;
        }
        if (!a.isTransfer()) {
            return a.device == b.device && a.slot == b.slot;
        }
        switch (problem_.options.contention) {
        case LinkContention::None:
            return false;
        case LinkContention::PerPair:
            return a.device == b.device && a.to == b.to;
        case LinkContention::PerPort:
            return a.device == b.device || a.to == b.to;
        case LinkContention::SharedBus:
            break;
        }
        return true;
    }

    const Problem& problem_;
    const graph::Graph& graph_;
    const Assignment& assignment_;
    const Timeline& timeline_;
    bool exactDurations_;
    Time tolerance_;
    std::vector<std::int32_t> moveOf_; // by edge: the transfer that brings it, or -1
};

} // namespace

std::optional<std::string> findViolation(const Problem& problem, const Assignment& assignment,
                                         const Timeline& timeline, bool exactDurations,
                                         Time tolerance) {
    if (assignment.size() != at(problem.opCount())) {
        return "the assignment is of another problem";
    }
    Violation violation =
        IntervalCheck(problem, assignment, timeline, exactDurations, tolerance).find();
    return violation ? violation : findLaneViolation(problem, timeline, tolerance);
}

} // namespace doppler::sim
