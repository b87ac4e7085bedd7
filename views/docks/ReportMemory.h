#pragma once

#include "views/docks/ReportSection.h"

namespace doppler::views {

/// Peak memory of each device against what it has; what is too much leaves the frame.
class ReportMemory : public ReportSection {
    Q_OBJECT

public:
    explicit ReportMemory(const Appearance& appearance, QWidget* parent = nullptr);

protected:
    QString remark() const override;
    double bodyHeight() const override;
    void paintBody(QPainter& painter, const QRectF& body) override;
    void update() override;
    QString toolTipAt(QPointF position) const override;

private:
    std::int64_t peak(DeviceId device) const;
    std::int64_t capacity(DeviceId device) const;
    std::int64_t overflow(DeviceId device) const;
    bool anyOverflow() const;
    bool sameCapacity() const;
    double rowTop(DeviceId device) const;
    QString valueText(DeviceId device) const;
    void paintBar(QPainter& painter, const QRectF& track, DeviceId device) const;
};

} // namespace doppler::views
