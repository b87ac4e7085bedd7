#include "views/canvas/NodeValues.h"

#include <algorithm>
#include <cmath>

#include "views/format/Format.h"

namespace doppler::views {

namespace {

/// From this ratio of largest to smallest on, a scale is logarithmic.
constexpr double kLogRatio = 100;

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

Time computeTime(const CanvasScene& scene, OpId op) {
    return scene.problem->costs->compute(op, std::max(scene.device(op), 0));
}

/// Spreads times over 0..1; `high` ends at 1, or where `reversed`, at 0.
NodeValues fromTimes(const CanvasScene& scene, const QString& title, const std::vector<Time>& times,
                     bool reversed) {
    NodeValues values;
    values.title = title;
    const auto [lowest, highest] = std::minmax_element(times.begin(), times.end());
    const Time low = *lowest;
    const Time high = *highest;
    const bool logarithmic =
        low > 0 && static_cast<double>(high) > kLogRatio * static_cast<double>(low);
    const auto scaled = [&](Time time) {
        const auto value = static_cast<double>(time);
        return logarithmic ? std::log(value) : value;
    };
    const double range = scaled(high) - scaled(low);
    for (const Time time : times) {
        const double share = range > 0 ? (scaled(time) - scaled(low)) / range : 0.5;
        values.byOp.push_back(reversed ? 1 - share : share);
    }
    values.lowText = timeText(reversed ? high : low, scene.problem->costs->unit());
    values.highText = timeText(reversed ? low : high, scene.problem->costs->unit());
    return values;
}

/// How far off each prediction is: 0 for exact, 1 for the worst.
NodeValues measuredErrors(const std::vector<double>& ratios) {
    NodeValues values;
    values.title = QStringLiteral("Measured off predicted");
    double worst = 0;
    for (const double ratio : ratios) {
        values.byOp.push_back(ratio > 0 ? std::abs(std::log(ratio)) : 0);
        worst = std::max(worst, values.byOp.back());
    }
    for (double& value : values.byOp) {
        value = worst > 0 ? value / worst : 0;
    }
    values.lowText = QStringLiteral("0 %");
    values.highText = QStringLiteral("%1 %").arg(100 * (std::exp(worst) - 1), 0, 'f', 0);
    return values;
}

NodeValues nothing(const QString& why) {
    NodeValues values;
    values.emptyText = why;
    return values;
}

} // namespace

std::vector<double> criticality(const CanvasScene& scene) {
    const graph::Graph& graph = scene.graph();
    const auto transfer = [&](EdgeId edge) {
        const OpId source = graph.source(edge);
        return scene.assignment ? scene.problem->costs->transfer(edge, source, scene.device(source),
                                                                 scene.device(graph.target(edge)))
                                : Time{0};
    };
    // Longest ways to an op's start and from its start to the end.
    std::vector<Time> before(at(graph.opCount()), 0);
    std::vector<Time> after(at(graph.opCount()), 0);
    const std::vector<OpId>& order = graph.topologicalOrder();
    for (const OpId op : order) {
        for (const EdgeId edge : graph.inEdges(op)) {
            const OpId source = graph.source(edge);
            before[at(op)] = std::max(
                before[at(op)], before[at(source)] + computeTime(scene, source) + transfer(edge));
        }
    }
    Time longest = 0;
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
        const OpId op = *it;
        for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
            after[at(op)] = std::max(after[at(op)], transfer(edge) + after[at(graph.target(edge))]);
        }
        after[at(op)] += computeTime(scene, op);
        longest = std::max(longest, before[at(op)] + after[at(op)]);
    }
    std::vector<double> share(at(graph.opCount()), 0);
    for (OpId op = 0; op < graph.opCount() && longest > 0; ++op) {
        share[at(op)] =
            static_cast<double>(before[at(op)] + after[at(op)]) / static_cast<double>(longest);
    }
    return share;
}

NodeValues nodeValues(const CanvasScene& scene) {
    const int ops = scene.graph().opCount();
    if (ops == 0) {
        return {};
    }
    switch (scene.colourBy) {
    case ColourBy::Cost: {
        std::vector<Time> times;
        for (OpId op = 0; op < ops; ++op) {
            times.push_back(computeTime(scene, op));
        }
        return fromTimes(scene, QStringLiteral("Compute time"), times, false);
    }
    case ColourBy::Slack:
        if (!scene.report || scene.report->slack.size() != at(ops)) {
            return nothing(QStringLiteral("Slack needs a simulated placement"));
        }
        return fromTimes(scene, QStringLiteral("Slack"), scene.report->slack, true);
    case ColourBy::Criticality: {
        NodeValues values;
        values.title = QStringLiteral("Longest path through it");
        values.byOp = criticality(scene);
        values.lowText = QStringLiteral("0 %");
        values.highText = QStringLiteral("100 %");
        return values;
    }
    case ColourBy::MoveGain: {
        if (scene.moveGain.size() != at(ops)) {
            return nothing(QStringLiteral("Move gains are not computed yet"));
        }
        std::vector<Time> gains = scene.moveGain;
        for (Time& gain : gains) {
            gain = std::max(gain, Time{0});
        }
        return fromTimes(scene, QStringLiteral("Gain of its best move"), gains, false);
    }
    case ColourBy::MeasuredError:
        if (scene.measuredRatio.size() != at(ops)) {
            return nothing(QStringLiteral("Run the placement first, with times in ms"));
        }
        return measuredErrors(scene.measuredRatio);
    default:
        return {};
    }
}

} // namespace doppler::views
