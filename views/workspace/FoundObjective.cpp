#include "views/workspace/FoundObjective.h"

#include "core/io/PlacementFile.h"
#include "core/place/ComparisonRecord.h"
#include "core/place/Objective.h"

namespace doppler::views {

namespace {

const std::string& plainName() {
    static const std::string name = place::name(place::Objective());
    return name;
}

} // namespace

QString FoundObjective::text() const {
    return noise > 0 ? QStringLiteral("%1, noise %2").arg(name).arg(noise, 0, 'g', 3) : name;
}

FoundObjective objectiveOf(const io::PlacementRecord& record) {
    if (record.objective.empty() || record.objective == plainName()) {
        return {};
    }
    return {QString::fromStdString(record.objective), record.noise.value_or(0),
            record.value.value_or(0)};
}

FoundObjective objectiveOf(const place::RunRecord& record, const sim::Problem& problem) {
    if (record.key.objective == plainName()) {
        return {};
    }
    return {QString::fromStdString(record.key.objective),
            place::noiseOf(place::parseObjective(record.key.objective), problem), record.value};
}

} // namespace doppler::views
