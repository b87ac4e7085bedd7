#include <iostream>
#include <map>

#include "app/cli/Commands.h"
#include "app/cli/InterruptWatcher.h"
#include "app/cli/Output.h"
#include "app/cli/OutputFile.h"
#include "app/cli/PlacerNames.h"
#include "app/cli/ProblemOptions.h"
#include "app/cli/ProgressBar.h"
#include "app/cli/RunStatistics.h"
#include "app/cli/RuntimeOptions.h"
#include "app/cli/UsageError.h"
#include "core/cost/FormatQuantity.h"
#include "core/engine/Measurement.h"
#include "core/engine/ResultCheck.h"
#include "core/engine/RunSetup.h"
#include "core/io/ChromeTrace.h"
#include "core/io/Csv.h"
#include "core/sim/Report.h"

namespace doppler::cli {

namespace {

constexpr double kNsPerMs = 1e6;

struct Options {
    ProblemOptions problem;
    std::string assignment;
    std::string placer;
    std::string runtime = "cpu";
    engine::GpuTransfer transfer = engine::GpuTransfer::Auto;
    std::uint64_t seed = 1;
    double budgetSeconds = 2;
    int repeats = 1;
    int warmUps = 1;
    bool check = false;
    std::string trace;
    OutputFile output;
    bool json = false;
};

/// Everything one call of the command found out.
struct Executed {
    std::shared_ptr<const sim::Problem> problem; ///< as the executor sees it: times in ns
    std::vector<std::string> notes;
    engine::RuntimeInfo runtime;
    sim::Assignment assignment;
    engine::Measurement measured;
    double errorLimit = 0;
    sim::Report report;
};

sim::Assignment assignmentOf(const Options& options, const OpenedProblem& opened,
                             const InterruptWatcher& interrupt) {
    if (!options.assignment.empty()) {
        return openAssignment(options.assignment, *opened.problem);
    }
    place::PlaceRequest request;
    request.problem = opened.problem;
    request.seed = options.seed;
    request.budgetSeconds = options.budgetSeconds;
    request.stop = interrupt.token();
    return place::makePlacer(options.placer)->place(request).assignment;
}

engine::Measurement run(const Options& options, engine::Executor& executor,
                        const sim::Assignment& assignment, engine::ResultCheck* check,
                        const InterruptWatcher& interrupt) {
    ProgressBar bar;
    engine::MeasurementRequest request;
    request.assignment = assignment;
    request.repeats = options.repeats;
    request.warmUps = options.warmUps;
    request.stop = interrupt.token();
    request.check = check;
    request.runBegins = [&](int number) {
        bar.draw(std::max(0, number) / static_cast<double>(options.repeats),
                 number < 0 ? "warming up" : "run " + std::to_string(number + 1));
    };
    engine::Measurement measured = engine::measure(executor, request);
    bar.clear();
    return measured;
}

/// What is measured has ns, whatever unit the placer's costs have; also what is emulated.
std::shared_ptr<const sim::Problem> inTime(const std::shared_ptr<const sim::Problem>& problem) {
    if (problem->costs->unit() == cost::TimeUnit::Nanoseconds) {
        return problem;
    }
    auto timed = std::make_shared<sim::Problem>(*problem);
    timed->costs = cost::physicalCosts(*timed->graph, *timed->cluster);
    return timed;
}

/// Nothing if it was interrupted before all was measured.
std::optional<Executed> execute(const Options& options, const OpenedProblem& opened,
                                const InterruptWatcher& interrupt) {
    const engine::RunSetup setup = engine::setUpRun({.problem = inTime(opened.problem),
                                                     .graph = options.problem.graph,
                                                     .runtime = options.runtime,
                                                     .profile = opened.profile,
                                                     .profileSource = options.problem.cluster,
                                                     .seed = options.seed,
                                                     .transfer = options.transfer});
    Executed result;
    result.assignment = assignmentOf(options, opened, interrupt);
    engine::Executor executor(setup.executed, *setup.runtime);
    std::optional<engine::ResultCheck> check;
    if (options.check) {
        check.emplace(setup.program, options.seed);
    }
    result.measured =
        run(options, executor, result.assignment, check ? &*check : nullptr, interrupt);
    if (!result.measured.done()) {
        if (interrupt.interrupted()) {
            return std::nullopt;
        }
        throw std::runtime_error(options.runtime + " runtime: " + result.measured.message);
    }
    result.problem = executor.problem();
    result.runtime = setup.runtime->info();
    result.notes = result.runtime.notes;
    if (setup.program) {
        result.errorLimit = engine::errorLimit(setup.program->program);
    }
    result.report = sim::makeReport(*result.problem, result.assignment, result.measured.timeline);
    return result;
}

Json toJson(const Options& options, const OpenedProblem& opened, const Executed& result) {
    const RunStatistics statistics = runStatistics(result.measured.makespans);
    const auto ms = [](auto time) { return static_cast<double>(time) / kNsPerMs; };
    Json makespans = Json::array();
    for (const Time makespan : result.measured.makespans) {
        makespans.push_back(ms(makespan));
    }
    Json devices = Json::array();
    for (DeviceId id = 0; id < result.problem->deviceCount(); ++id) {
        const auto at = static_cast<std::size_t>(id);
        const sim::DeviceUse& use = result.report.devices[at];
        devices.push_back({{"name", result.problem->cluster->device(id).name},
                           {"ops", use.ops},
                           {"busy_ms", ms(use.busy)},
                           {"peak_memory_bytes", result.measured.timeline.peakMemory[at]}});
    }
    Json json = problemJson(*result.problem, opened.report);
    json["runtime"] = result.runtime.name;
    json["emulated"] = result.runtime.emulated;
    json["placer"] = options.placer.empty() ? Json() : Json(options.placer);
    json["repeat"] = result.measured.makespans.size();
    json["makespan_ms"] = {{"mean", ms(statistics.mean)},
                           {"sd", ms(statistics.sd)},
                           {"least", ms(statistics.least)},
                           {"median", ms(statistics.median)},
                           {"most", ms(statistics.most)}};
    json["makespans_ms"] = std::move(makespans);
    json["relative_error"] =
        result.measured.relativeError ? Json(*result.measured.relativeError) : Json();
    json["error_limit"] = result.errorLimit > 0 ? Json(result.errorLimit) : Json();
    json["utilisation"] = result.report.meanUtilisation;
    json["traffic_bytes"] = result.report.totalTraffic;
    json["per_device"] = std::move(devices);
    json["notes"] = result.notes;
    return json;
}

void printResult(const Executed& result) {
    const RunStatistics statistics = runStatistics(result.measured.makespans);
    const cost::TimeUnit unit = result.problem->costs->unit();
    const auto time = [&](double ns) { return cost::formatTime(static_cast<Time>(ns), unit); };
    std::cout << problemLine(*result.problem) << "\n\n"
              << "runtime        " << result.runtime.name
              << (result.runtime.emulated ? " (emulated: no measurement)" : "") << '\n'
              << "makespan       " << time(statistics.mean);
    if (result.measured.makespans.size() > 1) {
        std::cout << ", sd " << time(statistics.sd) << " (" << result.measured.makespans.size()
                  << " runs, " << time(static_cast<double>(statistics.least)) << " to "
                  << time(static_cast<double>(statistics.most)) << ')';
    }
    std::cout << '\n';
    if (result.measured.relativeError) {
        std::cout << "relative error " << *result.measured.relativeError << " (at most "
                  << result.errorLimit << ")\n";
    }
    std::cout << "utilisation    " << cost::formatPercent(result.report.meanUtilisation) << '\n'
              << "traffic        " << cost::formatBytes(result.report.totalTraffic) << "\n\n";
    TextTable table({{"device", false}, {"ops"}, {"busy"}, {"peak memory"}});
    for (DeviceId id = 0; id < result.problem->deviceCount(); ++id) {
        const auto at = static_cast<std::size_t>(id);
        const sim::DeviceUse& use = result.report.devices[at];
        table.add({result.problem->cluster->device(id).name, cost::formatCount(use.ops),
                   cost::formatTime(use.busy, unit),
                   cost::formatBytes(result.measured.timeline.peakMemory[at])});
    }
    std::cout << table.terminal();
}

int executeGraph(const Options& options) {
    if (options.assignment.empty() == options.placer.empty()) {
        throw UsageError("expected one of --assignment and --placer");
    }
    if (options.check && options.runtime == "emulated") {
        throw UsageError(
            "--check: the emulated runtime computes no numbers that could be compared; "
            "expected a runtime that does (cpu, cuda)");
    }
    const std::string format = options.output.resolvedFormat();
    const OpenedProblem opened = openProblem(options.problem);
    const InterruptWatcher interrupt;
    const std::optional<Executed> executed = execute(options, opened, interrupt);
    if (!executed) {
        std::cerr << "execute: interrupted before all runs were done\n";
        return interrupt.exitCode();
    }
    const Executed& result = *executed;
    for (const std::string& note : result.notes) {
        std::cerr << options.runtime << ": " << note << '\n';
    }
    const sim::Timeline& timeline = result.measured.timeline;
    if (!options.trace.empty()) {
        writeOutput(options.trace, io::writeChromeTrace(*result.problem, timeline));
    }
    if (options.output.wanted()) {
        options.output.write(format == "csv" ? io::writeIntervalCsv(*result.problem, timeline)
                                             : io::writeTimelineJson(*result.problem, timeline));
    }
    if (options.json) {
        printJson(toJson(options, opened, result));
    } else {
        printResult(result);
    }
    if (result.measured.relativeError.value_or(0) > result.errorLimit) {
        throw std::runtime_error("the blocks do not agree with the whole program: relative error " +
                                 std::to_string(*result.measured.relativeError));
    }
    return interrupt.exitCode();
}

} // namespace

void addExecuteCommand(CLI::App& app, CommandRun& run) {
    const auto options = std::make_shared<Options>();
    CLI::App& command = addCommand(
        app, "execute", "Run a placement for real, in real tensor math",
        "doppler execute chainmm:size=tiny --cluster cpu:2 --placer critical-path --check");
    addProblemOptions(command, options->problem);
    command
        .add_option("--assignment", options->assignment,
                    "A placement file: JSON, or the paper's comma list")
        ->option_text("FILE");
    command.add_option("--placer", options->placer, "Or the method that makes the placement")
        ->check(CLI::IsMember(placerNames()))
        ->option_text("NAME");
    addRuntimeOption(command, options->runtime);
    const std::map<std::string, engine::GpuTransfer> transfers = {
        {"auto", engine::GpuTransfer::Auto},
        {"peer", engine::GpuTransfer::Peer},
        {"nccl", engine::GpuTransfer::Nccl}};
    command.add_option("--transfer", options->transfer, "How GPUs send values to each other")
        ->transform(CLI::CheckedTransformer(transfers))
        ->option_text("auto|peer|nccl");
    command.add_option("--repeat", options->repeats, "Runs that are measured")
        ->check(CLI::Range(1, 1'000'000))
        ->option_text("N=1");
    command.add_option("--warm-up", options->warmUps, "Runs before them that do not count")
        ->check(CLI::Range(0, 1'000))
        ->option_text("N=1");
    command.add_flag("--check", options->check,
                     "Compare the results with the whole program computed on one device");
    command.add_option("--seed", options->seed, "Seed of the inputs and of the placer")
        ->check(seedNumber())
        ->option_text("N=1");
    addBudgetOption(command, options->budgetSeconds, "Time that a searching placer may take");
    command
        .add_option("--trace", options->trace,
                    "Write the median run as a Chrome trace (opens in Perfetto)")
        ->option_text("FILE");
    addOutputOption(command, options->output,
                    "Write the median run: timeline JSON, or a table of the intervals",
                    {"json", "csv"});
    addJsonFlag(command, options->json);
    command.callback([options, &run] { run = [options] { return executeGraph(*options); }; });
}

} // namespace doppler::cli
