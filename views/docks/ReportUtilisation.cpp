#include "views/docks/ReportUtilisation.h"

#include <QFontMetricsF>
#include <algorithm>

#include "views/format/Format.h"
#include "views/theme/DeviceMark.h"

namespace doppler::views {

namespace {

constexpr double kRow = 24;
constexpr double kBar = 15;
constexpr double kLegend = 24;
constexpr double kGap = 8;

Time total(const sim::DeviceUse& use) {
    return use.busy + use.waitingForInput + use.heldForMemory + use.nothingLeft;
}

double share(Time part, Time whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

} // namespace

ReportUtilisation::ReportUtilisation(const Appearance& appearance, QWidget* parent)
    : ReportSection(appearance, tr("Utilisation"), parent) {}

QString ReportUtilisation::remark() const {
    return tr("of %1").arg(timeText(report().makespan, problem().costs->unit()));
}

double ReportUtilisation::bodyHeight() const {
    return deviceCount() * kRow + kLegend;
}

bool ReportUtilisation::holdsForMemory() const {
    return std::any_of(report().devices.begin(), report().devices.end(),
                       [](const sim::DeviceUse& use) { return use.heldForMemory > 0; });
}

void ReportUtilisation::update() {
    QStringList words;
    for (DeviceId device = 0; device < std::min(deviceCount(), 16); ++device) {
        const sim::DeviceUse& use = report().devices[static_cast<std::size_t>(device)];
        words.append(QStringLiteral("%1 %2").arg(theme().device(device).letter,
                                                 percentText(share(use.busy, total(use)))));
    }
    setAccessibleDescription(words.join(QStringLiteral(", ")));
}

void ReportUtilisation::paintBody(QPainter& painter, const QRectF& body) {
    const QFont font = fontOfSize(12);
    const double values = QFontMetricsF(font).horizontalAdvance(QStringLiteral("100.0 %"));
    const double left = chipColumn() + kGap;
    const double width = std::max(10.0, body.width() - left - values - kGap);
    for (DeviceId device = 0; device < deviceCount(); ++device) {
        const double y = body.top() + device * kRow;
        const DeviceStyle style = theme().device(device);
        paintDeviceChip(painter, QRectF(0, y, chipWidth(style, kChip), kChip), style);
        paintBar(painter, QRectF(left, y + (kChip - kBar) / 2, width, kBar), device);
        const sim::DeviceUse& use = report().devices[static_cast<std::size_t>(device)];
        painter.setPen(theme().text);
        painter.setFont(font);
        painter.drawText(QRectF(body.right() - values, y, values, kChip),
                         Qt::AlignRight | Qt::AlignVCenter,
                         percentText(share(use.busy, total(use))));
    }
    paintLegend(painter, body);
}

void ReportUtilisation::paintBar(QPainter& painter, const QRectF& frame, DeviceId device) const {
    const sim::DeviceUse& use = report().devices[static_cast<std::size_t>(device)];
    const DeviceStyle style = theme().device(device);
    double x = frame.left();
    const auto part = [&](Time time) {
        const double width = frame.width() * share(time, total(use));
        const QRectF rect(x, frame.top(), width, frame.height());
        x += width;
        return rect;
    };
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(frame, theme().idle);
    const QRectF busy = part(use.busy);
    painter.fillRect(busy, style.fill);
    if (style.hatch != DeviceHatch::None) {
        painter.fillRect(busy, hatchBrush(style));
    }
    const QRectF waiting = part(use.waitingForInput);
    painter.fillRect(waiting, theme().base);
    painter.fillRect(waiting, hatchBrush(theme().secondary));
    const QRectF held = part(use.heldForMemory);
    painter.fillRect(held, theme().base);
    painter.fillRect(held, hatchBrush(theme().worse, DeviceHatch::Crossed));
    painter.setPen(QPen(theme().control, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(frame.adjusted(0, 0, -1, -1));
}

void ReportUtilisation::paintLegend(QPainter& painter, const QRectF& body) const {
    constexpr double kSwatch = 11;
    const QFont font = fontOfSize(11);
    const QFontMetricsF metrics(font);
    double x = 0;
    const double y = body.top() + deviceCount() * kRow + (kLegend - kSwatch) / 2;
    const auto entry = [&](const QBrush& below, const QBrush& above, const QString& text) {
        const double width = metrics.horizontalAdvance(text);
        if (x + kSwatch + 5 + width > body.width()) {
            return; // never half a word
        }
        const QRectF swatch(x, y, kSwatch, kSwatch);
        painter.fillRect(swatch, below);
        painter.fillRect(swatch, above);
        painter.setPen(QPen(theme().control, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(swatch.adjusted(0, 0, -1, -1));
        painter.setPen(theme().secondary);
        painter.setFont(font);
        painter.drawText(QPointF(x + kSwatch + 5, y + kSwatch / 2 + metrics.capHeight() / 2), text);
        x += kSwatch + 5 + width + 12;
    };
    entry(theme().secondary, Qt::NoBrush, tr("computing"));
    entry(theme().base, hatchBrush(theme().secondary), tr("waiting for input"));
    if (holdsForMemory()) {
        entry(theme().base, hatchBrush(theme().worse, DeviceHatch::Crossed), tr("for memory"));
    }
    entry(theme().idle, Qt::NoBrush, tr("nothing left"));
}

QString ReportUtilisation::toolTipAt(QPointF position) const {
    const double y = position.y();
    const auto device = static_cast<DeviceId>((y - kHeading) / kRow);
    if (y < kHeading || device >= deviceCount()) {
        return {};
    }
    const sim::DeviceUse& use = report().devices[static_cast<std::size_t>(device)];
    const auto text = [this](Time time) { return timeText(time, problem().costs->unit()); };
    QStringList lines{
        QStringLiteral("<b>%1</b>").arg(deviceText(device).toHtmlEscaped()),
        countOf(use.ops, tr("op")),
        tr("computing %1").arg(text(use.busy)),
        tr("waiting for input %1").arg(text(use.waitingForInput)),
    };
    if (use.heldForMemory > 0) {
        lines.append(tr("held for memory %1").arg(text(use.heldForMemory)));
    }
    lines.append(tr("nothing left %1").arg(text(use.nothingLeft)));
    return lines.join(QStringLiteral("<br>"));
}

} // namespace doppler::views
