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
#include "core/place/Registry.h"
#include "core/sim/Report.h"

namespace doppler::cli {

namespace {

constexpr double kNsPerMs = 1e6;

struct Options {
    ProblemOptions problem;
    std::string assignment;
    std::string placer;
    std::string runtime = "cpu";
    std::string transfer = "auto";
    std::uint64_t seed = 1;
    double budgetSeconds = 2;
    int repeats = 1;
    int warmUps = 1;
    bool check = false;
    std::string trace;
    OutputFile output;
    bool json = false;
};

const std::map<std::string, engine::GpuTransfer>& transfers() {
    static const std::map<std::string, engine::GpuTransfer> kAll = {
        {"auto", engine::GpuTransfer::Auto},
        {"peer", engine::GpuTransfer::Peer},
        {"nccl", engine::GpuTransfer::Nccl}};
    return kAll;
}

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

/// `request` lacks what the options say.
engine::Measurement run(const Options& options, engine::Executor& executor,
                        engine::MeasurementRequest request, InterruptWatcher& interrupt) {
    ProgressBar bar;
    request.repeats = options.repeats;
    request.warmUps = options.warmUps;
    request.stop = interrupt.token();
    request.runBegins = [&](int number) {
        if (number > 0) {
            interrupt.keep();
        }
        bar.draw(std::max(0, number) / static_cast<double>(options.repeats),
                 number < 0 ? "warming up" : "run " + std::to_string(number + 1));
    };
    engine::Measurement measured = engine::measure(executor, request);
    interrupt.keep();
    bar.clear();
    return measured;
}

/// Why there are fewer runs than were asked for.
std::vector<std::string> shortfallNotes(const Options& options,
                                        const engine::Measurement& measured) {
    const auto runs = static_cast<std::int64_t>(measured.makespans.size());
    const std::string all = cost::formatCount(options.repeats);
    if (measured.outcome == engine::Outcome::Cancelled) {
        return {"stopped early, after " + cost::formatCount(runs) + " of " + all + " runs"};
    }
    std::vector<std::string> notes;
    if (measured.outcome == engine::Outcome::Failed) {
        notes.push_back("run " + cost::formatCount(runs + 1) + " of " + all +
                        " failed: " + measured.message);
        if (measured.lacksMemory) {
            notes.emplace_back("ops run in another order each time, so a placement may fit into "
                               "memory in some runs only");
        }
    }
    return notes;
}

/// Throws if nothing was measured.
Executed execute(const Options& options, const OpenedProblem& opened, InterruptWatcher& interrupt) {
    const engine::RunSetup setup = engine::setUpRun({.problem = opened.problem,
                                                     .graph = options.problem.graph,
                                                     .runtime = options.runtime,
                                                     .profile = opened.profile,
                                                     .profileSource = options.problem.cluster,
                                                     .seed = options.seed,
                                                     .transfer = transfers().at(options.transfer)});
    Executed result;
    result.assignment = assignmentOf(options, opened, interrupt);
    engine::Executor executor(setup.executed, *setup.runtime);
    std::optional<engine::ResultCheck> check;
    if (options.check) {
        check.emplace(setup.program, options.seed);
    }
    result.runtime = setup.runtime->info();
    engine::MeasurementRequest request;
    request.assignment = result.assignment;
    request.check = check ? &*check : nullptr;
    request.shared = setup.sharedProcessors > 0;
    if (!result.runtime.emulated) {
        request.load = engine::machineLoad;
    }
    result.measured = run(options, executor, std::move(request), interrupt);
    if (!result.measured.done() && result.measured.makespans.empty()) {
        throw std::runtime_error(options.runtime + " runtime: " + result.measured.message);
    }
    result.problem = executor.problem();
    result.notes = result.runtime.notes;
    if (!result.measured.quiet) {
        result.notes.emplace_back("the machine was not quiet: other programs ran, so times may be "
                                  "too long");
    }
    for (std::string& note : shortfallNotes(options, result.measured)) {
        result.notes.push_back(std::move(note));
    }
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
    std::cout << "utilisation    " << cost::formatPercent(result.report.meanUtilisation);
    if (result.measured.makespans.size() > 1) {
        std::cout << " (of the median run, " << time(static_cast<double>(result.report.makespan))
                  << ", as is what follows)";
    }
    std::cout << '\n'
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

/// Options of the simulator that a real run does not follow: all but the order of ready ops.
void tellIdleOptions(const Options& options) {
    const SimFlags& flags = options.problem.sim;
    std::vector<std::string> idle;
    const auto add = [&](bool given, const char* name) {
        if (given) {
            idle.emplace_back(name);
        }
    };
    add(flags.mode.has_value(), "--mode");
    add(flags.contention.has_value(), "--contention");
    add(flags.sharing.has_value(), "--sharing");
    add(flags.memory.has_value(), "--memory");
    add(flags.noise.has_value(), "--noise");
    add(flags.cores.has_value(), "--cores");
    if (!idle.empty()) {
        std::cerr << options.runtime << ": " << joined(idle, ", ") << ": "
                  << (options.placer.empty() ? "of no effect" : "for the placer only")
                  << "; runs are as the runtime makes them\n";
    }
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
    if (options.transfer != "auto" && options.runtime != "cuda") {
        throw UsageError("--transfer " + options.transfer +
                         ": only the runtime cuda has GPUs that send values to each other");
    }
    const std::string format = prepareOutputs(options.output, options.trace);
    InterruptWatcher interrupt(InterruptWatcher::Until::WorthKeeping);
    const OpenedProblem opened = openProblem(options.problem);
    tellIdleOptions(options);
    const Executed result = execute(options, opened, interrupt);
    for (const std::string& note : result.notes) {
        std::cerr << options.runtime << ": " << note << '\n';
    }
    if (options.json) {
        printJson(toJson(options, opened, result));
    } else {
        printResult(result);
    }
    const sim::Timeline& timeline = result.measured.timeline;
    const io::TimelineSource source = {result.runtime.name, result.runtime.emulated, result.notes};
    if (!options.trace.empty()) {
        writeOutput(options.trace, io::writeChromeTrace(*result.problem, timeline, source));
    }
    if (options.output.wanted()) {
        options.output.write(format == "csv"
                                 ? io::writeIntervalCsv(*result.problem, timeline, source)
                                 : io::writeTimelineJson(*result.problem, timeline, source));
    }
    if (result.measured.relativeError.value_or(0) > result.errorLimit) {
        throw std::runtime_error("the blocks do not agree with the whole program: relative error " +
                                 std::to_string(*result.measured.relativeError));
    }
    return result.measured.outcome == engine::Outcome::Failed ? kFailed : interrupt.exitCode();
}

} // namespace

void addExecuteCommand(CLI::App& app, CommandRun& run) {
    const auto options = std::make_shared<Options>();
    options->problem.timesOnly = true;
    CLI::App& command = addCommand(
        app, "execute", "Run a placement for real, in real tensor math",
        "doppler execute chainmm:size=tiny --cluster cpu:2 --placer critical-path --check");
    addProblemOptions(command, options->problem);
    command
        .add_option("--assignment", options->assignment,
                    "A placement file: JSON, or the paper's comma list")
        ->option_text("FILE");
    command.add_option("--placer", options->placer, "Or the method that makes the placement")
        ->check(placerName())
        ->option_text("NAME");
    addRuntimeOption(command, options->runtime);
    command.add_option("--transfer", options->transfer, "How GPUs send values to each other")
        ->check(CLI::IsMember(std::vector<std::string>{"auto", "peer", "nccl"}))
        ->option_text("auto|peer|nccl");
    command.add_option("--repeat", options->repeats, "Runs that are measured")
        ->transform(wholeNumber(1, 1'000'000))
        ->option_text("N=1");
    command.add_option("--warm-up", options->warmUps, "Runs before them that do not count")
        ->transform(wholeNumber(0, 1'000))
        ->option_text("N=1");
    command.add_flag("--check", options->check,
                     "Compare the results with the whole program computed on one device");
    command.add_option("--seed", options->seed, "Seed of the inputs and of the placer")
        ->transform(seedNumber())
        ->option_text("N=1");
    addBudgetOption(command, options->budgetSeconds, "Time that a searching placer may take");
    addTraceOption(command, options->trace, "the median run");
    addOutputOption(command, options->output,
                    "Write the median run: timeline JSON, or a table of the intervals",
                    {"json", "csv"});
    addJsonFlag(command, options->json);
    command.callback([options, &run] { run = [options] { return executeGraph(*options); }; });
}

} // namespace doppler::cli
