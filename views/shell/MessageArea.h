#pragma once

#include <QPointer>
#include <QWidget>
#include <vector>

#include "views/shell/MessageStrip.h"

class QVBoxLayout;

namespace doppler::views {

/// The strips above the views.
class MessageArea : public QWidget {
    Q_OBJECT

public:
    explicit MessageArea(const Appearance& appearance, QWidget* parent = nullptr);

    /// A new strip; an error takes the place of the error before it.
    MessageStrip* add(MessageStrip::Kind kind, const QString& text);
    /// Removes all strips of a kind.
    void clear(MessageStrip::Kind kind);
    std::vector<MessageStrip*> strips() const;

private:
    const Appearance& appearance_;
    QVBoxLayout* layout_;
    std::vector<QPointer<MessageStrip>> strips_;
};

} // namespace doppler::views
