#include "views/docks/InspectorFacts.h"

#include <QStringList>
#include <algorithm>
#include <map>

#include "core/graph/Topology.h"
#include "core/sim/SimOptionNames.h"
#include "views/format/Format.h"
#include "views/running/RealResult.h"

namespace doppler::views {

namespace {

QString fromView(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString shapeText(const graph::Graph& graph, OpId op) {
    QStringList dimensions;
    for (const std::int64_t dimension : graph.shape(op)) {
        dimensions << QString::number(dimension);
    }
    const QString type = graph.dtype(op) == graph::DType::Unknown
                             ? QString()
                             : QStringLiteral(" ") + fromView(graph::name(graph.dtype(op)));
    return dimensions.join(QStringLiteral(" × ")) + type;
}

/// Least and largest time for the op's value to another device: "10.01 ms" or "1.2 – 4.0 ms".
QString transferText(const sim::Problem& problem, OpId op, DeviceId from) {
    const graph::Graph& graph = *problem.graph;
    if (problem.deviceCount() < 2 || graph.outDegree(op) == 0) {
        return QStringLiteral("–");
    }
    Time least = 0;
    Time largest = 0;
    bool first = true;
    for (DeviceId to = 0; to < problem.deviceCount(); ++to) {
        if (to == from) {
            continue;
        }
        const Time time = problem.costs->transfer(graph.firstOutEdge(op), op, from, to);
        least = first ? time : std::min(least, time);
        largest = first ? time : std::max(largest, time);
        first = false;
    }
    const cost::TimeUnit unit = problem.costs->unit();
    return least == largest
               ? timeText(least, unit)
               : QStringLiteral("%1 – %2").arg(timeText(least, unit), timeText(largest, unit));
}

QString linkText(const cluster::Cluster& cluster) {
    std::map<QString, int> kinds;
    for (DeviceId from = 0; from < cluster.deviceCount(); ++from) {
        for (DeviceId to = 0; to < cluster.deviceCount(); ++to) {
            if (from != to) {
                const cluster::Link& link = cluster.link(from, to);
                ++kinds[QStringLiteral("%1 %2").arg(fromView(cluster::name(link.kind)),
                                                    byteRateText(link.bytesPerSecond))];
            }
        }
    }
    QStringList texts;
    for (const auto& [text, count] : kinds) {
        texts << text;
    }
    return texts.join(QStringLiteral(", "));
}

} // namespace

QString opSubtitle(const graph::Graph& graph, OpId op) {
    QString text = fromView(graph.kindName(op));
    const QString kind = fromView(graph::name(graph.kind(op)));
    if (graph.kind(op) != graph::OpKind::Other && !text.contains(kind)) {
        text = kind + QStringLiteral(" · ") + text;
    }
    if (!graph.detail(op).empty()) {
        return text + QStringLiteral(" · ") + fromView(graph.detail(op));
    }
    if (graph.group(op) >= 0) {
        text +=
            QStringLiteral(" · ") +
            QString::fromStdString(graph.groupNames()[static_cast<std::size_t>(graph.group(op))]);
    }
    return text;
}

bool isCritical(const Workspace& workspace, OpId op) {
    const Placement* shown = workspace.committed();
    if (shown == nullptr || !shown->timeline || !shown->report) {
        return false;
    }
    const std::int32_t execution = shown->timeline->executionOf[static_cast<std::size_t>(op)];
    const auto& chain = shown->report->criticalChain;
    return std::find(chain.begin(), chain.end(), execution) != chain.end();
}

std::vector<Fact> opFacts(const Workspace& workspace, OpId op) {
    const sim::Problem& problem = *workspace.problem();
    const graph::Graph& graph = *problem.graph;
    const cost::TimeUnit unit = problem.costs->unit();
    const Placement* shown = workspace.committed();
    std::vector<Fact> facts;
    const DeviceId device =
        shown != nullptr ? (*shown->assignment)[static_cast<std::size_t>(op)] : 0;
    if (shown != nullptr && shown->timeline) {
        const sim::Interval& execution = shown->timeline->execution(op);
        facts.emplace_back(QStringLiteral("Start – end"),
                           QStringLiteral("%1 – %2").arg(timeText(execution.start, unit),
                                                         timeText(execution.end, unit)));
    }
    QString compute = timeText(problem.costs->compute(op, device), unit);
    if (graph.flops(op) > 0) {
        compute += QStringLiteral(" · ") + flopsText(graph.flops(op));
    }
    facts.emplace_back(QStringLiteral("Compute"), compute);
    if (shown != nullptr && shown->real) {
        const RealResult& real = *shown->real;
        QString measured = timeText(real.duration(op), real.problem->costs->unit());
        const std::vector<double> ratios = real.ratios(problem, *shown->assignment);
        if (!ratios.empty()) {
            measured += QStringLiteral(" · %1 × predicted")
                            .arg(ratios[static_cast<std::size_t>(op)], 0, 'f', 2);
        }
        facts.emplace_back(real.emulated ? QStringLiteral("Emulated")
                                         : QStringLiteral("Measured, %1").arg(real.runtime),
                           measured);
    }
    if (graph.outputBytes(op) > 0) {
        const QString shape = shapeText(graph, op);
        facts.emplace_back(QStringLiteral("Output"),
                           (shape.isEmpty() ? QString() : shape + QStringLiteral(" · ")) +
                               bytesText(graph.outputBytes(op)));
    }
    facts.emplace_back(QStringLiteral("To another device"), transferText(problem, op, device));
    if (shown != nullptr && shown->report) {
        facts.emplace_back(QStringLiteral("Slack"),
                           timeText(shown->report->slack[static_cast<std::size_t>(op)], unit));
    }
    facts.emplace_back(QStringLiteral("Inputs, users"),
                       QStringLiteral("%1, %2").arg(graph.inDegree(op)).arg(graph.outDegree(op)));
    if (graph.costEstimated(op)) {
        facts.emplace_back(QStringLiteral("Costs"), QStringLiteral("estimated"));
    }
    return facts;
}

std::vector<Fact> deviceFacts(const Workspace& workspace, DeviceId id) {
    const sim::Problem& problem = *workspace.problem();
    const cluster::Device& device = problem.cluster->device(id);
    const cost::TimeUnit unit = problem.costs->unit();
    std::vector<Fact> facts;
    facts.emplace_back(QStringLiteral("Model"), QString::fromStdString(device.model));
    facts.emplace_back(QStringLiteral("Rate"),
                       flopRateText(device.flopsPerSecond(graph::DType::F32)) +
                           QStringLiteral(" (f32)"));
    facts.emplace_back(
        QStringLiteral("Memory"),
        (device.capacityBytes > 0 ? bytesText(device.capacityBytes) : QStringLiteral("unlimited")) +
            QStringLiteral(" at ") + byteRateText(device.memoryBytesPerSecond));
    const Placement* shown = workspace.committed();
    if (shown != nullptr && shown->report) {
        const sim::DeviceUse& use = shown->report->devices[static_cast<std::size_t>(id)];
        facts.emplace_back(QStringLiteral("Ops"), countText(use.ops));
        facts.emplace_back(QStringLiteral("Computing"), timeText(use.busy, unit));
        facts.emplace_back(QStringLiteral("Waiting for input"),
                           timeText(use.waitingForInput, unit));
        if (use.heldForMemory > 0) {
            facts.emplace_back(QStringLiteral("Held for memory"),
                               timeText(use.heldForMemory, unit));
        }
        facts.emplace_back(QStringLiteral("Nothing left"), timeText(use.nothingLeft, unit));
        facts.emplace_back(QStringLiteral("Peak memory"), bytesText(use.peakMemory));
    }
    return facts;
}

std::vector<Fact> severalFacts(const Workspace& workspace, const std::set<OpId>& ops,
                               const Theme& theme) {
    const sim::Problem& problem = *workspace.problem();
    const Placement* shown = workspace.committed();
    std::map<DeviceId, int> perDevice;
    std::map<QString, int> perKind;
    std::int64_t flops = 0;
    std::int64_t bytes = 0;
    Time compute = 0;
    int pinned = 0;
    for (const OpId op : ops) {
        const DeviceId device =
            shown != nullptr ? (*shown->assignment)[static_cast<std::size_t>(op)] : 0;
        ++perDevice[device];
        ++perKind[fromView(problem.graph->kindName(op))];
        flops += problem.graph->flops(op);
        bytes += problem.graph->outputBytes(op);
        compute += problem.costs->compute(op, device);
        pinned += workspace.isPinned(op) ? 1 : 0;
    }
    QStringList devices;
    for (const auto& [device, count] : perDevice) {
        devices << QStringLiteral("%1 %2").arg(count).arg(theme.device(device).letter);
    }
    QStringList kinds;
    for (const auto& [kind, count] : perKind) {
        kinds << QStringLiteral("%1 %2").arg(count).arg(kind);
    }
    std::vector<Fact> facts;
    facts.emplace_back(QStringLiteral("Kinds"), kinds.join(QStringLiteral(", ")));
    if (shown != nullptr) {
        facts.emplace_back(QStringLiteral("Devices"), devices.join(QStringLiteral(", ")));
    }
    QString computeText = timeText(compute, problem.costs->unit());
    if (flops > 0) {
        computeText += QStringLiteral(" · ") + flopsText(flops);
    }
    facts.emplace_back(QStringLiteral("Compute"), computeText);
    if (bytes > 0) {
        facts.emplace_back(QStringLiteral("Outputs"), bytesText(bytes));
    }
    if (pinned > 0) {
        facts.emplace_back(QStringLiteral("Pinned"), countText(pinned));
    }
    return facts;
}

std::vector<Fact> problemFacts(const Workspace& workspace, const graph::GraphFacts* graph) {
    const sim::Problem& problem = *workspace.problem();
    std::vector<Fact> facts;
    QString size =
        QStringLiteral("%1, %2").arg(countOf(problem.opCount(), QStringLiteral("op")),
                                     countOf(problem.graph->edgeCount(), QStringLiteral("edge")));
    if (graph != nullptr) {
        size += QStringLiteral(", ") + countOf(graph->depth, QStringLiteral("level"));
    }
    facts.emplace_back(QStringLiteral("Graph"), size);
    if (graph != nullptr && graph->inputs > 0) {
        facts.emplace_back(
            QStringLiteral("Graph inputs"),
            QStringLiteral("%1 · %2").arg(countText(graph->inputs), bytesText(graph->inputBytes)));
    }
    if (graph != nullptr && graph->flops > 0) {
        facts.emplace_back(QStringLiteral("Work"), flopsText(graph->flops));
    }
    Time onOne = 0;
    for (OpId op = 0; op < problem.opCount(); ++op) {
        onOne += problem.costs->compute(op, 0);
    }
    facts.emplace_back(QStringLiteral("On one device"), timeText(onOne, problem.costs->unit()));
    if (graph != nullptr && graph->unusedOps > 0) {
        facts.emplace_back(QStringLiteral("Never used"),
                           countOf(graph->unusedOps, QStringLiteral("op")) +
                               QStringLiteral(" reach no output"));
    }
    if (graph != nullptr && graph->estimatedOps > 0) {
        facts.emplace_back(QStringLiteral("Estimated costs"),
                           countOf(graph->estimatedOps, QStringLiteral("op")));
    }
    const cluster::Cluster& cluster = *problem.cluster;
    facts.emplace_back(QStringLiteral("Cluster"),
                       QStringLiteral("%1 × %2")
                           .arg(cluster.deviceCount())
                           .arg(QString::fromStdString(cluster.device(0).model)));
    if (cluster.deviceCount() > 1) {
        facts.emplace_back(QStringLiteral("Links"), linkText(cluster));
    }
    facts.emplace_back(QStringLiteral("Simulation"),
                       problem.options == sim::SimOptions::published()
                           ? QStringLiteral("published preset")
                           : QStringLiteral("contention %1, transfers %2")
                                 .arg(fromView(sim::name(problem.options.contention)),
                                      fromView(sim::name(problem.options.sharing))));
    return facts;
}

} // namespace doppler::views
