#pragma once

#include <QObject>

namespace doppler::views {

class Appearance;

/// Light, dark, or as the system has it; remembered.
class ThemeChoice : public QObject {
    Q_OBJECT

public:
    enum class Mode { System, Light, Dark };

    /// Looks at the system's palette before the program sets its own, then applies what was chosen
    /// last.
    explicit ThemeChoice(Appearance& appearance, QObject* parent = nullptr);

    Mode mode() const { return mode_; }
    /// `remember`: also for the next start.
    void setMode(Mode mode, bool remember = true);

private:
    Appearance& appearance_;
    Mode mode_ = Mode::System;
};

} // namespace doppler::views
