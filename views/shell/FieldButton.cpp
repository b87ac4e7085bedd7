#include "views/shell/FieldButton.h"

#include <QPainter>

#include "views/icons/Icons.h"
#include "views/theme/Appearance.h"

namespace doppler::views {

namespace {

constexpr int kHeight = 28;
constexpr int kPadding = 10;
constexpr int kGap = 6;
constexpr int kArrow = 12;
constexpr int kLeastText = 40;
constexpr double kRadius = 4;

} // namespace

FieldButton::FieldButton(const QString& accessibleName, const Appearance& appearance,
                         QWidget* parent)
    : QToolButton(parent), appearance_(appearance), name_(accessibleName) {
    setPopupMode(QToolButton::InstantPopup);
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setValue({});
    connect(&appearance, &Appearance::changed, this, qOverload<>(&QWidget::update));
}

void FieldButton::setValue(const QString& value, const QString& detail) {
    value_ = value;
    detail_ = detail;
    setAccessibleName(detail.isEmpty() ? QStringLiteral("%1: %2").arg(name_, value)
                                       : QStringLiteral("%1: %2, %3").arg(name_, value, detail));
    setToolTip(accessibleName());
    updateGeometry();
    update();
}

QSize FieldButton::sizeHint() const {
    const int detail =
        detail_.isEmpty() ? 0 : kGap + QFontMetrics(fontOfSize(12)).horizontalAdvance(detail_) + 1;
    return QSize(2 * kPadding + fontMetrics().horizontalAdvance(value_) + 1 + detail + kGap +
                     kArrow,
                 kHeight);
}

QSize FieldButton::minimumSizeHint() const {
    return QSize(std::min(sizeHint().width(), 2 * kPadding + kLeastText + kGap + kArrow), kHeight);
}

void FieldButton::paintEvent(QPaintEvent*) {
    const Theme& theme = appearance_.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool lively = isEnabled() && (underMouse() || isDown());
    const double pen = hasFocus() ? 2 : 1;
    painter.setPen(QPen(!isEnabled()           ? theme.border
                        : hasFocus() || lively ? theme.accent
                                               : theme.control,
                        pen));
    painter.setBrush(!isEnabled() ? theme.window : isDown() ? theme.accentSoft : theme.base);
    const double inset = pen / 2;
    painter.drawRoundedRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset), kRadius,
                            kRadius);

    const QRect arrow(width() - kPadding - kArrow + 2, (height() - kArrow) / 2, kArrow, kArrow);
    views::icon(IconName::Down, theme, theme.secondary)
        .paint(&painter, arrow, Qt::AlignCenter, isEnabled() ? QIcon::Normal : QIcon::Disabled);
    QRect area = rect().adjusted(kPadding, 0, -(kPadding + kArrow + kGap), 0);
    painter.setPen(isEnabled() ? theme.text : theme.disabled);
    painter.setFont(font());
    const QString value = fontMetrics().elidedText(value_, Qt::ElideRight, area.width());
    painter.drawText(area, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, value);
    if (!detail_.isEmpty() && value == value_) {
        area.setLeft(area.left() + fontMetrics().horizontalAdvance(value) + kGap);
        painter.setFont(fontOfSize(12));
        painter.setPen(isEnabled() ? theme.secondary : theme.disabled);
        const QFontMetrics metrics(painter.font());
        if (area.width() >= metrics.horizontalAdvance(detail_)) {
            painter.drawText(area, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, detail_);
        }
    }
}

} // namespace doppler::views
