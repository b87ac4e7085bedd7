#include "views/canvas/LegendPainter.h"

#include <algorithm>
#include <array>

#include "views/canvas/NodeShape.h"

namespace doppler::views {

namespace {

constexpr int kFont = 12;
constexpr double kPadding = 10;
constexpr double kRowGap = 3;
constexpr double kSignWidth = 22;
constexpr double kSignGap = 8;
constexpr double kRampWidth = 150;
constexpr double kCardRadius = 6;

QFont font() {
    return fontOfSize(kFont);
}

double rowHeight() {
    return QFontMetricsF(font()).height() + kRowGap;
}

QString textOf(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString familyText(graph::OpFamily family) {
    return textOf(graph::name(family));
}

} // namespace

LegendPainter::LegendPainter(const CanvasScene& scene, const NodePalette& palette,
                             const CriticalParts& critical, const Theme& theme)
    : palette_(palette), theme_(theme) {
    if (scene.isEmpty()) {
        return;
    }
    const graph::Graph& graph = scene.graph();
    std::array<bool, 4> used{};
    std::array<bool, 4> named{}; // by a kind, not only by ops of other kinds
    for (OpId op = 0; op < graph.opCount(); ++op) {
        const auto family = static_cast<std::size_t>(graph::family(graph.kind(op)));
        used[family] = true;
        named[family] = named[family] || graph.kind(op) != graph::OpKind::Other;
    }
    if (!palette.emptyText.isEmpty()) {
        rows_.push_back({Sign::Note, palette.emptyText, {}, {}});
    }
    if (!palette.ramp.empty()) {
        rows_.push_back({Sign::RampTitle, palette.rampTitle, {}, {}});
        rows_.push_back(
            {Sign::Ramp, palette.lowText + QStringLiteral("  ") + palette.highText, {}, {}});
    }
    for (const ColourKey& key : palette.keys) {
        rows_.push_back({Sign::Colour, key.text, {}, key.fill});
    }
    // Colours by kind say more than the shapes do.
    if (palette.keys.empty()) {
        for (std::size_t family = 0; family < used.size(); ++family) {
            const auto which = static_cast<graph::OpFamily>(family);
            if (used[family]) {
                const QString words =
                    named[family] ? familyText(which) : textOf(graph::name(graph::OpKind::Other));
                rows_.push_back({Sign::Shape, words, which, {}});
            }
        }
    }
    if (graph.edgeCount() > 0 && scene.assignment) {
        rows_.push_back({Sign::Local, QStringLiteral("same device"), {}, {}});
        DeviceId example = kNoDevice;
        for (EdgeId edge = 0; edge < graph.edgeCount() && example == kNoDevice; ++edge) {
            if (scene.crossesDevices(edge)) {
                example = scene.device(graph.source(edge));
            }
        }
        if (example != kNoDevice) {
            rows_.push_back(
                {Sign::Crossing, QStringLiteral("crosses"), {}, theme.device(example).line});
        }
    }
    if (critical) {
        rows_.push_back({Sign::Critical, QStringLiteral("critical"), {}, {}});
    }

    const QFontMetricsF metrics(font());
    double width = 0;
    for (const Row& row : rows_) {
        const double text = metrics.horizontalAdvance(row.text);
        const bool wide =
            row.sign == Sign::Note || row.sign == Sign::RampTitle || row.sign == Sign::Ramp;
        width = std::max(width, wide ? text : kSignWidth + kSignGap + text);
        if (row.sign == Sign::Ramp) {
            width = std::max(width, kRampWidth);
        }
    }
    double height = static_cast<double>(rows_.size()) * rowHeight() - kRowGap;
    if (!palette.ramp.empty()) {
        height += rowHeight(); // the ends are written under the ramp
    }
    size_ = QSizeF(width + 2 * kPadding, height + 2 * kPadding);
}

QStringList LegendPainter::texts() const {
    QStringList texts;
    for (const Row& row : rows_) {
        texts.append(row.text);
    }
    return texts;
}

void LegendPainter::paint(QPainter& painter, const QPointF& topLeft) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme_.border, 1));
    painter.setBrush(theme_.base);
    painter.drawRoundedRect(QRectF(topLeft, size_).adjusted(0.5, 0.5, -0.5, -0.5), kCardRadius,
                            kCardRadius);
    painter.setFont(font());
    const QFontMetricsF metrics(font());
    QPointF place = topLeft + QPointF(kPadding, kPadding);
    for (const Row& row : rows_) {
        const QRectF line(place, QSizeF(size_.width() - 2 * kPadding, metrics.height()));
        painter.setPen(theme_.text);
        switch (row.sign) {
        case Sign::Note:
        case Sign::RampTitle:
            painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, row.text);
            break;
        case Sign::Ramp:
            paintRamp(painter, line);
            place.ry() += rowHeight();
            break;
        default:
            painter.drawText(line.adjusted(kSignWidth + kSignGap, 0, 0, 0),
                             Qt::AlignLeft | Qt::AlignVCenter, row.text);
            paintSign(painter, row, QRectF(line.topLeft(), QSizeF(kSignWidth, line.height())));
        }
        place.ry() += rowHeight();
    }
    painter.restore();
}

