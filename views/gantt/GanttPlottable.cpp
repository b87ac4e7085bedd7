#include "views/gantt/GanttPainter.h"
#include "views/gantt/GanttPlot.h"

namespace doppler::views {

GanttPlottable::GanttPlottable(QCPAxis* time, QCPAxis* lanes, const GanttScene& scene,
                               const GanttGeometry& geometry, int track)
    : QCPAbstractPlottable(time, lanes), scene_(scene), geometry_(geometry), track_(track) {
    setSelectable(QCP::stNone);
}

double GanttPlottable::selectTest(const QPointF&, bool, QVariant*) const {
    return -1; // the view has its own notion of selection
}

QCPRange GanttPlottable::getKeyRange(bool& found, QCP::SignDomain) const {
    found = true;
    const GanttTrack& track = scene_.tracks[static_cast<std::size_t>(track_)];
    return {0, static_cast<double>(track.timeline->makespan)};
}

QCPRange GanttPlottable::getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const {
    found = false;
    return {};
}

QRect GanttPlottable::clipRect() const {
    return QRectF(0, 0, geometry_.width(), geometry_.lanesHeight()).toAlignedRect();
}

void GanttPlottable::draw(QCPPainter* painter) {
    GanttPainter(*painter, scene_, geometry_, track_).paint();
}

void GanttPlottable::drawLegendIcon(QCPPainter*, const QRectF&) const {}

} // namespace doppler::views
