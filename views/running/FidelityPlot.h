#pragma once

#include <QPointF>
#include <vector>

#include "views/charts/QCustomPlotHeader.h"
#include "views/theme/Appearance.h"

namespace doppler::views {

/// Simulated against measured makespans, in ms, with the line on which they would agree.
class FidelityPlot : public QCustomPlot {
    Q_OBJECT

public:
    explicit FidelityPlot(const Appearance& appearance, QWidget* parent = nullptr);

    /// x: simulated, y: measured. `emulated`: never to be called a measurement.
    void setPoints(const std::vector<QPointF>& points, bool emulated);

    QSize minimumSizeHint() const override { return {360, 300}; }

private:
    void applyTheme();

    const Appearance& appearance_;
    QCPGraph* points_;
    QCPItemLine* diagonal_;
    bool emulated_ = false;
};

} // namespace doppler::views
