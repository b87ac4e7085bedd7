#include "views/gantt/GanttScrollBar.h"

#include <QScrollBar>
#include <QSignalBlocker>

#include "views/gantt/GanttPlot.h"

namespace doppler::views {

void fitScrollBar(QScrollBar& bar, const GanttPlot& plot) {
    const GanttGeometry& geometry = plot.geometryOf();
    const int range = qRound(geometry.maxScroll());
    const QSignalBlocker blocker(bar);
    bar.setPageStep(qRound(geometry.lanesHeight()));
    bar.setSingleStep(qRound(geometry.metrics().compute));
    bar.setRange(0, range);
    bar.setValue(qRound(geometry.scroll()));
    bar.setVisible(range > 0 && !plot.scene().tracks.empty());
}

} // namespace doppler::views