void LegendPainter::paintSign(QPainter& painter, const Row& row, const QRectF& box) const {
    const QPointF middle = box.center();
    const QLineF line(QPointF(box.left(), middle.y()), QPointF(box.right(), middle.y()));
    const auto arrow = [&](const QColor& colour, double size) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        const QPointF tip = line.p2();
        painter.drawPolygon(
            QPolygonF{tip, tip + QPointF(-1.8 * size, size), tip + QPointF(-1.8 * size, -size)});
    };
    painter.setBrush(Qt::NoBrush);
    switch (row.sign) {
    case Sign::Shape: {
        const bool round = row.family == graph::OpFamily::Elementwise;
        const QSizeF size(14, round ? 14 : 15);
        painter.setPen(QPen(theme_.text, 1.3));
        painter.drawPath(
            nodeShape(row.family, QRectF(middle - QPointF(size.width(), size.height()) / 2, size)));
        break;
    }
    case Sign::Colour:
        painter.setPen(QPen(theme_.control, 1));
        painter.setBrush(row.colour);
        painter.drawRoundedRect(QRectF(middle - QPointF(7, 6), QSizeF(14, 12)), 3, 3);
        break;
    case Sign::Local:
        painter.setPen(QPen(theme_.edge, 1.2));
        painter.drawLine(line);
        break;
    case Sign::Crossing: {
        QPen pen(row.colour, 1.5, Qt::SolidLine, Qt::FlatCap);
        pen.setDashPattern({5 / 1.5, 3 / 1.5});
        painter.setPen(pen);
        painter.drawLine(line.p1(), line.p2() - QPointF(5, 0));
        arrow(row.colour, 3);
        break;
    }
    case Sign::Critical:
        painter.setPen(QPen(theme_.ink, 3, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(line.p1(), line.p2() - QPointF(6, 0));
        arrow(theme_.ink, 4);
        break;
    default:
        break;
    }
}

void LegendPainter::paintRamp(QPainter& painter, const QRectF& line) const {
    QLinearGradient gradient(line.topLeft(), line.topRight());
    const auto steps = palette_.ramp.size();
    for (std::size_t i = 0; i < steps; ++i) {
        gradient.setColorAt(static_cast<double>(i) / static_cast<double>(steps - 1),
                            palette_.ramp[i]);
    }
    painter.setPen(QPen(theme_.control, 1));
    painter.setBrush(gradient);
    painter.drawRoundedRect(line.adjusted(0.5, 2.5, -0.5, -2.5), 3, 3);
    painter.setPen(theme_.secondary);
    const QRectF below = line.translated(0, rowHeight());
    painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter, palette_.lowText);
    painter.drawText(below, Qt::AlignRight | Qt::AlignVCenter, palette_.highText);
}

} // namespace doppler::views
