#include "views/canvas/NodePainter.h"

#include <QGlyphRun>
#include <QRawFont>
#include <algorithm>
#include <array>
#include <cmath>

#include "views/canvas/NodeShape.h"
#include "views/format/Format.h"
#include "views/format/OpName.h"

namespace doppler::views {

namespace {

constexpr int kIdFont = 11; // at 100 %
constexpr int kSmallestIdFont = 8;
constexpr int kLargestIdFont = 14;
constexpr int kNameFont = 12;
constexpr int kTimeFont = 11;
constexpr double kIdDrop = 2.5;    // ids sit below the middle, clear of the tag
constexpr double kIdPadding = 0.8; // to each side
constexpr double kTagWidth = 18;   // narrower nodes have no room for a tag beside the id
constexpr double kDensityCell = 2; // pixels
constexpr double kOutsideShare = 0.3;
// Squares too small for a border are marked as critical only while those are few.
constexpr double kFewCritical = 100;
constexpr double kCriticalShare = 0.05;
constexpr double kRingGap = 2.5;
constexpr double kRingWidth = 2.5;
constexpr double kHoverGap = 3;
constexpr double kHoverWidth = 1.5;
constexpr double kPinRadius = 6.5; // at 100 %

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

/// The size at which every id of the graph fits into a node, so that either all are written or
/// none; 0: none.
int idFontSize(const CanvasTransform& transform, int ops) {
    const int wanted = std::clamp(static_cast<int>(std::lround(kIdFont * transform.zoom)),
                                  kSmallestIdFont, kLargestIdFont);
    const QString widest(QString::number(std::max(ops - 1, 0)).size(), u'8');
    const double room = transform.nodeWidth() - 2 * kIdPadding;
    for (int size = wanted; size >= kSmallestIdFont; --size) {
        if (QFontMetricsF(fontOfSize(size)).horizontalAdvance(widest) <= room) {
            return size;
        }
    }
    return 0;
}

/// The short name, or what fits of a longer one; empty: nothing.
QString idOf(const graph::Graph& graph, OpId op, const QFontMetricsF& metrics, double room) {
    const QString id = shortOpName(graph, op);
    constexpr qsizetype kShort = 8; // longer ones are not worth measuring twice
    return id.size() <= kShort && metrics.horizontalAdvance(id) <= room
               ? id
               : fittingOpName(graph, op, metrics, room);
}

/// Writes many short numbers without shaping each as text.
class DigitWriter {
public:
    explicit DigitWriter(const QFont& font) : raw_(QRawFont::fromFont(font)) {
        const QList<quint32> indexes = raw_.glyphIndexesForString(QStringLiteral("0123456789"));
        const QList<QPointF> advances = raw_.advancesForGlyphIndexes(indexes);
        isUsable_ = indexes.size() == 10 && !indexes.contains(0);
        for (int digit = 0; isUsable_ && digit < 10; ++digit) {
            glyphs_[at(digit)] = indexes[digit];
            advances_[at(digit)] = advances[digit].x();
        }
        const QFontMetricsF metrics(font);
        halfHeight_ = metrics.capHeight() / 2;
    }

    /// False for a font without digits of its own.
    bool isUsable() const { return isUsable_; }

    double width(int number) const {
        double width = 0;
        for (const char digit : std::to_string(number)) {
            width += advances_[at(digit - '0')];
        }
        return width;
    }

    void add(int number, const QPointF& middle) {
        double x = middle.x() - width(number) / 2;
        const double y = std::round(middle.y() + halfHeight_);
        for (const char digit : std::to_string(number)) {
            indexes_.push_back(glyphs_[at(digit - '0')]);
            positions_.push_back(QPointF(x, y));
            x += advances_[at(digit - '0')];
        }
    }

