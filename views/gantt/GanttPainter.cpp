#include "views/gantt/GanttPainter.h"

#include <QFontMetricsF>
#include <QObject>
#include <algorithm>
#include <cmath>

#include "views/format/Format.h"
#include "views/format/OpName.h"
#include "views/format/ShownText.h"
#include "views/gantt/TimeTicks.h"
#include "views/theme/DeviceMark.h"

namespace doppler::views {

namespace {

constexpr int kLabelPixels = 11;
constexpr double kLabelFrom = 20;   // narrower bars carry no label
constexpr double kNameFrom = 60;    // from here labels have air around them
constexpr double kLabelPadding = 6; // left and right of a name
constexpr double kRadiusFrom = 6;   // narrower bars have square corners
constexpr double kRadius = 2;
constexpr double kBarGap = 0.8;
constexpr double kGapFrom = 3;      // narrower bars do not give a gap away
constexpr double kReceiverTail = 4; // of a transfer, in the receiver's colour
constexpr double kTailFrom = 7;     // narrower transfers have no tail
constexpr double kDimmed = 0.5;
constexpr double kMarkOverhang = 4;       // of makespan and bound lines above and below the lanes
constexpr double kBoundGap = 4;           // between the word and its line
constexpr double kTitleGap = 12;          // between the texts of a title
constexpr double kLeastDescription = 120; // narrower it says nothing

std::size_t at(std::int32_t index) {
    return static_cast<std::size_t>(index);
}

QString boundWord() {
    return QObject::tr("bound");
}

QColor blend(const QColor& top, const QColor& below, double share) {
    const auto mix = [share](int a, int b) {
        return static_cast<int>(std::lround(share * a + (1 - share) * b));
    };
    return {mix(top.red(), below.red()), mix(top.green(), below.green()),
            mix(top.blue(), below.blue())};
}

} // namespace

GanttPainter::GanttPainter(QPainter& painter, const GanttScene& scene,
                           const GanttGeometry& geometry, int track)
    : painter_(painter)
    , scene_(scene)
    , geometry_(geometry)
    , index_(track)
    , track_(scene.tracks[static_cast<std::size_t>(track)])
    , labelFont_(fontOfSize(
          std::clamp(static_cast<int>(geometry.metrics().compute * 0.6), 7, kLabelPixels))) {
    const QFontMetricsF metrics(labelFont_);
    digitWidth_ = metrics.horizontalAdvance(QLatin1Char('0'));
    baseline_ = (metrics.capHeight()) / 2;
}

void GanttPainter::paint() {
    painter_.save();
    if (track_.dimmed) {
        painter_.setOpacity(kDimmed);
    }
    paintTitle();
    const int devices = track_.lanes->deviceCount();
    for (DeviceId device = 0; device < devices; ++device) {
        if (isVisible(geometry_.deviceRect(index_, device))) {
            painter_.fillRect(geometry_.laneRect(index_, device), scene_.theme.lane);
            painter_.fillRect(geometry_.linkRect(index_, device), scene_.theme.lane);
        }
    }
    paintGrid();
    for (DeviceId device = 0; device < devices; ++device) {
        if (isVisible(geometry_.deviceRect(index_, device))) {
            paintDevice(device);
        }
    }
    if (scene_.criticalChain && track_.report) {
        painter_.save();
        painter_.setClipRect(QRectF(geometry_.lanesLeft() - 2, 0,
                                    geometry_.lanesRight() - geometry_.lanesLeft() + 4,
                                    geometry_.lanesHeight()),
                             Qt::IntersectClip);
        paintCriticalChain(painter_, scene_, geometry_, index_);
        painter_.restore();
    }
    paintMarks();
    painter_.restore();
}

bool GanttPainter::isVisible(const QRectF& rect) const {
    return rect.bottom() >= 0 && rect.top() <= geometry_.lanesHeight();
}

void GanttPainter::paintTitle() {
    const QRectF rect = geometry_.titleRect(index_);
    if (!isVisible(rect)) {
        return;
    }
    const QFont bold = fontOfSize(12, true);
    const QString name = QFontMetricsF(bold).elidedText(titleName(), Qt::ElideRight, rect.width());
    painter_.setFont(bold);
    painter_.setPen(scene_.theme.text);
    painter_.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter, name);

