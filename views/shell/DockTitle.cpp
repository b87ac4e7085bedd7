#include "views/shell/DockTitle.h"

#include <QAction>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

#include "views/icons/Icons.h"
#include "views/shell/ElidedLabel.h"
#include "views/theme/Appearance.h"

namespace doppler::views {

namespace {

constexpr int kHeight = 28;
constexpr int kButton = 24;

QToolButton* makeButton(QAction* action, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setIconSize(QSize(14, 14));
    button->setFixedSize(kButton, kButton);
    button->setAccessibleName(action->toolTip());
    return button;
}

} // namespace

DockTitle::DockTitle(QDockWidget* dock, const Appearance& appearance)
    : QWidget(dock)
    , dock_(dock)
    , appearance_(appearance)
    , layout_(new QHBoxLayout(this))
    , title_(new QLabel(dock->windowTitle(), this))
    , subtitle_(new ElidedLabel(this))
    , float_(new QAction(tr("Float or dock"), this)) {
    setFixedHeight(kHeight);
    layout_->setContentsMargins(12, 0, 4, 0);
    layout_->setSpacing(0);
    layout_->addWidget(title_);
    layout_->addSpacing(8);
    layout_->addWidget(subtitle_, 1);
    float_->setToolTip(tr("Float %1, or dock it again").arg(dock->windowTitle()));
    connect(float_, &QAction::triggered, dock, [dock] { dock->setFloating(!dock->isFloating()); });
    layout_->addWidget(makeButton(float_, this));
    connect(&appearance, &Appearance::changed, this, &DockTitle::applyTheme);
    applyTheme();
}

void DockTitle::setSubtitle(const QString& text) {
    subtitle_->setText(text);
}

QString DockTitle::subtitle() const {
    return subtitle_->text();
}

void DockTitle::addButton(QAction* action) {
    layout_->insertWidget(layout_->count() - 1, makeButton(action, this));
}

void DockTitle::applyTheme() {
    const Theme& theme = appearance_.theme();
    title_->setFont(fontOfSize(12, true));
    subtitle_->setFont(fontOfSize(12));
    QPalette muted = subtitle_->palette();
    muted.setColor(QPalette::WindowText, theme.secondary);
    subtitle_->setPalette(muted);
    float_->setIcon(icon(IconName::Float, theme));
    update();
}

void DockTitle::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), appearance_.theme().head);
    painter.fillRect(QRect(0, height() - 1, width(), 1), appearance_.theme().border);
}

} // namespace doppler::views
