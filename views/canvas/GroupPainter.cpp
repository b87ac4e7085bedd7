#include "views/canvas/GroupPainter.h"

#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "views/format/Format.h"
#include "views/format/ShownText.h"
#include "views/theme/DeviceMark.h"

namespace doppler::views {

namespace {

constexpr double kRadius = 6;
constexpr double kBorder = 1.2;
constexpr double kCriticalBorder = 2.2;
constexpr double kMostCritical = 0.7; // of the boxes
constexpr double kPlainHeight = 9;    // pixels: below, a box is nothing but its colours
constexpr double kNameHeight = 30;    // from here on with its name
constexpr double kFactsHeight = 48;   // and with what is in it
constexpr double kBarShare = 0.22;    // of the height of a box with text
constexpr double kPadding = 7;
constexpr double kLetterWidth = 13;
constexpr int kLetterFont = 9;
constexpr double kStackStep = 3; // what looks out behind a box: there is more in it
constexpr double kOutsideShare = 0.3;
constexpr double kRingGap = 2.5;
constexpr double kRingWidth = 2.5;
constexpr double kHoverWidth = 1.5;
constexpr int kSmallTitleFont = 10;
constexpr double kTitleHeight = 9; // pixels of a frame's title from which on it is written
constexpr double kThinBundle = 1.2;
constexpr double kWidePerDoubling = 0.45;
constexpr double kWidestBundle = 5;
constexpr double kUnderlayMore = 4;
constexpr double kUnderlayShare = 0.35;
constexpr double kCountZoom = 0.55; // zoom from which on bundles say how many edges they are
constexpr double kLabelBack = 16;
constexpr double kLabelRoom = 24; // pixels of a line that a count leaves free
constexpr double kArrowLength = 7;
constexpr double kArrowHalfWidth = 3.2;
constexpr int kHatchAlpha = 89;

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

int fontFor(double pixels, int smallest, int largest) {
    return std::clamp(static_cast<int>(std::lround(pixels)), smallest, largest);
}

double bundleWidth(int count, double zoom) {
    const double full =
        std::min(kWidestBundle, kThinBundle + kWidePerDoubling * std::log2(std::max(1, count)));
    return full * std::clamp(0.4 + 0.65 * zoom, 0.45, 1.2);
}

QPainterPath pathOf(const std::vector<QPointF>& curve, const CanvasTransform& transform) {
    QPainterPath path(transform.toView(curve.front()));
    for (std::size_t i = 1; i + 2 < curve.size(); i += 3) {
        path.cubicTo(transform.toView(curve[i]), transform.toView(curve[i + 1]),
                     transform.toView(curve[i + 2]));
    }
    return path;
}

QRectF boundsOf(const std::vector<QPointF>& curve) {
    double left = curve[0].x(), right = left, top = curve[0].y(), bottom = top;
    for (const QPointF& point : curve) {
        left = std::min(left, point.x());
        right = std::max(right, point.x());
        top = std::min(top, point.y());
        bottom = std::max(bottom, point.y());
    }
    return QRectF(QPointF(left, top), QPointF(right, bottom)).adjusted(-1, -1, 1, 1);
}

} // namespace

GroupPainter::GroupPainter(const CanvasScene& scene, const NodePalette& palette,
                           const CriticalParts& critical, const Theme& theme)
    : scene_(scene), palette_(palette), critical_(critical), theme_(theme) {}

QString GroupPainter::sizeText(std::int32_t group) const {
    const graph::GroupTree::Node& node = scene_.folds->fold->tree().node(group);
    QString text = countOf(node.opCount, QStringLiteral("op"));
    if (node.flops > 0) {
        text += QStringLiteral(" · ") + flopsText(node.flops);
    }
    return text;
}

std::vector<GroupPainter::Content> GroupPainter::contents(const CanvasMarks& marks) const {
    const std::size_t boxes = scene_.folds->boxes.size();
    const std::size_t swatches = palette_.swatches.size();
    std::vector<int> counts(boxes * swatches, 0);
    std::vector<Content> contents(boxes);
    for (OpId op = 0; op < scene_.layout->opCount(); ++op) {
        const std::int32_t box = scene_.folds->boxOfOp[at(op)];
        if (box >= 0) {
            ++counts[at(box) * swatches + palette_.swatchOf[at(op)]];
            contents[at(box)].critical = contents[at(box)].critical || critical_.op(op);
            contents[at(box)].matches = contents[at(box)].matches || !marks.isOutside(op);
        }
    }
    // Devices in their order (A before B before AA), whatever op came first.
    std::vector<std::uint16_t> order(swatches);
    for (std::size_t i = 0; i < swatches; ++i) {
        order[i] = static_cast<std::uint16_t>(i);
    }
    std::stable_sort(order.begin(), order.end(), [this](std::uint16_t a, std::uint16_t b) {
        const QString& left = palette_.swatches[a].tag;
        const QString& right = palette_.swatches[b].tag;
        return left.size() != right.size() ? left.size() < right.size() : left < right;
    });
    // Where nearly all are critical, marking them would say nothing.
    std::size_t collapsed = 0;
    std::size_t critical = 0;
    for (std::size_t box = 0; box < boxes; ++box) {
        collapsed += scene_.folds->boxes[box].collapsed ? 1 : 0;
        critical += contents[box].critical ? 1 : 0;
    }
    for (std::size_t box = 0; box < boxes; ++box) {
        if (static_cast<double>(critical) > kMostCritical * static_cast<double>(collapsed)) {
            contents[box].critical = false;
        }
        for (const std::uint16_t swatch : order) {
            if (const int count = counts[box * swatches + swatch]; count > 0) {
                contents[box].shares.push_back({swatch, count});
            }
        }
    }
    return contents;
}

void GroupPainter::paintFrames(QPainter& painter, const CanvasTransform& transform,
                               const QRectF& viewRect) const {
    if (!scene_.folds) {
        return;
    }
    const double titleHeight = kFrameTitle * transform.zoom;
    const QFont font = fontOfSize(fontFor(11 * transform.zoom, 9, 13));
    for (const GroupBox& box : scene_.folds->boxes) {
        const QRectF rect = transform.toView(box.rect);
        if (box.collapsed || !rect.intersects(viewRect)) {
            continue;
        }
        // Each level a shade deeper, so that nesting is seen without strong lines.
        const double depth = std::min(0.3 + 0.22 * box.depth, 0.9);
        const double radius = std::min(kRadius, rect.width() / 8);
        painter.setPen(QPen(theme_.mixed(theme_.control, 0.55), 1));
        painter.setBrush(theme_.mixed(theme_.head, depth));
        painter.drawRoundedRect(rect, radius, radius);
        if (titleHeight < kTitleHeight) {
            continue;
        }
        const QRectF title(rect.topLeft(), QSizeF(rect.width(), titleHeight));
        QRectF text = title.adjusted(titleHeight, 0, -4, 0);
        // A long frame keeps its name in sight.
        text.setLeft(
            std::clamp(viewRect.left() + 4, text.left(), std::max(text.left(), text.right() - 80)));
        paintToggle(painter, QRectF(title.topLeft(), QSizeF(titleHeight, titleHeight)), false);
        painter.setFont(font);
        const QFontMetricsF metrics(font);
        const QString name = shownText(scene_.folds->fold->tree().node(box.group).name);
        const QString all = name + QStringLiteral(" · ") + sizeText(box.group);
        const bool fits = metrics.horizontalAdvance(all) <= text.width();
        painter.setPen(theme_.secondary);
        painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                         fits ? all : metrics.elidedText(name, Qt::ElideRight, text.width()));
    }
}