    void flush(QPainter& painter, const QColor& colour) {
        QGlyphRun run;
        run.setRawFont(raw_);
        run.setGlyphIndexes(indexes_);
        run.setPositions(positions_);
        painter.setPen(colour);
        painter.drawGlyphRun(QPointF(), run);
        indexes_.clear();
        positions_.clear();
    }

private:
    QRawFont raw_;
    bool isUsable_ = false;
    std::array<quint32, 10> glyphs_{};
    std::array<double, 10> advances_{};
    double halfHeight_ = 0;
    QList<quint32> indexes_;
    QList<QPointF> positions_;
};

} // namespace

NodePainter::NodePainter(const CanvasScene& scene, const NodePalette& palette,
                         const CriticalParts& critical, const Theme& theme, NodeSprites* sprites)
    : scene_(scene), palette_(palette), critical_(critical), theme_(theme), sprites_(sprites) {}

void NodePainter::paint(QPainter& painter, const CanvasTransform& transform,
                        const std::vector<OpId>& ops, const CanvasMarks& marks) const {
    switch (transform.detail()) {
    case DetailLevel::Density:
        paintDensity(painter, transform, ops, marks);
        break;
    case DetailLevel::Square:
        paintSquares(painter, transform, ops, marks);
        break;
    case DetailLevel::Shape:
        paintShapes(painter, transform, ops, marks);
        break;
    case DetailLevel::Label:
        paintShapes(painter, transform, ops, marks);
        paintIds(painter, transform, ops, marks);
        break;
    case DetailLevel::Full:
        paintShapes(painter, transform, ops, marks);
        for (const OpId op : ops) {
            if (!marks.isOutside(op)) {
                paintText(painter, transform, op);
            }
        }
        break;
    }
}

bool NodePainter::marksCritical(const std::vector<OpId>& ops) const {
    const auto count =
        std::count_if(ops.begin(), ops.end(), [this](OpId op) { return critical_.op(op); });
    return static_cast<double>(count) <=
           std::max(kFewCritical, kCriticalShare * static_cast<double>(ops.size()));
}

QColor NodePainter::squareColour(OpId op, const CanvasMarks& marks) const {
    const QColor& colour = palette_.of(op).fill;
    return marks.isOutside(op) ? theme_.mixed(colour, kOutsideShare) : colour;
}

// Mean colour of the nodes in each cell of a few pixels.
void NodePainter::paintDensity(QPainter& painter, const CanvasTransform& transform,
                               const std::vector<OpId>& ops, const CanvasMarks& marks) const {
    const QRectF view =
        transform.toView(scene_.layout->bounds)
            .adjusted(-kDensityCell, -kDensityCell, kDensityCell, kDensityCell)
            .intersected(painter.clipBoundingRect().isEmpty() ? QRectF(painter.viewport())
                                                              : painter.clipBoundingRect());
    const int columns = static_cast<int>(view.width() / kDensityCell) + 1;
    const int rows = static_cast<int>(view.height() / kDensityCell) + 1;
    if (columns <= 1 || rows <= 1) {
        return;
    }
    struct Cell {
        int red = 0, green = 0, blue = 0, count = 0;
    };
    std::vector<Cell> cells(at(columns * rows));
    for (const OpId op : ops) {
        const QPointF place =
            (transform.toView(scene_.layout->centre(op)) - view.topLeft()) / kDensityCell;
        const int column = static_cast<int>(std::floor(place.x()));
        const int row = static_cast<int>(std::floor(place.y()));
        if (column < 0 || row < 0 || column >= columns || row >= rows) {
            continue;
        }
        const QRgb colour = squareColour(op, marks).rgb();
        Cell& cell = cells[at(row * columns + column)];
        cell.red += qRed(colour);
        cell.green += qGreen(colour);
        cell.blue += qBlue(colour);
        ++cell.count;
    }
    QImage image(columns, rows, QImage::Format_ARGB32_Premultiplied);
    for (int row = 0; row < rows; ++row) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(row));
        for (int column = 0; column < columns; ++column) {
            const Cell& cell = cells[at(row * columns + column)];
            line[column] = cell.count == 0 ? 0
                                           : qRgb(cell.red / cell.count, cell.green / cell.count,
                                                  cell.blue / cell.count);
        }
    }
    painter.save();
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(QRectF(view.topLeft(), QSizeF(columns, rows) * kDensityCell), image);
    const bool marked = marksCritical(ops);
    for (const OpId op : ops) {
        if (marked && critical_.op(op) && !marks.isOutside(op)) {
            const QPointF centre = transform.toView(scene_.layout->centre(op));
            painter.fillRect(QRectF(centre - QPointF(1, 1), QSizeF(3, 3)), theme_.ink);
        }
    }
    painter.restore();
}

QRectF NodePainter::squareInView(OpId op, const CanvasTransform& transform) const {
    const double side = transform.nodeWidth();
    const QPointF centre = transform.toView(scene_.layout->centre(op));
    return {centre - QPointF(side / 2, side / 2), QSizeF(side, side)};
}

