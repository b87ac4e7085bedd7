#include "views/shell/SampleCard.h"

#include <QPainter>
#include <QPainterPath>

#include "views/format/Format.h"
#include "views/theme/Appearance.h"

namespace doppler::views {

namespace {

constexpr int kPictureHeight = 116;
constexpr int kTextHeight = 96;
constexpr int kWidth = 472;
constexpr int kLeastWidth = 260;
constexpr int kPadding = 16;
constexpr double kRadius = 6;
constexpr double kMargin = 14; // around the picture
constexpr double kMostDot = 7; // side of an op's square
constexpr double kLeastDot = 2;
constexpr double kDotShare = 0.82; // of the distance between neighbours

} // namespace

SampleCard::SampleCard(const Sample& sample, bool suggested, const Appearance& appearance,
                       QWidget* parent)
    : QAbstractButton(parent), sample_(sample), suggested_(suggested), appearance_(appearance) {
    setObjectName(QStringLiteral("sample.") + sample.source);
    setAccessibleName(tr("Open the sample %1").arg(sample.title));
    setAccessibleDescription(sample.formula + QStringLiteral(". ") + sample.remark);
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&appearance, &Appearance::changed, this, qOverload<>(&QWidget::update));
}

void SampleCard::setPreview(SamplePreview preview) {
    preview_ = std::move(preview);
    update();
}

QSize SampleCard::sizeHint() const {
    return QSize(kWidth, kPictureHeight + kTextHeight);
}

QSize SampleCard::minimumSizeHint() const {
    return QSize(kLeastWidth, sizeHint().height());
}

void SampleCard::paintEvent(QPaintEvent*) {
    const Theme& theme = appearance_.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool lively = underMouse() || hasFocus();
    const double pen = suggested_ || lively ? 2 : 1;
    const QRectF frame = QRectF(rect()).adjusted(pen / 2, pen / 2, -pen / 2, -pen / 2);
    QPainterPath outline;
    outline.addRoundedRect(frame, kRadius, kRadius);
    painter.fillPath(outline, theme.base);
    const QRectF picture(0, 0, width(), kPictureHeight);
    painter.save();
    painter.setClipPath(outline);
    painter.fillRect(picture, theme.canvas);
    paintPicture(painter, picture.adjusted(kMargin, kMargin, -kMargin, -kMargin));
    painter.restore();
    painter.setPen(QPen(theme.border, 1));
    painter.drawLine(QPointF(pen, kPictureHeight + 0.5),
                     QPointF(width() - pen, kPictureHeight + 0.5));
    painter.setPen(QPen(suggested_ || lively ? theme.accent : theme.border, pen));
    painter.drawPath(outline);
    paintTexts(painter, QRect(kPadding, kPictureHeight, width() - 2 * kPadding, kTextHeight));
}

void SampleCard::paintPicture(QPainter& painter, const QRectF& area) const {
    if (!preview_.layout || preview_.layout->opCount() == 0) {
        return;
    }
    const Theme& theme = appearance_.theme();
    const GraphLayout& layout = *preview_.layout;
    const QRectF& bounds = layout.bounds;
    const double x = area.width() / std::max(1.0, bounds.width());
    const double y = area.height() / std::max(1.0, bounds.height());
    // A picture may be flattened a little more than the canvas, but not beyond recognition.
    const double scaleX = std::min(x, y * 1.8);
    const double scaleY = std::min(y, x * 1.8);
    const QPointF offset = area.center();
    const auto place = [&](const QPointF& point) {
        return QPointF((point.x() - bounds.center().x()) * scaleX,
                       (point.y() - bounds.center().y()) * scaleY) +
               offset;
    };
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.mixed(theme.edge, 0.6), 0.8));
    for (EdgeId edge = 0; edge < layout.edgeCount(); ++edge) {
        const auto points = layout.curve(edge);
        QPainterPath path(place(points[0]));
        for (std::size_t i = 1; i + 2 < points.size(); i += 3) {
            path.cubicTo(place(points[i]), place(points[i + 1]), place(points[i + 2]));
        }
        painter.drawPath(path);
    }
    const double side = std::clamp(std::min(kNodeWidth * scaleX, kNodeHeight * scaleY) * kDotShare,
                                   kLeastDot, kMostDot);
    painter.setPen(Qt::NoPen);
    for (OpId op = 0; op < layout.opCount(); ++op) {
        painter.setBrush(theme.device(preview_.assignment[static_cast<std::size_t>(op)]).fill);
        const QPointF centre = place(layout.centre(op));
        painter.drawRoundedRect(QRectF(centre.x() - side / 2, centre.y() - side / 2, side, side), 1,
                                1);
    }
}

void SampleCard::paintTexts(QPainter& painter, const QRect& area) const {
    const Theme& theme = appearance_.theme();
    const QFont titleFont = fontOfSize(15, true);
    const QFont smallFont = fontOfSize(12);
    const auto draw = [&](const QRect& rect, const QFont& font, const QColor& colour,
                          const QString& text, Qt::Alignment alignment) {
        painter.setFont(font);
        painter.setPen(colour);
        painter.drawText(rect, static_cast<int>(alignment | Qt::AlignVCenter) | Qt::TextSingleLine,
                         QFontMetrics(font).elidedText(text, Qt::ElideRight, rect.width()));
    };
    const QString counts =
        preview_.graph
            ? QStringLiteral("%1 · %2").arg(countOf(preview_.graph->opCount(), tr("op")),
                                            countOf(preview_.graph->edgeCount(), tr("edge")))
            : QString();
    const int countsWidth = QFontMetrics(smallFont).horizontalAdvance(counts);
    const QRect title(area.left(), area.top() + 8, area.width() - countsWidth - 8, 24);
    draw(title, titleFont, theme.text, sample_.title, Qt::AlignLeft);
    draw(QRect(area.right() - countsWidth, title.top(), countsWidth + 1, 24), smallFont,
         theme.secondary, counts, Qt::AlignRight);
    draw(QRect(area.left(), area.top() + 32, area.width(), 20), fontOfSize(13), theme.text,
         sample_.formula, Qt::AlignLeft);

    const QString open = tr("Open");
    const QFont openFont = fontOfSize(13);
    const int openWidth = QFontMetrics(openFont).horizontalAdvance(open) + (suggested_ ? 40 : 2);
    const QRect openRect(area.right() + 1 - openWidth, area.top() + 56, openWidth, 28);
    if (suggested_) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.accent);
        painter.drawRoundedRect(openRect, 4, 4);
    }
    draw(openRect, openFont, suggested_ ? theme.onAccent : theme.link, open, Qt::AlignHCenter);
    draw(QRect(area.left(), area.top() + 56, area.width() - openWidth - 12, 28), smallFont,
         theme.secondary, sample_.remark, Qt::AlignLeft);
}

void SampleCard::enterEvent(QEnterEvent* event) {
    QAbstractButton::enterEvent(event);
    update();
}

void SampleCard::leaveEvent(QEvent* event) {
    QAbstractButton::leaveEvent(event);
    update();
}

} // namespace doppler::views