// Zoomed out, the outer frames still say what they are.
void GroupPainter::paintSmallTitles(QPainter& painter, const CanvasTransform& transform,
                                    const QRectF& viewRect) const {
    if (!scene_.folds || kFrameTitle * transform.zoom >= kTitleHeight) {
        return;
    }
    const QFont font = fontOfSize(kSmallTitleFont, true);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    for (const GroupBox& box : scene_.folds->boxes) {
        const QRectF rect = transform.toView(box.rect);
        const QString name = shownText(scene_.folds->fold->tree().node(box.group).name);
        const QSizeF size(metrics.horizontalAdvance(name) + 8, metrics.height() + 1);
        if (box.collapsed || box.depth > 1 || !rect.intersects(viewRect) ||
            rect.width() < size.width() + 4 || rect.height() < 2 * size.height()) {
            continue;
        }
        const QRectF card(rect.topLeft() + QPointF(2, 2), size);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme_.mixed(theme_.head, 0.9));
        painter.drawRoundedRect(card, 3, 3);
        painter.setPen(theme_.text);
        painter.drawText(card, Qt::AlignCenter, name);
    }
}

void GroupPainter::paintToggle(QPainter& painter, const QRectF& rect, bool collapsed) const {
    const double side = std::min(rect.width(), rect.height());
    const double half = std::clamp(side * 0.26, 3.0, 7.0);
    const QPointF middle = rect.center();
    painter.setPen(QPen(theme_.control, 1));
    painter.setBrush(theme_.base);
    painter.drawRoundedRect(QRectF(middle - QPointF(half, half), QSizeF(2 * half, 2 * half)), 2, 2);
    painter.setPen(QPen(theme_.text, 1.2));
    painter.drawLine(middle - QPointF(half * 0.55, 0), middle + QPointF(half * 0.55, 0));
    if (collapsed) {
        painter.drawLine(middle - QPointF(0, half * 0.55), middle + QPointF(0, half * 0.55));
    }
}

