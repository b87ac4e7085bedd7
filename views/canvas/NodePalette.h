#pragma once

#include <QColor>
#include <QString>
#include <vector>

#include "views/canvas/CanvasScene.h"
#include "views/theme/Theme.h"

namespace doppler::views {

/// How one kind of node looks.
struct Swatch {
    QColor fill;
    QColor border;
    QColor text;
    DeviceHatch hatch = DeviceHatch::None;
    QString tag; ///< device letter; empty: not placed
    QColor tagBorder;
};

/// One line of the legend that explains a colour.
struct ColourKey {
    QColor fill;
    QString text;
};

/// The colours of all nodes under a colour mode, and what explains them.
struct NodePalette {
    std::vector<Swatch> swatches;
    std::vector<std::uint16_t> swatchOf; ///< by op
    std::vector<ColourKey> keys;         ///< of modes with a colour per value
    /// Of modes with a scale: colours from low to high, and what its ends mean.
    std::vector<QColor> ramp;
    QString rampTitle, lowText, highText;
    QString emptyText; ///< the mode has nothing to show, and why

    const Swatch& of(OpId op) const { return swatches[swatchOf[static_cast<std::size_t>(op)]]; }
};

NodePalette makePalette(const CanvasScene& scene, const Theme& theme);

/// The scale of one hue from little to much, visible on the canvas of either theme; 0..1.
QColor scaleColour(const Theme& theme, double share);

/// Colour of an op kind (ColourBy::Kind).
QColor kindColour(const Theme& theme, graph::OpKind kind);

} // namespace doppler::views
