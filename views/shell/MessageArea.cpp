#include "views/shell/MessageArea.h"

#include <QVBoxLayout>

namespace doppler::views {

MessageArea::MessageArea(const Appearance& appearance, QWidget* parent)
    : QWidget(parent), appearance_(appearance), layout_(new QVBoxLayout(this)) {
    layout_->setContentsMargins(0, 0, 0, 0);
    layout_->setSpacing(0);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
}

MessageStrip* MessageArea::add(MessageStrip::Kind kind, const QString& text) {
    if (kind == MessageStrip::Kind::Error) {
        clear(kind);
    }
    auto* strip = new MessageStrip(kind, text, appearance_, this);
    layout_->addWidget(strip);
    strips_.emplace_back(strip);
    return strip;
}

void MessageArea::clear(MessageStrip::Kind kind) {
    for (MessageStrip* strip : strips()) {
        if (strip->kind() == kind) {
            strip->hide();
            strip->deleteLater();
        }
    }
    std::erase_if(strips_, [kind](const QPointer<MessageStrip>& strip) {
        return !strip || strip->kind() == kind;
    });
}

std::vector<MessageStrip*> MessageArea::strips() const {
    std::vector<MessageStrip*> present;
    for (const QPointer<MessageStrip>& strip : strips_) {
        // A strip that was answered is hidden until the event loop deletes it.
        if (strip && !strip->isHidden()) {
            present.push_back(strip);
        }
    }
    return present;
}

} // namespace doppler::views