std::set<std::pair<int, int>> GroupPainter::criticalBundles() const {
    std::set<std::pair<int, int>> ends;
    if (critical_.edges.empty()) {
        return ends;
    }
    const auto end = [this](OpId op) {
        const std::int32_t box = scene_.folds->boxOfOp[at(op)];
        return box < 0 ? op : -1 - box;
    };
    for (EdgeId edge = 0; edge < scene_.graph().edgeCount(); ++edge) {
        if (critical_.edge(edge)) {
            ends.emplace(end(scene_.graph().source(edge)), end(scene_.graph().target(edge)));
        }
    }
    return ends;
}

std::pair<int, int> GroupPainter::endsOf(const BundleLine& bundle) {
    return {bundle.sourceBox < 0 ? bundle.sourceOp : -1 - bundle.sourceBox,
            bundle.targetBox < 0 ? bundle.targetOp : -1 - bundle.targetBox};
}

void GroupPainter::paintBundles(QPainter& painter, const CanvasTransform& transform,
                                const QRectF& viewRect) const {
    if (!scene_.folds) {
        return;
    }
    const QRectF area = transform.toScene(viewRect);
    const QFont font = fontOfSize(fontFor(11 * transform.zoom, 9, 12));
    const QFontMetricsF metrics(font);
    std::vector<std::pair<QPointF, QString>> labels;
    const std::set<std::pair<int, int>> critical = criticalBundles();
    for (const BundleLine& bundle : scene_.folds->bundles) {
        if (!boundsOf(bundle.curve).intersects(area)) {
            continue;
        }
        const double width = bundleWidth(bundle.count, transform.zoom);
        const bool isCritical = critical.count(endsOf(bundle)) > 0;
        const QColor colour = isCritical ? theme_.ink : theme_.edge;
        QPen pen(colour, isCritical ? std::max(width, 2.0) : width, Qt::SolidLine, Qt::FlatCap,
                 Qt::RoundJoin);
        if (bundle.backward) { // against the reading direction
            pen.setDashPattern({6, 3});
        }
        const QPainterPath path = pathOf(bundle.curve, transform);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(pen);
        painter.drawPath(path);
        const QPointF tip = transform.toView(bundle.curve.back());
        const QPointF before = transform.toView(bundle.curve[bundle.curve.size() - 2]);
        const double length = std::hypot(tip.x() - before.x(), tip.y() - before.y());
        if (length > 1e-6 && transform.zoom > 0.3) {
            const double scale = std::clamp(transform.zoom, 0.5, 1.0) * (1 + width / 8);
            const QPointF along = (tip - before) / length * kArrowLength * scale;
            const QPointF side = QPointF(-along.y(), along.x()) * kArrowHalfWidth / kArrowLength;
            painter.setPen(Qt::NoPen);
            painter.setBrush(colour);
            painter.drawPolygon(QPolygonF{tip, tip - along + side, tip - along - side});
        }
        if (bundle.count > 1 && transform.zoom >= kCountZoom) {
            const double whole = path.length();
            if (whole < metrics.horizontalAdvance(QString::number(bundle.count)) + kLabelRoom) {
                continue; // it would hide the line
            }
            // Close to the consumer, clear of the arrow.
            const double back = std::min(whole / 2, kLabelBack * transform.zoom + kArrowLength);
            labels.emplace_back(path.pointAtPercent(path.percentAtLength(whole - back)),
                                QString::number(bundle.count));
        }
    }
    painter.setFont(font);
    for (const auto& [place, text] : labels) { // above all lines
        const QSizeF size(metrics.horizontalAdvance(text) + 6, metrics.height());
        const QRectF card(place - QPointF(size.width() / 2, size.height() / 2), size);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme_.canvas);
        painter.drawRoundedRect(card, 3, 3);
        painter.setPen(theme_.secondary);
        painter.drawText(card, Qt::AlignCenter, text);
    }
}

