#include <cmath>
#include <iostream>

#include "app/cli/Commands.h"
#include "app/cli/InterruptWatcher.h"
#include "app/cli/Output.h"
#include "app/cli/OutputFile.h"
#include "app/cli/PlacerNames.h"
#include "app/cli/ProblemOptions.h"
#include "app/cli/ProgressBar.h"
#include "core/cost/FormatQuantity.h"
#include "core/place/Comparison.h"
#include "core/sim/Bounds.h"
#include "core/sim/SimOptionNames.h"

namespace doppler::cli {

namespace {

struct Options {
    ProblemOptions problem; ///< its graph is unused
    std::vector<std::string> graphs;
    std::vector<std::string> placers;
    std::vector<std::string> modes;
    int seeds = 1;
    double budgetSeconds = 2;
    OutputFile output;
    bool json = false;
};

/// One line of the table.
struct Row {
    std::shared_ptr<const sim::Problem> problem;
    sim::Bound bound;
    place::MethodSummary method;
};

struct Comparison {
    std::vector<Row> rows;
    Json reports = Json::object(); ///< by graph: what reading it had to say
    bool stopped = false;
};

void compareOn(const OpenedProblem& opened, const Options& options, std::stop_token stop,
               ProgressBar& bar, Comparison& comparison) {
    const std::shared_ptr<const sim::Problem>& problem = opened.problem;
    const sim::Bound bound = sim::lowerBound(*problem);
    for (const std::string& placer : options.placers) {
        place::ComparisonRequest request;
        request.problem = problem;
        request.placer = placer;
        request.seeds = options.seeds;
        request.budgetSeconds = options.budgetSeconds;
        request.stop = stop;
        request.progress = [&](const place::PlaceProgress& progress) {
            bar.draw(progress.fraction,
                     problem->graph->name() + "  " + placer + "  " +
                         cost::formatTime(progress.best, problem->costs->unit()));
        };
        bar.draw(-1, problem->graph->name() + "  " + placer);
        place::MethodSummary method = place::compareMethod(request);
        if (!method.runs.empty()) {
            comparison.rows.push_back({problem, bound, std::move(method)});
        }
        if (stop.stop_requested()) {
            return;
        }
    }
}

Comparison compareAll(const Options& options) {
    const InterruptWatcher interrupt;
    ProgressBar bar;
    Comparison comparison;
    for (const std::string& graph : options.graphs) {
        for (const std::string& mode : options.modes) {
            ProblemOptions problem = options.problem;
            problem.graph = graph;
            problem.sim.mode = mode;
            const OpenedProblem opened = openProblem(problem);
            comparison.reports[graph] = opened.report.notes;
            compareOn(opened, options, interrupt.token(), bar, comparison);
            if (interrupt.interrupted()) {
                comparison.stopped = true;
                return comparison;
            }
        }
    }
    return comparison;
}

std::string modeName(const Row& row) {
    return std::string(sim::name(row.problem->options.mode));
}

TextTable readableTable(const Comparison& comparison) {
    TextTable table({{"graph", false},
                     {"mode", false},
                     {"method", false},
                     {"makespan"},
                     {"sd"},
                     {"best"},
                     {"gap"},
                     {"traffic"},
                     {"imbalance"},
                     {"peak memory"},
                     {"time"}});
    for (const Row& row : comparison.rows) {
        const cost::TimeUnit unit = row.problem->costs->unit();
        const place::MethodSummary& method = row.method;
        const Time best = method.best().result.makespan;
        const bool several = method.runs.size() > 1;
        table.add({row.problem->graph->name(), modeName(row), method.placer,
                   cost::formatTime(std::llround(method.meanMakespan), unit),
                   several ? cost::formatTime(std::llround(method.sd), unit) : "-",
                   cost::formatTime(best, unit),
                   row.bound.value > 0 ? cost::formatPercent(sim::gap(best, row.bound.value)) : "-",
                   cost::formatBytes(method.trafficBytes), cost::formatPercent(method.imbalance),
                   cost::formatBytes(method.peakMemory) + (method.memoryOverflow ? " (full)" : ""),
                   cost::formatSeconds(method.meanSeconds)});
    }
    return table;
}

Json rowJson(const Row& row) {
    const place::MethodSummary& method = row.method;
    const Time best = method.best().result.makespan;
    Json runs = Json::array();
    for (const place::ComparisonRun& run : method.runs) {
        runs.push_back({{"seed", run.seed},
                        {"makespan", run.result.makespan},
                        {"seconds", run.result.seconds},
                        {"evaluations", run.result.evaluations},
                        {"notes", run.result.notes}});
    }
    return {{"graph", row.problem->graph->name()},
            {"nodes", row.problem->opCount()},
            {"mode", modeName(row)},
            {"costs", cost::name(row.problem->costs->model())},
            {"unit", cost::name(row.problem->costs->unit())},
            {"placer", method.placer},
            {"mean", method.meanMakespan},
            {"sd", method.sd},
            {"best", best},
            {"bound", boundJson(row.bound)},
            {"bound_name", row.bound.value > 0 ? Json(row.bound.name) : Json()},
            {"gap", gapJson(best, row.bound)},
            {"traffic_bytes", method.trafficBytes},
            {"imbalance", method.imbalance},
            {"peak_memory_bytes", method.peakMemory},
            {"memory_overflow", method.memoryOverflow},
            {"seconds", method.meanSeconds},
            {"runs", std::move(runs)}};
}

Json toJson(const Options& options, const Comparison& comparison) {
    Json rows = Json::array();
    for (const Row& row : comparison.rows) {
        rows.push_back(rowJson(row));
    }
    return {{"cluster", options.problem.cluster},
            {"seeds", options.seeds},
            {"budget_seconds", options.budgetSeconds},
            {"unit", comparison.rows.empty()
                         ? Json()
                         : Json(cost::name(comparison.rows.front().problem->costs->unit()))},
            {"complete", !comparison.stopped},
            {"rows", std::move(rows)},
            {"report", comparison.reports}};
}

/// Plain numbers, one line a method: what a plotting script reads.
std::string toCsv(const Comparison& comparison) {
    static const std::vector<std::string> kColumns = {
        "graph",  "nodes", "mode",  "costs", "unit",          "placer",    "mean",
        "sd",     "best",  "bound", "gap",   "traffic_bytes", "imbalance", "peak_memory_bytes",
        "seconds"};
    std::vector<TextTable::Column> columns;
    for (const std::string& name : kColumns) {
        columns.push_back({name});
    }
    TextTable table(std::move(columns));
    for (const Row& row : comparison.rows) {
        const Json json = rowJson(row);
        std::vector<std::string> cells;
        for (const std::string& name : kColumns) {
            const Json& value = json.at(name);
            cells.push_back(value.is_string() ? value.get<std::string>()
                            : value.is_null() ? std::string()
                                              : value.dump());
        }
        table.add(std::move(cells));
    }
    return table.csv();
}

std::string render(const Options& options, const Comparison& comparison,
                   const std::string& format) {
    if (format == "csv") {
        return toCsv(comparison);
    }
    return format == "md"
               ? readableTable(comparison).markdown()
               : toJson(options, comparison).dump(2, ' ', false, Json::error_handler_t::replace) +
                     '\n';
}

int compare(const Options& options) {
    const std::string format = options.output.resolvedFormat();
    const Comparison comparison = compareAll(options);
    if (comparison.stopped) {
        std::cerr << "stopped early: the table holds what was found until then\n";
    }
    if (options.output.wanted()) {
        options.output.write(render(options, comparison, format));
    }
    if (options.json) {
        printJson(toJson(options, comparison));
    } else {
        std::cout << readableTable(comparison).terminal();
    }
    return kDone;
}

} // namespace

void addCompareCommand(CLI::App& app, CommandRun& run) {
    const auto options = std::make_shared<Options>();
    options->placers = placerNames();
    options->modes = {"wc"};
    CLI::App& command = addCommand(app, "compare", "The table of methods that researchers publish",
                                   "doppler compare chainmm ffnn --cluster p100x4 "
                                   "--placers heft,anneal --seeds 3 --budget 5s -o table.csv");
    command.add_option("GRAPH", options->graphs, "Workloads or files")
        ->required()
        ->option_text("... REQUIRED");
    addClusterOption(command, options->problem.cluster);
    addCostsOption(command, options->problem.costs);
    command.add_option("--placers", options->placers, "Methods, separated by commas; default: all")
        ->delimiter(',')
        ->check(CLI::IsMember(placerNames()))
        ->option_text("NAME,...");
    command.add_option("--mode", options->modes, "wc, bsp, or wc,bsp for both; default: wc")
        ->delimiter(',')
        ->check(CLI::IsMember({"wc", "bsp"}))
        ->option_text("wc,bsp");
    command.add_option("--seeds", options->seeds, "Runs of each method that depends on chance")
        ->check(CLI::Range(1, 10'000))
        ->option_text("N=1");
    addBudgetOption(command, options->budgetSeconds, "Time for each run of a search");
    addSimOptions(command, options->problem.sim);
    addOutputOption(command, options->output, "Write the table", {"csv", "md", "json"});
    addJsonFlag(command, options->json);
    command.callback([options, &run] { run = [options] { return compare(*options); }; });
}

} // namespace doppler::cli
