#include <iostream>

#include "app/cli/Commands.h"
#include "app/cli/Output.h"
#include "app/cli/OutputFile.h"
#include "app/cli/ProblemOptions.h"
#include "app/cli/RunStatistics.h"
#include "core/cost/FormatQuantity.h"
#include "core/io/ChromeTrace.h"
#include "core/io/Csv.h"
#include "core/sim/Bounds.h"
#include "core/sim/Noise.h"
#include "core/sim/Report.h"
#include "core/sim/Simulator.h"

namespace doppler::cli {

namespace {

struct Options {
    ProblemOptions problem;
    std::string assignment;
    std::string trace;
    OutputFile output;
    int runs = 1;
    bool json = false;
};

/// Everything one call of the command found out.
struct Simulated {
    sim::Assignment assignment;
    sim::Timeline timeline; ///< of the first run
    sim::Report report;
    sim::Bound bound;
    std::vector<Time> makespans; ///< by run
};

Simulated simulateRuns(const std::shared_ptr<const sim::Problem>& problem, const Options& options) {
    Simulated result;
    result.assignment = openAssignment(options.assignment, *problem);
    sim::checkAssignment(*problem, result.assignment);
    sim::Simulator simulator(problem);
    result.timeline = simulator.run(result.assignment);
    result.report = sim::makeReport(*problem, result.assignment, result.timeline);
    result.bound = sim::lowerBound(*problem);
    result.makespans.push_back(result.timeline.makespan);
    for (int run = 1; run < options.runs; ++run) {
        simulator.setSeed(sim::seedOfRun(problem->options.seed, static_cast<std::uint64_t>(run)));
        result.makespans.push_back(simulator.makespan(result.assignment));
    }
    return result;
}

Json deviceJson(const sim::Problem& problem, const Simulated& result) {
    Json devices = Json::array();
    for (DeviceId id = 0; id < problem.deviceCount(); ++id) {
        const cluster::Device& device = problem.cluster->device(id);
        const sim::DeviceUse& use = result.report.devices[static_cast<std::size_t>(id)];
        const double available = static_cast<double>(result.report.makespan) * device.slots;
        devices.push_back(
            {{"name", device.name},
             {"ops", use.ops},
             {"utilisation", available > 0 ? static_cast<double>(use.busy) / available : 0.0},
             {"busy", use.busy},
             {"waiting_for_input", use.waitingForInput},
             {"held_for_memory", use.heldForMemory},
             {"nothing_left", use.nothingLeft},
             {"peak_memory_bytes", use.peakMemory}});
    }
    return devices;
}

Json trafficJson(const sim::Problem& problem, const sim::Report& report) {
    Json rows = Json::array();
    const auto count = static_cast<std::size_t>(problem.deviceCount());
    for (std::size_t from = 0; from < count; ++from) {
        const auto begin = report.trafficBytes.begin() + static_cast<std::ptrdiff_t>(from * count);
        rows.push_back(
            std::vector<std::int64_t>(begin, begin + static_cast<std::ptrdiff_t>(count)));
    }
    return rows;
}

Json toJson(const OpenedProblem& opened, const Simulated& result) {
    const sim::Problem& problem = *opened.problem;
    const RunStatistics statistics = runStatistics(result.makespans);
    Json chain = Json::array();
    for (const std::int32_t index : result.report.criticalChain) {
        const sim::Interval& interval = result.timeline.intervals[static_cast<std::size_t>(index)];
        if (!interval.isTransfer()) {
            chain.push_back(interval.op);
        }
    }
    Json json = problemJson(problem, opened.report);
    json["makespan"] = result.report.makespan;
    json["bound"] = boundJson(result.bound);
    json["bound_name"] = result.bound.value > 0 ? Json(result.bound.name) : Json();
    json["gap"] = gapJson(result.report.makespan, result.bound);
    json["utilisation"] = result.report.meanUtilisation;
    json["imbalance"] = result.report.imbalance;
    json["traffic_bytes"] = result.report.totalTraffic;
    json["cross_device_edges"] = result.report.crossDeviceEdges;
    json["memory_overflow"] = result.report.memoryOverflow;
    json["per_device"] = deviceJson(problem, result);
    json["traffic"] = trafficJson(problem, result.report);
    json["critical_ops"] = std::move(chain);
    json["runs"] = {
        {"count", result.makespans.size()}, {"mean", statistics.mean},      {"sd", statistics.sd},
        {"least", statistics.least},        {"median", statistics.median},  {"p95", statistics.p95},
        {"most", statistics.most},          {"makespans", result.makespans}};
    return json;
}

void printDevices(const sim::Problem& problem, const Simulated& result) {
    const cost::TimeUnit unit = problem.costs->unit();
    TextTable table({{"device", false},
                     {"ops"},
                     {"busy"},
                     {"busy %"},
                     {"waiting"},
                     {"for memory"},
                     {"nothing left"},
                     {"peak memory"}});
    for (DeviceId id = 0; id < problem.deviceCount(); ++id) {
        const cluster::Device& device = problem.cluster->device(id);
        const sim::DeviceUse& use = result.report.devices[static_cast<std::size_t>(id)];
        const double available = static_cast<double>(result.report.makespan) * device.slots;
        table.add(
            {device.name, cost::formatCount(use.ops), cost::formatTime(use.busy, unit),
             cost::formatPercent(available > 0 ? static_cast<double>(use.busy) / available : 0),
             cost::formatTime(use.waitingForInput, unit), cost::formatTime(use.heldForMemory, unit),
             cost::formatTime(use.nothingLeft, unit), cost::formatBytes(use.peakMemory)});
    }
    std::cout << '\n' << table.terminal();
}

void printTraffic(const sim::Problem& problem, const sim::Report& report) {
    if (problem.deviceCount() == 1) {
        return;
    }
    std::vector<TextTable::Column> columns = {{"from \\ to", false}};
    for (const cluster::Device& device : problem.cluster->devices()) {
        columns.push_back({device.name});
    }
    TextTable table(std::move(columns));
    for (DeviceId from = 0; from < problem.deviceCount(); ++from) {
        std::vector<std::string> row = {problem.cluster->device(from).name};
        for (DeviceId to = 0; to < problem.deviceCount(); ++to) {
            const auto at = static_cast<std::size_t>(from * problem.deviceCount() + to);
            row.push_back(from == to ? "-" : cost::formatBytes(report.trafficBytes[at]));
        }
        table.add(std::move(row));
    }
    std::cout << '\n' << table.terminal();
}

void printResult(const sim::Problem& problem, const Simulated& result) {
    const cost::TimeUnit unit = problem.costs->unit();
    const sim::Report& report = result.report;
    std::cout << problemLine(problem) << "\n\n"
              << "makespan     " << cost::formatTime(report.makespan, unit) << '\n';
    if (result.bound.value > 0) {
        std::cout << "bound        " << cost::formatTime(result.bound.value, unit) << "  ("
                  << result.bound.name << "), gap "
                  << cost::formatPercent(sim::gap(report.makespan, result.bound.value)) << '\n';
    }
    if (result.makespans.size() > 1) {
        const RunStatistics statistics = runStatistics(result.makespans);
        const auto time = [&](double value) {
            return cost::formatTime(static_cast<Time>(value), unit);
        };
        std::cout << "runs         " << result.makespans.size() << ": mean "
                  << time(statistics.mean) << ", sd " << time(statistics.sd) << ", 95 % below "
                  << cost::formatTime(statistics.p95, unit) << ", from "
                  << cost::formatTime(statistics.least, unit) << " to "
                  << cost::formatTime(statistics.most, unit) << '\n';
    }
    std::cout << "utilisation  " << cost::formatPercent(report.meanUtilisation) << '\n'
              << "imbalance    " << cost::formatPercent(report.imbalance) << '\n'
              << "traffic      " << cost::formatBytes(report.totalTraffic) << " over "
              << cost::formatCount(report.crossDeviceEdges) << " edges between devices\n";
    if (report.memoryOverflow) {
        std::cout << "memory       a device needs more than it has\n";
    }
    printDevices(problem, result);
    printTraffic(problem, report);
}

int simulate(const Options& options) {
    const std::string format = prepareOutputs(options.output, options.trace);
    const OpenedProblem opened = openProblem(options.problem);
    const Simulated result = simulateRuns(opened.problem, options);
    options.json ? printJson(toJson(opened, result)) : printResult(*opened.problem, result);
    io::TimelineSource source;
    source.notes = opened.report.notes;
    if (!options.trace.empty()) {
        writeOutput(options.trace, io::writeChromeTrace(*opened.problem, result.timeline, source));
    }
    if (options.output.wanted()) {
        options.output.write(format == "csv"
                                 ? io::writeIntervalCsv(*opened.problem, result.timeline)
                                 : io::writeTimelineJson(*opened.problem, result.timeline, source));
    }
    return kDone;
}

} // namespace

void addSimulateCommand(CLI::App& app, CommandRun& run) {
    const auto options = std::make_shared<Options>();
    CLI::App& command = addCommand(
        app, "simulate", "Run a placement in the simulator",
        "doppler simulate chainmm --cluster p100x4 --assignment best.json --trace t.json");
    addProblemOptions(command, options->problem);
    command
        .add_option("--assignment", options->assignment,
                    "A placement file: JSON, the paper's comma list, or an ONNX model with devices")
        ->required()
        ->option_text("FILE REQUIRED");
    command.add_option("--runs", options->runs, "Runs, each with a seed of its own")
        ->transform(wholeNumber(1, 1'000'000))
        ->option_text("N=1");
    command.add_option("--seed", options->problem.sim.seed, "The same as --sim-seed")
        ->transform(seedNumber())
        ->option_text("N");
    addTraceOption(command, options->trace, "the first run");
    addOutputOption(command, options->output,
                    "Write the first run: timeline JSON, or a table of the intervals",
                    {"json", "csv"});
    addJsonFlag(command, options->json);
    command.callback([options, &run] { run = [options] { return simulate(*options); }; });
}

} // namespace doppler::cli
