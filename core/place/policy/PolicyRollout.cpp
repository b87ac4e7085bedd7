#include "core/place/policy/PolicyRollout.h"

#include <algorithm>
#include <limits>

#include "core/place/policy/QuickLog.h"

namespace doppler::place {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

float least(const float* values, int count) {
    float result = values[0];
    for (int i = 1; i < count; ++i) {
        result = std::min(result, values[i]);
    }
    return result;
}

constexpr std::size_t kScratchRows = 6;
/// A millisecond or two.
constexpr int kOpsBetweenLooks = 1024;

} // namespace

PolicyRollout::PolicyRollout(std::shared_ptr<const PolicyProblem> problem)
    : problem_(std::move(problem))
    , state_(*problem_)
    , candidates_(*problem_->problem->graph)
    , features_(kDeviceFeatureCount * problem_->stride)
    , scratch_(kScratchRows * problem_->stride) {}

void PolicyRollout::weigh(const LinearPolicy& policy, OpId op) {
    const float* context = problem_->contexts.data() + at(op) * kContextCount;
    opWeights_.fill(0);
    for (std::size_t c = 0; c < kContextCount; ++c) {
        const float* weights = policy.plc(c);
        for (std::size_t f = 0; f < kDeviceFeatureCount; ++f) {
            opWeights_[f] += context[c] * weights[f];
        }
    }
}

template <std::size_t Stride>
DeviceId PolicyRollout::choose(OpId op, int allowed) {
    const PolicyProblem& p = *problem_;
    const std::size_t stride = Stride > 0 ? Stride : p.stride;
    const graph::Graph& graph = *p.problem->graph;
    PolicyRolloutState& s = state_;
    const auto feature = [&](DeviceFeature which) { return features_.data() + which * stride; };
    float* start = scratch_.data();
    float* finish = start + stride;
    float* held = finish + stride;
    float* children = held + stride;
    float* childrenHere = children + stride;
    float* ready = childrenHere + stride;

    const float* arrive = s.row(s.arrive, op);
    const float* compute = p.compute.data() + at(op) * stride;
    for (std::size_t d = 0; d < stride; ++d) {
        start[d] = std::max(arrive[d], s.free[d]);
        finish[d] = start[d] + compute[d];
        held[d] = s.load[d] + s.reserved[d];
    }

    // One step ahead: when could each consumer start, here or elsewhere, if the op ran here?
    for (std::size_t d = 0; d < stride; ++d) {
        children[d] = childrenHere[d] = 0;
    }
    const std::int32_t firstChild = p.childBegin[at(op)];
    const std::int32_t endChild = p.childBegin[at(op) + 1];
    float* coParents = feature(kCoParents);
    float* twoHop = feature(kTwoHopCoParents);
    for (std::size_t d = 0; d < stride; ++d) {
        coParents[d] = twoHop[d] = 0;
    }
    float coParentSum = 0;
    for (std::int32_t i = firstChild; i < endChild; ++i) {
        const EdgeId edge = p.children[at(i)];
        const OpId child = graph.target(edge);
        const float* there = s.row(s.arrive, child);
        const float* inputs = s.row(s.inputsThere, child);
        for (std::size_t d = 0; d < stride; ++d) {
            ready[d] = std::max(s.free[d], there[d]);
            coParents[d] += inputs[d];
        }
        // The best and the second best device of the child, leaving the op aside.
        float best = std::numeric_limits<float>::max();
        float second = best;
        int bestDevice = -1;
        for (int d = 0; d < allowed; ++d) {
            coParentSum += inputs[d];
            if (ready[d] < best) {
                second = best;
                best = ready[d];
                bestDevice = d;
            } else if (ready[d] < second) {
                second = ready[d];
            }
        }
        const float sent = p.transfer[at(edge)];
        for (int d = 0; d < allowed; ++d) {
            const float here = std::max(finish[d], there[d]);
            const float elsewhere = std::max(d == bestDevice ? second : best, finish[d] + sent);
            childrenHere[d] += here;
            children[d] += std::min(here, elsewhere);
        }
    }
    if (endChild > firstChild) {
        const float share = 1.0F / static_cast<float>(endChild - firstChild);
        for (std::size_t d = 0; d < stride; ++d) {
            children[d] *= share;
            childrenHere[d] *= share;
        }
    } else {
        std::copy(finish, finish + stride, children);
        std::copy(finish, finish + stride, childrenHere);
    }
    float grandSum = 0;
    for (auto i = p.grandBegin[at(op)]; i < p.grandBegin[at(op) + 1]; ++i) {
        const OpId grandchild = p.grandchildren[at(i)];
        const float* there = s.row(s.grandThere, grandchild);
        grandSum += s.grandPlaced[at(grandchild)];
        for (std::size_t d = 0; d < stride; ++d) {
            twoHop[d] += there[d];
        }
    }
    float* siblings = feature(kSiblings);
    std::fill(siblings, siblings + stride, 0.0F);
    float siblingSum = 0;
    for (const EdgeId edge : graph.inEdges(op)) {
        const OpId parent = graph.source(edge);
        const float* there = s.row(s.consumersThere, parent);
        siblingSum += s.consumersPlaced[at(parent)];
        for (std::size_t d = 0; d < stride; ++d) {
            siblings[d] += there[d];
        }
    }

    const auto inverse = [](float sum) { return sum > 0 ? 1 / sum : 0.0F; };
    const float leastLoad = least(s.load.data(), allowed);
    const float leastStart = least(start, allowed);
    const float leastFinish = least(finish, allowed);
    const float leastCompute = least(compute, allowed);
    const float leastChildren = least(children, allowed);
    const float leastChildrenHere = least(childrenHere, allowed);
    const float leastHeld = least(held, allowed);
    const float perInput = inverse(p.inTransfer[at(op)]);
    const float perCoParent = inverse(coParentSum);
    const float perGrand = inverse(grandSum);
    const float perSibling = inverse(siblingSum);
    const float perCompute = inverse(leastCompute);
    const float perClass = p.perClass[at(p.classOf[at(op)])];
    const float perKind = p.perKind[at(p.kindOf[at(op)])];
    const float tail = p.tail[at(op)];
    const float* inputs = s.row(s.inputsThere, op);
    const float* sameClass = s.row(s.classThere, p.classOf[at(op)]);
    const float* sameKind = s.row(s.kindThere, p.kindOf[at(op)]);
    for (std::size_t d = 0; d < stride; ++d) {
        const float load = s.load[d] - leastLoad;
        const float later = start[d] - leastStart;
        const float child = children[d] - leastChildren;
        const float childHere = childrenHere[d] - leastChildrenHere;
        const float reserved = held[d] - leastHeld;
        feature(kLoad)[d] = load;
        feature(kLoadLog)[d] = quickLog(load);
        feature(kStart)[d] = later;
        feature(kStartLog)[d] = quickLog(later);
        feature(kFinish)[d] = finish[d] - leastFinish;
        feature(kComputeHere)[d] = (compute[d] - leastCompute) * perCompute;
        feature(kParents)[d] = inputs[d] * perInput;
        coParents[d] *= perCoParent;
        twoHop[d] *= perGrand;
        siblings[d] *= perSibling;
        feature(kChildren)[d] = child;
        feature(kChildrenLog)[d] = quickLog(child);
        feature(kChildrenHere)[d] = childHere;
        feature(kChildrenHereLog)[d] = quickLog(childHere);
        feature(kSameClass)[d] = sameClass[d] * perClass;
        feature(kSameKind)[d] = sameKind[d] * perKind;
        feature(kReserved)[d] = reserved;
        feature(kReservedLog)[d] = quickLog(reserved);
        feature(kDepthFirstNeighbours)[d] = 0;
        feature(kGap)[d] = quickLog(start[d] - s.free[d]);
        feature(kOverrun)[d] = quickLog(std::max(0.0F, finish[d] + tail - p.leastLength));
    }
    for (std::size_t i = 0; i < kClusterings; ++i) {
        const std::int32_t cluster = p.clusterOf[at(op) * kClusterings + i];
        const float* there = s.row(s.clusterThere, cluster);
        const float perWork = inverse(p.clusterWork[at(cluster)]);
        float* share = features_.data() + (kCluster0 + i) * stride;
        for (std::size_t d = 0; d < stride; ++d) {
            share[d] = there[d] * perWork;
        }
    }
    const std::int32_t place = p.placeOf[at(op)];
    for (const std::int32_t beside : {place - 1, place + 1}) {
        if (beside >= 0 && beside < p.ops) {
            const DeviceId device = s.device[at(p.depthFirst[at(beside)])];
            if (device != kNoDevice) {
                feature(kDepthFirstNeighbours)[at(device)] += 0.5F;
            }
        }
    }

    float* logit = ready; // free again
    std::fill(logit, logit + stride, 0.0F);
    for (std::size_t f = 0; f < kDeviceFeatureCount; ++f) {
        const float* values = features_.data() + f * stride;
        for (std::size_t d = 0; d < stride; ++d) {
            logit[d] += opWeights_[f] * values[d];
        }
    }
    if (memory_) {
        constexpr float kDoesNotFit = -1e9F;
        for (DeviceId d = 0; d < allowed; ++d) {
            if (!memory_->fits(op, d)) {
                logit[d] += kDoesNotFit - static_cast<float>(memory_->overflow(op, d));
            }
        }
    }
    return static_cast<DeviceId>(std::max_element(logit, logit + allowed) - logit);
}

