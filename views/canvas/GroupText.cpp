#include "views/canvas/GroupText.h"

#include "views/format/Format.h"

namespace doppler::views {

namespace {

struct Traffic {
    int edges = 0;
    std::int64_t bytes = 0;

    QString text() const {
        return edges == 0 ? QStringLiteral("nothing")
                          : QStringLiteral("%1, %2").arg(countOf(edges, QStringLiteral("edge")),
                                                         bytesText(bytes));
    }
};

} // namespace

QString groupCard(const CanvasScene& scene, std::int32_t group, const Theme& theme) {
    const graph::GroupTree& tree = scene.folds->fold->tree();
    const graph::GroupTree::Node& node = tree.node(group);
    const graph::Graph& graph = scene.graph();
    std::vector<int> onDevice(static_cast<std::size_t>(scene.problem->deviceCount()), 0);
    Traffic in;
    Traffic out;
    for (const OpId op : tree.opsOf(group)) {
        if (scene.device(op) != kNoDevice) {
            ++onDevice[static_cast<std::size_t>(scene.device(op))];
        }
        for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
            if (!tree.isWithin(tree.groupOf(graph.target(edge)), group)) {
                ++out.edges;
                out.bytes += graph.edgeBytes(edge);
            }
        }
        for (const EdgeId edge : graph.inEdges(op)) {
            if (!tree.isWithin(tree.groupOf(graph.source(edge)), group)) {
                ++in.edges;
                in.bytes += graph.edgeBytes(edge);
            }
        }
    }
    const auto quiet = [&theme](const QString& words) {
        return QStringLiteral("<span style='color:%1'>%2</span>")
            .arg(theme.secondary.name(), words.toHtmlEscaped());
    };
    QString size = countOf(node.opCount, QStringLiteral("op"));
    if (node.flops > 0) {
        size += QStringLiteral(" · ") + flopsText(node.flops);
    }
    QString html = QStringLiteral("<b>%1</b><br>")
                       .arg(QString::fromStdString(tree.path(group)).toHtmlEscaped()) +
                   quiet(size);
    html += QStringLiteral("<table cellspacing='0' cellpadding='1' style='margin-top:4px'>");
    const auto row = [&](const QString& label, const QString& value) {
        html += QStringLiteral("<tr><td style='padding-right:12px'>%1</td><td>%2</td></tr>")
                    .arg(quiet(label), value.toHtmlEscaped());
    };
    QStringList devices;
    for (std::size_t device = 0; device < onDevice.size(); ++device) {
        if (onDevice[device] > 0) {
            devices.append(QStringLiteral("%1 %2").arg(
                theme.device(static_cast<DeviceId>(device)).letter,
                percentText(static_cast<double>(onDevice[device]) / node.opCount)));
        }
    }
    if (!devices.isEmpty()) {
        row(QStringLiteral("Devices"), devices.join(QStringLiteral(", ")));
    }
    row(QStringLiteral("In"), in.text());
    row(QStringLiteral("Out"), out.text());
    html += QStringLiteral("</table>");
    return html + quiet(QStringLiteral("Double click or Enter expands it, Backspace collapses"));
}

} // namespace doppler::views
