#include "core/sim/LaneCheck.h"

#include <algorithm>
#include <map>

#include "core/graph/Topology.h"
#include "core/sim/TimeSet.h"

namespace doppler::sim {

namespace {

using Violation = std::optional<std::string>;

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

class LaneCheck {
public:
    LaneCheck(const Problem& problem, const Timeline& timeline, Time tolerance)
        : problem_(problem), timeline_(timeline), tolerance_(tolerance), levelStart_(1, Time{0}) {}

    Violation find() {
        Violation violation = checkSlots();
        if (!violation) {
            violation = checkLinks();
        }
        if (!violation) {
            violation = checkCores();
        }
        if (!violation && problem_.options.mode == ExecutionMode::BulkSynchronous) {
            violation = checkBarriers();
        }
        if (!violation && problem_.options.memory == MemoryPolicy::Report) {
            violation = checkIdle();
        }
        return violation;
    }

private:
    using LaneId = std::pair<int, std::int64_t>; // kind, number
    enum LaneKind { kSlot, kOut, kIn, kPair, kBus };

    /// The link lanes that a transfer occupies.
    std::vector<LaneId> linkLanes(const Interval& transfer) const {
        switch (problem_.options.contention) {
        case LinkContention::None:
            return {};
        case LinkContention::PerPair:
            return {{kPair, std::int64_t{transfer.device} * problem_.deviceCount() + transfer.to}};
        case LinkContention::PerPort:
            return {{kOut, transfer.device}, {kIn, transfer.to}};
        case LinkContention::SharedBus:
            break;
        }
        return {{kBus, 0}};
    }

    std::string say(const Interval& interval) const { return describe(*problem_.graph, interval); }

    // Intervals come by start: each need only be compared with what ended last on its lane.
    Violation occupy(LaneId lane, const Interval& interval) {
        const Interval*& last = lastOn_[lane];
        if (last != nullptr && last->end > interval.start && interval.end > last->start) {
            return say(interval) + " uses a lane that " + say(*last) + " still uses";
        }
        if (last == nullptr || interval.end >= last->end) {
            last = &interval;
        }
        return {};
    }

    Violation checkSlots() {
        constexpr std::int64_t kMaximumSlots = 1 << 20;
        for (const Interval& interval : timeline_.intervals) {
            if (interval.isTransfer()) {
                continue;
            }
            if (interval.slot < 0 || interval.slot >= slotsOf(interval.device)) {
                return say(interval) + " is in a slot that the device does not have";
            }
            if (Violation violation =
                    occupy({kSlot, interval.device * kMaximumSlots + interval.slot}, interval)) {
                return violation;
            }
        }
        return {};
    }

    Violation checkLinks() {
        for (const Interval& interval : timeline_.intervals) {
            if (!interval.isTransfer()) {
                continue;
            }
            for (const LaneId& lane : linkLanes(interval)) {
                if (Violation violation = occupy(lane, interval)) {
                    return violation;
                }
            }
        }
        return {};
    }

    Violation checkCores() {
        if (problem_.options.cores <= 0) {
            return {};
        }
        std::vector<TimeSpan> all;
        for (const Interval& interval : timeline_.intervals) {
            all.push_back({interval.start, interval.end});
        }
        const TimeSet over = TimeSet::coveredBy(all, problem_.options.cores + 1);
        if (!over.empty()) {
            return "more than " + std::to_string(problem_.options.cores) +
                   " intervals at once from " + std::to_string(over.spans().front().start);
        }
        coresTaken_ = TimeSet::coveredBy(std::move(all), problem_.options.cores);
        return {};
    }

    Violation checkBarriers() {
        level_ = graph::levels(*problem_.graph);
        const std::int32_t count =
            level_.empty() ? 0 : *std::max_element(level_.begin(), level_.end()) + 1;
        levelStart_.assign(at(count) + 1, 0);
        for (const Interval& interval : timeline_.intervals) {
            Time& next = levelStart_[at(level_[at(interval.op)]) + 1];
            next = std::max(next, interval.end);
        }
        for (std::size_t level = 1; level < levelStart_.size(); ++level) {
            levelStart_[level] = std::max(levelStart_[level], levelStart_[level - 1]);
        }
        for (const Interval& interval : timeline_.intervals) {
            if (interval.start < levelStart_[at(level_[at(interval.op)])]) {
                return say(interval) + " starts before the level before it has ended";
            }
        }
        return {};
    }

