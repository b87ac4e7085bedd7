#include "core/place/policy/PaperRollout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/place/policy/QuickLog.h"

namespace doppler::place {

namespace {

constexpr float kNever = std::numeric_limits<float>::max();
constexpr std::size_t kPaperFeatures = 5;
constexpr std::size_t kBLevel = 4;
constexpr std::size_t kEarliestStart = 4;
constexpr std::size_t kClusterShare = 5;
constexpr std::size_t kCoProducerShare = 8;
constexpr std::size_t kConsumersStart = 9;

/// A millisecond or two.
constexpr int kOpsBetweenLooks = 1024;

// Of half an even share of the work, and an eighth.
constexpr std::size_t kUsedClusterings[] = {0, 2};

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

/// To mean 0 and standard deviation 1; all 0 where all are equal.
void standardise(float* values, std::size_t count, std::size_t stride = 1) {
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto value = static_cast<double>(values[i * stride]);
        sum += value;
        squares += value * value;
    }
    const auto n = static_cast<double>(count);
    const double mean = sum / n;
    const double variance = squares / n - mean * mean;
    const auto scale =
        variance > 1e-12 * squares / n ? static_cast<float>(1 / std::sqrt(variance)) : 0.0F;
    for (std::size_t i = 0; i < count; ++i) {
        values[i * stride] = (values[i * stride] - static_cast<float>(mean)) * scale;
    }
}

/// Signed, a step per percent of an even share of the work near 0, logarithmic beyond.
float signedLog(float x) {
    return std::copysign(2 * quickLog(std::abs(x)), x);
}

} // namespace

PaperRollout::PaperRollout(const std::shared_ptr<const PolicyProblem>& problem)
    : problem_(problem), candidates_(*problem->problem->graph) {
    const std::size_t devices = at(problem_->devices);
    const std::size_t rows = at(problem_->ops) * devices;
    addOpFeatures();
    device_.resize(at(problem_->ops));
    free_.resize(devices);
    load_.resize(devices);
    firstArrival_.resize(rows);
    lastArrival_.resize(rows);
    producersThere_.resize(rows);
    clusterThere_.resize(problem_->clusterWork.size() * devices);
    values_.resize(kDeviceFeatures * devices);
}

std::vector<double> PaperRollout::startWeights() {
    std::vector<double> weights(kWeights, 0);
    weights[kBLevel] = 1;
    weights[kSel + kEarliestStart] = -1;
    return weights;
}

void PaperRollout::addOpFeatures() {
    const PolicyProblem& p = *problem_;
    const graph::Graph& graph = *p.problem->graph;
    const auto ops = at(p.ops);
    std::vector<float> out(ops, 0);
    std::vector<float> fromStart(ops, 0);
    std::vector<float> toEnd(ops, 0);
    std::vector<float> hops(ops, 0);
    for (const OpId op : graph.topologicalOrder()) {
        for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
            const std::size_t child = at(graph.target(edge));
            out[at(op)] += p.transfer[at(edge)];
            fromStart[child] = std::max(
                fromStart[child], fromStart[at(op)] + p.meanCompute[at(op)] + p.transfer[at(edge)]);
            hops[child] = std::max(hops[child], hops[at(op)] + 1);
        }
    }
    const auto& order = graph.topologicalOrder();
    for (auto op = order.rbegin(); op != order.rend(); ++op) {
        for (EdgeId edge = graph.firstOutEdge(*op); edge < graph.endOutEdge(*op); ++edge) {
            toEnd[at(*op)] =
                std::max(toEnd[at(*op)], p.transfer[at(edge)] + toEnd[at(graph.target(edge))]);
        }
        toEnd[at(*op)] += p.meanCompute[at(*op)];
    }
    const auto n = static_cast<float>(std::max(1, p.ops));
    for (OpId op = 0; op < p.ops; ++op) {
        const std::size_t i = at(op);
        const float paper[] = {p.meanCompute[i], p.inTransfer[i], out[i], fromStart[i], toEnd[i]};
        static_assert(std::size(paper) == kPaperFeatures);
        opFeatures_.insert(opFeatures_.end(), std::begin(paper), std::end(paper));
        for (const float value : paper) {
            opFeatures_.push_back(std::log1p(100 * value));
        }
        const float place = static_cast<float>(op) / n;
        opFeatures_.push_back(place);
        for (int period = 2; period <= 64; period *= 2) {
            const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(op % period) /
                                static_cast<float>(period);
            opFeatures_.push_back(std::sin(angle));
            opFeatures_.push_back(std::cos(angle));
        }
        opFeatures_.push_back(static_cast<float>(graph.inDegree(op)));
        opFeatures_.push_back(static_cast<float>(graph.outDegree(op)));
        opFeatures_.push_back(hops[i]);
    }
    for (std::size_t f = 0; f < kSel; ++f) {
        standardise(opFeatures_.data() + f, ops, kSel);
    }
    for (OpId op = 0; op < p.ops; ++op) {
        const float* features = opFeatures_.data() + at(op) * kSel;
        // Compute, b-level, place: how much it weighs, how urgent it is, where it stands.
        const float contexts[] = {1, features[kPaperFeatures] / 2, features[kBLevel] / 2,
                                  features[2 * kPaperFeatures] / 2};
        static_assert(std::size(contexts) == kContexts);
        contexts_.insert(contexts_.end(), std::begin(contexts), std::end(contexts));
    }
}

