#include "views/docks/ReportCsv.h"

#include <QStringList>

namespace doppler::views {

namespace {

QString quoted(const QString& field) {
    if (!field.contains(u',') && !field.contains(u'"') && !field.contains(u'\n')) {
        return field;
    }
    return u'"' + QString(field).replace(u'"', QStringLiteral("\"\"")) + u'"';
}

} // namespace

QString reportCsv(const sim::Problem& problem, const sim::Report& report) {
    const int devices = problem.deviceCount();
    const auto unit = QString::fromStdString(std::string(cost::name(problem.costs->unit())));
    const auto deviceName = [&](DeviceId device) {
        return QString::fromStdString(problem.cluster->device(device).name);
    };
    QStringList header{QStringLiteral("device"), QStringLiteral("ops")};
    for (const char* column :
         {"computing", "waiting_for_input", "held_for_memory", "nothing_left"}) {
        header.append(QStringLiteral("%1_%2").arg(QLatin1String(column), unit));
    }
    header.append({QStringLiteral("peak_memory_bytes"), QStringLiteral("capacity_bytes")});
    for (DeviceId to = 0; to < devices; ++to) {
        header.append(quoted(QStringLiteral("bytes_to_%1").arg(deviceName(to))));
    }
    QString csv = header.join(u',') + u'\n';
    for (DeviceId device = 0; device < devices; ++device) {
        const sim::DeviceUse& use = report.devices[static_cast<std::size_t>(device)];
        QStringList row{quoted(deviceName(device)), QString::number(use.ops)};
        for (const std::int64_t value :
             {use.busy, use.waitingForInput, use.heldForMemory, use.nothingLeft, use.peakMemory,
              problem.cluster->device(device).capacityBytes}) {
            row.append(QString::number(value));
        }
        for (DeviceId to = 0; to < devices; ++to) {
            row.append(QString::number(
                report.trafficBytes[static_cast<std::size_t>(device * devices + to)]));
        }
        csv += row.join(u',') + u'\n';
    }
    return csv;
}

} // namespace doppler::views
