#pragma once

#include <utility>

#include "views/docks/ReportSection.h"

namespace doppler::views {

/// Bytes moved between each two devices, as a heat map. A cell can be clicked, or reached with the
/// arrow keys.
class ReportTraffic : public ReportSection {
    Q_OBJECT

public:
    explicit ReportTraffic(const Appearance& appearance, QWidget* parent = nullptr);

    QRectF cellRect(DeviceId from, DeviceId to) const;

Q_SIGNALS:
    void cellChosen(doppler::DeviceId from, doppler::DeviceId to);

protected:
    QString remark() const override;
    double bodyHeight() const override;
    void paintBody(QPainter& painter, const QRectF& body) override;
    void update() override;
    QString toolTipAt(QPointF position) const override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    using Cell = std::pair<DeviceId, DeviceId>;
    static constexpr Cell kNoCell{kNoDevice, kNoDevice};

    std::int64_t bytes(const Cell& cell) const;
    Cell cellAt(const QPointF& point) const;
    double rowHeight() const;
    void paintCell(QPainter& painter, const Cell& cell, std::int64_t largest) const;
    QString cellText(const Cell& cell) const;

    Cell hovered_ = kNoCell;
    Cell focused_{0, 0};
};

} // namespace doppler::views
