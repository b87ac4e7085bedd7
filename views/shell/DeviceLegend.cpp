#include "views/shell/DeviceLegend.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "views/theme/Appearance.h"
#include "views/theme/DeviceMark.h"
#include "views/workspace/Workspace.h"

namespace doppler::views {

namespace {

constexpr int kChip = 16;
constexpr int kWideChip = 22; // two letters
constexpr int kGap = 4;
constexpr int kMostShown = 16;

} // namespace

DeviceLegend::DeviceLegend(Workspace& workspace, const Appearance& appearance, QWidget* parent)
    : QWidget(parent), workspace_(workspace), appearance_(appearance) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setMouseTracking(true);
    connect(&workspace, &Workspace::problemChanged, this, [this] {
        const int count = workspace_.hasProblem() ? workspace_.problem()->deviceCount() : 0;
        setAccessibleName(tr("%1 devices").arg(count));
        updateGeometry();
        update();
    });
    connect(&workspace.selection(), &Selection::changed, this, qOverload<>(&QWidget::update));
    connect(&appearance, &Appearance::changed, this, qOverload<>(&QWidget::update));
}

int DeviceLegend::shownDevices() const {
    return workspace_.hasProblem() ? std::min(workspace_.problem()->deviceCount(), kMostShown) : 0;
}

QRect DeviceLegend::chip(int device) const {
    const int pitch = kChip + kGap;
    return QRect(device * pitch + 1, (height() - kChip) / 2, kChip, kChip);
}

QSize DeviceLegend::sizeHint() const {
    const int shown = shownDevices();
    const bool more = workspace_.hasProblem() && workspace_.problem()->deviceCount() > shown;
    return QSize(shown * (kChip + kGap) + (more ? kWideChip + kGap : 0) + 2, kChip + 4);
}

DeviceId DeviceLegend::deviceAt(const QPoint& position) const {
    for (DeviceId device = 0; device < shownDevices(); ++device) {
        if (chip(device).contains(position)) {
            return device;
        }
    }
    return kNoDevice;
}

void DeviceLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = appearance_.theme();
    for (DeviceId device = 0; device < shownDevices(); ++device) {
        const QRect area = chip(device);
        paintDeviceChip(painter, area, theme.device(device));
        if (workspace_.selection().device() == device) {
            painter.setPen(QPen(theme.accent, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(QRectF(area).adjusted(-1, -1, 1, 1), 4, 4);
        }
    }
    if (workspace_.hasProblem() && workspace_.problem()->deviceCount() > kMostShown) {
        painter.setPen(theme.secondary);
        painter.setFont(fontOfSize(11));
        const QRect rest(chip(kMostShown).topLeft(), QSize(kWideChip + kGap, kChip));
        painter.drawText(
            rest, Qt::AlignVCenter | Qt::AlignLeft,
            QStringLiteral("+%1").arg(workspace_.problem()->deviceCount() - kMostShown));
    }
}

void DeviceLegend::mousePressEvent(QMouseEvent* event) {
    if (const DeviceId device = deviceAt(event->pos()); device != kNoDevice) {
        workspace_.selection().selectDevice(device);
    }
}

bool DeviceLegend::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const DeviceId device = deviceAt(help->pos());
        if (device != kNoDevice) {
            const cluster::Device& each = workspace_.problem()->cluster->device(device);
            const QString model = QString::fromStdString(each.model);
            QString text = QStringLiteral("%1, %2").arg(appearance_.theme().device(device).letter,
                                                        QString::fromStdString(each.name));
            QToolTip::showText(help->globalPos(),
                               model.isEmpty() ? text : text + QStringLiteral(", ") + model, this);
            return true;
        }
        QToolTip::hideText();
    }
    return QWidget::event(event);
}

} // namespace doppler::views
