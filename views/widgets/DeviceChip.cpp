#include "views/widgets/DeviceChip.h"

#include <QPainter>

#include "views/theme/DeviceMark.h"

namespace doppler::views {

namespace {
constexpr int kChipHeight = 18;
}

DeviceChip::DeviceChip(const Appearance& appearance, QWidget* parent)
    : QWidget(parent), appearance_(appearance) {
    setFixedSize(kChipHeight, kChipHeight);
    connect(&appearance, &Appearance::changed, this, qOverload<>(&QWidget::update));
}

void DeviceChip::setDevice(DeviceId device, const QString& deviceName) {
    device_ = device;
    const DeviceStyle style = appearance_.theme().device(device);
    const QString text = QStringLiteral("%1, %2").arg(style.letter, deviceName);
    setFixedWidth(qRound(chipWidth(style, kChipHeight)));
    setAccessibleName(text);
    setToolTip(text);
    update();
}

void DeviceChip::paintEvent(QPaintEvent*) {
    if (device_ == kNoDevice) {
        return;
    }
    QPainter painter(this);
    paintDeviceChip(painter, QRectF(rect()), appearance_.theme().device(device_));
}

} // namespace doppler::views