    // The description gives way to the word over the bound: it ends before it, or starts after it.
    QRectF room = rect;
    room.setLeft(titleNameRight() + kTitleGap);
    if (const QRectF word = boundWordRect(); !word.isEmpty()) {
        if (word.left() - kTitleGap - room.left() >= kLeastDescription) {
            room.setRight(word.left() - kTitleGap);
        } else {
            room.setLeft(word.right() + kTitleGap);
        }
    }
    if (room.width() <= 0) {
        return;
    }
    const QFont plain = fontOfSize(12);
    painter_.setFont(plain);
    painter_.setPen(scene_.theme.secondary);
    painter_.drawText(
        room, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetricsF(plain).elidedText(track_.description, Qt::ElideRight, room.width()));
}

QString GanttPainter::titleName() const {
    const QString name = shownText(track_.name);
    return track_.letter.isEmpty() ? name : track_.letter + QStringLiteral("  ") + name;
}

double GanttPainter::titleNameRight() const {
    const QRectF rect = geometry_.titleRect(index_);
    return std::min(rect.right(),
                    rect.left() +
                        QFontMetricsF(fontOfSize(12, true)).horizontalAdvance(titleName()));
}

QRectF GanttPainter::boundWordRect() const {
    const auto bound = static_cast<double>(scene_.bound);
    if (index_ != 0 || scene_.bound <= 0 || bound < geometry_.from() || bound > geometry_.to()) {
        return {};
    }
    const QRectF title = geometry_.titleRect(index_);
    const QFontMetricsF metrics(fontOfSize(kLabelPixels));
    const double width = metrics.horizontalAdvance(boundWord());
    const double left =
        std::max(geometry_.lanesLeft(), std::round(geometry_.x(bound)) - width - kBoundGap);
    const QRectF word(left, title.bottom() - kMarkOverhang - metrics.ascent(), width,
                      metrics.height());
    // The track's name is worth more than the word.
    return left < titleNameRight() + kTitleGap ? QRectF() : word;
}

void GanttPainter::paintGrid() {
    const double top = geometry_.titleRect(index_).bottom();
    painter_.setPen(QPen(scene_.theme.grid, 1));
    painter_.setRenderHint(QPainter::Antialiasing, false);
    for (const TimeTick& tick :
         timeTicks(geometry_.from(), geometry_.to(), tickCount(geometry_), scene_.unit())) {
        const double x = std::round(geometry_.x(tick.time));
        painter_.drawLine(QPointF(x, top), QPointF(x, geometry_.trackBottom(index_)));
    }
}

void GanttPainter::paintDevice(DeviceId device) {
    paintDeviceChip(painter_, geometry_.chipRect(index_, device), scene_.device(device));
    if (track_.lanes->hasCaptions()) {
        const QRectF rect = geometry_.captionRect(index_, device);
        const QFont font = fontOfSize(kLabelPixels);
        painter_.setFont(font);
        painter_.setPen(scene_.theme.secondary);
        painter_.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetricsF(font).elidedText(shownText(track_.lanes->caption(device)),
                                                         Qt::ElideMiddle, rect.width()));
    }
    painter_.save();
    painter_.setClipRect(geometry_.deviceRect(index_, device), Qt::IntersectClip);
    paintBars(device);
    if (geometry_.metrics().link > 0) {
        paintTransfers(device);
    }
    painter_.restore();
}