void GroupPainter::paintBar(QPainter& painter, const QRectF& bar, const Content& content,
                            bool letters, double strength) const {
    int total = 0;
    for (const Share& share : content.shares) {
        total += share.count;
    }
    QPainterPath outline;
    const double radius = std::min(3.0, bar.height() / 3);
    outline.addRoundedRect(bar, radius, radius);
    painter.save();
    painter.setClipPath(outline, Qt::IntersectClip);
    painter.setFont(fontOfSize(kLetterFont, true));
    double left = bar.left();
    int counted = 0;
    for (const Share& share : content.shares) {
        counted += share.count;
        const double right = bar.left() + bar.width() * counted / std::max(1, total);
        const QRectF part(left, bar.top(), right - left, bar.height());
        const Swatch& swatch = palette_.swatches[share.swatch];
        painter.fillRect(part, theme_.mixed(swatch.fill, strength));
        if (swatch.hatch != DeviceHatch::None) {
            QColor hatch = swatch.text;
            hatch.setAlpha(kHatchAlpha);
            painter.fillRect(part, hatchBrush(hatch, swatch.hatch));
        }
        if (letters && part.width() >= kLetterWidth && !swatch.tag.isEmpty() && strength == 1) {
            painter.setPen(swatch.text);
            painter.drawText(part, Qt::AlignCenter, swatch.tag);
        }
        left = right;
    }
    painter.restore();
}

void GroupPainter::paintBox(QPainter& painter, const QRectF& rect, const GroupBox& box,
                            const Content& content, double zoom, bool outside) const {
    const double strength = outside ? kOutsideShare : 1;
    if (rect.height() < kPlainHeight) {
        paintBar(painter, rect, content, false, strength);
        return;
    }
    const QColor line =
        theme_.mixed(content.critical && !outside ? theme_.ink : theme_.control, strength);
    const double border = content.critical ? kCriticalBorder : kBorder;
    const double radius = std::min(kRadius, rect.height() / 5);
    const double step = kStackStep * std::clamp(zoom, 0.4, 1.2);
    painter.setPen(QPen(theme_.mixed(theme_.control, strength * 0.7), 1));
    painter.setBrush(theme_.mixed(theme_.idle, strength));
    painter.drawRoundedRect(rect.translated(step, step), radius, radius);
    painter.setPen(QPen(line, border));
    painter.setBrush(theme_.base);
    painter.drawRoundedRect(rect, radius, radius);
    if (rect.height() < kNameHeight) {
        const double inset = std::max(1.5, rect.height() * 0.14);
        paintBar(painter, rect.adjusted(inset, inset, -inset, -inset), content, false, strength);
        return;
    }
    const double padding = kPadding * std::clamp(zoom, 0.6, 1.2);
    const QRectF inner = rect.adjusted(padding, padding * 0.7, -padding, -padding);
    QRectF bar = inner;
    bar.setTop(inner.bottom() - std::clamp(rect.height() * kBarShare, 7.0, 16.0));
    paintBar(painter, bar, content, bar.height() >= 11, strength);

    const QFont nameFont = fontOfSize(fontFor(12 * zoom, 9, 14), true);
    const QFontMetricsF nameMetrics(nameFont);
    QRectF line1(inner.left(), inner.top(), inner.width(), nameMetrics.height());
    const double toggle = kFrameTitle * zoom;
    if (toggle >= 11) {
        paintToggle(painter, QRectF(rect.topLeft(), QSizeF(toggle, toggle)), true);
        line1.setLeft(rect.left() + toggle);
    }
    painter.setPen(theme_.mixed(theme_.text, outside ? 0.5 : 1));
    painter.setFont(nameFont);
    const QString name = shownText(scene_.folds->fold->tree().node(box.group).name);
    painter.drawText(line1, Qt::AlignLeft | Qt::AlignVCenter,
                     nameMetrics.elidedText(name, Qt::ElideRight, line1.width()));
    const QFont factsFont = fontOfSize(fontFor(11 * zoom, 9, 12));
    const QFontMetricsF factsMetrics(factsFont);
    if (rect.height() >= kFactsHeight && line1.bottom() + factsMetrics.height() <= bar.top() + 1) {
        const QRectF line2(inner.left(), line1.bottom(), inner.width(), factsMetrics.height());
        QString facts = sizeText(box.group);
        if (factsMetrics.horizontalAdvance(facts) > line2.width()) {
            facts =
                countOf(scene_.folds->fold->tree().node(box.group).opCount, QStringLiteral("op"));
        }
        painter.setPen(theme_.mixed(theme_.secondary, outside ? 0.5 : 1));
        painter.setFont(factsFont);
        painter.drawText(line2, Qt::AlignLeft | Qt::AlignVCenter, facts);
    }
}

