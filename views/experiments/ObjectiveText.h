#pragma once

#include <QString>

#include "core/place/Objective.h"

namespace doppler::views {

/// "makespan", "95th percentile of 32 noisy runs + 0.1 of transfers, memory as a penalty".
QString objectiveText(const place::Objective& objective);
/// ", durations vary by 10 %" where it is taken over noisy runs: experiments have no noise of their
/// own.
QString noiseText(const place::Objective& objective);

} // namespace doppler::views
