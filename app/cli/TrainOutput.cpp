#include "app/cli/TrainOutput.h"

#include <iostream>

#include "core/cost/FormatQuantity.h"
#include "core/io/JsonText.h"

namespace doppler::cli {

namespace {

/// What the makespans beside it come from: null is the simulator.
void addRuntime(Json& json, const std::string& runtime, bool onSystem) {
    json["runtime"] = onSystem ? Json(runtime) : Json();
    json["emulated"] = onSystem && isEmulated(runtime);
}

Json timesJson(const learn::TrainTimes& times) {
    return {{"encoder", times.encoder},   {"rollouts", times.rollouts},
            {"gradient", times.gradient}, {"backward", times.backward},
            {"teacher", times.teacher},   {"polish", times.polish},
            {"files", times.files}};
}

Json problemResultJson(const learn::ProblemResult& result, const OpenedProblem& opened,
                       const sim::Bound& bound, bool onSystem) {
    Json json = problemJson(*opened.problem, opened.report);
    json["best"] = result.best;
    json["best_by"] = std::string(learn::name(result.bestBy));
    // Null: could not run.
    json["policy"] = result.policyAssignment.empty() ? Json() : Json(result.policy);
    json["greedy"] = result.greedyAssignment.empty() ? Json() : Json(result.greedy);
    if (!onSystem) { // these are of the simulator's costs
        json["teacher"] = result.teacher == 0 ? Json() : Json(result.teacher);
        json["bound"] = boundJson(bound);
        json["gap"] = gapJson(result.best, bound);
    }
    return json;
}

} // namespace

bool isEmulated(const std::string& runtime) {
    return runtime == "emulated";
}

std::string runtimeLabel(const std::string& runtime) {
    return runtime + (isEmulated(runtime) ? " (emulated: no measurement)" : "");
}

Json updateJson(const learn::UpdateFacts& facts, const sim::Problem& problem,
                const std::string& runtime) {
    const auto makespanOrNull = [](Time makespan) {
        return makespan == 0 ? Json() : Json(makespan);
    };
    const bool onSystem = facts.stage == learn::Stage::System;
    Json json = {{"update", facts.update},
                 {"stage", std::string(learn::name(facts.stage))},
                 {"episodes", facts.episodes},
                 {"mean", facts.mean == 0 && onSystem ? Json() : Json(facts.mean)},
                 {"best", makespanOrNull(facts.best)},
                 {"policy", makespanOrNull(facts.policyBest)},
                 {"greedy", makespanOrNull(facts.greedy)},
                 {"unit", std::string(cost::name(problem.costs->unit()))},
                 {"loss", facts.loss},
                 {"entropy", facts.entropy},
                 {"agreement", facts.agreement},
                 {"learning_rate", facts.learningRate},
                 {"episodes_per_second", facts.episodesPerSecond},
                 {"seconds", facts.seconds}};
    addRuntime(json, runtime, onSystem);
    if (!facts.predicted.empty()) {
        json["predicted"] = facts.predicted;
        Json& judged = json[isEmulated(runtime) ? "emulated_makespans" : "measured"];
        for (const Time makespan : facts.makespans) {
            judged.push_back(makespanOrNull(makespan)); // null: could not run
        }
    }
    if (facts.problem > 0) {
        json["graph"] = facts.problem;
    }
    return json;
}

std::string progressText(const learn::UpdateFacts& facts, const sim::Problem& problem, Time bound,
                         const std::string& runtime) {
    const bool onSystem = facts.stage == learn::Stage::System;
    const cost::TimeUnit unit = problem.costs->unit();
    const auto timeOrNone = [&](Time time) {
        return onSystem && time == 0 ? std::string("none") : cost::formatTime(time, unit);
    };
    std::string text = std::string(learn::name(facts.stage)) + "  best " + timeOrNone(facts.best) +
                       "  mean " + timeOrNone(static_cast<Time>(facts.mean));
    if (bound > 0 && !onSystem) { // the bound is one of the simulator's costs
        text += "  gap " + cost::formatPercent(sim::gap(facts.best, bound));
    }
    text += "  " + cost::formatCount(static_cast<std::int64_t>(facts.episodesPerSecond)) +
            " episodes/s";
    if (facts.secondsLeft >= 0) {
        text += "  " + cost::formatSeconds(facts.secondsLeft) + " left";
    }
    if (onSystem) {
        text += "  on " + runtimeLabel(runtime);
    }
    return text;
}

void printLine(const Json& json) {
    std::cout << io::jsonRow(json) << std::endl; // read while it runs
}

Json resultJson(const learn::TrainResult& result, const std::vector<OpenedProblem>& opened,
                const std::vector<sim::Bound>& bounds, const std::string& runtime) {
    Json json =
        problemResultJson(result.problems.front(), opened.front(), bounds.front(), result.onSystem);
    addRuntime(json, runtime, result.onSystem);
    json["updates"] = result.updates;
    json["episodes"] = result.episodes;
    json["episodes_per_second"] = // null: all were imitated
        result.episodesPerSecond > 0 ? Json(result.episodesPerSecond) : Json();
    json["seconds"] = result.seconds;
    json["ended"] = std::string(learn::name(result.reason));
    json["times"] = timesJson(result.times);
    json["notes"] = result.notes;
    for (std::size_t i = 1; i < result.problems.size(); ++i) {
        json["others"].push_back(
            problemResultJson(result.problems[i], opened[i], bounds[i], result.onSystem));
    }
    return json;
}

void printResult(const learn::TrainResult& result, const std::vector<OpenedProblem>& opened,
                 const std::vector<sim::Bound>& bounds, const std::string& runtime) {
    for (std::size_t i = 0; i < opened.size(); ++i) {
        const learn::ProblemResult& problem = result.problems[i];
        const cost::TimeUnit unit = opened[i].problem->costs->unit();
        const auto timeOf = [&](Time time, const sim::Assignment& assignment) {
            const bool stopped = result.reason == learn::EndReason::Stopped;
            return assignment.empty() ? std::string(stopped ? "not measured" : "could not run")
                                      : cost::formatTime(time, unit);
        };
        std::cout << problemLine(*opened[i].problem) << '\n';
        if (result.onSystem) {
            std::cout << "judged by " << runtimeLabel(runtime) << '\n';
        }
        std::cout << "best      " << cost::formatTime(problem.best, unit) << "  (by "
                  << learn::name(problem.bestBy) << ")\n"
                  << "policy    " << timeOf(problem.policy, problem.policyAssignment)
                  << "  (its own best episode)\n"
                  << "greedy    " << timeOf(problem.greedy, problem.greedyAssignment) << '\n';
        if (problem.teacher > 0 && !result.onSystem) {
            std::cout << "teacher   " << cost::formatTime(problem.teacher, unit) << '\n';
        }
        if (bounds[i].value > 0 && !result.onSystem) {
            std::cout << "bound     " << cost::formatTime(bounds[i].value, unit) << "  ("
                      << bounds[i].name << "), gap "
                      << cost::formatPercent(sim::gap(problem.best, bounds[i].value)) << '\n';
        }
        std::cout << '\n';
    }
    const learn::TrainTimes& times = result.times;
    std::cout << cost::formatCount(result.episodes) << " episodes in "
              << cost::formatSeconds(result.seconds) << "; ended: " << learn::name(result.reason)
              << '\n';
    if (result.episodesPerSecond > 0) {
        std::cout << cost::formatCount(static_cast<std::int64_t>(result.episodesPerSecond))
                  << " episodes/s, without imitation, polish and files\n";
    }
    std::cout << "time in the encoder " << cost::formatSeconds(times.encoder + times.backward)
              << ", rollouts " << cost::formatSeconds(times.rollouts) << ", gradient "
              << cost::formatSeconds(times.gradient) << ", teacher "
              << cost::formatSeconds(times.teacher) << ", polish "
              << cost::formatSeconds(times.polish) << ", files " << cost::formatSeconds(times.files)
              << '\n';
}

} // namespace doppler::cli
