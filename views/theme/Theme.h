#pragma once

/// views/: Qt widgets, models and undo commands; knows core, never app. views/theme holds how
/// everything looks: one value that painters receive.

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>

#include "core/graph/Ids.h"

namespace doppler::views {

/// Extra marking of devices beyond the eighth, so that no two devices ever look the same.
enum class DeviceHatch { None, Diagonal, Crossed };

/// How one device looks everywhere.
struct DeviceStyle {
    QString letter; ///< "A".."P", then "AA", "AB", ...
    QColor fill;    ///< nodes, bars, chips
    QColor text;    ///< white or near-black, whichever reads better on the fill
    QColor line;    ///< thin things: edges, node borders
    DeviceHatch hatch = DeviceHatch::None;
};

/// Every colour and text size of the window, as one value. Sizes are pixels at 100 %.
struct Theme {
    bool dark = false;

    QColor window, base, alt, head, border, control, text, secondary, disabled;
    QColor accent, onAccent, accentSoft, link;
    QColor canvas, grid, lane, idle, edge, ink;
    QColor better, worse, warning, warningSoft, errorSoft;
    QColor playHead, onPlayHead;

    static Theme light();
    static Theme darkTheme();

    DeviceStyle device(DeviceId device) const;
    QPalette palette() const;
    /// The application-wide style sheet for what QPalette cannot say (docks, headers, fields).
    QString styleSheet() const;

    /// `colour` mixed with the canvas: share 1 is all colour.
    QColor mixed(const QColor& colour, double share) const;
};

/// White or near-black, whichever has the higher contrast (WCAG) on `background`.
QColor readableOn(const QColor& background);

/// WCAG contrast ratio, 1..21.
double contrastRatio(const QColor& a, const QColor& b);

/// The application font at `pixels` (of 100 % scale), with tabular digits where the font has them.
QFont fontOfSize(int pixels, bool bold = false);

} // namespace doppler::views