void GroupPainter::paintBoxes(QPainter& painter, const CanvasTransform& transform,
                              const QRectF& viewRect, const CanvasMarks& marks) const {
    if (!scene_.folds) {
        return;
    }
    const std::vector<Content> content = contents(marks);
    for (std::size_t i = 0; i < scene_.folds->boxes.size(); ++i) {
        const GroupBox& box = scene_.folds->boxes[i];
        const QRectF rect = transform.toView(box.rect);
        if (box.collapsed && rect.adjusted(-8, -8, 8, 8).intersects(viewRect)) {
            paintBox(painter, rect, box, content[i], transform.zoom, !content[i].matches);
        }
    }
}

std::vector<int> GroupPainter::selectedOps(const CanvasMarks& marks) const {
    std::vector<int> counts(scene_.folds->boxes.size(), 0);
    for (const OpId op : marks.selected) {
        if (op < scene_.layout->opCount() && scene_.isHidden(op)) {
            ++counts[at(scene_.folds->boxOfOp[at(op)])];
        }
    }
    return counts;
}

void GroupPainter::paintUnderlay(QPainter& painter, const CanvasTransform& transform,
                                 const CanvasMarks& marks) const {
    if (!scene_.folds) {
        return;
    }
    const std::vector<int> selected = selectedOps(marks);
    const auto isSelected = [&](std::int32_t box, OpId op) {
        return box >= 0 ? selected[at(box)] > 0 : marks.selected.count(op) > 0;
    };
    painter.setBrush(Qt::NoBrush);
    for (const BundleLine& bundle : scene_.folds->bundles) {
        if (isSelected(bundle.sourceBox, bundle.sourceOp) ||
            isSelected(bundle.targetBox, bundle.targetOp)) {
            painter.setPen(QPen(theme_.mixed(theme_.accent, kUnderlayShare),
                                bundleWidth(bundle.count, transform.zoom) + kUnderlayMore,
                                Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
            painter.drawPath(pathOf(bundle.curve, transform));
        }
    }
}

void GroupPainter::paintRings(QPainter& painter, const CanvasTransform& transform,
                              const CanvasMarks& marks) const {
    if (!scene_.folds) {
        return;
    }
    const std::vector<int> selected = selectedOps(marks);
    painter.setBrush(Qt::NoBrush);
    for (std::size_t i = 0; i < scene_.folds->boxes.size(); ++i) {
        const GroupBox& box = scene_.folds->boxes[i];
        const QRectF rect = transform.toView(box.rect);
        if (selected[i] > 0) {
            const bool all = selected[i] == scene_.folds->fold->tree().node(box.group).opCount;
            const double grow = kRingGap + kRingWidth / 2;
            painter.setPen(QPen(theme_.accent, kRingWidth, all ? Qt::SolidLine : Qt::DashLine));
            painter.drawRoundedRect(rect.adjusted(-grow, -grow, grow, grow), kRadius + grow,
                                    kRadius + grow);
        }
        const bool hovered =
            marks.hoveredBox == static_cast<std::int32_t>(i) ||
            (marks.hovered != kNoOp && marks.hovered < scene_.layout->opCount() &&
             scene_.folds->boxOfOp[at(marks.hovered)] == static_cast<std::int32_t>(i));
        if (hovered) {
            const double grow = selected[i] > 0 ? kRingGap + kRingWidth + 2 : 2;
            const double radius = std::min(kRadius + grow, rect.width() / 4);
            painter.setPen(QPen(theme_.text, kHoverWidth));
            painter.drawRoundedRect(rect.adjusted(-grow, -grow, grow, grow), radius, radius);
        }
    }
}

void GroupPainter::paintSmall(QPainter& painter, const CanvasTransform& transform) const {
    if (!scene_.folds) {
        return;
    }
    const std::vector<Content> content = contents({});
    for (std::size_t i = 0; i < scene_.folds->boxes.size(); ++i) {
        const GroupBox& box = scene_.folds->boxes[i];
        if (box.collapsed) {
            QRectF rect = transform.toView(box.rect);
            rect.setSize(rect.size().expandedTo(QSizeF(1, 1)));
            paintBar(painter, rect, content[i], false, 1);
        }
    }
}

} // namespace doppler::views
