#include "core/place/ComparisonTables.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "core/cost/FormatQuantity.h"
#include "core/sim/SimOptionNames.h"

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
    case Standing::Fixed:
        return "no-spread";
    case Standing::Untested:
        break;
    }
    return "untested";
}

std::string standingText(const CellSummary& cell) {
    if (cell.standing == Standing::Unfit) {
        return "does not fit";
    }
    if (cell.standing == Standing::Fixed) {
        return "no spread";
    }
    if (cell.standing == Standing::Best || !cell.test) {
        return cell.standing == Standing::Best ? "best" : "one run";
    }
    constexpr double kLeastShown = 0.001;
    const double p = cell.test->pValue;
    const std::string value = p < kLeastShown ? "p<0.001" : "p " + decimal(p, 3);
    return (cell.standing == Standing::Worse ? "* " : "") + value;
}

std::string standingFootnote(const Comparison& comparison) {
    const auto any = [&](const auto& holds) {
        return std::any_of(comparison.cells.begin(), comparison.cells.end(),
                           [&](const CellSummary& cell) { return !cell.empty() && holds(cell); });
    };
    std::string text;
    const auto add = [&](const char* part) {
        text += text.empty() ? "to best: " : "; ";
        text += part;
    };
    if (any([](const CellSummary& cell) { return cell.test.has_value(); })) {
        add("p by Welch's test against the best method, * below 5 %");
    }
    if (any([](const CellSummary& cell) { return cell.standing == Standing::Fixed; })) {
        add("no spread: neither varies, nothing to test");
    }
    if (any([](const CellSummary& cell) { return cell.standing == Standing::Untested; })) {
        add("one run: of a method with chance, its spread is unknown");
    }
    return text;
}

io::TextTable readableTable(const Experiment& experiment, const Comparison& comparison) {
    // All problems of a table have the same noise.
    const std::string measured =
        experiment.problems.empty()
            ? name(experiment.objective)
            : nameWithNoise(experiment.objective, *experiment.problems.front().problem);
    io::TextTable table({{"graph", false},
                         {"mode", false},
                         {"method", false},
                         {measured},
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

namespace {

/// What both modes together say of one row.
struct OtherMode {
    std::optional<double> mean; ///< of the row's placements in the other mode
    std::optional<double> bspOverWc;
};

OtherMode otherModeOf(const CellSummary& cell, const std::vector<ModePair>& pairs) {
    for (const ModePair& pair : pairs) {
        const bool wc = pair.workConserving == cell.problem;
        if (pair.method == cell.method && (wc || pair.bulkSynchronous == cell.problem)) {
            return {wc ? pair.wcPlacementInBsp : pair.bspPlacementInWc,
                    pair.wc > 0 ? std::optional(pair.bsp / pair.wc) : std::nullopt};
        }
    }
    return {};
}

} // namespace

io::OrderedJson comparisonRows(const Experiment& experiment, const Comparison& comparison,
                               const std::vector<ModePair>& pairs) {
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
        const double noise = noiseOf(experiment.objective, problem);
        const OtherMode other = otherModeOf(cell, pairs);
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
             {"noise", noise > 0 ? io::OrderedJson(noise) : io::OrderedJson()},
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
             {"mean_in_other_mode", orNull(other.mean)},
             {"bsp_over_wc", orNull(other.bspOverWc)},
             {"runs", std::move(runs)}});
    }
    return rows;
}

io::TextTable numberTable(const Experiment& experiment, const Comparison& comparison,
                          const std::vector<ModePair>& pairs) {
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
                                                      "overflowing_runs",
                                                      "noise",
                                                      "mean_in_other_mode",
                                                      "bsp_over_wc"};
    std::vector<io::TextTable::Column> columns;
    for (const std::string& name : kColumns) {
        columns.push_back({name});
    }
    io::TextTable table(std::move(columns));
    for (const io::OrderedJson& row : comparisonRows(experiment, comparison, pairs)) {
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

} // namespace doppler::place
