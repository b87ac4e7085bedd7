#pragma once

#include "views/charts/QCustomPlotHeader.h"
#include "views/theme/Theme.h"

namespace doppler::views {

/// Ground, axes, grid and axis numbers of a chart in the colours of the theme.
void styleChart(QCustomPlot& chart, const Theme& theme);

} // namespace doppler::views
