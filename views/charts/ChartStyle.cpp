#include "views/charts/ChartStyle.h"

namespace doppler::views {

namespace {

constexpr int kAxisTextSize = 11;

} // namespace

void styleChart(QCustomPlot& chart, const Theme& theme) {
    chart.setBackground(QBrush(theme.base));
    chart.axisRect()->setBackground(QBrush(theme.canvas));
    for (QCPAxis* axis : {chart.xAxis, chart.yAxis}) {
        axis->setTickLabelFont(fontOfSize(kAxisTextSize));
        axis->setTickLabelColor(theme.secondary);
        axis->setBasePen(QPen(theme.control, 1));
        axis->setTickPen(QPen(theme.control, 1));
        axis->setSubTicks(false);
        axis->grid()->setPen(QPen(theme.grid, 1));
        axis->grid()->setZeroLinePen(QPen(theme.grid, 1));
    }
}

} // namespace doppler::views
