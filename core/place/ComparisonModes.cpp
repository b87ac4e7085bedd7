#include "core/place/ComparisonModes.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "core/cost/FormatQuantity.h"
#include "core/place/SearchEvaluator.h"

namespace doppler::place {

namespace {

/// One name may stand for graphs of several sizes.
bool sameGraph(const sim::Problem& a, const sim::Problem& b) {
    const graph::Graph& one = *a.graph;
    const graph::Graph& other = *b.graph;
    if (a.graph == b.graph) {
        return true;
    }
    if (one.name() != other.name() || one.opCount() != other.opCount() ||
        one.edgeCount() != other.edgeCount()) {
        return false;
    }
    for (EdgeId edge = 0; edge < one.edgeCount(); ++edge) {
        if (one.source(edge) != other.source(edge) || one.target(edge) != other.target(edge)) {
            return false;
        }
    }
    for (OpId op = 0; op < one.opCount(); ++op) {
        if (a.costs->computeOfClass(op, 0) != b.costs->computeOfClass(op, 0)) {
            return false;
        }
    }
    return true;
}

/// The one execution mode that differs is told by SimOptions; all else must be equal.
bool sameButForMode(const sim::Problem& a, const sim::Problem& b) {
    sim::SimOptions options = a.options;
    options.mode = b.options.mode;
    return a.options.mode != b.options.mode && options == b.options && *a.cluster == *b.cluster &&
           a.costs->model() == b.costs->model() && sameGraph(a, b);
}

/// What the placements of `cell` come to under another problem of the same graph, as
/// RunRecord::compared() counts.
double meanElsewhere(const CellSummary& cell, const std::shared_ptr<const sim::Problem>& problem,
                     const Objective& objective) {
    Evaluator evaluator(problem, objective);
    double mean = 0;
    for (const auto& run : cell.runs) {
        const Time time = objective == Objective() ? evaluator.makespan(run->assignment)
                                                   : evaluator.value(run->assignment);
        mean += static_cast<double>(time) / static_cast<double>(cell.runs.size());
    }
    return mean;
}

/// The label of a problem of one mode may end with it.
std::string withoutMode(std::string label) {
    constexpr std::string_view kMode = ", wc";
    if (label.ends_with(kMode)) {
        label.resize(label.size() - kMode.size());
    }
    return label;
}

} // namespace

std::vector<ModePair> modePairs(const Experiment& experiment, const Comparison& comparison) {
    std::vector<ModePair> pairs;
    for (std::size_t i = 0; i < experiment.problems.size(); ++i) {
        for (std::size_t j = 0; j < experiment.problems.size(); ++j) {
            const auto& first = experiment.problems[i].problem;
            const auto& second = experiment.problems[j].problem;
            if (first->options.mode != sim::ExecutionMode::WorkConserving ||
                !sameButForMode(*first, *second)) {
                continue;
            }
            for (std::size_t method = 0; method < experiment.methods.size(); ++method) {
                const CellSummary& wc = comparison.cell(i, method);
                const CellSummary& bsp = comparison.cell(j, method);
                if (!wc.empty() && !bsp.empty()) {
                    pairs.push_back(
                        {.workConserving = i,
                         .bulkSynchronous = j,
                         .method = method,
                         .wc = wc.mean,
                         .bsp = bsp.mean,
                         .wcPlacementInBsp = meanElsewhere(wc, second, experiment.objective),
                         .bspPlacementInWc = meanElsewhere(bsp, first, experiment.objective)});
                }
            }
        }
    }
    return pairs;
}

io::TextTable modeTable(const Experiment& experiment, const std::vector<ModePair>& pairs) {
    io::TextTable table({{"graph", false},
                         {"method", false},
                         {"wc"},
                         {"bsp"},
                         {"bsp / wc"},
                         {"wc placement in bsp"},
                         {"bsp placement in wc"}});
    for (const ModePair& pair : pairs) {
        const ExperimentProblem& problem = experiment.problems[pair.workConserving];
        const auto text = [&](double time) {
            return cost::formatTime(std::llround(time), problem.problem->costs->unit());
        };
        std::array<char, 64> ratio{};
        std::snprintf(ratio.data(), ratio.size(), "%.3f", pair.bsp / pair.wc);
        table.add({withoutMode(problem.label), experiment.methods[pair.method], text(pair.wc),
                   text(pair.bsp), ratio.data(), text(pair.wcPlacementInBsp),
                   text(pair.bspPlacementInWc)});
    }
    return table;
}

io::OrderedJson modeRows(const Experiment& experiment, const std::vector<ModePair>& pairs) {
    io::OrderedJson rows = io::OrderedJson::array();
    for (const ModePair& pair : pairs) {
        const ExperimentProblem& problem = experiment.problems[pair.workConserving];
        rows.push_back(
            {{"graph", withoutMode(problem.label)},
             {"cluster", problem.problem->cluster->name()},
             {"placer", experiment.methods[pair.method]},
             {"unit", cost::name(problem.problem->costs->unit())},
             {"wc", pair.wc},
             {"bsp", pair.bsp},
             {"bsp_over_wc", pair.wc > 0 ? io::OrderedJson(pair.bsp / pair.wc) : io::OrderedJson()},
             {"wc_placement_in_bsp", pair.wcPlacementInBsp},
             {"bsp_placement_in_wc", pair.bspPlacementInWc}});
    }
    return rows;
}

} // namespace doppler::place
