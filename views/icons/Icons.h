#pragma once

/// views/icons: the program's own line icons, recoloured from the theme.

#include <QIcon>
#include <cstdint>

#include "views/theme/Theme.h"

namespace doppler::views {

/// What an icon means; each is one file of resources/icons.
enum class IconName : std::uint8_t {
    Open,
    Save,
    Undo,
    Redo,
    Search,
    Play,
    Pause,
    Stop,
    StepForward,
    StepBack,
    First,
    Last,
    Plus,
    Minus,
    Fit,
    Close,
    Float,
    More,
    Down,
    Right,
    Back,
    Link,
    Pin,
    Lock,
    Lasso,
    Export,
    Filter,
    Settings,
    Layers,
    Train,
    Chip,
    Graph,
    Compare,
    Follow,
    Chain,
    Ruler,
    Table,
    Book,
    Bulb,
    Clock,
    File,
    Drop,
    Check,
    Warning,
    Info,
};

inline constexpr int kIconCount = static_cast<int>(IconName::Info) + 1;

/// Sharp at every size and scale: text colour, disabled colour, link colour where checked.
/// Icons do not follow a change of theme: make them again when Appearance says changed().
QIcon icon(IconName name, const Theme& theme);

/// The same in a colour of its own (on a primary button, as a warning).
QIcon icon(IconName name, const Theme& theme, const QColor& colour);

/// Makes the files of resources/icons known under ":/icons", for style sheets.
void loadIconResources();

/// The icon of the program, in its own colours.
QIcon applicationIcon();

} // namespace doppler::views
