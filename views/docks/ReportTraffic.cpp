#include "views/docks/ReportTraffic.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>

#include "views/format/Format.h"
#include "views/theme/DeviceMark.h"

namespace doppler::views {

namespace {

constexpr double kHeadRow = 24;
constexpr double kTallRow = 24;
constexpr double kLowRow = 19; // with many devices
constexpr int kManyDevices = 8;
constexpr double kLowestChip = 8;
constexpr double kGap = 8;
constexpr double kFaintest = 0.06; // of the accent in a cell with any traffic
constexpr double kStrongest = 0.52;

QColor blend(const QColor& top, const QColor& below, double share) {
    const auto mix = [share](int a, int b) { return qRound(share * a + (1 - share) * b); };
    return {mix(top.red(), below.red()), mix(top.green(), below.green()),
            mix(top.blue(), below.blue())};
}

std::int64_t largestOf(const std::vector<std::int64_t>& values) {
    return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

} // namespace

ReportTraffic::ReportTraffic(const Appearance& appearance, QWidget* parent)
    : ReportSection(appearance, tr("Traffic"), parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::TabFocus);
}

QString ReportTraffic::remark() const {
    return tr("from row to column");
}

double ReportTraffic::rowHeight() const {
    return deviceCount() > kManyDevices ? kLowRow : kTallRow;
}

double ReportTraffic::bodyHeight() const {
    return kHeadRow + deviceCount() * rowHeight() + 4;
}

std::int64_t ReportTraffic::bytes(const Cell& cell) const {
    return report()
        .trafficBytes[static_cast<std::size_t>(cell.first * deviceCount() + cell.second)];
}

void ReportTraffic::update() {
    setTitle(tr("Traffic, %1").arg(byteScale(largestOf(report().trafficBytes)).unit));
    hovered_ = kNoCell;
    focused_ = {std::min(focused_.first, deviceCount() - 1),
                std::min(focused_.second, deviceCount() - 1)};
    setAccessibleDescription(
        tr("%1 in all, over %2")
            .arg(bytesText(report().totalTraffic), countOf(report().crossDeviceEdges, tr("edge"))));
}

QRectF ReportTraffic::cellRect(DeviceId from, DeviceId to) const {
    const double left = chipColumn() + kGap;
    const double width = std::max(1.0, (body().width() - left) / std::max(1, deviceCount()));
    return {left + to * width, body().top() + kHeadRow + from * rowHeight(), width - 2,
            rowHeight() - 2};
}

ReportTraffic::Cell ReportTraffic::cellAt(const QPointF& point) const {
    for (DeviceId from = 0; from < deviceCount(); ++from) {
        for (DeviceId to = 0; to < deviceCount(); ++to) {
            if (from != to && cellRect(from, to).contains(point)) {
                return {from, to};
            }
        }
    }
    return kNoCell;
}

void ReportTraffic::paintBody(QPainter& painter, const QRectF& body) {
    const double chip = deviceCount() > kManyDevices ? 14 : 16;
    for (DeviceId device = 0; device < deviceCount(); ++device) {
        const DeviceStyle style = theme().device(device);
        const QRectF row = cellRect(device, 0);
        paintDeviceChip(
            painter, QRectF(0, row.center().y() - chip / 2, chipWidth(style, chip), chip), style);
        const QRectF column = cellRect(0, device);
        const double width = std::min(chipWidth(style, chip), column.width());
        paintDeviceChip(
            painter, QRectF(column.center().x() - width / 2, body.top() + 2, width, chip), style);
    }
    const std::int64_t largest = largestOf(report().trafficBytes);
    for (DeviceId from = 0; from < deviceCount(); ++from) {
        for (DeviceId to = 0; to < deviceCount(); ++to) {
            paintCell(painter, {from, to}, largest);
        }
    }
}

void ReportTraffic::paintCell(QPainter& painter, const Cell& cell, std::int64_t largest) const {
    const QRectF rect = cellRect(cell.first, cell.second);
    painter.setRenderHint(QPainter::Antialiasing, false);
    const bool own = cell.first == cell.second;
    const std::int64_t value = own ? 0 : bytes(cell);
    const double share =
        largest == 0 ? 0 : static_cast<double>(value) / static_cast<double>(largest);
    painter.fillRect(rect, value == 0 ? theme().alt
                                      : blend(theme().accent, theme().base,
                                              kFaintest + (kStrongest - kFaintest) * share));
    const QFont font = fontOfSize(11);
    const QString text = own ? QStringLiteral("·") : byteNumber(value, byteScale(largest), 2);
    painter.setFont(font);
    painter.setPen(own || value == 0 ? theme().secondary : theme().text);
    if (QFontMetricsF(font).horizontalAdvance(text) <= rect.width()) {
        painter.drawText(rect, Qt::AlignCenter, text);
    }
    const bool focused = hasFocus() && cell == focused_;
    if (focused || (cell == hovered_ && !own)) {
        painter.setPen(QPen(focused ? theme().accent : theme().text, focused ? 2 : 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

QString ReportTraffic::toolTipAt(QPointF position) const {
    const Cell cell = cellAt(position);
    return cell == kNoCell ? QString() : cellText(cell);
}

QString ReportTraffic::cellText(const Cell& cell) const {
    return tr("%1 from %2 to %3\nClick to select the ops whose values cross")
        .arg(bytesText(bytes(cell)), deviceText(cell.first), deviceText(cell.second));
}

void ReportTraffic::mousePressEvent(QMouseEvent* event) {
    const Cell cell = cellAt(event->position());
    if (event->button() == Qt::LeftButton && cell != kNoCell) {
        focused_ = cell;
        Q_EMIT cellChosen(cell.first, cell.second);
    }
}

void ReportTraffic::mouseMoveEvent(QMouseEvent* event) {
    const Cell cell = cellAt(event->position());
    if (cell != hovered_) {
        hovered_ = cell;
        setCursor(cell == kNoCell ? Qt::ArrowCursor : Qt::PointingHandCursor);
        QWidget::update();
    }
}

void ReportTraffic::leaveEvent(QEvent*) {
    hovered_ = kNoCell;
    QWidget::update();
}

void ReportTraffic::keyPressEvent(QKeyEvent* event) {
    const auto moveBy = [this](int rows, int columns) {
        focused_ = {std::clamp(focused_.first + rows, 0, deviceCount() - 1),
                    std::clamp(focused_.second + columns, 0, deviceCount() - 1)};
        setAccessibleDescription(focused_.first == focused_.second ? deviceText(focused_.first)
                                                                   : cellText(focused_));
        QWidget::update();
    };
    switch (event->key()) {
    case Qt::Key_Up:
        return moveBy(-1, 0);
    case Qt::Key_Down:
        return moveBy(1, 0);
    case Qt::Key_Left:
        return moveBy(0, -1);
    case Qt::Key_Right:
        return moveBy(0, 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (focused_.first != focused_.second) {
            Q_EMIT cellChosen(focused_.first, focused_.second);
        }
        return;
    default:
        ReportSection::keyPressEvent(event);
    }
}

void ReportTraffic::resizeEvent(QResizeEvent* event) {
    hovered_ = kNoCell;
    ReportSection::resizeEvent(event);
}

} // namespace doppler::views