/// Fills the features of the op's consumers; returns the sum of co-producers over the devices.
float PaperRollout::lookAhead(OpId op, std::size_t count) {
    const PolicyProblem& p = *problem_;
    const std::size_t devices = at(p.devices);
    float* coProducers = values_.data() + kCoProducerShare * devices;
    float* children = values_.data() + kConsumersStart * devices;
    const float* last = lastArrival_.data() + at(op) * devices;
    std::fill(coProducers, coProducers + count, 0.0F);
    std::fill(children, children + count, 0.0F);
    const std::int32_t begin = p.childBegin[at(op)];
    const std::int32_t end = p.childBegin[at(op) + 1];
    for (std::int32_t i = begin; i < end; ++i) {
        const OpId child = p.problem->graph->target(p.children[at(i)]);
        const float* there = producersThere_.data() + at(child) * devices;
        const float* arrival = lastArrival_.data() + at(child) * devices;
        for (std::size_t d = 0; d < count; ++d) {
            const float finish = std::max(free_[d], last[d]) + p.compute[at(op) * p.stride + d];
            coProducers[d] += there[d];
            children[d] += std::max(finish, arrival[d]) / static_cast<float>(end - begin);
        }
    }
    float sum = 0;
    float least = kNever;
    for (std::size_t d = 0; d < count; ++d) {
        sum += coProducers[d];
        least = std::min(least, children[d]);
    }
    for (std::size_t d = 0; d < count; ++d) {
        children[d] = signedLog(children[d] - least);
    }
    return sum;
}

DeviceId PaperRollout::choose(OpId op, int allowed) {
    const PolicyProblem& p = *problem_;
    const std::size_t devices = at(p.devices);
    const auto count = static_cast<std::size_t>(allowed);
    const float* first = firstArrival_.data() + at(op) * devices;
    const float* last = lastArrival_.data() + at(op) * devices;
    const float* there = producersThere_.data() + at(op) * devices;
    const auto feature = [&](std::size_t f) { return values_.data() + f * devices; };
    float leastStart = kNever;
    float producers = 0;
    for (std::size_t d = 0; d < count; ++d) {
        const float start = std::max(free_[d], last[d]);
        feature(0)[d] = load_[d];
        feature(1)[d] = there[d];
        feature(2)[d] = first[d] == kNever ? 0 : first[d];
        feature(3)[d] = last[d];
        // On unlike devices the earliest finish says more.
        feature(kEarliestStart)[d] =
            p.interchangeable ? start : start + p.compute[at(op) * p.stride + d];
        leastStart = std::min(leastStart, feature(kEarliestStart)[d]);
        producers += there[d];
    }
    const float coProducers = lookAhead(op, count);
    for (std::size_t d = 0; d < count; ++d) {
        feature(kClusterShare)[d] = 0;
        feature(6)[d] = signedLog(feature(kEarliestStart)[d] - leastStart);
        feature(7)[d] = producers > 0 ? there[d] / producers : 0;
        feature(kCoProducerShare)[d] *= coProducers > 0 ? 1 / coProducers : 0;
    }
    for (const std::size_t clustering : kUsedClusterings) {
        const std::size_t cluster = at(p.clusterOf[at(op) * kClusterings + clustering]);
        const float whole = p.clusterWork[cluster];
        for (std::size_t d = 0; whole > 0 && d < count; ++d) {
            feature(kClusterShare)[d] += clusterThere_[cluster * devices + d] / whole;
        }
    }
    for (std::size_t f = 0; f < kPaperFeatures; ++f) {
        standardise(feature(f), count);
    }
    const float* context = contexts_.data() + at(op) * kContexts;
    DeviceId best = 0;
    float bestLogit = -kNever;
    std::array<float, kDeviceFeatures> weights{};
    for (std::size_t c = 0; c < kContexts; ++c) {
        for (std::size_t f = 0; f < kDeviceFeatures; ++f) {
            weights[f] +=
                context[c] * static_cast<float>((*weights_)[kSel + c * kDeviceFeatures + f]);
        }
    }
    for (std::size_t d = 0; d < count; ++d) {
        float logit = 0;
        for (std::size_t f = 0; f < kDeviceFeatures; ++f) {
            logit += weights[f] * feature(f)[d];
        }
        if (logit > bestLogit) {
            bestLogit = logit;
            best = static_cast<DeviceId>(d);
        }
    }
    return best;
}

