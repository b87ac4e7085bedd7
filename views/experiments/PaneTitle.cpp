#include "views/experiments/PaneTitle.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

#include "views/shell/ElidedLabel.h"
#include "views/theme/Appearance.h"

namespace doppler::views {

namespace {
constexpr int kHeight = 36;
}

PaneTitle::PaneTitle(const QString& title, const Appearance& appearance, QWidget* parent)
    : QWidget(parent)
    , appearance_(appearance)
    , layout_(new QHBoxLayout(this))
    , title_(new QLabel(title, this))
    , subtitle_(new ElidedLabel(this)) {
    setFixedHeight(kHeight);
    layout_->setContentsMargins(12, 0, 8, 0);
    layout_->setSpacing(8);
    layout_->addWidget(title_);
    layout_->addWidget(subtitle_, 1);
    subtitle_->hide();
    connect(&appearance, &Appearance::changed, this, &PaneTitle::applyTheme);
    applyTheme();
}

void PaneTitle::setSubtitle(const QString& text) {
    subtitle_->setText(text);
    subtitle_->setVisible(!text.isEmpty());
}

QString PaneTitle::subtitle() const {
    return subtitle_->text();
}

void PaneTitle::addControl(QWidget* control, int stretch) {
    layout_->addWidget(control, stretch);
}

void PaneTitle::applyTheme() {
    title_->setFont(fontOfSize(13, true));
    subtitle_->setFont(fontOfSize(12));
    QPalette muted = subtitle_->palette();
    muted.setColor(QPalette::WindowText, appearance_.theme().secondary);
    subtitle_->setPalette(muted);
    update();
}

void PaneTitle::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), appearance_.theme().head);
    painter.fillRect(QRect(0, height() - 1, width(), 1), appearance_.theme().border);
}

} // namespace doppler::views
