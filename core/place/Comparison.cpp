#include "core/place/Comparison.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace doppler::place {

namespace {

constexpr double kSignificance = 0.05;

bool memoryIsHard(const Experiment& experiment) {
    return experiment.objective.memory == Objective::Memory::Hard;
}

SampleMoments moments(const CellSummary& cell) {
    return {.count = cell.runs.size(), .mean = cell.mean, .variance = cell.sd * cell.sd};
}

CellSummary summariseCell(const Experiment& experiment, std::size_t problem, std::size_t method,
                          const RunStore& store) {
    CellSummary cell;
    cell.problem = problem;
    cell.method = method;
    cell.expectedRuns = experiment.runsOf(method);
    for (int seed = 1; seed <= cell.expectedRuns; ++seed) {
        auto run = store.find(experiment.key(problem, method, static_cast<std::uint64_t>(seed)));
        if (run) {
            cell.runs.push_back(std::move(run));
        }
    }
    if (cell.empty()) {
        return cell;
    }
    const auto count = static_cast<double>(cell.runs.size());
    const bool hard = memoryIsHard(experiment);
    const auto better = [hard](const RunRecord& a, const RunRecord& b) {
        return hard && a.memoryOverflow != b.memoryOverflow ? b.memoryOverflow
                                                            : a.compared() < b.compared();
    };
    for (std::size_t i = 0; i < cell.runs.size(); ++i) {
        cell.mean += static_cast<double>(cell.runs[i]->compared()) / count;
        cell.meanSeconds += cell.runs[i]->seconds / count;
        cell.overflows += cell.runs[i]->memoryOverflow ? 1 : 0;
        cell.peakMemory = std::max(cell.peakMemory, cell.runs[i]->peakMemory);
        if (better(*cell.runs[i], cell.best())) {
            cell.bestRun = i;
        }
    }
    double squares = 0;
    for (const auto& run : cell.runs) {
        const double off = static_cast<double>(run->compared()) - cell.mean;
        squares += off * off;
    }
    // Equal runs have no spread, whatever rounding says of their mean.
    const auto [least, most] =
        std::minmax_element(cell.runs.begin(), cell.runs.end(), [](const auto& a, const auto& b) {
            return a->compared() < b->compared();
        });
    if ((*least)->compared() == (*most)->compared()) {
        cell.mean = static_cast<double>((*most)->compared());
    } else {
        cell.sd = std::sqrt(squares / (count - 1));
    }
    if (hard && cell.overflows > 0) {
        cell.standing = Standing::Unfit;
    }
    const auto bound = static_cast<double>(experiment.boundOf(problem));
    const bool penalties = experiment.objective.memory == Objective::Memory::Penalty;
    if (bound > 0 && !(penalties && cell.overflows > 0)) {
        cell.gap = cell.mean / bound - 1;
    }
    if (bound > 0 && !(penalties && cell.best().memoryOverflow)) {
        cell.bestGap = static_cast<double>(cell.best().compared()) / bound - 1;
    }
    return cell;
}

/// Whether the mean is that of all possible runs: a method without chance has only one.
bool meanIsCertain(const Experiment& experiment, const CellSummary& cell) {
    return !placerInfo(experiment.methods[cell.method]).random;
}

void testAgainst(const Experiment& experiment, const CellSummary& best, CellSummary& cell) {
    const bool certain = meanIsCertain(experiment, cell);
    const bool bestCertain = meanIsCertain(experiment, best);
    if ((!certain && cell.runs.size() < 2) || (!bestCertain && best.runs.size() < 2)) {
        cell.standing = Standing::Untested;
        return;
    }
    if (cell.sd == 0 && best.sd == 0) {
        cell.standing = Standing::Fixed;
        return;
    }
    cell.test = certain       ? oneSampleTest(moments(best), cell.mean)
                : bestCertain ? oneSampleTest(moments(cell), best.mean)
                              : welchTest(moments(cell), moments(best));
    cell.standing = cell.test->pValue < kSignificance ? Standing::Worse : Standing::Alike;
}

/// Less is better: first whether it fits, then the mean.
std::pair<bool, double> rankValue(const CellSummary& cell) {
    return {cell.standing == Standing::Unfit, cell.mean};
}

/// What only the other methods on the same problem tell.
void standWithin(const Experiment& experiment, std::vector<CellSummary*>& cells, Time bestKnown) {
    cells.erase(
        std::remove_if(cells.begin(), cells.end(), [](auto* each) { return each->empty(); }),
        cells.end());
    if (cells.empty()) {
        return;
    }
    const CellSummary& best =
        **std::min_element(cells.begin(), cells.end(), [](const auto* a, const auto* b) {
            return rankValue(*a) < rankValue(*b);
        });
    const bool anyFits = best.standing != Standing::Unfit;
    for (CellSummary* cell : cells) {
        const auto over = [&](double reference) {
            return reference > 0 ? cell->mean / reference - 1 : 0;
        };
        cell->overBestKnown = over(static_cast<double>(bestKnown));
        cell->overBestMean = over(anyFits ? best.mean : 0);
        if (cell->standing == Standing::Unfit) {
            continue;
        }
        if (cell == &best) {
            cell->standing = Standing::Best;
            continue;
        }
        testAgainst(experiment, best, *cell);
    }
}

std::vector<double> meanRanks(const std::vector<CellSummary>& cells, std::size_t methods) {
    std::vector<double> ranks(methods, 0);
    int problems = 0;
    for (std::size_t begin = 0; begin < cells.size(); begin += methods) {
        const auto first = cells.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto last = first + static_cast<std::ptrdiff_t>(methods);
        if (std::any_of(first, last, [](const CellSummary& cell) { return cell.empty(); })) {
            continue;
        }
        ++problems;
        for (auto cell = first; cell != last; ++cell) {
            const auto value = rankValue(*cell);
            const auto less = std::count_if(
                first, last, [&](const CellSummary& other) { return rankValue(other) < value; });
            const auto equal = std::count_if(
                first, last, [&](const CellSummary& other) { return rankValue(other) == value; });
            ranks[cell->method] += static_cast<double>(less) + (static_cast<double>(equal) + 1) / 2;
        }
    }
    for (double& rank : ranks) {
        rank = problems > 0 ? rank / problems : 0;
    }
    return ranks;
}

} // namespace

Comparison summarise(const Experiment& experiment, const RunStore& store,
                     const std::map<std::string, Time>& known) {
    Comparison comparison;
    const std::size_t methods = experiment.methods.size();
    comparison.cells.reserve(methods * experiment.problems.size());
    for (std::size_t problem = 0; problem < experiment.problems.size(); ++problem) {
        for (std::size_t method = 0; method < methods; ++method) {
            comparison.cells.push_back(summariseCell(experiment, problem, method, store));
        }
        Time best =
            store.best(experiment.problems[problem].hash, name(experiment.objective)).value_or(0);
        const auto given = known.find(experiment.problems[problem].label);
        if (given != known.end() && experiment.objective == Objective() &&
            (best == 0 || given->second < best)) {
            best = given->second;
        }
        comparison.bestKnown.push_back(best);
        std::vector<CellSummary*> row;
        for (std::size_t method = 0; method < methods; ++method) {
            row.push_back(&comparison.cells[problem * methods + method]);
        }
        standWithin(experiment, row, best);
    }
    comparison.meanRank =
        methods == 0 ? std::vector<double>() : meanRanks(comparison.cells, methods);
    return comparison;
}

} // namespace doppler::place
