#include "core/place/policy/PolicyRolloutState.h"

#include <algorithm>

namespace doppler::place {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

// Clusters of a quarter of an even share hold room on the device where they begin.
constexpr std::size_t kReserving = 1;

} // namespace

void CandidateQueue::push(OpId op) {
    heap_.push_back({scores_[at(op)], op});
    std::push_heap(heap_.begin(), heap_.end(), worse);
}

OpId CandidateQueue::take() {
    std::pop_heap(heap_.begin(), heap_.end(), worse);
    const OpId op = heap_.back().op;
    heap_.pop_back();
    for (EdgeId edge = graph_->firstOutEdge(op); edge < graph_->endOutEdge(op); ++edge) {
        const OpId child = graph_->target(edge);
        if (--missing_[at(child)] == 0) {
            push(child);
        }
    }
    return op;
}

PolicyRolloutState::PolicyRolloutState(const PolicyProblem& problem) : p(problem) {
    const std::size_t ops = at(p.ops);
    device.resize(ops);
    free.resize(p.stride);
    load.resize(p.stride);
    reserved.resize(p.stride);
    arrive.resize(ops * p.stride);
    inputsThere.resize(ops * p.stride);
    grandThere.resize(ops * p.stride);
    consumersThere.resize(ops * p.stride);
    classThere.resize(p.perClass.size() * p.stride);
    kindThere.resize(p.perKind.size() * p.stride);
    clusterThere.resize(p.clusterWork.size() * p.stride);
    grandPlaced.resize(ops);
    consumersPlaced.resize(ops);
    clusterHome_.resize(p.clusterWork.size());
    for (const int slots : p.slots) {
        slotFree_.emplace_back(at(slots));
    }
}

void PolicyRolloutState::reset() {
    std::fill(device.begin(), device.end(), kNoDevice);
    for (std::vector<float>* table :
         {&free, &load, &reserved, &arrive, &inputsThere, &grandThere, &consumersThere, &classThere,
          &kindThere, &clusterThere, &grandPlaced, &consumersPlaced}) {
        std::fill(table->begin(), table->end(), 0.0F);
    }
    std::fill(clusterHome_.begin(), clusterHome_.end(), kNoDevice);
    for (std::vector<float>& slots : slotFree_) {
        std::fill(slots.begin(), slots.end(), 0.0F);
    }
    used = 0;
}

float PolicyRolloutState::takeSlot(DeviceId on, float ready, float duration) {
    std::vector<float>& slots = slotFree_[at(on)];
    const auto first = std::min_element(slots.begin(), slots.end());
    *first = std::max(*first, ready) + duration;
    const float end = *first;
    free[at(on)] = slots.size() == 1 ? end : *std::min_element(slots.begin(), slots.end());
    return end;
}

void PolicyRolloutState::reserve(OpId op, DeviceId on) {
    const float work = p.meanCompute[at(op)];
    const std::int32_t cluster = p.clusterOf[at(op) * kClusterings + kReserving];
    DeviceId& home = clusterHome_[at(cluster)];
    if (home == kNoDevice) {
        home = on;
        reserved[at(on)] += p.clusterWork[at(cluster)] - work;
    } else {
        reserved[at(home)] -= work;
    }
}

template <std::size_t Stride>
void PolicyRolloutState::commit(OpId op, DeviceId on) {
    const std::size_t stride = Stride > 0 ? Stride : p.stride;
    const graph::Graph& graph = *p.problem->graph;
    const std::size_t home = at(on);
    device[at(op)] = on;
    used = std::max(used, on + 1);
    const float work = p.compute[at(op) * stride + home];
    const float end = takeSlot(on, row(arrive, op)[home], work);
    load[home] += work;
    reserve(op, on);
    row(classThere, p.classOf[at(op)])[home] += 1;
    row(kindThere, p.kindOf[at(op)])[home] += 1;
    for (std::size_t i = 0; i < kClusterings; ++i) {
        row(clusterThere, p.clusterOf[at(op) * kClusterings + i])[home] += p.meanCompute[at(op)];
    }
    for (const EdgeId edge : graph.inEdges(op)) {
        const OpId parent = graph.source(edge);
        row(consumersThere, parent)[home] += 1;
        consumersPlaced[at(parent)] += 1;
    }
    const cost::CostTable& costs = *p.problem->costs;
    for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
        const OpId child = graph.target(edge);
        float* there = row(arrive, child);
        const float atHome = std::max(there[home], end);
        if (p.likeLinks) {
            const float sent = end + p.transfer[at(edge)];
            for (std::size_t d = 0; d < stride; ++d) {
                there[d] = std::max(there[d], sent);
            }
        } else {
            const float* links = p.linkTransfer.data() + at(edge) * costs.linkClasses();
            for (DeviceId d = 0; d < p.devices; ++d) {
                if (d != on) {
                    there[at(d)] = std::max(there[at(d)], end + links[costs.linkClass(on, d)]);
                }
            }
        }
        there[home] = atHome;
        row(inputsThere, child)[home] += p.transfer[at(edge)];
    }
    for (auto i = p.grandBegin[at(op)]; i < p.grandBegin[at(op) + 1]; ++i) {
        const OpId grandchild = p.grandchildren[at(i)];
        row(grandThere, grandchild)[home] += 1;
        grandPlaced[at(grandchild)] += 1;
    }
}

template void PolicyRolloutState::commit<0>(OpId, DeviceId);
template void PolicyRolloutState::commit<4>(OpId, DeviceId);
template void PolicyRolloutState::commit<8>(OpId, DeviceId);

} // namespace doppler::place
