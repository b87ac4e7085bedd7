#pragma once

#include "views/docks/ReportSection.h"

namespace doppler::views {

/// How each device spent the makespan: a bar of computing, waiting and nothing left.
class ReportUtilisation : public ReportSection {
    Q_OBJECT

public:
    explicit ReportUtilisation(const Appearance& appearance, QWidget* parent = nullptr);

protected:
    QString remark() const override;
    double bodyHeight() const override;
    void paintBody(QPainter& painter, const QRectF& body) override;
    void update() override;
    QString toolTipAt(QPointF position) const override;

private:
    void paintBar(QPainter& painter, const QRectF& frame, DeviceId device) const;
    void paintLegend(QPainter& painter, const QRectF& body) const;
    bool holdsForMemory() const;
};

} // namespace doppler::views