void PaperRollout::commit(OpId op, DeviceId device) {
    const PolicyProblem& p = *problem_;
    const graph::Graph& graph = *p.problem->graph;
    const std::size_t devices = at(p.devices);
    const std::size_t home = at(device);
    const float work = p.compute[at(op) * p.stride + home];
    device_[at(op)] = device;
    used_ = std::max(used_, device + 1);
    // Devices of several slots count as so much quicker.
    const auto slots = static_cast<float>(p.slots[home]);
    const float start = std::max(free_[home], lastArrival_[at(op) * devices + home]);
    const float end = start + work;
    free_[home] = start + work / slots;
    load_[home] += work / slots;
    for (const std::size_t clustering : kUsedClusterings) {
        const std::size_t cluster = at(p.clusterOf[at(op) * kClusterings + clustering]);
        clusterThere_[cluster * devices + home] += p.meanCompute[at(op)];
    }
    const cost::CostTable& costs = *p.problem->costs;
    for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
        const std::size_t row = at(graph.target(edge)) * devices;
        producersThere_[row + home] += work;
        for (std::size_t d = 0; d < devices; ++d) {
            float arrival = end;
            if (d != home) {
                arrival += p.likeLinks
                               ? p.transfer[at(edge)]
                               : p.linkTransfer[at(edge) * costs.linkClasses() +
                                                costs.linkClass(device, static_cast<DeviceId>(d))];
            }
            firstArrival_[row + d] = std::min(firstArrival_[row + d], arrival);
            lastArrival_[row + d] = std::max(lastArrival_[row + d], arrival);
        }
    }
}

const sim::Assignment& PaperRollout::run(const std::vector<double>& weights) {
    const PolicyProblem& p = *problem_;
    weights_ = &weights;
    std::fill(free_.begin(), free_.end(), 0.0F);
    std::fill(load_.begin(), load_.end(), 0.0F);
    std::fill(firstArrival_.begin(), firstArrival_.end(), kNever);
    std::fill(lastArrival_.begin(), lastArrival_.end(), 0.0F);
    std::fill(producersThere_.begin(), producersThere_.end(), 0.0F);
    std::fill(clusterThere_.begin(), clusterThere_.end(), 0.0F);
    used_ = 0;
    candidates_.reset([&](OpId op) {
        const float* features = opFeatures_.data() + at(op) * kSel;
        float score = 0;
        for (std::size_t f = 0; f < kSel; ++f) {
            score += static_cast<float>(weights[f]) * features[f];
        }
        return score;
    });
    complete_ = false;
    for (int taken = 1; !candidates_.empty(); ++taken) {
        if (taken % kOpsBetweenLooks == 0 && stop_.stop_requested()) {
            return device_;
        }
        const OpId op = candidates_.take();
        DeviceId device = p.problem->pin(op);
        if (device == kNoDevice) {
            device = choose(op, p.interchangeable ? std::min(p.devices, used_ + 1) : p.devices);
        }
        commit(op, device);
    }
    complete_ = true;
    return device_;
}

} // namespace doppler::place
