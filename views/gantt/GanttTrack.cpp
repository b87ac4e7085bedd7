#include "views/gantt/GanttTrack.h"

#include <QObject>
#include <QStringList>
#include <algorithm>

#include "views/format/Format.h"
#include "views/theme/DeviceMark.h"

namespace doppler::views {

namespace {

QString contentionText(sim::LinkContention contention) {
    switch (contention) {
    case sim::LinkContention::None:
        return QObject::tr("no contention");
    case sim::LinkContention::PerPair:
        return QObject::tr("contention per pair");
    case sim::LinkContention::PerPort:
        return QObject::tr("contention per port");
    case sim::LinkContention::SharedBus:
        return QObject::tr("one shared bus");
    }
    return {};
}

QString choiceText(sim::ReadyChoice choice) {
    switch (choice) {
    case sim::ReadyChoice::FirstReady:
        return QObject::tr("first ready first");
    case sim::ReadyChoice::CriticalPath:
        return QObject::tr("critical path first");
    case sim::ReadyChoice::LastReady:
        return QObject::tr("last ready first");
    case sim::ReadyChoice::Random:
        return QObject::tr("random order");
    }
    return {};
}

} // namespace

Time GanttScene::end() const {
    Time end = bound;
    for (const GanttTrack& track : tracks) {
        end = std::max(end, track.timeline->makespan);
    }
    return end;
}

void GanttScene::setTheme(const Theme& newTheme) {
    theme = newTheme;
    int count = 0;
    for (const GanttTrack& track : tracks) {
        count = std::max(count, track.lanes->deviceCount());
    }
    devices.clear();
    hatches.clear();
    for (DeviceId device = 0; device < count; ++device) {
        devices.push_back(theme.device(device));
        hatches.push_back(hatchBrush(devices.back()));
    }
}

QString simulationText(const sim::SimOptions& options) {
    const sim::SimOptions standard;
    if (options == sim::SimOptions::published()) {
        return QObject::tr("published preset, no contention");
    }
    QStringList words;
    if (options == standard) {
        words.append(QObject::tr("default preset"));
    }
    if (options.mode == sim::ExecutionMode::BulkSynchronous) {
        words.append(QObject::tr("bulk-synchronous"));
    }
    words.append(contentionText(options.contention));
    if (options.sharing != standard.sharing) {
        words.append(QObject::tr("one transfer per edge"));
    }
    if (options.choice != standard.choice) {
        words.append(choiceText(options.choice));
    }
    if (options.durationVariation > 0) {
        words.append(QObject::tr("noise %1").arg(percentText(options.durationVariation, 0)));
    }
    if (options.memory == sim::MemoryPolicy::Hold) {
        words.append(QObject::tr("held for memory"));
    }
    if (options.cores > 0) {
        words.append(countOf(options.cores, QObject::tr("shared core")));
    }
    return words.join(QStringLiteral(", "));
}

} // namespace doppler::views