void GanttPainter::paintBars(DeviceId device) {
    const DeviceStyle& style = scene_.device(device);
    const QBrush& hatch = scene_.hatches[at(device)];
    const DeviceLane& lane = track_.lanes->device(device);
    for (std::size_t row = 0; row < lane.compute.size(); ++row) {
        const QRectF rect = geometry_.computeRow(index_, device, static_cast<int>(row));
        pixelSpans(lane.compute[row], geometry_.map(), spans_);
        for (const PixelSpan& span : spans_) {
            QRectF bar(span.left, rect.top(), span.right - span.left, rect.height());
            if (span.span < 0) {
                painter_.setRenderHint(QPainter::Antialiasing, false);
                painter_.fillRect(bar, blend(style.fill, scene_.theme.lane, span.quarters / 4.0));
                continue;
            }
            bar.setWidth(bar.width() >= kGapFrom ? bar.width() - kBarGap : bar.width());
            if (bar.width() < kRadiusFrom) {
                painter_.setRenderHint(QPainter::Antialiasing, bar.width() >= kGapFrom);
                painter_.fillRect(bar, style.fill);
                continue;
            }
            painter_.setRenderHint(QPainter::Antialiasing);
            painter_.setPen(Qt::NoPen);
            painter_.setBrush(style.fill);
            painter_.drawRoundedRect(bar, kRadius, kRadius);
            if (style.hatch != DeviceHatch::None) {
                painter_.setBrush(hatch);
                painter_.drawRoundedRect(bar, kRadius, kRadius);
            }
            if (bar.width() >= kLabelFrom) {
                const LaneSpan& source = lane.compute[row][at(span.span)];
                paintLabel(bar, track_.interval(source.interval).op, style);
            }
        }
    }
}

void GanttPainter::paintLabel(const QRectF& bar, OpId op, const DeviceStyle& style) {
    if (bar.height() < digitWidth_ * 1.4) {
        return;
    }
    // The label stays in sight when its bar is cut off by the edge of the view.
    const double left = std::max(bar.left(), geometry_.lanesLeft());
    const double right = std::min(bar.right(), geometry_.lanesRight());
    const QFontMetricsF metrics(labelFont_);
    const double padding = right - left >= kNameFrom ? 2 * kLabelPadding : kLabelPadding / 2;
    const QString label =
        fittingOpName(*track_.problem->graph, op, metrics, right - left - padding);
    if (label.isEmpty()) {
        return;
    }
    const double width = metrics.horizontalAdvance(label);
    if (style.hatch != DeviceHatch::None) {
        painter_.setPen(Qt::NoPen);
        painter_.setBrush(style.fill);
        painter_.drawRect(
            QRectF((left + right - width) / 2 - 2, bar.top(), width + 4, bar.height()));
    }
    painter_.setFont(labelFont_);
    painter_.setPen(style.text);
    painter_.drawText(QPointF((left + right - width) / 2, bar.center().y() + baseline_), label);
}

void GanttPainter::paintTransfers(DeviceId device) {
    const DeviceStyle& style = scene_.device(device);
    const DeviceLane& lane = track_.lanes->device(device);
    painter_.setRenderHint(QPainter::Antialiasing, false);
    for (std::size_t row = 0; row < lane.links.size(); ++row) {
        const QRectF rect = geometry_.linkRow(index_, device, static_cast<int>(row));
        pixelSpans(lane.links[row], geometry_.map(), spans_);
        for (const PixelSpan& span : spans_) {
            const QRectF bar(span.left, rect.top(), span.right - span.left, rect.height());
            if (span.span < 0) {
                painter_.fillRect(bar, blend(style.fill, scene_.theme.lane, span.quarters / 4.0));
            } else {
                paintTransfer(bar, lane.links[row][at(span.span)], style);
            }
        }
    }
}

void GanttPainter::paintTransfer(const QRectF& bar, const LaneSpan& span,
                                 const DeviceStyle& style) {
    QRectF body = bar;
    body.setWidth(bar.width() >= kGapFrom ? bar.width() - kBarGap : bar.width());
    painter_.fillRect(body, style.fill);
    if (span.count > 1) {
        // Several share the row: no single receiver.
        painter_.fillRect(body, QBrush(scene_.theme.text, Qt::Dense6Pattern));
        return;
    }
    const sim::Interval& transfer = track_.interval(span.interval);
    if (bar.width() >= kTailFrom && transfer.end == span.end) {
        painter_.fillRect(
            QRectF(body.right() - kReceiverTail, body.top(), kReceiverTail, body.height()),
            scene_.device(transfer.to).fill);
    }
}

