#pragma once

class QScrollBar;

namespace doppler::views {

class GanttPlot;

/// Makes an upright scroll bar say which lanes a plot shows; hidden where all of them fit.
void fitScrollBar(QScrollBar& bar, const GanttPlot& plot);

} // namespace doppler::views