template <std::size_t Stride>
void PolicyRollout::runWith(const LinearPolicy& policy) {
    const PolicyProblem& p = *problem_;
    state_.reset();
    if (p.memoryMatters) {
        memory_.emplace(*p.problem, MemoryCount::Live);
    }
    candidates_.reset([&](OpId op) {
        const float* features = p.opFeatures.data() + at(op) * kOpFeatureCount;
        float score = 0;
        for (std::size_t f = 0; f < kOpFeatureCount; ++f) {
            score += policy.sel()[f] * features[f];
        }
        return score;
    });
    complete_ = false;
    for (int taken = 1; !candidates_.empty(); ++taken) {
        if (taken % kOpsBetweenLooks == 0 && stop_.stop_requested()) {
            return;
        }
        const OpId op = candidates_.take();
        DeviceId device = p.problem->pin(op);
        if (device == kNoDevice) {
            const int allowed =
                p.interchangeable ? std::min(p.devices, state_.used + 1) : p.devices;
            if (allowed > 1) {
                weigh(policy, op);
                device = choose<Stride>(op, allowed);
            } else {
                device = 0;
            }
        }
        state_.commit<Stride>(op, device);
        if (memory_) {
            memory_->add(op, device);
        }
    }
    complete_ = true;
}

const sim::Assignment& PolicyRollout::run(const LinearPolicy& policy) {
    switch (problem_->stride) {
    case 4:
        runWith<4>(policy);
        break;
    case 8:
        runWith<8>(policy);
        break;
    default:
        runWith<0>(policy);
    }
    return state_.device;
}

} // namespace doppler::place
