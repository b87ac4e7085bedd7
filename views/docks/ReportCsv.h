#pragma once

#include <QString>

#include "core/sim/Problem.h"
#include "core/sim/Report.h"

namespace doppler::views {

/// The report as a CSV table: a row a device, times in the problem's unit, bytes.
QString reportCsv(const sim::Problem& problem, const sim::Report& report);

} // namespace doppler::views
