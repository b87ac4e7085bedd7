#pragma once

#include <QPainter>
#include <QWidget>

#include "views/theme/Appearance.h"

namespace doppler::views {

/// Size of a chip at 100 %.
inline constexpr int kChipSize = 18;

/// Fills `path` with the device's colour and, beyond the eighth device, its hatch.
void fillWithDevice(QPainter& painter, const QPainterPath& path, const DeviceStyle& style);

/// The rounded square with the device's letter, as in every table and lane.
void paintDeviceChip(QPainter& painter, const QRectF& rect, const DeviceStyle& style);

/// The same as a widget; "A, GPU 0" is its accessible name.
class DeviceChip : public QWidget {
    Q_OBJECT

public:
    DeviceChip(const Appearance& appearance, QWidget* parent = nullptr);
    void setDevice(DeviceId device, const QString& deviceName);
    QSize sizeHint() const override { return {kChipSize, kChipSize}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Appearance& appearance_;
    DeviceId device_ = kNoDevice;
};

} // namespace doppler::views
