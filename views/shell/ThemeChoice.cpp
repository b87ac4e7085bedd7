#include "views/shell/ThemeChoice.h"

#include <QGuiApplication>
#include <QPalette>
#include <QSettings>
#include <QStyle>

#include "views/theme/Appearance.h"

namespace doppler::views {

namespace {

constexpr int kDarkBelow = 128;

QString key() {
    return QStringLiteral("view/theme");
}

/// Of the palette that the platform brought, so it must be asked before we set one.
bool systemIsDark() {
    static const bool dark =
        QGuiApplication::palette().color(QPalette::Window).lightness() < kDarkBelow;
    return dark;
}

} // namespace

ThemeChoice::ThemeChoice(Appearance& appearance, QObject* parent)
    : QObject(parent), appearance_(appearance) {
    systemIsDark();
    const int stored = QSettings().value(key(), static_cast<int>(Mode::System)).toInt();
    setMode(static_cast<Mode>(std::clamp(stored, 0, 2)), false);
}

void ThemeChoice::setMode(Mode mode, bool remember) {
    mode_ = mode;
    if (remember) {
        QSettings().setValue(key(), static_cast<int>(mode));
    }
    appearance_.setDark(mode == Mode::Dark || (mode == Mode::System && systemIsDark()));
}

} // namespace doppler::views
