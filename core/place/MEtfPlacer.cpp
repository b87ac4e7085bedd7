#include <queue>

#include "core/place/EarliestTask.h"
#include "core/place/PlacerEntry.h"
#include "core/sim/PathLevels.h"

namespace doppler::place {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

/// A ready op as one device sees it.
struct Candidate {
    Time inputsThere;
    double level;
    OpId op;
};

struct ArrivesLater {
    bool operator()(const Candidate& a, const Candidate& b) const {
        return a.inputsThere != b.inputsThere ? a.inputsThere > b.inputsThere : a.op > b.op;
    }
};

struct LessUrgent {
    bool operator()(const Candidate& a, const Candidate& b) const {
        return a.level != b.level ? a.level < b.level : a.op > b.op;
    }
};

/// The ready ops of one device: those whose inputs are there when it is free, and the others.
class DeviceQueue {
public:
    void push(const Candidate& candidate) { onTheWay_.push(candidate); }

    /// The op that could start first if the device is free at `free`, ops that are planned already
    /// thrown out; nullptr if none is left.
    template <typename Planned>
    const Candidate* first(Time free, Planned planned) {
        while (!onTheWay_.empty() && onTheWay_.top().inputsThere <= free) {
            there_.push(onTheWay_.top());
            onTheWay_.pop();
        }
        while (!there_.empty() && planned(there_.top().op)) {
            there_.pop();
        }
        while (!onTheWay_.empty() && planned(onTheWay_.top().op)) {
            onTheWay_.pop();
        }
        if (!there_.empty()) {
            return &there_.top();
        }
        return onTheWay_.empty() ? nullptr : &onTheWay_.top();
    }

    void popFirst() {
        if (there_.empty()) {
            onTheWay_.pop();
        } else {
            there_.pop();
        }
    }

private:
    std::priority_queue<Candidate, std::vector<Candidate>, ArrivesLater> onTheWay_;
    std::priority_queue<Candidate, std::vector<Candidate>, LessUrgent> there_;
};

class EarliestTask {
public:
    EarliestTask(const sim::Problem& problem, MemoryCount memory)
        : problem_(problem)
        , graph_(*problem.graph)
        , schedule_(problem, Insertion::Append, memory)
        , level_(sim::bLevels(problem))
        , queues_(at(problem.deviceCount()))
        , devicesLeft_(at(problem.opCount()), 0)
        , missing_(at(problem.opCount()))
        , planned_(at(problem.opCount()), false) {}

    ListSchedule run() {
        for (OpId op = 0; op < graph_.opCount(); ++op) {
            missing_[at(op)] = graph_.inDegree(op);
            if (missing_[at(op)] == 0) {
                makeReady(op);
            }
        }
        for (int left = graph_.opCount(); left > 0; --left) {
            planNext();
        }
        return std::move(schedule_);
    }

private:
    void makeReady(OpId op) {
        for (DeviceId device = schedule_.firstDevice(op); device < schedule_.endDevice(op);
             ++device) {
            queues_[at(device)].push({schedule_.inputsThere(op, device), level_[at(op)], op});
            ++devicesLeft_[at(op)];
        }
    }

    void planNext() {
        for (;;) {
            DeviceId device = kNoDevice;
            Candidate best{};
            for (DeviceId each = 0; each < problem_.deviceCount(); ++each) {
                const Time free = schedule_.freeAt(each);
                const Candidate* first = queues_[at(each)].first(
                    free, [&](OpId op) { return static_cast<bool>(planned_[at(op)]); });
                if (first == nullptr) {
                    continue;
                }
                const Candidate candidate{std::max(free, first->inputsThere), first->level,
                                          first->op};
                if (device == kNoDevice || candidate.inputsThere < best.inputsThere ||
                    (candidate.inputsThere == best.inputsThere && candidate.level > best.level)) {
                    device = each;
                    best = candidate;
                }
            }
            if (schedule_.allowed(best.op, device)) {
                return plan(best.op, device);
            }
            queues_[at(device)].popFirst();
            if (--devicesLeft_[at(best.op)] == 0) {
                return plan(best.op, schedule_.leastOverflow(best.op));
            }
        }
    }

    void plan(OpId op, DeviceId device) {
        schedule_.commit(op, schedule_.earliest(op, device));
        planned_[at(op)] = true;
        for (EdgeId edge = graph_.firstOutEdge(op); edge < graph_.endOutEdge(op); ++edge) {
            if (--missing_[at(graph_.target(edge))] == 0) {
                makeReady(graph_.target(edge));
            }
        }
    }

    const sim::Problem& problem_;
    const graph::Graph& graph_;
    ListSchedule schedule_;
    std::vector<double> level_;
    std::vector<DeviceQueue> queues_;       // by device
    std::vector<std::int32_t> devicesLeft_; // by op: queues that still hold it
    std::vector<std::int32_t> missing_;
    std::vector<bool> planned_;
};

PlaceResult place(const PlaceRequest& request) {
    return evaluatedWithinMemory(request, [](const sim::Problem& problem, MemoryCount memory) {
        return earliestTaskSchedule(problem, memory).assignment();
    });
}

} // namespace

ListSchedule earliestTaskSchedule(const sim::Problem& problem, MemoryCount memory) {
    return EarliestTask(problem, memory).run();
}

PlacerEntry mEtfPlacer() {
    return {{.name = "m-etf",
             .description = "The op that can start first, where there is room for it.",
             .source = "Hwang et al. 1989; Baechi: Jeon et al. 2020"},
            place};
}

} // namespace doppler::place
