#include "views/shell/DropOverlay.h"

#include <QPainter>

#include "views/theme/Appearance.h"

namespace doppler::views {

namespace {

constexpr int kFrame = 3;
constexpr int kBoxHeight = 44;
constexpr int kBoxPadding = 24;
constexpr float kVeil = 0.10F;

} // namespace

DropOverlay::DropOverlay(const Appearance& appearance, QWidget* window)
    : QWidget(window), appearance_(appearance) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void DropOverlay::showFor(const QString& fileName) {
    text_ = tr("Drop to open %1").arg(fileName);
    setGeometry(parentWidget()->rect());
    raise();
    show();
}

void DropOverlay::paintEvent(QPaintEvent*) {
    const Theme& theme = appearance_.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor veil = theme.accent;
    veil.setAlphaF(kVeil);
    painter.fillRect(rect(), veil);
    painter.setPen(QPen(theme.accent, kFrame));
    painter.drawRect(
        QRectF(rect()).adjusted(kFrame / 2.0, kFrame / 2.0, -kFrame / 2.0, -kFrame / 2.0));
    const QFont font = fontOfSize(15, true);
    const QFontMetrics metrics(font);
    const int width = std::min(metrics.horizontalAdvance(text_) + 2 * kBoxPadding,
                               rect().width() - 2 * kBoxPadding);
    QRect box(0, 0, width, kBoxHeight);
    box.moveCenter(rect().center());
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.accent);
    painter.drawRoundedRect(box, 6, 6);
    painter.setPen(theme.onAccent);
    painter.setFont(font);
    painter.drawText(box, Qt::AlignCenter,
                     metrics.elidedText(text_, Qt::ElideMiddle, width - kBoxPadding));
}

} // namespace doppler::views
