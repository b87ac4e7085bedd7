#include "views/shell/Card.h"

#include <QPainter>

#include "views/theme/Appearance.h"

namespace doppler::views {

namespace {

constexpr int kFramedHeight = 60;
constexpr int kPlainHeight = 50;
constexpr int kWidth = 328;
constexpr int kLeastWidth = 180;
constexpr int kPadding = 12;
constexpr double kRadius = 6;

} // namespace

Card::Card(Look look, IconName icon, const Appearance& appearance, QWidget* parent)
    : QAbstractButton(parent), look_(look), icon_(icon), appearance_(appearance) {
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&appearance, &Appearance::changed, this, qOverload<>(&QWidget::update));
}

void Card::setIcon(IconName icon) {
    icon_ = icon;
    update();
}

void Card::setTexts(const QString& title, const QString& line, const QString& aside) {
    title_ = title;
    line_ = line;
    aside_ = aside;
    setAccessibleName(title);
    setAccessibleDescription(line);
    update();
}

QSize Card::sizeHint() const {
    return QSize(kWidth, look_ == Look::Framed ? kFramedHeight : kPlainHeight);
}

QSize Card::minimumSizeHint() const {
    return QSize(kLeastWidth, sizeHint().height());
}

void Card::paintEvent(QPaintEvent*) {
    const Theme& theme = appearance_.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool lively = underMouse() || hasFocus();
    if (look_ == Look::Framed) {
        const double pen = hasFocus() ? 2 : 1;
        painter.setPen(QPen(lively ? theme.accent : theme.control, pen));
        painter.setBrush(underMouse() ? theme.accentSoft : theme.base);
        const QRectF frame = QRectF(rect()).adjusted(pen / 2, pen / 2, -pen / 2, -pen / 2);
        painter.drawRoundedRect(frame, kRadius, kRadius);
    } else if (lively) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.accentSoft);
        painter.drawRoundedRect(rect(), 4, 4);
    }
    const bool framed = look_ == Look::Framed;
    const int iconSize = framed ? 20 : 16;
    const QRect iconRect(kPadding + (framed ? 4 : 0), (height() - iconSize) / 2, iconSize,
                         iconSize);
    views::icon(icon_, theme, framed ? theme.link : theme.secondary).paint(&painter, iconRect);

    const int left = framed ? 52 : 38;
    const int right = width() - kPadding;
    const QFont asideFont = fontOfSize(11);
    const int asideWidth = QFontMetrics(asideFont).horizontalAdvance(aside_);
    const QFont titleFont = fontOfSize(framed ? 14 : 13);
    const QFontMetrics titleMetrics(titleFont);
    const QFont lineFont = fontOfSize(12);
    const QFontMetrics lineMetrics(lineFont);
    const int gap = 2;
    const int top = (height() - titleMetrics.height() - gap - lineMetrics.height()) / 2;
    const QRect titleRect(left, top, right - left - asideWidth - 8, titleMetrics.height());
    painter.setFont(titleFont);
    painter.setPen(theme.text);
    painter.drawText(titleRect, Qt::AlignVCenter | Qt::TextSingleLine,
                     titleMetrics.elidedText(title_, framed ? Qt::ElideRight : Qt::ElideMiddle,
                                             titleRect.width()));
    painter.setFont(asideFont);
    painter.setPen(theme.secondary);
    painter.drawText(QRect(right - asideWidth, titleRect.top(), asideWidth, titleRect.height()),
                     Qt::AlignVCenter | Qt::AlignRight | Qt::TextSingleLine, aside_);
    const QRect lineRect(left, titleRect.bottom() + 1 + gap, right - left, lineMetrics.height());
    painter.setFont(lineFont);
    painter.drawText(lineRect, Qt::AlignVCenter | Qt::TextSingleLine,
                     lineMetrics.elidedText(line_, Qt::ElideRight, lineRect.width()));
}

void Card::enterEvent(QEnterEvent* event) {
    QAbstractButton::enterEvent(event);
    update();
}

void Card::leaveEvent(QEvent* event) {
    QAbstractButton::leaveEvent(event);
    update();
}

} // namespace doppler::views
