#include "views/running/LaneDifference.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "views/format/Format.h"
#include "views/running/RealResult.h"
#include "views/theme/DeviceMark.h"
#include "views/workspace/Placement.h"

namespace doppler::views {

namespace {

constexpr double kTitles = 20;
constexpr double kRow = 32;
constexpr double kText = 17;
constexpr double kBar = 5;
constexpr double kGap = 8;

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

} // namespace

std::vector<LaneFacts> laneFacts(const sim::Timeline& timeline, const sim::Report& report) {
    std::vector<LaneFacts> facts;
    for (const sim::DeviceUse& use : report.devices) {
        facts.push_back({.busy = use.busy, .waiting = use.waitingForInput + use.heldForMemory});
    }
    for (const sim::Interval& interval : timeline.intervals) {
        LaneFacts& lane = facts[at(interval.device)];
        lane.end = std::max(lane.end, interval.end);
        lane.sending += interval.isTransfer() ? interval.end - interval.start : 0;
    }
    return facts;
}

LaneDifference::LaneDifference(const Appearance& appearance, QWidget* parent)
    : ReportSection(appearance, tr("Run against prediction"), parent) {
    hide();
}

const std::vector<LaneDifference::Column>& LaneDifference::columns() {
    static const std::vector<Column> all{
        {tr("computing"), tr("computing"), &LaneFacts::busy},
        {tr("waiting"), tr("waiting for inputs or memory"), &LaneFacts::waiting},
        {tr("sending"), tr("sending values"), &LaneFacts::sending},
        {tr("ends"), tr("end of the last op or copy"), &LaneFacts::end}};
    return all;
}

void LaneDifference::setPlacement(const std::shared_ptr<const sim::Problem>& problem,
                                  const Placement* placement) {
    const bool comparable = placement != nullptr && placement->timeline && placement->report &&
                            placement->real && !placement->stale &&
                            placement->real->problem->costs->unit() == problem->costs->unit();
    setVisible(comparable);
    if (!comparable) {
        return;
    }
    emulated_ = placement->real->emulated;
    simulated_ = laneFacts(*placement->timeline, *placement->report);
    real_ = laneFacts(*placement->real->timeline, *placement->real->report);
    setData(problem, placement->report);
}

Time LaneDifference::difference(DeviceId device, const Column& column) const {
    return real_[at(device)].*column.value - simulated_[at(device)].*column.value;
}

Time LaneDifference::largestDifference() const {
    Time largest = 1;
    for (DeviceId device = 0; device < deviceCount(); ++device) {
        for (const Column& column : columns()) {
            largest = std::max(largest, std::abs(difference(device, column)));
        }
    }
    return largest;
}

QString LaneDifference::remark() const {
    const TimeScale scale = timeScale(largestDifference(), problem().costs->unit());
    return emulated_ ? tr("emulated less simulated, %1").arg(scale.column)
                     : tr("measured less simulated, %1").arg(scale.column);
}

double LaneDifference::bodyHeight() const {
    return kTitles + deviceCount() * kRow;
}

void LaneDifference::update() {
    QStringList words;
    for (DeviceId device = 0; device < std::min(deviceCount(), 16); ++device) {
        words.append(QStringLiteral("%1 ends %2")
                         .arg(theme().device(device).letter,
                              signedTimeText(difference(device, columns().back()),
                                             problem().costs->unit())));
    }
    setAccessibleDescription(words.join(QStringLiteral(", ")));
}

void LaneDifference::paintBody(QPainter& painter, const QRectF& body) {
    const double left = chipColumn() + kGap;
    const double width = (body.width() - left) / static_cast<double>(columns().size());
    painter.setFont(fontOfSize(11));
    painter.setPen(theme().secondary);
    for (std::size_t i = 0; i < columns().size(); ++i) {
        painter.drawText(
            QRectF(left + static_cast<double>(i) * width, body.top(), width - kGap, kTitles),
            Qt::AlignRight | Qt::AlignTop, columns()[i].title);
    }
    for (DeviceId device = 0; device < deviceCount(); ++device) {
        const double y = body.top() + kTitles + device * kRow;
        const DeviceStyle style = theme().device(device);
        paintDeviceChip(painter, QRectF(0, y, chipWidth(style, kChip), kChip), style);
        for (std::size_t i = 0; i < columns().size(); ++i) {
            paintCell(painter, QRectF(left + static_cast<double>(i) * width, y, width - kGap, kRow),
                      difference(device, columns()[i]));
        }
    }
}

void LaneDifference::paintCell(QPainter& painter, const QRectF& cell, Time difference) const {
    const Time largest = largestDifference();
    const TimeScale scale = timeScale(largest, problem().costs->unit());
    painter.setFont(fontOfSize(12));
    painter.setPen(theme().text);
    painter.drawText(QRectF(cell.left(), cell.top(), cell.width(), kText),
                     Qt::AlignRight | Qt::AlignVCenter, signedTimeNumber(difference, scale, 2));
    const double middle = cell.center().x();
    const double length =
        cell.width() / 2 * static_cast<double>(difference) / static_cast<double>(largest);
    const double top = cell.top() + kText + 2;
    painter.fillRect(QRectF(cell.left(), top, cell.width(), kBar), theme().idle);
    painter.fillRect(QRectF(std::min(middle, middle + length), top, std::fabs(length), kBar),
                     difference > 0 ? theme().worse : theme().better);
    painter.fillRect(QRectF(middle - 0.5, top - 2, 1, kBar + 4), theme().control);
}

QString LaneDifference::toolTipAt(QPointF position) const {
    const double y = position.y();
    const auto device = static_cast<DeviceId>((y - kHeading - kTitles) / kRow);
    if (y < kHeading + kTitles || device >= deviceCount()) {
        return {};
    }
    const cost::TimeUnit unit = problem().costs->unit();
    QString rows;
    for (const Column& column : columns()) {
        rows += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=right>%2&nbsp;&nbsp;</td>"
                               "<td align=right>%3&nbsp;&nbsp;</td><td align=right>%4</td></tr>")
                    .arg(column.meaning, timeText(simulated_[at(device)].*column.value, unit),
                         timeText(real_[at(device)].*column.value, unit),
                         signedTimeText(difference(device, column), unit));
    }
    return QStringLiteral("<b>%1</b><table><tr><td></td><td>%2&nbsp;&nbsp;</td>"
                          "<td>%3&nbsp;&nbsp;</td><td>%4</td></tr>%5</table>")
        .arg(deviceText(device).toHtmlEscaped(), tr("simulated"),
             emulated_ ? tr("emulated") : tr("measured"), tr("difference"), rows);
}

} // namespace doppler::views
