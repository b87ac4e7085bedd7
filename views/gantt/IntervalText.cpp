#include "views/gantt/IntervalText.h"

#include <QObject>
#include <QStringList>
#include <algorithm>

#include "views/format/Format.h"
#include "views/gantt/GanttNavigation.h"

namespace doppler::views {

namespace {

QString opName(const GanttTrack& track, OpId op) {
    return QString::fromStdString(track.problem->graph->opName(op));
}

QString kindName(const GanttTrack& track, OpId op) {
    return QString::fromStdString(std::string(graph::name(track.problem->graph->kind(op))));
}

QString deviceName(const GanttTrack& track, const Theme& theme, DeviceId device) {
    return QStringLiteral("%1, %2").arg(
        theme.device(device).letter,
        QString::fromStdString(track.problem->cluster->device(device).name));
}

QString text(const GanttTrack& track, Time time) {
    return timeText(time, track.problem->costs->unit());
}

QString rangeText(const GanttTrack& track, const sim::Interval& interval) {
    return QStringLiteral("%1 – %2 (%3)")
        .arg(text(track, interval.start), text(track, interval.end),
             text(track, interval.end - interval.start));
}

QString whyText(const GanttTrack& track, const sim::Interval& interval) {
    if (interval.causeInterval < 0) {
        return interval.cause == sim::Cause::Memory ? QObject::tr("waited for memory") : QString();
    }
    const sim::Interval& cause = track.interval(interval.causeInterval);
    const QString name = opName(track, cause.op);
    switch (interval.cause) {
    case sim::Cause::Nothing:
        return {};
    case sim::Cause::Input:
        return QObject::tr("started when %1 %2")
            .arg(name, cause.isTransfer() ? QObject::tr("arrived") : QObject::tr("was done"));
    case sim::Cause::Lane:
        return interval.start > interval.ready
                   ? QObject::tr("ready, waited %1 for %2")
                         .arg(text(track, interval.start - interval.ready), name)
                   : QObject::tr("followed %1").arg(name);
    case sim::Cause::Memory:
        return QObject::tr("waited for memory that %1 held").arg(name);
    case sim::Cause::Barrier:
        return QObject::tr("waited for its level, which %1 ended").arg(name);
    case sim::Cause::Core:
        return QObject::tr("waited for a core that %1 used").arg(name);
    }
    return {};
}

bool isCritical(const GanttTrack& track, std::int32_t index) {
    return track.report &&
           std::find(track.report->criticalChain.begin(), track.report->criticalChain.end(),
                     index) != track.report->criticalChain.end();
}

QString transferText(const GanttTrack& track, const sim::Interval& transfer, const Theme& theme,
                     QStringList& lines) {
    const graph::Graph& graph = *track.problem->graph;
    const std::int64_t bytes =
        transfer.edge == kNoEdge ? graph.outputBytes(transfer.op) : graph.edgeBytes(transfer.edge);
    lines.append(QObject::tr("%1 from %2 to %3")
                     .arg(bytes > 0 ? bytesText(bytes) : QObject::tr("value"),
                          deviceName(track, theme, transfer.device),
                          deviceName(track, theme, transfer.to)));
    QStringList consumers;
    for (const OpId op : endsOfTransfer(*track.timeline, graph, transfer)) {
        if (op != transfer.op) {
            consumers.append(opName(track, op));
        }
    }
    constexpr int kNamed = 4;
    const auto more = consumers.size() - kNamed;
    if (more > 0) {
        consumers = consumers.mid(0, kNamed);
        consumers.append(QObject::tr("%1 more").arg(more));
    }
    return QObject::tr("%1 to %2")
        .arg(opName(track, transfer.op), consumers.join(QStringLiteral(", ")));
}

} // namespace

QString intervalText(const GanttTrack& track, std::int32_t index) {
    const sim::Interval& interval = track.interval(index);
    const Theme theme; // letters are the same in both themes
    QStringList lines;
    QString title;
    if (interval.isTransfer()) {
        title = transferText(track, interval, theme, lines);
        lines.append(rangeText(track, interval));
    } else {
        title = opName(track, interval.op);
        lines.append(QStringLiteral("%1 · %2").arg(kindName(track, interval.op),
                                                   deviceName(track, theme, interval.device)));
        lines.append(rangeText(track, interval));
    }
    if (const QString why = whyText(track, interval); !why.isEmpty()) {
        lines.append(why);
    }
    if (isCritical(track, index)) {
        lines.append(QObject::tr("on the critical chain"));
    } else if (!interval.isTransfer() && track.report && !track.report->slack.empty()) {
        lines.append(
            QObject::tr("slack %1")
                .arg(text(track, track.report->slack[static_cast<std::size_t>(interval.op)])));
    }
    QString html = QStringLiteral("<b>%1</b>").arg(title.toHtmlEscaped());
    for (const QString& line : lines) {
        html += QStringLiteral("<br>") + line.toHtmlEscaped();
    }
    return html;
}

QString spokenText(const GanttTrack& track, OpId op) {
    const std::int32_t index = track.timeline->executionOf[static_cast<std::size_t>(op)];
    if (index < 0) {
        return opName(track, op);
    }
    const sim::Interval& interval = track.interval(index);
    return QObject::tr("%1, %2, device %3, %4 to %5%6")
        .arg(opName(track, op), kindName(track, op), Theme().device(interval.device).letter,
             text(track, interval.start), text(track, interval.end),
             isCritical(track, index) ? QObject::tr(", critical") : QString());
}

} // namespace doppler::views
