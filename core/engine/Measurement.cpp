#include "core/engine/Measurement.h"

#include <algorithm>
#include <utility>

#include "core/engine/ResultCheck.h"

namespace doppler::engine {

namespace {

using TimedRun = std::pair<Time, sim::Timeline>;

/// The run with the median makespan is the one that is shown.
void keepMedian(std::vector<TimedRun>& runs, Measurement& result) {
    if (runs.empty()) {
        return;
    }
    const auto middle = runs.begin() + static_cast<std::ptrdiff_t>((runs.size() - 1) / 2);
    std::nth_element(runs.begin(), middle, runs.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    result.timeline = std::move(middle->second);
}

/// Takes in what ended badly; true if the run was good.
bool isGood(const Execution& run, Measurement& result) {
    result.outcome = run.outcome;
    result.message = run.message;
    result.lacksMemory = run.lacksMemory;
    return run.outcome == Outcome::Done;
}

} // namespace

Measurement measure(Executor& executor, const MeasurementRequest& request) {
    Measurement result;
    executor.prepare(request.assignment);
    ExecutionOptions options{.stop = request.stop, .interval = request.interval, .result = {}};
    int run = -request.warmUps - (request.check != nullptr ? 1 : 0);
    const auto begin = [&] {
        if (request.runBegins) {
            request.runBegins(run);
        }
        ++run;
    };
    if (request.check != nullptr) {
        begin();
        ExecutionOptions checked = options;
        checked.result = [&](OpId op, const std::vector<std::byte>& output) {
            request.check->add(op, output);
        };
        if (!isGood(executor.run(checked), result)) {
            return result;
        }
        result.relativeError = request.check->relativeError();
    }
    std::vector<TimedRun> timelines;
    MachineLoad before;
    Time total = 0;
    Time copies = 0;
    while (run < request.repeats) {
        const bool counts = run >= 0;
        begin();
        if (run == 1 && request.load) {
            before = request.load();
        }
        Execution execution = executor.run(options);
        if (!isGood(execution, result)) {
            break;
        }
        if (counts) {
            total += execution.timeline.makespan;
            copies += copyTimeOf(execution.timeline);
            result.makespans.push_back(execution.timeline.makespan);
            timelines.emplace_back(execution.timeline.makespan, std::move(execution.timeline));
        }
    }
    if (request.load && !timelines.empty()) {
        result.quiet = wasQuiet(before, request.load(), total, copies, request.shared);
    }
    keepMedian(timelines, result);
    return result;
}

double errorLimit(const workload::TensorProgram& program) {
    // 16-bit floats have 11 and 8 bits of precision, rounded after every op.
    constexpr double kSingle = 1e-4;
    constexpr double kHalf = 0.02;
    constexpr double kBrain = 0.15;
    double limit = kSingle;
    for (const workload::Tensor& tensor : program.tensors) {
        if (tensor.dtype == graph::DType::F16) {
            limit = std::max(limit, kHalf);
        } else if (tensor.dtype == graph::DType::BF16) {
            limit = std::max(limit, kBrain);
        }
    }
    return limit;
}

} // namespace doppler::engine
