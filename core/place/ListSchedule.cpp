#include "core/place/ListSchedule.h"

#include <algorithm>

namespace doppler::place {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

} // namespace

ListSchedule::ListSchedule(const sim::Problem& problem, Insertion insertion, MemoryCount memory)
    : problem_(problem)
    , insertion_(insertion)
    , memory_(problem, memory)
    , gaps_(at(problem.deviceCount()))
    , device_(at(problem.opCount()), kNoDevice)
    , start_(at(problem.opCount()), 0)
    , end_(at(problem.opCount()), 0) {
    for (DeviceId device = 0; device < problem.deviceCount(); ++device) {
        gaps_[at(device)].assign(at(problem.cluster->device(device).slots), {Gap{}});
    }
}

Time ListSchedule::inputsThere(OpId op, DeviceId device) const {
    Time there = 0;
    for (const EdgeId edge : problem_.graph->inEdges(op)) {
        const OpId parent = problem_.graph->source(edge);
        there = std::max(there, end_[at(parent)] + problem_.costs->transfer(
                                                       edge, parent, device_[at(parent)], device));
    }
    return there;
}

Slot ListSchedule::inLane(const std::vector<Gap>& lane, Time ready, Time duration) const {
    auto gap = std::lower_bound(lane.begin(), lane.end(), ready,
                                [](const Gap& g, Time time) { return g.end < time; });
    while (std::max(gap->begin, ready) + duration > gap->end) {
        ++gap; // the last gap never ends
    }
    Slot slot;
    slot.start = std::max(gap->begin, ready);
    slot.end = slot.start + duration;
    return slot;
}

Slot ListSchedule::earliest(OpId op, DeviceId device) const {
    const Time ready = inputsThere(op, device);
    const Time duration = problem_.costs->compute(op, device);
    Slot best;
    const auto& lanes = gaps_[at(device)];
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
        Slot slot = inLane(lanes[lane], ready, duration);
        if (lane == 0 || slot.start < best.start) {
            slot.lane = static_cast<int>(lane);
            best = slot;
        }
    }
    best.device = device;
    return best;
}

DeviceId ListSchedule::firstDevice(OpId op) const {
    return std::max(0, problem_.pin(op));
}

DeviceId ListSchedule::endDevice(OpId op) const {
    const DeviceId pin = problem_.pin(op);
    return pin == kNoDevice ? problem_.deviceCount() : pin + 1;
}

DeviceId ListSchedule::leastOverflow(OpId op) const {
    DeviceId best = firstDevice(op);
    for (DeviceId device = best + 1; device < endDevice(op); ++device) {
        if (memory_.overflow(op, device) < memory_.overflow(op, best)) {
            best = device;
        }
    }
    return best;
}

bool ListSchedule::allowed(OpId op, DeviceId device) const {
    if (device < firstDevice(op) || device >= endDevice(op)) {
        return false;
    }
    if (memory_.fits(op, device)) {
        return true;
    }
    const DeviceId least = leastOverflow(op);
    return device == least && !memory_.fits(op, least);
}

Time ListSchedule::freeAt(DeviceId device) const {
    const auto& lanes = gaps_[at(device)];
    Time first = lanes.front().back().begin;
    for (const std::vector<Gap>& lane : lanes) {
        first = std::min(first, lane.back().begin);
    }
    return first;
}

void ListSchedule::commit(OpId op, const Slot& slot) {
    memory_.add(op, slot.device);
    device_[at(op)] = slot.device;
    start_[at(op)] = slot.start;
    end_[at(op)] = slot.end;
    length_ = std::max(length_, slot.end);

    std::vector<Gap>& lane = gaps_[at(slot.device)][static_cast<std::size_t>(slot.lane)];
    if (insertion_ == Insertion::Append) {
        lane.back().begin = slot.end;
        return;
    }
    auto gap = std::lower_bound(lane.begin(), lane.end(), slot.start,
                                [](const Gap& g, Time time) { return g.end < time; });
    while (gap->begin > slot.start || gap->end < slot.end) {
        ++gap; // an empty gap may end where this slot starts
    }
    const Gap before{gap->begin, slot.start};
    gap->begin = slot.end;
    if (before.begin < before.end) {
        lane.insert(gap, before);
    }
}

} // namespace doppler::place
