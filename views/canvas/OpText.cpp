#include "views/canvas/OpText.h"

#include <QStringList>

#include "views/format/Format.h"

namespace doppler::views {

namespace {

QString text(std::string_view view) {
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

QString kindText(const graph::Graph& graph, OpId op) {
    return text(graph::name(graph.kind(op)));
}

const sim::Interval* executionOf(const CanvasScene& scene, OpId op) {
    const bool known = scene.timeline && op < static_cast<OpId>(scene.timeline->executionOf.size());
    return known ? &scene.timeline->execution(op) : nullptr;
}

/// "132.6 to 145.8 ms".
QString rangeText(const CanvasScene& scene, const sim::Interval& run) {
    const TimeScale scale = timeScale(run.end, scene.problem->costs->unit());
    return QStringLiteral("%1 to %2%3")
        .arg(timeNumber(run.start, scale), timeNumber(run.end, scale), scale.unit);
}

/// "2500 × 5000 f32".
QString shapeText(const graph::Graph& graph, OpId op) {
    QStringList dimensions;
    for (const std::int64_t dimension : graph.shape(op)) {
        dimensions.append(QString::number(dimension));
    }
    QString shape = dimensions.join(QStringLiteral(" × "));
    if (graph.dtype(op) != graph::DType::Unknown) {
        shape += u' ' + text(graph::name(graph.dtype(op)));
    }
    return shape.trimmed();
}

/// "B, GPU 1".
QString deviceText(const CanvasScene& scene, OpId op, const Theme& theme) {
    const DeviceId device = scene.device(op);
    const QString letter = theme.device(device).letter;
    const QString name = QString::fromStdString(scene.problem->cluster->device(device).name);
    return name.isEmpty() ? letter : QStringLiteral("%1, %2").arg(letter, name);
}

} // namespace

QString spokenOp(const CanvasScene& scene, OpId op, bool critical) {
    const graph::Graph& graph = scene.graph();
    QStringList parts{QString::fromStdString(graph.opName(op)), kindText(graph, op)};
    if (scene.device(op) != kNoDevice) {
        parts.append(QStringLiteral("device ") + Theme::light().device(scene.device(op)).letter);
    }
    if (const sim::Interval* run = executionOf(scene, op)) {
        parts.append(rangeText(scene, *run));
    }
    if (critical) {
        parts.append(QStringLiteral("critical"));
    }
    if (scene.problem->pin(op) != kNoDevice) {
        parts.append(QStringLiteral("pinned"));
    }
    return parts.join(QStringLiteral(", "));
}

QString opCard(const CanvasScene& scene, OpId op, bool critical, const Theme& theme) {
    const graph::Graph& graph = scene.graph();
    const auto quiet = [&theme](const QString& words) {
        return QStringLiteral("<span style='color:%1'>%2</span>")
            .arg(theme.secondary.name(), words.toHtmlEscaped());
    };
    const QString name = QString::fromStdString(graph.opName(op));
    QString title = QStringLiteral("<b>%1</b>").arg(name.toHtmlEscaped());
    if (!name.contains(QString::number(op))) {
        title += QStringLiteral(" &nbsp;") + quiet(QStringLiteral("#%1").arg(op));
    }
    QString kind = kindText(graph, op);
    if (const QString exact = text(graph.kindName(op)); exact != kind) {
        kind = exact + QStringLiteral(" · ") + kind;
    }
    if (const QString shape = shapeText(graph, op); !shape.isEmpty()) {
        kind += QStringLiteral(" · ") + shape;
    }
    QString html = title + QStringLiteral("<br>") + quiet(kind);
    html += QStringLiteral("<table cellspacing='0' cellpadding='1' style='margin-top:4px'>");
    const auto row = [&](const QString& label, const QString& value) {
        html += QStringLiteral("<tr><td style='padding-right:12px'>%1</td><td>%2</td></tr>")
                    .arg(quiet(label), value.toHtmlEscaped());
    };
    if (scene.device(op) != kNoDevice) {
        row(QStringLiteral("Device"), deviceText(scene, op, theme));
    }
    const sim::Interval* run = executionOf(scene, op);
    const Time duration = run ? run->end - run->start
                              : scene.problem->costs->compute(op, std::max(scene.device(op), 0));
    row(QStringLiteral("Compute"), timeText(duration, scene.problem->costs->unit()));
    if (run) {
        row(QStringLiteral("Runs"), rangeText(scene, *run));
    }
    if (scene.report && op < static_cast<OpId>(scene.report->slack.size())) {
        row(QStringLiteral("Slack"), timeText(scene.report->slack[static_cast<std::size_t>(op)],
                                              scene.problem->costs->unit()));
    }
    if (graph.outputBytes(op) > 0) {
        row(QStringLiteral("Output"), bytesText(graph.outputBytes(op)));
    }
    QStringList states;
    if (critical) {
        states.append(QStringLiteral("on the critical chain"));
    }
    if (scene.problem->pin(op) != kNoDevice) {
        states.append(QStringLiteral("pinned"));
    }
    html += QStringLiteral("</table>");
    if (!states.isEmpty()) {
        html += QStringLiteral("<b>%1</b>").arg(states.join(QStringLiteral(", ")));
    }
    return html;
}

} // namespace doppler::views