void GanttPainter::paintMarks() {
    const double top = geometry_.titleRect(index_).bottom() - kMarkOverhang;
    const double bottom = geometry_.trackBottom(index_) + kMarkOverhang - 1;
    painter_.setRenderHint(QPainter::Antialiasing, false);
    const auto bound = static_cast<double>(scene_.bound);
    if (scene_.bound > 0 && bound >= geometry_.from() && bound <= geometry_.to()) {
        const double x = std::round(geometry_.x(bound));
        painter_.setPen(QPen(scene_.theme.ink, 1.2, Qt::CustomDashLine));
        QPen pen(scene_.theme.ink, 1);
        pen.setDashPattern({4, 3});
        painter_.setPen(pen);
        painter_.drawLine(QPointF(x, top), QPointF(x, bottom));
        if (const QRectF word = boundWordRect(); !word.isEmpty()) {
            painter_.setFont(fontOfSize(kLabelPixels));
            painter_.setPen(scene_.theme.text);
            painter_.drawText(QPointF(word.left(), top), boundWord());
        }
    }
    paintMakespan();
}

void GanttPainter::paintMakespan() {
    const auto makespan = static_cast<double>(track_.timeline->makespan);
    if (makespan < geometry_.from() || makespan > geometry_.to()) {
        return;
    }
    const double top = geometry_.titleRect(index_).bottom() - kMarkOverhang;
    const double bottom = geometry_.trackBottom(index_) + kMarkOverhang - 1;
    const double x = std::round(geometry_.x(makespan));
    painter_.fillRect(QRectF(x - 1, top, 2, bottom - top), scene_.theme.ink);

    const QFont font = fontOfSize(12, true);
    const QFontMetricsF metrics(font);
    const QString value = timeText(track_.timeline->makespan, scene_.unit());
    const double width = metrics.horizontalAdvance(value);
    const bool right = x + 6 + width <= geometry_.width() - 2;
    // When lanes are scrolled out of sight below, the value stays above the axis.
    const double lowest = std::min(bottom, geometry_.lanesHeight() - 2);
    if (lowest - metrics.height() < top) {
        return;
    }
    const QRectF text(right ? x + 6 : x - 6 - width, lowest - metrics.height() - 1, width,
                      metrics.height());
    if (!right) {
        painter_.fillRect(text.adjusted(-2, 0, 2, 0), scene_.theme.base);
    }
    painter_.setFont(font);
    painter_.setPen(scene_.theme.text);
    painter_.drawText(text, Qt::AlignCenter, value);
}

void paintGantt(QPainter& painter, const GanttScene& scene, const GanttGeometry& geometry) {
    painter.fillRect(QRectF(0, 0, geometry.width(), geometry.height()), scene.theme.base);
    painter.save();
    painter.setClipRect(QRectF(0, 0, geometry.width(), geometry.lanesHeight()));
    for (int track = 0; track < geometry.trackCount(); ++track) {
        GanttPainter(painter, scene, geometry, track).paint();
    }
    painter.restore();
    paintTimeAxis(painter, scene, geometry);
}

int tickCount(const GanttGeometry& geometry) {
    constexpr double kPixelsPerTick = 90;
    return std::max(
        1, static_cast<int>((geometry.lanesRight() - geometry.lanesLeft()) / kPixelsPerTick));
}

void paintTimeAxis(QPainter& painter, const GanttScene& scene, const GanttGeometry& geometry) {
    const QRectF rect = geometry.axisRect();
    painter.fillRect(QRectF(0, rect.top(), geometry.width(), geometry.height() - rect.top()),
                     scene.theme.base);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(scene.theme.control, 1));
    painter.drawLine(rect.topLeft(), rect.topRight());
    const QFont font = fontOfSize(kLabelPixels);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    const std::vector<TimeTick> ticks =
        timeTicks(geometry.from(), geometry.to(), tickCount(geometry), scene.unit());
    double freeFrom = 0;
    for (const TimeTick& tick : ticks) {
        const double x = std::round(geometry.x(tick.time));
        painter.setPen(QPen(scene.theme.control, 1));
        painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.top() + 4));
        const double width = metrics.horizontalAdvance(tick.label);
        // The number stands under its tick; what follows the last one hangs to the right, but
        // nothing may leave the view.
        const double numberWidth =
            metrics.horizontalAdvance(tick.label.section(QLatin1Char(' '), 0, 0));
        const double left = std::min(x - numberWidth / 2, geometry.width() - width - 4);
        if (left < freeFrom) {
            continue;
        }
        painter.setPen(scene.theme.secondary);
        painter.drawText(QPointF(left, rect.top() + 6 + metrics.ascent()), tick.label);
        freeFrom = left + width + 6;
    }
}

} // namespace doppler::views
