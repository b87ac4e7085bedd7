#include "core/sim/Slack.h"

#include <algorithm>

#include "core/graph/Topology.h"
#include "core/sim/TransferEdges.h"

namespace doppler::sim {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

/// Walks a timeline backwards; each limit is the latest start of whatever must come after.
class SlackPass {
public:
    SlackPass(const Problem& problem, const Assignment& assignment, const Timeline& timeline)
        : problem_(problem)
        , graph_(*problem.graph)
        , assignment_(assignment)
        , timeline_(timeline)
        , devices_(at(problem.deviceCount()))
        , ofInterval_(timeline.intervals.size(), end())
        , ofOutput_(at(graph_.opCount()), end())
        , ofEdge_(at(graph_.edgeCount()), end())
        , ofSlot_(devices_)
        , ofOut_(devices_, end())
        , ofIn_(devices_, end())
        , ofPair_(devices_ * devices_, end()) {
        for (std::size_t device = 0; device < devices_; ++device) {
            const int slots = problem.cluster->device(static_cast<DeviceId>(device)).slots;
            ofSlot_[device].assign(at(slots), end());
        }
        if (problem.options.mode == ExecutionMode::BulkSynchronous) {
            level_ = graph::levels(graph_);
            ofLevel_.assign(level_.size() + 1, end());
        }
    }

    std::vector<Time> run() {
        std::vector<Time> slack(at(graph_.opCount()), 0);
        for (std::size_t i = timeline_.intervals.size(); i-- > 0;) {
            const Interval& interval = timeline_.intervals[i];
            Time latestEnd = ofInterval_[i];
            if (!level_.empty()) {
                lower(latestEnd, ofLevel_[at(level_[at(interval.op)]) + 1]);
            }
            const Time duration = interval.end - interval.start;
            if (interval.isTransfer()) {
                forEachEdgeOf(interval, graph_, assignment_,
                              [&](EdgeId edge) { lower(latestEnd, ofEdge_[at(edge)]); });
                keepLinkOrder(interval, latestEnd, duration);
                lower(ofOutput_[at(interval.op)], latestEnd - duration);
            } else {
                lower(latestEnd, ofOutput_[at(interval.op)]);
                lower(latestEnd, ofSlot_[at(interval.device)][at(interval.slot)]);
                ofSlot_[at(interval.device)][at(interval.slot)] = latestEnd - duration;
                slack[at(interval.op)] = latestEnd - interval.end;
                limitProducers(interval.op, latestEnd - duration);
            }
            if (interval.causeInterval >= 0) {
                lower(ofInterval_[at(interval.causeInterval)], latestEnd - duration);
            }
        }
        return slack;
    }

private:
    static void lower(Time& value, Time limit) { value = std::min(value, limit); }
    Time end() const { return timeline_.makespan; }

    void keepLinkOrder(const Interval& transfer, Time& latestEnd, Time duration) {
        const auto keep = [&](Time& lane) {
            lower(latestEnd, lane);
            return &lane;
        };
        Time* lanes[2] = {nullptr, nullptr};
        switch (problem_.options.contention) {
        case LinkContention::None:
            return;
        case LinkContention::PerPair:
            lanes[0] = keep(ofPair_[at(transfer.device) * devices_ + at(transfer.to)]);
            break;
        case LinkContention::PerPort:
            lanes[0] = keep(ofOut_[at(transfer.device)]);
            lanes[1] = keep(ofIn_[at(transfer.to)]);
            break;
        case LinkContention::SharedBus:
            lanes[0] = keep(ofPair_[0]);
            break;
        }
        for (Time* lane : lanes) {
            if (lane != nullptr) {
                *lane = latestEnd - duration;
            }
        }
    }

    void limitProducers(OpId op, Time latestStart) {
        for (const EdgeId edge : graph_.inEdges(op)) {
            const OpId source = graph_.source(edge);
            if (assignment_[at(source)] == assignment_[at(op)]) {
                lower(ofOutput_[at(source)], latestStart);
            } else {
                lower(ofEdge_[at(edge)], latestStart);
            }
        }
        if (!level_.empty()) {
            lower(ofLevel_[at(level_[at(op)])], latestStart);
        }
    }

    const Problem& problem_;
    const graph::Graph& graph_;
    const Assignment& assignment_;
    const Timeline& timeline_;
    std::size_t devices_;
    std::vector<Time> ofInterval_;
    std::vector<Time> ofOutput_; // by op
    std::vector<Time> ofEdge_;   // whose value crosses devices
    std::vector<std::vector<Time>> ofSlot_;
    std::vector<Time> ofOut_;
    std::vector<Time> ofIn_;
    std::vector<Time> ofPair_;
    std::vector<std::int32_t> level_; // bulk-synchronous only
    std::vector<Time> ofLevel_;
};

} // namespace

std::vector<Time> slackOf(const Problem& problem, const Assignment& assignment,
                          const Timeline& timeline) {
    return SlackPass(problem, assignment, timeline).run();
}

} // namespace doppler::sim