    int slotsOf(DeviceId device) const { return problem_.cluster->device(device).slots; }

    /// When an interval could have started, lanes and processors apart.
    Time wantedAt(const Interval& interval) const {
        const Time barrier =
            interval.isTransfer() || level_.empty() ? 0 : levelStart_[at(level_[at(interval.op)])];
        return std::max(interval.ready, barrier) + tolerance_;
    }

    // A lane is taken again a little late: that is not idle yet.
    TimeSpan occupied(const Interval& interval) const {
        return {interval.start, interval.end + tolerance_};
    }

    /// By device: when an op could not start there.
    std::vector<TimeSet> fullDevices() const {
        std::vector<std::vector<TimeSpan>> running(at(problem_.deviceCount()));
        for (const Interval& interval : timeline_.intervals) {
            if (!interval.isTransfer()) {
                running[at(interval.device)].push_back(occupied(interval));
            }
        }
        std::vector<TimeSet> full;
        for (DeviceId device = 0; device < problem_.deviceCount(); ++device) {
            full.push_back(TimeSet::unionOf(
                TimeSet::coveredBy(std::move(running[at(device)]), slotsOf(device)), coresTaken_));
        }
        return full;
    }

    /// By pair of devices that has transfers: when none could start there.
    std::map<std::pair<DeviceId, DeviceId>, TimeSet> fullLinks() const {
        std::map<LaneId, std::vector<TimeSpan>> moving;
        for (const Interval& interval : timeline_.intervals) {
            if (interval.isTransfer()) {
                for (const LaneId& lane : linkLanes(interval)) {
                    moving[lane].push_back(occupied(interval));
                }
            }
        }
        std::map<std::pair<DeviceId, DeviceId>, TimeSet> full;
        for (const Interval& interval : timeline_.intervals) {
            if (!interval.isTransfer() || full.count({interval.device, interval.to}) > 0) {
                continue;
            }
            TimeSet& taken = full[{interval.device, interval.to}];
            taken = coresTaken_;
            for (const LaneId& lane : linkLanes(interval)) {
                taken = TimeSet::unionOf(taken, TimeSet::coveredBy(moving[lane], 1));
            }
        }
        return full;
    }

    Violation checkIdle() const {
        const std::vector<TimeSet> devices = fullDevices();
        const auto links = fullLinks();
        for (const Interval& interval : timeline_.intervals) {
            const TimeSet& full = interval.isTransfer() ? links.at({interval.device, interval.to})
                                                        : devices[at(interval.device)];
            if (!full.contains({wantedAt(interval), interval.start})) {
                return say(interval) + " was ready at " + std::to_string(interval.ready) +
                       " and waited though its lane was free";
            }
        }
        return {};
    }

    const Problem& problem_;
    const Timeline& timeline_;
    Time tolerance_;
    std::map<LaneId, const Interval*> lastOn_;
    TimeSet coresTaken_;
    std::vector<std::int32_t> level_; // bulk-synchronous only
    std::vector<Time> levelStart_;
};

} // namespace

std::optional<std::string> findLaneViolation(const Problem& problem, const Timeline& timeline,
                                             Time tolerance) {
    return LaneCheck(problem, timeline, tolerance).find();
}

std::string describe(const graph::Graph& graph, const Interval& interval) {
    std::string text = (interval.isTransfer() ? "transfer of \"" : "op \"") +
                       graph.opName(interval.op) + "\" " + (interval.isTransfer() ? "from" : "on") +
                       " device " + std::to_string(interval.device);
    if (interval.isTransfer()) {
        text += " to " + std::to_string(interval.to);
    }
    return text + " from " + std::to_string(interval.start) + " to " + std::to_string(interval.end);
}

} // namespace doppler::sim
