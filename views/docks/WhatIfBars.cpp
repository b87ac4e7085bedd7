#include "views/docks/WhatIfBars.h"

#include <QFontMetrics>
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
    : RowList(workspace, appearance, kRowHeight, parent) {
    setAccessibleName(QStringLiteral("What if it ran on another device"));
}

void WhatIfBars::setValues(std::vector<Time> makespans, DeviceId now) {
    makespans_ = std::move(makespans);
    now_ = now;
    rowsChanged();
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
    if (isStale()) {
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
        if (static_cast<int>(row) == highlighted()) {
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
        const QString change =
            isNow ? QStringLiteral("now") : signedTimeNumber(difference, scale, decimals);
        // Colour only where a sign is shown: a difference that rounds to zero has none.
        const bool signedChange = !isNow && !change.front().isDigit();
        const bool better = signedChange && difference < 0;
        painter.setFont(better ? bold : plain);
        painter.setPen(better ? theme.better : signedChange ? theme.worse : theme.secondary);
        painter.drawText(differenceRect, Qt::AlignRight | Qt::AlignVCenter, change);
    }
    painter.setPen(QPen(theme.ink, 1));
    painter.drawLine(QPointF(barLeft - 0.5, 2), QPointF(barLeft - 0.5, height() - 2));
    paintFocus(painter);
}

void WhatIfBars::highlightChanged(int row) {
    Q_EMIT previewed(row == now_ ? kNoDevice : row);
    setCursor(row >= 0 && row != now_ ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (row < 0) {
        return;
    }
    const sim::Problem& problem = *workspace_.problem();
    setToolTip(QStringLiteral("%1: makespan %2%3")
                   .arg(QString::fromStdString(problem.cluster->device(row).name),
                        timeText(makespans_[static_cast<std::size_t>(row)], problem.costs->unit()),
                        row == now_ ? QStringLiteral(", where it runs now")
                                    : QStringLiteral("; click to move")));
    setAccessibleDescription(toolTip());
}

} // namespace doppler::views
