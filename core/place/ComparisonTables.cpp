#include "core/place/ComparisonTables.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "core/cost/FormatQuantity.h"
#include "core/sim/SimOptionNames.h"
#include "core/sim/Simulator.h"

namespace doppler::place {

namespace {

std::string decimal(double value, int decimals) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
    return text.data();
}

std::string percentOr(const std::optional<double>& ratio, const std::string& none) {
    return ratio ? cost::formatPercent(*ratio) : none;
}

io::OrderedJson orNull(const std::optional<double>& value) {
    return value ? io::OrderedJson(*value) : io::OrderedJson();
}

/// What the table says of runs that do not fit: " (full)", " (full 5/6)", or nothing.
std::string fullText(const CellSummary& cell) {
    if (cell.overflows == 0) {
        return "";
    }
    if (cell.runs.size() == 1) {
        return " (full)";
    }
    return " (full " + std::to_string(cell.overflows) + '/' + std::to_string(cell.runs.size()) +
           ')';
}

/// The one execution mode that differs is told by SimOptions; all else must be equal.
bool sameButForMode(const sim::Problem& a, const sim::Problem& b) {
    sim::SimOptions options = a.options;
    options.mode = b.options.mode;
    return a.graph->name() == b.graph->name() && *a.cluster == *b.cluster &&
           a.costs->model() == b.costs->model() && options == b.options &&
           a.options.mode != b.options.mode;
}

/// Mean makespan of the placements of `cell` under another problem of the same graph.
double meanElsewhere(const CellSummary& cell, const std::shared_ptr<const sim::Problem>& problem) {
    sim::Simulator simulator(problem);
    double mean = 0;
    for (const auto& run : cell.runs) {
        mean += static_cast<double>(simulator.makespan(run->assignment)) /
                static_cast<double>(cell.runs.size());
    }
    return mean;
}

} // namespace

std::string standingName(Standing standing) {
    switch (standing) {
    case Standing::Best:
        return "best";
    case Standing::Worse:
        return "worse";
    case Standing::Alike:
        return "alike";
    case Standing::Unfit:
        return "unfit";
    case Standing::Untested:
        break;
    }
    return "untested";
}

std::string standingText(const CellSummary& cell) {
    if (cell.standing == Standing::Unfit) {
        return "does not fit";
    }
    if (cell.standing == Standing::Best || !cell.test) {
        return cell.standing == Standing::Best ? "best" : "one run";
    }
    constexpr double kLeastShown = 0.001;
    const double p = cell.test->pValue;
    const std::string value = p < kLeastShown ? "p<0.001" : "p " + decimal(p, 3);
    return (cell.standing == Standing::Worse ? "* " : "") + value;
}

io::TextTable readableTable(const Experiment& experiment, const Comparison& comparison) {
    const bool plain = experiment.objective == Objective();
    io::TextTable table({{"graph", false},
                         {"mode", false},
                         {"method", false},
                         {plain ? std::string("makespan") : name(experiment.objective)},
                         {"sd"},
                         {"best"},
                         {"gap"},
                         {"over best known"},
                         {"to best"},
                         {"traffic"},
                         {"peak memory"},
                         {"time"}});
    for (const CellSummary& cell : comparison.cells) {
        if (cell.empty()) {
            continue;
        }
        const ExperimentProblem& problem = experiment.problems[cell.problem];
        const cost::TimeUnit unit = problem.problem->costs->unit();
        const RunRecord& best = cell.best();
        table.add(
            {problem.label, std::string(sim::name(problem.problem->options.mode)),
             experiment.methods[cell.method], cost::formatTime(std::llround(cell.mean), unit),
             cell.runs.size() > 1 ? cost::formatTime(std::llround(cell.sd), unit) : "-",
             cost::formatTime(best.compared(), unit), percentOr(cell.gap, "-"),
             comparison.bestKnown[cell.problem] > 0 ? cost::formatPercent(cell.overBestKnown) : "-",
             standingText(cell), cost::formatBytes(best.trafficBytes),
             cost::formatBytes(cell.peakMemory) + fullText(cell),
             cost::formatSeconds(cell.meanSeconds)});
    }
    return table;
}

io::OrderedJson comparisonRows(const Experiment& experiment, const Comparison& comparison) {
    io::OrderedJson rows = io::OrderedJson::array();
    for (const CellSummary& cell : comparison.cells) {
        if (cell.empty()) {
            continue;
        }
        const ExperimentProblem& prepared = experiment.problems[cell.problem];
        const sim::Problem& problem = *prepared.problem;
        const RunRecord& best = cell.best();
        io::OrderedJson runs = io::OrderedJson::array();
        for (const auto& run : cell.runs) {
            runs.push_back({{"seed", run->key.seed},
                            {"makespan", run->makespan},
                            {"value", run->value},
                            {"seconds", run->seconds},
                            {"evaluations", run->evaluations},
                            {"peak_memory_bytes", run->peakMemory},
                            {"memory_overflow", run->memoryOverflow},
                            {"notes", run->notes}});
        }
        const bool bounded = experiment.boundOf(cell.problem) > 0;
        const Time known = comparison.bestKnown[cell.problem];
        rows.push_back(
            {{"graph", prepared.label},
             {"nodes", problem.opCount()},
             {"cluster", problem.cluster->name()},
             {"devices", problem.deviceCount()},
             {"mode", sim::name(problem.options.mode)},
             {"costs", cost::name(problem.costs->model())},
             {"unit", cost::name(problem.costs->unit())},
             {"objective", name(experiment.objective)},
             {"placer", experiment.methods[cell.method]},
             {"runs_made", cell.runs.size()},
             {"mean", cell.mean},
             {"sd", cell.sd},
             {"best", best.compared()},
             {"bound", bounded ? io::OrderedJson(prepared.bound.value) : io::OrderedJson()},
             {"bound_name", bounded ? io::OrderedJson(prepared.bound.name) : io::OrderedJson()},
             {"gap", orNull(cell.gap)},
             {"best_gap", orNull(cell.bestGap)},
             {"best_known", known > 0 ? io::OrderedJson(known) : io::OrderedJson()},
             {"over_best_known",
              known > 0 ? io::OrderedJson(cell.overBestKnown) : io::OrderedJson()},
             {"standing", standingName(cell.standing)},
             {"p_value", cell.test ? io::OrderedJson(cell.test->pValue) : io::OrderedJson()},
             {"traffic_bytes", best.trafficBytes},
             {"imbalance", best.imbalance},
             {"peak_memory_bytes", cell.peakMemory},
             {"memory_overflow", cell.overflows > 0},
             {"overflowing_runs", cell.overflows},
             {"seconds", cell.meanSeconds},
             {"runs", std::move(runs)}});
    }
    return rows;
}

