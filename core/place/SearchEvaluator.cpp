#include "core/place/SearchEvaluator.h"

#include <algorithm>
#include <cmath>

#include "core/place/MemoryLedger.h"

namespace doppler::place {

namespace {

// Seeds of the noisy runs; fixed, so that values can be compared between searches.
constexpr std::uint64_t kFirstNoiseSeed = 0x5EED'0001;
// A sum of values and limits stays within 64 bits.
constexpr Time kLargestValue = 2'000'000'000'000'000'000;

std::unique_ptr<sim::Simulator> noisySimulator(const sim::Problem& problem, double noise) {
    auto noisy = std::make_shared<sim::Problem>(problem);
    noisy->options.durationVariation = noise;
    return std::make_unique<sim::Simulator>(std::move(noisy));
}

Time sumOfTimes(const sim::Problem& problem) {
    const graph::Graph& graph = *problem.graph;
    Time sum = 1;
    for (OpId op = 0; op < graph.opCount(); ++op) {
        Time longest = 0;
        for (std::size_t cls = 0; cls < problem.costs->deviceClasses(); ++cls) {
            longest = std::max(longest, problem.costs->computeOfClass(op, cls));
        }
        sum += longest;
    }
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        Time longest = 0;
        for (std::size_t cls = 0; cls < problem.costs->linkClasses(); ++cls) {
            longest =
                std::max(longest, problem.costs->transferOfClass(edge, graph.source(edge), cls));
        }
        sum += longest;
    }
    return sum;
}

Time plus(Time time, double more) {
    const double sum = static_cast<double>(time) + more;
    return sum >= static_cast<double>(kLargestValue) ? kLargestValue
                                                     : time + static_cast<Time>(more);
}

} // namespace

Evaluator::Evaluator(std::shared_ptr<const sim::Problem> problem, const Objective& objective)
    : problem_(std::move(problem))
    , objective_(objective)
    , memoryMatters_(objective.memory != Objective::Memory::Ignore && memoryMatters(*problem_))
    , plain_(problem_)
    , longestRun_(sumOfTimes(*problem_)) {
    if (objective.measure != Objective::Measure::Makespan) {
        noisy_ = noisySimulator(*problem_, noiseOf(objective, *problem_));
        times_.reserve(static_cast<std::size_t>(objective.runs));
    }
}

bool Evaluator::over() const {
    return stop_.stop_requested() || (end_ && std::chrono::steady_clock::now() >= *end_);
}

Time Evaluator::valueWithin(const sim::Assignment& assignment, Time limit) {
    const bool needed = limit == std::numeric_limits<Time>::max();
    gaveUp_ = false;
    Time value = 0;
    if (objective_.traffic > 0) {
        value =
            plus(0, objective_.traffic * static_cast<double>(transferTime(*problem_, assignment)));
        if (value > limit) {
            return value;
        }
    }
    value += timeWithin(assignment, limit - value, needed);
    if (value > limit || !memoryMatters_) {
        return value;
    }
    if (!needed && over()) {
        gaveUp_ = true;
        return limit + 1;
    }
    const double missing = missingShare(assignment);
    if (missing == 0) {
        return value;
    }
    const double more = missing * static_cast<double>(longestRun_);
    return objective_.memory == Objective::Memory::Hard
               ? plus(value + longestRun_, more)
               : plus(value, missing * static_cast<double>(value));
}

Time Evaluator::makespan(const sim::Assignment& assignment, Time value) {
    // What lacks memory has a value above every makespan.
    return objective_ == Objective() && value < longestRun_ ? value : plain_.makespan(assignment);
}

bool Evaluator::memoryIsSettled(const sim::Assignment& assignment, Time value) const {
    return !memoryMatters_ || (objective_ == Objective() && value < longestRun_) ||
           surelyFits(*problem_, assignment);
}

Time Evaluator::timeWithin(const sim::Assignment& assignment, Time limit, bool needed) {
    if (noisy_ == nullptr) {
        return plain_.makespanWithin(assignment, limit);
    }
    auto runs = static_cast<std::size_t>(objective_.runs);
    const bool mean = objective_.measure == Objective::Measure::Mean;
    // The smallest count of runs that makes 95 %.
    const auto mostOf = [](std::size_t count) { return (count * 95 + 99) / 100; };
    const std::size_t within = mostOf(runs);
    const double mostSum = static_cast<double>(limit) * static_cast<double>(runs);
    double sum = 0;
    std::size_t above = 0;
    Time leastAbove = std::numeric_limits<Time>::max();
    times_.clear();
    for (std::size_t run = 0; run < runs; ++run) {
        if ((!needed || run > 0) && over()) {
            gaveUp_ = true;
            if (!needed) {
                return limit + 1;
            }
            runs = run;
            break;
        }
        noisy_->setSeed(kFirstNoiseSeed + run);
        const Time time = noisy_->makespan(assignment);
        times_.push_back(time);
        sum += static_cast<double>(time);
        if (time > limit) {
            ++above;
            leastAbove = std::min(leastAbove, time);
        }
        if (mean ? sum > mostSum : above > runs - within) {
            return mean ? limit + 1 : leastAbove; // it cannot come back under the limit
        }
    }
    if (mean) {
        return static_cast<Time>(std::ceil(sum / static_cast<double>(runs)));
    }
    const auto rank = times_.begin() + static_cast<std::ptrdiff_t>(mostOf(runs) - 1);
    std::nth_element(times_.begin(), rank, times_.end());
    return *rank;
}

double Evaluator::missingShare(const sim::Assignment& assignment) {
    if (!memoryMatters_ || surelyFits(*problem_, assignment)) {
        return 0;
    }
    const sim::Timeline timeline = plain_.run(assignment);
    double missing = 0;
    for (DeviceId device = 0; device < problem_->deviceCount(); ++device) {
        const std::int64_t capacity = problem_->cluster->device(device).capacityBytes;
        const std::int64_t peak = timeline.peakMemory[static_cast<std::size_t>(device)];
        if (capacity > 0 && peak > capacity) {
            missing += static_cast<double>(peak - capacity) / static_cast<double>(capacity);
        }
    }
    return missing;
}

} // namespace doppler::place
