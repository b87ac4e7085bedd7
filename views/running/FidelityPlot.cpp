#include "views/running/FidelityPlot.h"

#include <algorithm>

#include "views/charts/ChartStyle.h"

namespace doppler::views {

namespace {

constexpr double kRoom = 0.06; // of the range, on each side

} // namespace

FidelityPlot::FidelityPlot(const Appearance& appearance, QWidget* parent)
    : QCustomPlot(parent)
    , appearance_(appearance)
    , points_(addGraph())
    , diagonal_(new QCPItemLine(this)) {
    setAccessibleName(tr("Simulated against measured makespans"));
    points_->setLineStyle(QCPGraph::lsNone);
    setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    connect(&appearance, &Appearance::changed, this, &FidelityPlot::applyTheme);
    applyTheme();
}

void FidelityPlot::applyTheme() {
    const Theme& theme = appearance_.theme();
    styleChart(*this, theme);
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setLabelFont(fontOfSize(12));
        axis->setLabelColor(theme.text);
    }
    xAxis->setLabel(tr("simulated, ms"));
    yAxis->setLabel(emulated_ ? tr("emulated, ms") : tr("measured, ms"));
    points_->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(theme.accent, 1.5), Qt::NoBrush, 7));
    diagonal_->setPen(QPen(theme.ink, 1, Qt::DashLine));
    if (isVisible()) {
        replot(rpQueuedReplot);
    }
}

void FidelityPlot::setPoints(const std::vector<QPointF>& points, bool emulated) {
    emulated_ = emulated;
    points_->data()->clear();
    double least = 0;
    double most = 1;
    for (std::size_t i = 0; i < points.size(); ++i) {
        points_->addData(points[i].x(), points[i].y());
        const double low = std::min(points[i].x(), points[i].y());
        const double high = std::max(points[i].x(), points[i].y());
        least = i == 0 ? low : std::min(least, low);
        most = i == 0 ? high : std::max(most, high);
    }
    const double room = kRoom * std::max(most - least, 0.01 * most);
    xAxis->setRange(least - room, most + room);
    yAxis->setRange(least - room, most + room);
    diagonal_->start->setCoords(least - room, least - room);
    diagonal_->end->setCoords(most + room, most + room);
    applyTheme();
}

} // namespace doppler::views