void NodePainter::paintSquares(QPainter& painter, const CanvasTransform& transform,
                               const std::vector<OpId>& ops, const CanvasMarks& marks) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, sprites_ == nullptr);
    const bool marked = marksCritical(ops);
    for (const OpId op : ops) {
        QRectF square = squareInView(op, transform);
        square = sprites_ ? QRectF(square.toRect()) : square;
        if (marked && critical_.op(op) && !marks.isOutside(op)) {
            painter.fillRect(square.adjusted(-1, -1, 1, 1), theme_.ink);
        }
        painter.fillRect(square, squareColour(op, marks));
    }
    painter.restore();
}

void NodePainter::paintShapes(QPainter& painter, const CanvasTransform& transform,
                              const std::vector<OpId>& ops, const CanvasMarks& marks) const {
    if (sprites_) {
        sprites_->prepare(QSizeF(kNodeWidth, kNodeHeight) * transform.zoom,
                          painter.device()->devicePixelRatioF(), palette_, theme_);
    }
    for (const OpId op : ops) {
        const NodeBody body{graph::family(scene_.graph().kind(op)), critical_.op(op),
                            marks.isOutside(op)};
        const QRectF node = transform.toView(scene_.layout->nodeRect(op));
        if (sprites_) {
            sprites_->drawBody(painter, node.topLeft(), body, palette_.swatchOf[at(op)]);
        } else {
            drawNodeBody(painter, node, body, palette_.of(op), theme_);
        }
    }
}

void NodePainter::paintTags(QPainter& painter, const CanvasTransform& transform,
                            const std::vector<OpId>& ops, const CanvasMarks& marks) const {
    if (transform.nodeWidth() < kTagWidth) {
        return;
    }
    for (const OpId op : ops) {
        if (marks.isOutside(op) || palette_.of(op).tag.isEmpty()) {
            continue;
        }
        const QRectF node = transform.toView(scene_.layout->nodeRect(op));
        if (sprites_) {
            sprites_->drawTag(painter, node.topLeft(), critical_.op(op), palette_.swatchOf[at(op)]);
        } else {
            drawDeviceTag(painter, node, critical_.op(op), palette_.of(op), theme_);
        }
    }
}

void NodePainter::paintIds(QPainter& painter, const CanvasTransform& transform,
                           const std::vector<OpId>& ops, const CanvasMarks& marks) const {
    const int size = idFontSize(transform, scene_.graph().opCount());
    if (size == 0) {
        return;
    }
    const QFont font = fontOfSize(size);
    const double drop = transform.nodeWidth() >= kTagWidth ? kIdDrop * transform.zoom : 0;
    const auto middle = [&](OpId op) {
        return transform.toView(scene_.layout->centre(op)) + QPointF(0, drop);
    };
    DigitWriter writer(font);
    if (sprites_ && writer.isUsable()) {
        for (const bool light : {false, true}) {
            QColor colour;
            for (const OpId op : ops) {
                const QColor& text = palette_.of(op).text;
                if ((text == Qt::white) == light && !marks.isOutside(op) &&
                    !scene_.graph().hasOwnName(op)) {
                    writer.add(op, middle(op));
                    colour = text;
                }
            }
            writer.flush(painter, colour);
        }
    }
    const bool digitsDone = sprites_ && writer.isUsable();
    painter.setFont(font);
    const QFontMetricsF metrics(font);
    const double room = transform.nodeWidth() - 2 * kIdPadding;
    for (const OpId op : ops) {
        if (marks.isOutside(op) || (digitsDone && !scene_.graph().hasOwnName(op))) {
            continue;
        }
        const QString id = idOf(scene_.graph(), op, metrics, room);
        if (!id.isEmpty()) {
            const double width = metrics.horizontalAdvance(id);
            painter.setPen(palette_.of(op).text);
            const QPointF point = middle(op);
            painter.drawText(QPointF(point.x() - width / 2, point.y() + metrics.capHeight() / 2),
                             id);
        }
    }
}

