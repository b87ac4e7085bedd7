#include "views/workspace/Workspace.h"

#include <chrono>

namespace doppler::views {

namespace {

// Below this many ops and edges a simulation with its report is a few milliseconds, so an edit
// shows its effect in the same event.
constexpr int kSimulateAtOnce = 20'000;

struct Simulated {
    std::shared_ptr<const sim::Timeline> timeline;
    std::shared_ptr<const sim::Report> report;
    double microseconds = 0;
};

/// With a stop in between the result is incomplete, and nobody's.
Simulated simulateWith(sim::Simulator& simulator, const sim::Assignment& assignment,
                       const std::stop_token& stop = {}) {
    Simulated result;
    const auto start = std::chrono::steady_clock::now();
    simulator.makespan(assignment);
    result.microseconds =
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
    if (stop.stop_requested()) {
        return result;
    }
    result.timeline = std::make_shared<const sim::Timeline>(simulator.run(assignment));
    if (stop.stop_requested()) {
        return result;
    }
    result.report = std::make_shared<const sim::Report>(
        sim::makeReport(simulator.problem(), assignment, *result.timeline));
    return result;
}

void store(Placement& placement, Simulated result) {
    placement.timeline = std::move(result.timeline);
    placement.report = std::move(result.report);
    placement.simulationMicroseconds = result.microseconds;
    placement.stale = false;
}

} // namespace

bool Workspace::simulatesAtOnce() const {
    return problem_->opCount() + problem_->graph->edgeCount() <= kSimulateAtOnce;
}

void Workspace::simulate(int id) {
    Placement* placement = mutablePlacement(id);
    if (simulatesAtOnce()) {
        simulateNow(*placement);
    } else {
        simulateInBackground(id);
    }
}

void Workspace::simulateNow(Placement& placement) {
    if (!simulator_) {
        simulator_ = std::make_unique<sim::Simulator>(problem_);
    }
    store(placement, simulateWith(*simulator_, *placement.assignment));
}

void Workspace::simulateInBackground(int id) {
    if (const auto running = simulationJobs_.find(id); running != simulationJobs_.end()) {
        running->second->cancel(); // the latest request wins
    }
    const auto problem = problem_;
    const auto assignment = placement(id)->assignment;
    mutablePlacement(id)->stale = true;
    Job* job = jobs_.start<Simulated>(
        {QStringLiteral("Simulation"), false, true},
        [problem, assignment](JobContext& context) {
            sim::Simulator simulator(problem);
            return simulateWith(simulator, *assignment, context.stopToken());
        },
        [this, id, problem, assignment](Simulated result) {
            Placement* target = mutablePlacement(id);
            const bool wanted = target != nullptr && target->assignment == assignment && problem_ &&
                                problem_->costs == problem->costs &&
                                problem_->options == problem->options;
            if (!wanted) {
                return;
            }
            const Time before = target->makespan();
            store(*target, std::move(result));
            if (id == currentId_ && before >= 0) {
                lastDifference_ = target->makespan() - before;
                hasLastDifference_ = true;
            }
            announceFigures(id);
        });
    simulationJobs_[id] = job;
    connect(job, &Job::finished, this, [this, id, job] {
        if (const auto entry = simulationJobs_.find(id);
            entry != simulationJobs_.end() && entry->second == job) {
            simulationJobs_.erase(entry);
        }
    });
}

void Workspace::announceFigures(int id) {
    Q_EMIT placementsChanged();
    if (id == currentId_) {
        Q_EMIT timelineChanged();
    }
}

} // namespace doppler::views
