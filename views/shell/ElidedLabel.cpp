#include "views/shell/ElidedLabel.h"

#include <QPainter>

namespace doppler::views {

namespace {
constexpr int kLeastCharacters = 3;
}

ElidedLabel::ElidedLabel(QWidget* parent) : ElidedLabel(QString(), parent) {}

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QLabel(text, parent) {
    setTextFormat(Qt::PlainText);
}

void ElidedLabel::setElideMode(Qt::TextElideMode mode) {
    mode_ = mode;
    update();
}

QSize ElidedLabel::minimumSizeHint() const {
    const QSize whole = QLabel::minimumSizeHint();
    const int few = fontMetrics().averageCharWidth() * kLeastCharacters;
    return QSize(std::min(whole.width(), few), whole.height());
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    const QRect area = contentsRect();
    const QString shown = fontMetrics().elidedText(text(), mode_, area.width());
    if (const QString tip = shown == text() ? QString() : text(); toolTip() != tip) {
        setToolTip(tip);
    }
    QPainter painter(this);
    painter.setPen(
        palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, foregroundRole()));
    painter.drawText(area, static_cast<int>(alignment() | Qt::TextSingleLine), shown);
}

} // namespace doppler::views
