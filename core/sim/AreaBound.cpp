#include "core/sim/AreaBound.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace doppler::sim {

namespace {

// Whole weights stay below this: fine enough to lose less than 1e-5 of the bound.
constexpr double kWeightScale = 1 << 20;
constexpr int kMostRounds = 400;
constexpr std::int64_t kMostSteps = 40'000'000;

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

WeightedWork weigh(const Problem& problem, const std::vector<std::int64_t>& weight) {
    const cost::CostTable& costs = *problem.costs;
    // Of the devices of a class, only one of least weight can be an op's minimum.
    std::vector<std::int64_t> classWeight(costs.deviceClasses(),
                                          std::numeric_limits<std::int64_t>::max());
    WeightedWork result;
    result.capacity = 0;
    for (DeviceId device = 0; device < problem.deviceCount(); ++device) {
        std::int64_t& least = classWeight[costs.deviceClass(device)];
        least = std::min(least, weight[at(device)]);
        result.capacity += WideInt{weight[at(device)]} * problem.cluster->device(device).slots;
    }
    result.work.resize(at(problem.opCount()));
    for (OpId op = 0; op < problem.opCount(); ++op) {
        WideInt& work = result.work[at(op)];
        const DeviceId pin = problem.pin(op);
        if (pin != kNoDevice) {
            work = WideInt{costs.compute(op, pin)} * weight[at(pin)];
            continue;
        }
        work = WideInt{costs.computeOfClass(op, 0)} * classWeight[0];
        for (std::size_t cls = 1; cls < classWeight.size(); ++cls) {
            work = std::min(work, WideInt{costs.computeOfClass(op, cls)} * classWeight[cls]);
        }
    }
    return result;
}

/// Devices that are interchangeable for the area: same class, slots and no pinned ops between them.
bool allAlike(const Problem& problem) {
    if (problem.costs->deviceClasses() > 1) {
        return false;
    }
    return std::all_of(problem.pins.begin(), problem.pins.end(),
                       [](DeviceId pin) { return pin == kNoDevice; });
}

/// Ascent of the dual by exponentiated gradient: a device that would get more than its share of
/// work becomes dearer. Ops go to devices softly, ever less so, since the dual has kinks.
class WeightAscent {
public:
    explicit WeightAscent(const Problem& problem)
        : problem_(problem)
        , devices_(at(problem.deviceCount()))
        , weight_(devices_, 1.0)
        , best_(devices_, 1.0)
        , load_(devices_)
        , price_(devices_) {}

    std::vector<std::int64_t> run() {
        const auto steps =
            static_cast<std::int64_t>(problem_.opCount()) * static_cast<std::int64_t>(devices_);
        const auto rounds = static_cast<int>(std::clamp<std::int64_t>(
            kMostSteps / std::max<std::int64_t>(1, steps), 12, kMostRounds));
        double softness = 0.3;
        double rate = 0.6;
        const double decay = std::pow(0.002, 1.0 / rounds);
        for (int round = 0; round < rounds; ++round) {
            const double value = assignSoftly(softness);
            if (value > bestValue_) {
                bestValue_ = value;
                best_ = weight_;
            }
            step(rate);
            softness *= decay;
            rate *= decay;
        }
        const double largest = *std::max_element(best_.begin(), best_.end());
        std::vector<std::int64_t> whole(devices_);
        for (std::size_t d = 0; d < devices_; ++d) {
            whole[d] = std::llround(best_[d] / largest * kWeightScale);
        }
        return whole;
    }

private:
    /// Fills load_ (work a slot) and returns the dual value of the present weights.
    double assignSoftly(double softness) {
        double work = 0;
        std::fill(load_.begin(), load_.end(), 0.0);
        for (OpId op = 0; op < problem_.opCount(); ++op) {
            const DeviceId pin = problem_.pin(op);
            if (pin != kNoDevice) {
                const auto time = static_cast<double>(problem_.costs->compute(op, pin));
                load_[at(pin)] += time;
                work += weight_[at(pin)] * time;
                continue;
            }
            work += share(op, softness);
        }
        double capacity = 0;
        for (std::size_t d = 0; d < devices_; ++d) {
            const int slots = problem_.cluster->device(static_cast<DeviceId>(d)).slots;
            capacity += weight_[d] * slots;
            load_[d] /= slots;
        }
        return work / capacity;
    }

    double share(OpId op, double softness) {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t d = 0; d < devices_; ++d) {
            const Time time = problem_.costs->compute(op, static_cast<DeviceId>(d));
            price_[d] = weight_[d] * static_cast<double>(time);
            least = std::min(least, price_[d]);
        }
        if (least <= 0) {
            return 0;
        }
        double total = 0;
        for (double& price : price_) {
            price = std::exp((1 - price / least) / softness);
            total += price;
        }
        for (std::size_t d = 0; d < devices_; ++d) {
            const Time time = problem_.costs->compute(op, static_cast<DeviceId>(d));
            load_[d] += price_[d] / total * static_cast<double>(time);
        }
        return least;
    }

    void step(double rate) {
        double mean = 0;
        for (std::size_t d = 0; d < devices_; ++d) {
            mean += load_[d] / static_cast<double>(devices_);
        }
        if (mean <= 0) {
            return;
        }
        for (std::size_t d = 0; d < devices_; ++d) {
            weight_[d] *= std::exp(rate * std::clamp(load_[d] / mean - 1, -1.0, 1.0));
        }
    }

    const Problem& problem_;
    std::size_t devices_;
    std::vector<double> weight_;
    std::vector<double> best_;
    std::vector<double> load_;
    std::vector<double> price_;
    double bestValue_ = -1;
};

} // namespace

std::vector<WeightedWork> weightedWorks(const Problem& problem) {
    std::vector<WeightedWork> works;
    if (problem.opCount() == 0) {
        return works;
    }
    const std::vector<std::int64_t> equal(at(problem.deviceCount()), 1);
    works.push_back(weigh(problem, allAlike(problem) ? equal : WeightAscent(problem).run()));

    if (static_cast<std::int64_t>(problem.opCount()) * problem.deviceCount() > kMostSteps) {
        return works;
    }
    std::vector<bool> pinned(at(problem.deviceCount()), false);
    for (const DeviceId pin : problem.pins) {
        if (pin != kNoDevice) {
            pinned[at(pin)] = true;
        }
    }
    for (std::size_t d = 0; d < pinned.size(); ++d) {
        if (pinned[d] && problem.deviceCount() > 1) {
            std::vector<std::int64_t> alone(pinned.size(), 0);
            alone[d] = 1;
            works.push_back(weigh(problem, alone));
        }
    }
    return works;
}

Time areaBound(const WeightedWork& work) {
    WideInt total = 0;
    for (const WideInt& value : work.work) {
        total += value;
    }
    return static_cast<Time>((total + work.capacity - 1) / work.capacity);
}

} // namespace doppler::sim
