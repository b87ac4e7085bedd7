#include "views/docks/ReportMemory.h"

#include <QFontMetricsF>
#include <algorithm>

#include "views/format/Format.h"
#include "views/theme/DeviceMark.h"

namespace doppler::views {

namespace {

constexpr double kRow = 24;
constexpr double kWords = 15; // line with the overflow in words
constexpr double kBar = 8;
constexpr double kGap = 8;
constexpr double kFrameShare = 0.8; // of the width, where some bar leaves its frame

} // namespace

ReportMemory::ReportMemory(const Appearance& appearance, QWidget* parent)
    : ReportSection(appearance, tr("Peak memory"), parent) {}

std::int64_t ReportMemory::peak(DeviceId device) const {
    return report().devices[static_cast<std::size_t>(device)].peakMemory;
}

std::int64_t ReportMemory::capacity(DeviceId device) const {
    return problem().cluster->device(device).capacityBytes;
}

std::int64_t ReportMemory::overflow(DeviceId device) const {
    return capacity(device) == 0 ? 0 : std::max<std::int64_t>(0, peak(device) - capacity(device));
}

bool ReportMemory::anyOverflow() const {
    for (DeviceId device = 0; device < deviceCount(); ++device) {
        if (overflow(device) > 0) {
            return true;
        }
    }
    return false;
}

bool ReportMemory::sameCapacity() const {
    const auto& devices = problem().cluster->devices();
    return std::all_of(devices.begin(), devices.end(), [&](const cluster::Device& device) {
        return device.capacityBytes == devices.front().capacityBytes;
    });
}

QString ReportMemory::remark() const {
    if (!sameCapacity()) {
        return tr("of what each has");
    }
    return capacity(0) == 0 ? tr("no limit") : tr("%1 each").arg(bytesText(capacity(0)));
}

void ReportMemory::update() {
    std::int64_t largest = 0;
    for (DeviceId device = 0; device < deviceCount(); ++device) {
        largest = std::max(largest, peak(device));
    }
    setTitle(tr("Peak memory, %1").arg(byteScale(largest).unit));
    QStringList words;
    for (DeviceId device = 0; device < std::min(deviceCount(), 16); ++device) {
        words.append(
            QStringLiteral("%1 %2").arg(theme().device(device).letter, bytesText(peak(device))));
    }
    setAccessibleDescription(words.join(QStringLiteral(", ")));
}

double ReportMemory::rowTop(DeviceId device) const {
    double y = 0;
    for (DeviceId before = 0; before < device; ++before) {
        y += kRow + (overflow(before) > 0 ? kWords : 0);
    }
    return y;
}

double ReportMemory::bodyHeight() const {
    return rowTop(deviceCount());
}

QString ReportMemory::valueText(DeviceId device) const {
    std::int64_t largest = 0;
    for (DeviceId each = 0; each < deviceCount(); ++each) {
        largest = std::max(largest, peak(each));
    }
    const ByteScale scale = byteScale(largest);
    const QString value = byteNumber(peak(device), scale);
    return sameCapacity() || capacity(device) == 0
               ? value
               : tr("%1 of %2").arg(value, byteNumber(capacity(device), scale, 0));
}

void ReportMemory::paintBody(QPainter& painter, const QRectF& body) {
    const QFont font = fontOfSize(12);
    double values = QFontMetricsF(font).horizontalAdvance(QStringLiteral("100.0 %"));
    for (DeviceId device = 0; device < deviceCount(); ++device) {
        values = std::max(values, QFontMetricsF(font).horizontalAdvance(valueText(device)));
    }
    const double left = chipColumn() + kGap;
    const double width = std::max(10.0, body.width() - left - values - kGap);
    for (DeviceId device = 0; device < deviceCount(); ++device) {
        const double y = body.top() + rowTop(device);
        const DeviceStyle style = theme().device(device);
        paintDeviceChip(painter, QRectF(0, y, chipWidth(style, kChip), kChip), style);
        paintBar(painter, QRectF(left, y + (kChip - kBar) / 2, width, kBar), device);
        painter.setPen(overflow(device) > 0 ? theme().worse : theme().text);
        painter.setFont(font);
        painter.drawText(QRectF(body.right() - values, y, values, kChip),
                         Qt::AlignRight | Qt::AlignVCenter, valueText(device));
        if (overflow(device) > 0) {
            painter.setFont(fontOfSize(11));
            painter.drawText(QRectF(left, y + kChip, body.width() - left, kWords),
                             Qt::AlignLeft | Qt::AlignVCenter,
                             tr("%1 more than it has").arg(bytesText(overflow(device))));
        }
    }
}

void ReportMemory::paintBar(QPainter& painter, const QRectF& track, DeviceId device) const {
    std::int64_t whole = capacity(device);
    if (whole == 0) { // without a limit the largest bar fills its frame
        for (DeviceId each = 0; each < deviceCount(); ++each) {
            whole = std::max(whole, peak(each));
        }
    }
    QRectF frame = track;
    frame.setWidth(track.width() * (anyOverflow() ? kFrameShare : 1));
    const double share =
        whole == 0 ? 0 : static_cast<double>(peak(device)) / static_cast<double>(whole);
    const DeviceStyle style = theme().device(device);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme().control, 1));
    painter.setBrush(theme().idle);
    painter.drawRoundedRect(frame.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    painter.setPen(Qt::NoPen);
    const QRectF inside = frame.adjusted(1, 1, -1, -1);
    QRectF used = inside;
    used.setWidth(inside.width() * std::min(share, 1.0));
    painter.fillRect(used, style.fill);
    if (style.hatch != DeviceHatch::None) {
        painter.fillRect(used, hatchBrush(style));
    }
    if (share > 1) {
        const double beyond = std::min(frame.width() * (share - 1), track.right() - frame.right());
        const QRectF rest(frame.right(), inside.top(), beyond, inside.height());
        painter.fillRect(rest, theme().base);
        painter.fillRect(rest, hatchBrush(theme().worse));
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(theme().worse, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rest.adjusted(0, 0, -1, -1));
    }
}

QString ReportMemory::toolTipAt(QPointF position) const {
    const double y = position.y() - body().top();
    for (DeviceId device = 0; device < deviceCount(); ++device) {
        if (y >= rowTop(device) && y < rowTop(device + 1)) {
            return capacity(device) == 0
                       ? tr("%1: %2 at its peak").arg(deviceText(device), bytesText(peak(device)))
                       : tr("%1: %2 at its peak, of %3")
                             .arg(deviceText(device), bytesText(peak(device)),
                                  bytesText(capacity(device)));
        }
    }
    return {};
}

} // namespace doppler::views
