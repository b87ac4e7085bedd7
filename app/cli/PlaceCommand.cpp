#include <algorithm>
#include <iostream>

#include "app/cli/Commands.h"
#include "app/cli/InterruptWatcher.h"
#include "app/cli/Output.h"
#include "app/cli/OutputFile.h"
#include "app/cli/PlacerNames.h"
#include "app/cli/ProblemOptions.h"
#include "app/cli/ProgressBar.h"
#include "app/cli/UsageError.h"
#include "core/cost/FormatQuantity.h"
#include "core/graph/InputError.h"
#include "core/io/DeviceMap.h"
#include "core/io/GraphDimensions.h"
#include "core/io/Onnx.h"
#include "core/io/PlacementFile.h"
#include "core/learn/PolicyPlacer.h"
#include "core/place/Registry.h"
#include "core/sim/Bounds.h"

namespace doppler::cli {

namespace {

struct Options {
    ProblemOptions problem;
    std::string placer = "instant";
    std::uint64_t seed = 1;
    double budgetSeconds = 2;
    bool budgetGiven = false; ///< on the command line
    std::optional<std::int64_t> evaluations;
    std::string objective = "makespan";
    std::string policy; ///< checkpoint of the placer "doppler"
    OutputFile output;
    bool json = false;
};

place::PlaceResult runPlacer(const Options& options,
                             const std::shared_ptr<const sim::Problem>& problem,
                             const InterruptWatcher& interrupt) {
    ProgressBar bar;
    place::PlaceRequest request;
    request.problem = problem;
    request.seed = options.seed;
    request.budgetSeconds = options.budgetSeconds;
    request.maxEvaluations = options.evaluations;
    request.objective = place::parseObjective(options.objective);
    request.stop = interrupt.token();
    request.progress = [&](const place::PlaceProgress& progress) {
        bar.draw(progress.fraction, options.placer + "  " +
                                        cost::formatTime(progress.best, problem->costs->unit()) +
                                        "  " + cost::formatSeconds(progress.seconds));
    };
    place::PlaceResult result = options.placer == learn::policyPlacerInfo().name
                                    ? learn::placeWithPolicy(request, options.policy)
                                    : place::makePlacer(options.placer)->place(request);
    bar.clear();
    if (interrupt.interrupted()) {
        result.notes.emplace_back("stopped early: this is the best found so far");
    }
    return result;
}

/// The placement with all that it takes to find it again.
io::PlacementFile fileOf(const Options& options, const sim::Problem& problem,
                         const place::PlaceResult& result) {
    io::PlacementFile file{result.assignment, {}};
    io::PlacementRecord& record = file.record;
    record.method = options.placer;
    record.seed = options.seed;
    if (isSearch(options.placer)) {
        record.maxEvaluations = options.evaluations;
        record.budgetSeconds =
            options.evaluations ? std::nullopt : std::optional(options.budgetSeconds);
    }
    record.objective = place::name(result.objective);
    if (result.valueRuns == 0) { // else it is none of the objective's
        record.value = result.value;
    }
    if (const double noise = place::noiseOf(result.objective, problem); noise > 0) {
        record.noise = noise;
    }
    record.makespan = result.makespan;
    record.unit = cost::name(problem.costs->unit());
    return file;
}

std::string writeAssignment(const Options& options, const sim::Problem& problem,
                            const place::PlaceResult& result, const std::string& format) {
    const sim::Assignment& assignment = result.assignment;
    if (format == "map") {
        return io::writeDeviceMap(assignment, *problem.graph, *problem.cluster);
    }
    if (format == "onnx") {
        const std::string path = io::parseGraphSource(options.problem.graph).path.string();
        std::vector<std::string> notes;
        std::string model = io::writeOnnxDevices(io::readFile(path), path, *problem.graph,
                                                 assignment, *problem.cluster, notes);
        for (const std::string& note : notes) {
            std::cerr << options.output.path << ": " << note << '\n';
        }
        return model;
    }
    return format == "json" ? io::writePlacementJson(fileOf(options, problem, result),
                                                     *problem.graph, *problem.cluster)
                            : io::writeAssignmentList(assignment);
}

void printResult(const Options& options, const sim::Problem& problem,
                 const place::PlaceResult& result, const sim::Bound& bound) {
    const cost::TimeUnit unit = problem.costs->unit();
    std::cout << problemLine(problem) << '\n'
              << options.placer << " in " << cost::formatSeconds(result.seconds);
    if (result.evaluations > 1) {
        std::cout << ", " << cost::formatCount(result.evaluations) << " placements tried";
    }
    if (result.objective != place::Objective()) {
        std::cout << "\n\nvalue     " << cost::formatTime(result.value, unit) << "  ("
                  << place::nameWithNoise(result.objective, problem);
        if (result.valueRuns > 0) {
            std::cout << "; stopped: over " << result.valueRuns << " runs only";
        }
        std::cout << ')';
    }
    std::cout << "\n\nmakespan  " << cost::formatTime(result.makespan, unit) << '\n';
    if (bound.value > 0) {
        std::cout << "bound     " << cost::formatTime(bound.value, unit) << "  (" << bound.name
                  << ": " << bound.description << ")\n"
                  << "gap       " << cost::formatPercent(sim::gap(result.makespan, bound.value))
                  << '\n';
    } else {
        std::cout << "bound     none holds for these options\n";
    }
}

Json toJson(const Options& options, const OpenedProblem& opened, const place::PlaceResult& result,
            const sim::Bound& bound) {
    Json json = problemJson(*opened.problem, opened.report);
    json["placer"] = options.placer;
    json["seed"] = options.seed;
    json["objective"] = place::name(result.objective);
    const double noise = place::noiseOf(result.objective, *opened.problem);
    json["noise"] = noise > 0 ? Json(noise) : Json();
    json["value"] = result.value;
    json["value_runs"] =
        noise > 0 ? Json(result.valueRuns > 0 ? result.valueRuns : result.objective.runs) : Json();
    json["proved_bound"] = result.provedBound ? Json(*result.provedBound) : Json();
    json["makespan"] = result.makespan;
    json["bound"] = boundJson(bound);
    json["bound_name"] = bound.value > 0 ? Json(bound.name) : Json();
    json["gap"] = gapJson(result.makespan, bound);
    json["seconds"] = result.seconds;
    json["evaluations"] = result.evaluations;
    json["max_evaluations"] = options.evaluations ? Json(*options.evaluations) : Json();
    json["notes"] = result.notes;
    json["assignment"] = result.assignment;
    return json;
}

/// Options of a search that the placer does not take: it is told, not refused.
void tellIdleOptions(const Options& options) {
    if (isSearch(options.placer)) {
        return;
    }
    for (const auto& [given, name] :
         {std::pair(options.budgetGiven, "--budget"),
          std::pair(options.evaluations.has_value(), "--evaluations")}) {
        if (given) {
            std::cerr << options.placer << ": " << name
                      << ": of no effect; this placer takes no budget\n";
        }
    }
}

int placeGraph(const Options& options) {
    if ((options.placer == learn::policyPlacerInfo().name) == options.policy.empty()) {
        throw UsageError("--placer doppler and --policy CHECKPOINT go together");
    }
    checkNoise(place::parseObjective(options.objective), options.problem.sim);
    // A wrong ending must not show only after the search.
    const std::string format = options.output.prepare();
    const OpenedProblem opened = openProblem(options.problem);
    if (format == "onnx" && opened.format != "ONNX") {
        throw InputError(options.output.path +
                         ": only an ONNX model can be written with devices, "
                         "and GRAPH is none (" +
                         opened.format + ")");
    }
    tellIdleOptions(options);
    const sim::Problem& problem = *opened.problem;
    if (format == "map") {
        io::checkDeviceMap(*problem.graph);
    }
    int code = kDone;
    const place::PlaceResult result = [&] {
        const InterruptWatcher interrupt; // Ctrl-C while printing ends the program as usual
        place::PlaceResult found = runPlacer(options, opened.problem, interrupt);
        code = interrupt.exitCode();
        return found;
    }();
    const sim::Bound bound = sim::lowerBound(problem);
    for (const std::string& note : result.notes) {
        std::cerr << options.placer << ": " << note << '\n';
    }
    const std::string text =
        options.output.wanted() ? writeAssignment(options, problem, result, format) : std::string();
    if (options.json) {
        printJson(toJson(options, opened, result, bound));
    } else {
        printResult(options, problem, result, bound);
    }
    if (options.output.wanted()) {
        options.output.write(text);
    }
    return code;
}

} // namespace

void addPlaceCommand(CLI::App& app, CommandRun& run) {
    const auto options = std::make_shared<Options>();
    CLI::App& command = addCommand(
        app, "place", "Find a device for every op",
        "doppler place chainmm --cluster p100x4 --placer anneal --budget 10s -o best.json");
    addProblemOptions(command, options->problem);
    command.add_option("--placer", options->placer, "The method (doppler placers lists them)")
        ->capture_default_str()
        ->check(placerName(learn::policyPlacerInfo().name))
        ->option_text("NAME");
    command
        .add_option("--policy", options->policy,
                    "Checkpoint of a trained policy, for the placer doppler (doppler train)")
        ->option_text("CHECKPOINT");
    command.add_option("--seed", options->seed, "Seed of the method")
        ->transform(seedNumber())
        ->option_text("N=1");
    addBudgetOption(command, options->budgetSeconds, "Time that a search may take");
    addEvaluationsOption(command, options->evaluations);
    addObjectiveOption(command, options->objective, "What a search makes small: ");
    addOutputOption(command, options->output,
                    "Write the placement: JSON, .txt for the paper's comma list, .map for a "
                    "device map (JSON {op name: device name}), or .onnx for a copy of an ONNX "
                    "model with a device for each node",
                    {"json", "txt", "map", "onnx"});
    addJsonFlag(command, options->json);
    command.callback([options, &command, &run] {
        options->budgetGiven = command.count("--budget") > 0;
        run = [options] { return placeGraph(*options); };
    });
}

} // namespace doppler::cli
