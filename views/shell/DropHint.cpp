#include "views/shell/DropHint.h"

#include <QPainter>

#include "views/icons/Icons.h"
#include "views/theme/Appearance.h"

namespace doppler::views {

namespace {
constexpr int kHeight = 84;
}

DropHint::DropHint(const Appearance& appearance, QWidget* parent)
    : QWidget(parent), appearance_(appearance) {
    setFixedHeight(kHeight);
    connect(&appearance, &Appearance::changed, this, qOverload<>(&QWidget::update));
}

void DropHint::paintEvent(QPaintEvent*) {
    const Theme& theme = appearance_.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPen pen(theme.control, 1);
    pen.setDashPattern({4, 3});
    painter.setPen(pen);
    painter.setBrush(theme.alt);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    constexpr int side = 22;
    const QFont font = fontOfSize(13);
    const QFontMetrics metrics(font);
    const int textHeight = metrics.height();
    const int top = (height() - side - 8 - textHeight) / 2;
    icon(IconName::Drop, theme, theme.secondary)
        .paint(&painter, QRect((width() - side) / 2, top, side, side));
    painter.setFont(font);
    painter.setPen(theme.secondary);
    painter.drawText(QRect(8, top + side + 8, width() - 16, textHeight), Qt::AlignCenter,
                     metrics.elidedText(tr("or drop a file anywhere in this window"),
                                        Qt::ElideRight, width() - 16));
}

} // namespace doppler::views
