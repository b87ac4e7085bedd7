#pragma once

#include <QObject>

#include "views/theme/Theme.h"

namespace doppler::views {

/// The theme in use; widgets listen to changed() and repaint.
class Appearance : public QObject {
    Q_OBJECT

public:
    explicit Appearance(QObject* parent = nullptr);

    const Theme& theme() const { return theme_; }
    /// Applies palette and style sheet to the application, then announces it.
    void setDark(bool dark);

Q_SIGNALS:
    void changed();

private:
    Theme theme_ = Theme::light();
};

} // namespace doppler::views