io::TextTable numberTable(const Experiment& experiment, const Comparison& comparison) {
    static const std::vector<std::string> kColumns = {"graph",
                                                      "nodes",
                                                      "mode",
                                                      "cluster",
                                                      "devices",
                                                      "costs",
                                                      "unit",
                                                      "placer",
                                                      "runs_made",
                                                      "mean",
                                                      "sd",
                                                      "best",
                                                      "bound",
                                                      "gap",
                                                      "best_gap",
                                                      "best_known",
                                                      "over_best_known",
                                                      "standing",
                                                      "p_value",
                                                      "traffic_bytes",
                                                      "imbalance",
                                                      "peak_memory_bytes",
                                                      "memory_overflow",
                                                      "seconds",
                                                      "objective",
                                                      "overflowing_runs"};
    std::vector<io::TextTable::Column> columns;
    for (const std::string& name : kColumns) {
        columns.push_back({name});
    }
    io::TextTable table(std::move(columns));
    for (const io::OrderedJson& row : comparisonRows(experiment, comparison)) {
        std::vector<std::string> cells;
        for (const std::string& name : kColumns) {
            const io::OrderedJson& value = row.at(name);
            cells.push_back(value.is_string() ? value.get<std::string>()
                            : value.is_null() ? std::string()
                                              : value.dump());
        }
        table.add(std::move(cells));
    }
    return table;
}

io::TextTable paperTable(const Experiment& experiment, const Comparison& comparison) {
    std::vector<io::TextTable::Column> columns = {{"method", false}};
    for (const ExperimentProblem& problem : experiment.problems) {
        columns.push_back({problem.label});
    }
    columns.push_back({"mean rank"});
    io::TextTable table(std::move(columns));
    constexpr double kPercent = 100;
    for (std::size_t method = 0; method < experiment.methods.size(); ++method) {
        std::vector<std::string> cells = {experiment.methods[method]};
        for (std::size_t problem = 0; problem < experiment.problems.size(); ++problem) {
            const CellSummary& cell = comparison.cell(problem, method);
            if (cell.empty()) {
                cells.emplace_back("-");
                continue;
            }
            const ExperimentProblem& prepared = experiment.problems[problem];
            std::string text = cell.gap ? cost::formatPercent(*cell.gap)
                                        : cost::formatTime(std::llround(cell.mean),
                                                           prepared.problem->costs->unit());
            if (cell.gap && cell.runs.size() > 1) {
                const double bound = static_cast<double>(prepared.bound.value);
                text += " \u00B1 " + decimal(kPercent * cell.sd / bound, 1);
            }
            if (cell.standing == Standing::Best) {
                text += " (best)";
            }
            text += fullText(cell);
            cells.push_back(std::move(text));
        }
        const double rank = comparison.meanRank[method];
        cells.push_back(rank > 0 ? decimal(rank, 2) : "-");
        table.add(std::move(cells));
    }
    return table;
}

io::TextTable modeTable(const Experiment& experiment, const Comparison& comparison) {
    io::TextTable table({{"graph", false},
                         {"method", false},
                         {"wc"},
                         {"bsp"},
                         {"bsp / wc"},
                         {"wc placement in bsp"},
                         {"bsp placement in wc"}});
    if (experiment.objective != Objective()) {
        return table; // what placements take in the other mode is known of makespans only
    }
    using sim::ExecutionMode;
    for (std::size_t i = 0; i < experiment.problems.size(); ++i) {
        for (std::size_t j = 0; j < experiment.problems.size(); ++j) {
            const ExperimentProblem& first = experiment.problems[i];
            const ExperimentProblem& second = experiment.problems[j];
            if (first.problem->options.mode != ExecutionMode::WorkConserving ||
                !sameButForMode(*first.problem, *second.problem)) {
                continue;
            }
            const cost::TimeUnit unit = first.problem->costs->unit();
            const auto text = [unit](double time) {
                return cost::formatTime(std::llround(time), unit);
            };
            for (std::size_t method = 0; method < experiment.methods.size(); ++method) {
                const CellSummary& wc = comparison.cell(i, method);
                const CellSummary& bsp = comparison.cell(j, method);
                if (!wc.empty() && !bsp.empty()) {
                    table.add({first.label, experiment.methods[method], text(wc.mean),
                               text(bsp.mean), decimal(bsp.mean / wc.mean, 3),
                               text(meanElsewhere(wc, second.problem)),
                               text(meanElsewhere(bsp, first.problem))});
                }
            }
        }
    }
    return table;
}

} // namespace doppler::place
