#include "views/docks/WhatIfBars.h"

#include <QFontMetrics>
#include <QKeyEvent>
#include <QPainter>
#include <algorithm>

#include "views/docks/MakespanScale.h"
#include "views/format/Format.h"
#include "views/theme/DeviceMark.h"

namespace doppler::views {

namespace {
constexpr int kRowHeight = 26;
constexpr int kChip = 18;
constexpr int kGap = 8;
constexpr int kBarHeight = 12;
constexpr double kStaleOpacity = 0.45;
} // namespace

WhatIfBars::WhatIfBars(Workspace& workspace, const Appearance& appearance, QWidget* parent)
    : QWidget(parent), workspace_(workspace), appearance_(appearance) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(QStringLiteral("What if it ran on another device"));
    connect(&appearance, &Appearance::changed, this, qOverload<>(&QWidget::update));
}

QSize WhatIfBars::sizeHint() const {
    return {220, kRowHeight * static_cast<int>(makespans_.size())};
}

void WhatIfBars::setValues(std::vector<Time> makespans, DeviceId now) {
    const bool resized = makespans.size() != makespans_.size();
    makespans_ = std::move(makespans);
    now_ = now;
    stale_ = false;
    highlighted_ = -1;
    if (resized) {
        updateGeometry();
    }
    update();
}

void WhatIfBars::setStale(bool stale) {
    stale_ = stale;
    update();
}

void WhatIfBars::paintEvent(QPaintEvent*) {
    if (makespans_.empty() || !workspace_.hasProblem()) {
        return;
    }
    const Theme& theme = appearance_.theme();
    const Placement* shown = workspace_.committed();
    const Time current = shown != nullptr ? shown->makespan() : 0;
    const Time largest = *std::max_element(makespans_.begin(), makespans_.end());
    const Time bound =
        std::min(workspace_.bound().value, *std::min_element(makespans_.begin(), makespans_.end()));
    const TimeScale scale = makespanScale(workspace_);
    const int decimals = makespanDecimals(workspace_.bound().value, scale);

    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (stale_) {
        painter.setOpacity(kStaleOpacity);
    }
    const QFont plain = fontOfSize(12);
    const QFont bold = fontOfSize(12, true);
    const QFontMetrics metrics(bold);
    int valueWidth = 0;
    int differenceWidth = metrics.horizontalAdvance(QStringLiteral("now"));
    for (const Time value : makespans_) {
        valueWidth =
            std::max(valueWidth, metrics.horizontalAdvance(timeNumber(value, scale, decimals)));
        differenceWidth =
            std::max(differenceWidth,
                     metrics.horizontalAdvance(signedTimeNumber(value - current, scale, decimals)));
    }
    int chip = kChip;
    for (std::size_t device = 0; device < makespans_.size(); ++device) {
        chip =
            std::max(chip, qRound(chipWidth(theme.device(static_cast<DeviceId>(device)), kChip)));
    }
    const int barLeft = chip + kGap;
    const int barRight =
        std::max(barLeft + 20, width() - valueWidth - differenceWidth - 2 * kGap - kGap);
    const double span = std::max<double>(1, static_cast<double>(largest - bound));

    for (std::size_t row = 0; row < makespans_.size(); ++row) {
        const auto device = static_cast<DeviceId>(row);
        const DeviceStyle style = theme.device(device);
        const int top = static_cast<int>(row) * kRowHeight;
        if (static_cast<int>(row) == highlighted_) {
            painter.fillRect(QRect(0, top, width(), kRowHeight), theme.accentSoft);
        }
        paintDeviceChip(painter,
                        QRectF(0, top + (kRowHeight - kChip) / 2.0, chipWidth(style, kChip), kChip),
                        style);
        const QRectF track(barLeft, top + (kRowHeight - kBarHeight) / 2.0, barRight - barLeft,
                           kBarHeight);
        painter.fillRect(track, theme.lane);
        QRectF bar = track;
        bar.setWidth(
            std::max(1.0, static_cast<double>(makespans_[row] - bound) / span * track.width()));
        painter.fillRect(bar, style.fill);
        painter.fillRect(bar, hatchBrush(style));

        const bool isNow = device == now_;
        const Time difference = makespans_[row] - current;
        painter.setFont(isNow ? bold : plain);
        painter.setPen(theme.text);
        const QRect valueRect(barRight + kGap, top, valueWidth, kRowHeight);
        painter.drawText(valueRect, Qt::AlignRight | Qt::AlignVCenter,
                         timeNumber(makespans_[row], scale, decimals));
        const QRect differenceRect(valueRect.right() + kGap, top, differenceWidth + 2, kRowHeight);
        painter.setFont(difference < 0 ? bold : plain);
        painter.setPen(isNow            ? theme.secondary
                       : difference < 0 ? theme.better
                       : difference > 0 ? theme.worse
                                        : theme.secondary);
        painter.drawText(differenceRect, Qt::AlignRight | Qt::AlignVCenter,
                         isNow ? QStringLiteral("now")
                               : signedTimeNumber(difference, scale, decimals));
    }
    painter.setPen(QPen(theme.ink, 1));
    painter.drawLine(QPointF(barLeft - 0.5, 2), QPointF(barLeft - 0.5, height() - 2));
    if (hasFocus()) {
        painter.setOpacity(1);
        painter.setPen(QPen(theme.accent, 2));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    }
}

int WhatIfBars::rowAt(const QPointF& position) const {
    const int row = static_cast<int>(position.y()) / kRowHeight;
    return position.y() >= 0 && row < static_cast<int>(makespans_.size()) ? row : -1;
}

void WhatIfBars::setHighlighted(int row) {
    if (row == highlighted_) {
        return;
    }
    highlighted_ = row;
    Q_EMIT previewed(row == now_ ? kNoDevice : static_cast<DeviceId>(row));
    setCursor(row >= 0 && row != now_ ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (row >= 0) {
        const cost::TimeUnit unit = workspace_.problem()->costs->unit();
        const auto device = static_cast<DeviceId>(row);
        setToolTip(
            QStringLiteral("%1: makespan %2%3")
                .arg(QString::fromStdString(workspace_.problem()->cluster->device(device).name),
                     timeText(makespans_[static_cast<std::size_t>(row)], unit),
                     row == now_ ? QStringLiteral(", where it runs now")
                                 : QStringLiteral("; click to move")));
        setAccessibleDescription(toolTip());
    }
    update();
}

void WhatIfBars::mousePressEvent(QMouseEvent* event) {
    const int row = rowAt(event->position());
    if (event->button() == Qt::LeftButton && row >= 0) {
        Q_EMIT chosen(static_cast<DeviceId>(row));
    }
}

void WhatIfBars::mouseMoveEvent(QMouseEvent* event) {
    setHighlighted(rowAt(event->position()));
}

void WhatIfBars::leaveEvent(QEvent*) {
    setHighlighted(-1);
}

void WhatIfBars::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(makespans_.size()) - 1;
    switch (event->key()) {
    case Qt::Key_Down:
        setHighlighted(std::min(highlighted_ + 1, last));
        return;
    case Qt::Key_Up:
        setHighlighted(std::max(highlighted_ - 1, 0));
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (highlighted_ >= 0) {
            Q_EMIT chosen(static_cast<DeviceId>(highlighted_));
        }
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace doppler::views
