#include "core/learn/GraphFeatures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/sim/PathLevels.h"

namespace doppler::learn {

namespace {

constexpr int kPaperFeatures = 5;
// Periods 2, 4, ... of the positional features.
constexpr int kPeriods = 6;
// Spreads times that are small beside the unit before the logarithm is taken.
constexpr double kLogScale = 100;

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

/// Mean 0 and standard deviation 1; all 0 if the values are alike.
std::vector<double> zScores(std::vector<double> values) {
    const auto count = static_cast<double>(std::max<std::size_t>(values.size(), 1));
    double mean = 0;
    for (const double value : values) {
        mean += value / count;
    }
    double variance = 0;
    for (const double value : values) {
        variance += (value - mean) * (value - mean) / count;
    }
    const double scale = std::sqrt(variance) > 1e-12 ? 1 / std::sqrt(variance) : 0;
    for (double& value : values) {
        value = (value - mean) * scale;
    }
    return values;
}

std::vector<double> logarithms(std::vector<double> values) {
    for (double& value : values) {
        value = std::log1p(kLogScale * value);
    }
    return values;
}

/// Columns of an ops x width table.
class Columns {
public:
    Columns(std::vector<float>& table, int rows, int width)
        : table_(table), rows_(rows), width_(width) {
        table_.assign(at(rows) * at(width), 0.0F);
    }

    void add(const std::vector<double>& column) {
        for (int row = 0; row < rows_; ++row) {
            table_[at(row) * at(width_) + at(next_)] = static_cast<float>(column[at(row)]);
        }
        ++next_;
    }

private:
    std::vector<float>& table_;
    int rows_;
    int width_;
    int next_ = 0;
};

/// The five features of the paper (section 4.1), in units.
std::array<std::vector<double>, kPaperFeatures>
paperFeatures(const sim::Problem& problem, const std::vector<double>& transfer,
              const std::vector<double>& bLevel, const std::vector<double>& tLevel, double unit) {
    const graph::Graph& graph = *problem.graph;
    std::array<std::vector<double>, kPaperFeatures> columns;
    for (auto& column : columns) {
        column.assign(at(graph.opCount()), 0.0);
    }
    for (OpId op = 0; op < graph.opCount(); ++op) {
        columns[0][at(op)] = problem.costs->meanCompute(op) / unit;
        for (const EdgeId edge : graph.inEdges(op)) {
            columns[1][at(op)] += transfer[at(edge)];
            columns[2][at(graph.source(edge))] += transfer[at(edge)];
        }
        columns[3][at(op)] = tLevel[at(op)] / unit;
        columns[4][at(op)] = bLevel[at(op)] / unit;
    }
    return columns;
}

void addPositions(Columns& columns, int ops) {
    std::vector<double> column(at(ops));
    for (OpId op = 0; op < ops; ++op) {
        column[at(op)] = op / static_cast<double>(ops);
    }
    columns.add(column);
    double period = 2;
    for (int i = 0; i < kPeriods; ++i, period *= 2) {
        for (const double shift : {0.0, std::numbers::pi / 2}) {
            for (OpId op = 0; op < ops; ++op) {
                column[at(op)] = std::sin(2 * std::numbers::pi * op / period + shift);
            }
            columns.add(column);
        }
    }
}

} // namespace

double workPerDevice(const sim::Problem& problem) {
    double work = 0;
    for (OpId op = 0; op < problem.opCount(); ++op) {
        work += problem.costs->meanCompute(op);
    }
    return std::max(work / problem.deviceCount(), 1.0);
}

std::vector<std::string> nodeFeatureNames(bool extended) {
    const std::vector<std::string> paper = {"compute", "transfer in", "transfer out", "t-level",
                                            "b-level"};
    std::vector<std::string> names = paper;
    if (extended) {
        for (const std::string& each : paper) {
            names.push_back("log " + each);
        }
        names.emplace_back("position");
        int period = 2;
        for (int i = 0; i < kPeriods; ++i, period *= 2) {
            names.push_back("sin " + std::to_string(period));
            names.push_back("cos " + std::to_string(period));
        }
    }
    return names;
}

GraphFeatures::GraphFeatures(const sim::Problem& problem, bool extended)
    : ops(problem.graph->opCount())
    , edges(problem.graph->edgeCount())
    , width(static_cast<int>(nodeFeatureNames(extended).size()))
    , order(problem.graph->topologicalOrder()) {
    const graph::Graph& graph = *problem.graph;
    const double unit = workPerDevice(problem);
    const std::vector<double> bLevel = sim::bLevels(problem);
    const std::vector<double> tLevel = sim::tLevels(problem);
    std::vector<double> transfer(at(edges));
    for (EdgeId e = 0; e < edges; ++e) {
        transfer[at(e)] = problem.costs->meanTransfer(e, graph.source(e)) / unit;
    }

    Columns columns(nodes, ops, width);
    const auto paper = paperFeatures(problem, transfer, bLevel, tLevel, unit);
    for (const auto& column : paper) {
        columns.add(zScores(column));
    }
    if (extended) {
        for (const auto& column : paper) {
            columns.add(zScores(logarithms(column)));
        }
        addPositions(columns, ops);
    }
    Columns edgeColumns(edge, edges, kEdgeFeatures);
    edgeColumns.add(zScores(transfer));
    edgeColumns.add(zScores(logarithms(transfer)));

    inBegin.push_back(0);
    outBegin.push_back(0);
    for (OpId op = 0; op < ops; ++op) {
        for (const EdgeId e : graph.inEdges(op)) {
            inEdge.push_back(e);
            inSource.push_back(graph.source(e));
        }
        inBegin.push_back(static_cast<int>(inEdge.size()));
        for (EdgeId e = graph.firstOutEdge(op); e < graph.endOutEdge(op); ++e) {
            outTarget.push_back(graph.target(e));
        }
        outBegin.push_back(static_cast<int>(outTarget.size()));
    }

    bNext.assign(at(ops), kNoOp);
    tNext.assign(at(ops), kNoOp);
    bLength.assign(at(ops), 1);
    tLength.assign(at(ops), 1);
    for (const OpId op : order) {
        double longest = -1;
        for (const EdgeId e : graph.inEdges(op)) {
            const OpId parent = graph.source(e);
            const double way =
                tLevel[at(parent)] + problem.costs->meanCompute(parent) + transfer[at(e)] * unit;
            if (way > longest) {
                longest = way;
                tNext[at(op)] = parent;
                tLength[at(op)] = tLength[at(parent)] + 1;
            }
        }
    }
    for (auto op = order.rbegin(); op != order.rend(); ++op) {
        double longest = -1;
        for (EdgeId e = graph.firstOutEdge(*op); e < graph.endOutEdge(*op); ++e) {
            const OpId child = graph.target(e);
            const double way = bLevel[at(child)] + transfer[at(e)] * unit;
            if (way > longest) {
                longest = way;
                bNext[at(*op)] = child;
                bLength[at(*op)] = bLength[at(child)] + 1;
            }
        }
    }
}

} // namespace doppler::learn