// Name over time; a name that does not fit ends in an ellipsis, a time is left out.
void NodePainter::paintText(QPainter& painter, const CanvasTransform& transform, OpId op) const {
    const QRectF node = transform.toView(scene_.layout->nodeRect(op));
    const QRectF area = textArea(graph::family(scene_.graph().kind(op)), node);
    const QFont nameFont = fontOfSize(kNameFont, true);
    const QFont timeFont = fontOfSize(kTimeFont);
    const QFontMetricsF nameMetrics(nameFont);
    const QFontMetricsF timeMetrics(timeFont);

    const QString name = fittingOpName(scene_.graph(), op, nameMetrics, area.width());
    const Time duration =
        scene_.timeline && scene_.timeline->executionOf.size() == at(scene_.graph().opCount())
            ? scene_.timeline->execution(op).end - scene_.timeline->execution(op).start
            : scene_.problem->costs->compute(op, std::max(scene_.device(op), 0));
    QString time = timeText(duration, scene_.problem->costs->unit());
    if (timeMetrics.horizontalAdvance(time) > area.width()) {
        time.clear();
    }
    const double height = nameMetrics.height() + (time.isEmpty() ? 0 : timeMetrics.height());
    QRectF line(area.left(), area.center().y() - height / 2, area.width(), nameMetrics.height());
    painter.setPen(palette_.of(op).text);
    painter.setFont(nameFont);
    painter.drawText(line, Qt::AlignCenter, name);
    if (!time.isEmpty()) {
        line = QRectF(area.left(), line.bottom(), area.width(), timeMetrics.height());
        painter.setFont(timeFont);
        painter.drawText(line, Qt::AlignCenter, time);
    }
}

void NodePainter::paintRings(QPainter& painter, const CanvasTransform& transform,
                             const CanvasMarks& marks) const {
    const auto ring = [&](OpId op, const QColor& colour, double gap, double width) {
        const double grow = gap + width / 2;
        QRectF box = transform.toView(scene_.layout->nodeRect(op));
        if (transform.detail() < DetailLevel::Shape) {
            box = squareInView(op, transform);
        }
        box.adjust(-grow, -grow, grow, grow);
        const double radius = std::min(4.0 + grow, box.width() / 3);
        painter.setPen(QPen(colour, width));
        painter.drawRoundedRect(box, radius, radius);
    };
    painter.setBrush(Qt::NoBrush);
    const double scale = std::min(1.0, std::max(0.5, transform.zoom));
    const QRectF view = painter.viewport();
    for (const OpId op : marks.selected) {
        if (op < scene_.layout->opCount() && !scene_.isHidden(op) &&
            view.contains(transform.toView(scene_.layout->centre(op)).toPoint())) {
            ring(op, theme_.accent, kRingGap * scale, kRingWidth * scale);
        }
    }
    if (marks.hovered != kNoOp && marks.hovered < scene_.layout->opCount() &&
        !scene_.isHidden(marks.hovered)) {
        const bool selected = marks.selected.count(marks.hovered) > 0;
        ring(marks.hovered, theme_.text, selected ? kRingGap + kRingWidth + 1 : kHoverGap,
             kHoverWidth);
    }
}

void NodePainter::paintPins(QPainter& painter, const CanvasTransform& transform,
                            const std::vector<OpId>& ops) const {
    if (transform.detail() < DetailLevel::Label) {
        return;
    }
    const double radius = kPinRadius * std::clamp(transform.zoom, 0.7, 1.4);
    for (const OpId op : ops) {
        if (scene_.problem->pin(op) == kNoDevice) {
            continue;
        }
        const QPointF centre =
            transform.toView(scene_.layout->nodeRect(op)).topRight() + QPointF(0, radius / 6);
        painter.setPen(QPen(theme_.canvas, 1));
        painter.setBrush(theme_.ink);
        painter.drawEllipse(centre, radius, radius);
        // A pin: head, collar, needle; drawn in a box of 16 as the icon is.
        painter.save();
        painter.translate(centre);
        painter.scale(radius / 8.6, radius / 8.6);
        painter.translate(-8, -7.6);
        painter.setPen(QPen(theme_.canvas, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.setBrush(theme_.canvas);
        painter.drawPolygon(QPolygonF{{5.4, 2.2},
                                      {10.6, 2.2},
                                      {9.6, 3.4},
                                      {9.6, 6.6},
                                      {11.6, 9},
                                      {4.4, 9},
                                      {6.4, 6.6},
                                      {6.4, 3.4}});
        painter.drawLine(QPointF(8, 9), QPointF(8, 13.4));
        painter.restore();
    }
}

} // namespace doppler::views
