#include "views/shell/MessageStrip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include "views/icons/Icons.h"
#include "views/theme/Appearance.h"

namespace doppler::views {

MessageStrip::MessageStrip(Kind kind, const QString& text, const Appearance& appearance,
                           QWidget* parent)
    : QWidget(parent)
    , kind_(kind)
    , appearance_(appearance)
    , layout_(new QHBoxLayout(this))
    , icon_(new QLabel(this))
    , label_(new QLabel(text, this)) {
    layout_->setContentsMargins(12, 6, 8, 6);
    layout_->setSpacing(8);
    label_->setWordWrap(true);
    label_->setTextFormat(Qt::PlainText);
    label_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout_->addWidget(icon_, 0, Qt::AlignTop);
    layout_->addWidget(label_, 1);
    setAccessibleName(kind == Kind::Error ? tr("Error") : tr("Message"));
    setAccessibleDescription(text);
    connect(&appearance, &Appearance::changed, this, &MessageStrip::applyTheme);
    applyTheme();
}

QString MessageStrip::text() const {
    return label_->text();
}

void MessageStrip::addButton(const QString& text, bool closes, std::function<void()> run) {
    auto* button = new QPushButton(text, this);
    button->setAutoDefault(false);
    layout_->addWidget(button, 0, Qt::AlignTop);
    connect(button, &QPushButton::clicked, this, [this, closes, run = std::move(run)] {
        if (closes) {
            hide();
            deleteLater();
        }
        if (run) {
            run();
        }
    });
}

void MessageStrip::applyTheme() {
    const Theme& theme = appearance_.theme();
    const QColor ink = kind_ == Kind::Error     ? theme.worse
                       : kind_ == Kind::Warning ? theme.warning
                                                : theme.link;
    const IconName name = kind_ == Kind::Info ? IconName::Info : IconName::Warning;
    // As high as a button, so that the first line of the text stands beside it.
    icon_->setFixedHeight(28);
    label_->setMinimumHeight(28);
    icon_->setPixmap(icon(name, theme, ink).pixmap(QSize(16, 16), devicePixelRatioF()));
    update();
}

void MessageStrip::paintEvent(QPaintEvent*) {
    const Theme& theme = appearance_.theme();
    QPainter painter(this);
    painter.fillRect(rect(), kind_ == Kind::Error     ? theme.errorSoft
                             : kind_ == Kind::Warning ? theme.warningSoft
                                                      : theme.accentSoft);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.border);
}

} // namespace doppler::views
