#include "core/place/ExperimentRunner.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>

#include "core/place/Registry.h"
#include "core/sim/Report.h"
#include "core/sim/SimOptionNames.h"
#include "core/sim/Simulator.h"

namespace doppler::place {

namespace {

struct Run {
    std::size_t problem = 0;
    std::size_t method = 0;
    std::uint64_t seed = 1;
};

std::vector<Run> missingRuns(const Experiment& experiment, const RunStore& store) {
    std::vector<Run> runs;
    for (int seed = 1; seed <= experiment.seeds; ++seed) {
        for (std::size_t problem = 0; problem < experiment.problems.size(); ++problem) {
            for (std::size_t method = 0; method < experiment.methods.size(); ++method) {
                const auto number = static_cast<std::uint64_t>(seed);
                if (seed <= experiment.runsOf(method) &&
                    store.find(experiment.key(problem, method, number)) == nullptr) {
                    runs.push_back({problem, method, number});
                }
            }
        }
    }
    return runs;
}

RunRecord recordOf(RunKey key, const ExperimentProblem& experiment, PlaceResult result) {
    const sim::Problem& problem = *experiment.problem;
    const sim::Report report = sim::makeReport(
        problem, result.assignment, sim::simulate(experiment.problem, result.assignment));
    RunRecord record;
    record.key = std::move(key);
    record.graph = problem.graph->name();
    record.cluster = problem.cluster->name();
    record.mode = sim::name(problem.options.mode);
    record.unit = cost::name(problem.costs->unit());
    record.makespan = result.makespan;
    record.value = result.value;
    record.seconds = result.seconds;
    record.evaluations = result.evaluations;
    record.trafficBytes = report.totalTraffic;
    record.imbalance = report.imbalance;
    for (const sim::DeviceUse& device : report.devices) {
        record.peakMemory = std::max(record.peakMemory, device.peakMemory);
    }
    record.memoryOverflow = report.memoryOverflow;
    record.notes = std::move(result.notes);
    record.assignment = std::move(result.assignment);
    return record;
}

/// The threads take runs from one list.
class Runner {
public:
    Runner(const Experiment& experiment, RunStore& store, const RunnerOptions& options)
        : experiment_(experiment)
        , store_(store)
        , options_(options)
        , runs_(missingRuns(experiment, store)) {}

    bool run() {
        const auto threads =
            std::clamp<std::size_t>(static_cast<std::size_t>(std::max(options_.threads, 1)), 1,
                                    std::max<std::size_t>(runs_.size(), 1));
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < threads; ++i) {
            others.emplace_back([this] { work(); });
        }
        work();
        others.clear(); // joins
        if (failure_) {
            std::rethrow_exception(failure_);
        }
        return done_ == runs_.size();
    }

private:
    void work() {
        try {
            while (const Run* run = next()) {
                make(*run);
            }
        } catch (...) {
            const std::lock_guard lock(mutex_);
            failure_ = std::current_exception();
            next_ = runs_.size();
        }
    }

    const Run* next() {
        const std::lock_guard lock(mutex_);
        const bool ended = options_.stop.stop_requested() || options_.finish.stop_requested();
        return ended || next_ >= runs_.size() ? nullptr : &runs_[next_++];
    }

    void make(const Run& run) {
        tell(run, RunUpdate::Kind::Started, [](RunUpdate&) {});
        PlaceResult result;
        try {
            result = makePlacer(experiment_.methods[run.method])->place(requestFor(run));
        } catch (const std::exception& error) {
            tell(run, RunUpdate::Kind::Failed,
                 [&](RunUpdate& update) { update.error = error.what(); });
            return;
        }
        if (options_.stop.stop_requested()) {
            // It had less than its budget.
            tell(run, RunUpdate::Kind::Stopped, [](RunUpdate&) {});
            return;
        }
        const RunKey key = experiment_.key(run.problem, run.method, run.seed);
        store_.add(recordOf(key, experiment_.problems[run.problem], std::move(result)));
        tell(run, RunUpdate::Kind::Done, [&](RunUpdate& update) {
            ++done_;
            update.record = store_.find(key);
        });
    }

    PlaceRequest requestFor(const Run& run) {
        PlaceRequest request;
        request.problem = experiment_.problems[run.problem].problem;
        request.seed = run.seed;
        request.objective = experiment_.objective;
        request.budgetSeconds = experiment_.budgetSeconds;
        request.maxEvaluations = experiment_.maxEvaluations;
        request.stop = options_.stop;
        request.progress = [this, &run](const PlaceProgress& progress) {
            tell(run, RunUpdate::Kind::Progress, [&](RunUpdate& update) {
                update.fraction = progress.fraction;
                update.best = progress.best;
            });
        };
        return request;
    }

    template <typename Fill>
    void tell(const Run& run, RunUpdate::Kind kind, const Fill& fill) {
        const std::lock_guard lock(mutex_);
        RunUpdate update;
        update.kind = kind;
        update.problem = run.problem;
        update.method = run.method;
        update.seed = run.seed;
        fill(update);
        if (options_.update) {
            options_.update(update);
        }
    }

    const Experiment& experiment_;
    RunStore& store_;
    const RunnerOptions& options_;
    const std::vector<Run> runs_;
    std::mutex mutex_;
    std::size_t next_ = 0;
    std::size_t done_ = 0;
    std::exception_ptr failure_;
};

} // namespace

bool runExperiment(const Experiment& experiment, RunStore& store, const RunnerOptions& options) {
    return Runner(experiment, store, options).run();
}

} // namespace doppler::place
