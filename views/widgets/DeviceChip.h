#pragma once

#include <QWidget>

#include "views/theme/Appearance.h"

namespace doppler::views {

/// The chip of a device as a widget; "A, GPU 0" is its accessible name.
class DeviceChip : public QWidget {
    Q_OBJECT

public:
    explicit DeviceChip(const Appearance& appearance, QWidget* parent = nullptr);
    void setDevice(DeviceId device, const QString& deviceName);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Appearance& appearance_;
    DeviceId device_ = kNoDevice;
};

} // namespace doppler::views
