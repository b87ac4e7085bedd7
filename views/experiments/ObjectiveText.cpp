#include "views/experiments/ObjectiveText.h"

#include <QCoreApplication>

namespace doppler::views {

namespace {

QString translated(const char* text) {
    return QCoreApplication::translate("Experiments", text);
}

} // namespace

QString objectiveText(const place::Objective& objective) {
    using place::Objective;
    QString text = translated("makespan");
    if (objective.measure == Objective::Measure::Mean) {
        text = translated("mean of %1 noisy runs").arg(objective.runs);
    } else if (objective.measure == Objective::Measure::Percentile95) {
        text = translated("95th percentile of %1 noisy runs").arg(objective.runs);
    }
    if (objective.traffic > 0) {
        text += translated(" + %1 of all transfers").arg(objective.traffic, 0, 'g', 3);
    }
    if (objective.memory == Objective::Memory::Penalty) {
        text += translated(", memory as a penalty");
    } else if (objective.memory == Objective::Memory::Ignore) {
        text += translated(", memory ignored");
    }
    return text;
}

QString noiseText(const place::Objective& objective) {
    constexpr double kPercent = 100;
    return objective.measure == place::Objective::Measure::Makespan
               ? QString()
               : translated(", durations vary by %1 %")
                     .arg(kPercent * place::kDefaultVariation, 0, 'g', 3);
}

} // namespace doppler::views
