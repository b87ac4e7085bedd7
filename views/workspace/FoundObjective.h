#pragma once

#include <QString>

#include "core/graph/Ids.h"

namespace doppler::io {
struct PlacementRecord;
}
namespace doppler::place {
struct RunRecord;
}
namespace doppler::sim {
struct Problem;
}

namespace doppler::views {

/// What a method made small where that was not the makespan.
struct FoundObjective {
    QString name;     ///< "p95:32"; empty: the makespan, or unknown
    double noise = 0; ///< of its noisy runs
    Time value = 0;   ///< as found, in the unit of the problem then

    /// "p95:32, noise 0.1".
    QString text() const;
    bool operator==(const FoundObjective&) const = default;
};

/// As a placement file tells it.
FoundObjective objectiveOf(const io::PlacementRecord& record);
/// As an experiment on that problem kept it.
FoundObjective objectiveOf(const place::RunRecord& record, const sim::Problem& problem);

} // namespace doppler::views
