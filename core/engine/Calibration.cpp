#include "core/engine/Calibration.h"

#include <algorithm>
#include <chrono>
#include <ctime>

#include "core/engine/BlasLibrary.h"
#include "core/engine/CopyProgram.h"
#include "core/engine/KernelSamples.h"
#include "core/engine/MachineLoad.h"
#include "core/engine/Runtimes.h"
#include "core/engine/SystemInfo.h"
#include "core/place/Random.h"
#include "core/sim/Noise.h"

namespace doppler::engine {

namespace {

constexpr int kWarmUps = 2; // fill the pools
constexpr int kRunsARound = 2;

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

std::string timeNow() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm utc{};
    gmtime_r(&now, &utc);
    char text[32];
    const std::size_t length = std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
    return {text, length};
}

/// Random placements in which every op visits every device in turn.
class Placements {
public:
    Placements(const sim::Problem& problem, int devicesAtOnce, std::uint64_t seed)
        : problem_(problem), random_(seed) {
        for (DeviceId device = 0; device < problem.deviceCount(); ++device) {
            order_.push_back(device);
        }
        atOnce_ = devicesAtOnce > 0 ? std::min(at(devicesAtOnce), order_.size()) : order_.size();
    }

    sim::Assignment next() {
        if (round_ % atOnce_ == 0) {
            shuffle();
        }
        sim::Assignment assignment;
        for (OpId op = 0; op < problem_.opCount(); ++op) {
            const DeviceId pin = problem_.pin(op);
            const std::size_t turn = (offsets_[at(op)] + round_) % atOnce_;
            assignment.push_back(pin != kNoDevice ? pin : order_[turn]);
        }
        ++round_;
        return assignment;
    }

private:
    void shuffle() {
        for (std::size_t i = order_.size(); i > 1; --i) {
            std::swap(order_[i - 1], order_[random_.below(i)]);
        }
        offsets_.clear();
        for (OpId op = 0; op < problem_.opCount(); ++op) {
            offsets_.push_back(random_.below(atOnce_));
        }
    }

    const sim::Problem& problem_;
    place::Random random_;
    std::vector<DeviceId> order_; // the first atOnce_ are used
    std::size_t atOnce_ = 1;
    std::vector<std::size_t> offsets_; // by op
    std::size_t round_ = 0;
};

/// A program ready to run.
struct Bench {
    std::shared_ptr<const workload::SplitProgram> program;
    bool kernels = true;
    std::unique_ptr<Runtime> runtime;
    std::unique_ptr<Executor> executor;
    std::unique_ptr<Placements> placements;
};

class Calibrating {
public:
    explicit Calibrating(const CalibrationRequest& request) : request_(request) {}

    Calibration run() {
        for (const auto& program : request_.programs) {
            addBench(program, true);
        }
        if (request_.cluster->deviceCount() > 1) {
            addBench(copyProgram(largestCopy()), false);
        }
        describe();
        const int total = request_.rounds * static_cast<int>(benches_.size());
        int made = 0;
        // Program by program in turn: what disturbs the machine for a while hits none alone.
        for (; result_.rounds < request_.rounds; ++result_.rounds) {
            for (Bench& bench : benches_) {
                if (request_.progress) {
                    request_.progress(made++ / static_cast<double>(total),
                                      bench.program->graph->name() + ", round " +
                                          std::to_string(result_.rounds + 1) + " of " +
                                          std::to_string(request_.rounds));
                }
                if (!runRound(bench, result_.rounds == 0)) {
                    summarise();
                    return std::move(result_);
                }
            }
        }
        summarise();
        return std::move(result_);
    }

private:
    /// What is known of only some kernels is no profile.
    void summarise() {
        if (result_.outcome == Outcome::Failed || result_.rounds == 0) {
            return;
        }
        samples_.fill(result_.profile, *request_.cluster);
        for (const cluster::KernelTime& kernel : result_.profile.kernels) {
            if (kernel.spiky) {
                result_.spiky.push_back(kernel.kernel);
            }
        }
        result_.profile.runs = result_.runs;
        result_.profile.disturbed = result_.disturbed;
    }

    void addBench(std::shared_ptr<const workload::SplitProgram> program, bool kernels) {
        Bench bench;
        bench.program = std::move(program);
        bench.kernels = kernels;
        bench.runtime = request_.make ? request_.make(bench.program)
                                      : makeRuntime(request_.runtime, {.cluster = request_.cluster,
                                                                       .program = bench.program,
                                                                       .seed = request_.seed});
        sim::SimOptions options;
        options.choice = sim::ReadyChoice::Random;
        options.seed = request_.seed;
        bench.executor =
            std::make_unique<Executor>(sim::makeProblem(bench.program->graph, request_.cluster,
                                                        cost::CostModel::Physical, options),
                                       *bench.runtime);
        bench.placements =
            std::make_unique<Placements>(*bench.executor->problem(), request_.devicesAtOnce,
                                         sim::seedOfRun(request_.seed, benches_.size()));
        benches_.push_back(std::move(bench));
    }

    /// Of the programs' values, and no more than fits well on the smallest device.
    std::int64_t largestCopy() const {
        constexpr std::int64_t kLeast = std::int64_t{1} << 20;
        constexpr std::int64_t kMost = std::int64_t{64} << 20;
        constexpr std::int64_t kShare = 32; // all values of the program, and copies of them
        std::int64_t largest = kLeast;
        for (const auto& program : request_.programs) {
            for (OpId op = 0; op < program->graph->opCount(); ++op) {
                largest = std::max(largest, program->graph->outputBytes(op));
            }
        }
        largest = std::min(largest, kMost);
        for (const cluster::Device& device : request_.cluster->devices()) {
            if (device.capacityBytes > 0) {
                largest = std::min(largest, device.capacityBytes / kShare);
            }
        }
        return largest;
    }

    void describe() {
        const RuntimeInfo& info = benches_.front().runtime->info();
        cluster::Profile& profile = result_.profile;
        profile.runtime = info.name;
        profile.emulated = info.emulated;
        profile.date = timeNow();
        profile.version = programVersion();
        if (!info.emulated) {
            profile.processor = processorName();
            profile.blas = blasCoreType();
            profile.blasThreads = 1;
        }
        result_.notes = info.notes;
    }

    // Each placement runs once, right after it was prepared, as where placements are compared.
    bool runRound(Bench& bench, bool first) {
        for (int run = first ? -kWarmUps : 0; run < kRunsARound; ++run) {
            bench.executor->prepare(bench.placements->next());
            const bool emulated = result_.profile.emulated;
            const bool alone = emulated || machineLoad().others == 0;
            const Execution execution = bench.executor->run({.stop = request_.stop});
            if (execution.outcome != Outcome::Done) {
                result_.outcome = execution.outcome;
                result_.message = execution.message;
                return false;
            }
            if (run >= 0) {
                samples_.add(*bench.executor->problem(), execution.timeline, bench.kernels);
                ++result_.runs;
                result_.disturbed += alone && (emulated || machineLoad().others == 0) ? 0 : 1;
            }
        }
        return true;
    }

    const CalibrationRequest& request_;
    std::vector<Bench> benches_;
    KernelSamples samples_;
    Calibration result_;
};

} // namespace

Calibration calibrate(const CalibrationRequest& request) {
    return Calibrating(request).run();
}

} // namespace doppler::engine
