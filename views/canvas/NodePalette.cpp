#include "views/canvas/NodePalette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "views/canvas/NodeValues.h"

namespace doppler::views {

namespace {

constexpr int kRampSteps = 24;

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

QColor between(const QColor& low, const QColor& high, double share) {
    const auto mix = [share](float a, float b) { return static_cast<float>(a + share * (b - a)); };
    return QColor::fromRgbF(mix(low.redF(), high.redF()), mix(low.greenF(), high.greenF()),
                            mix(low.blueF(), high.blueF()));
}

/// Collects swatches for (colour, device) pairs and hands out their numbers.
class SwatchTable {
public:
    SwatchTable(NodePalette& palette, const Theme& theme) : palette_(palette), theme_(theme) {}

    /// `colour` numbers the fill within the mode; -1: the device's own.
    std::uint16_t number(int colour, const QColor& fill, DeviceId device) {
        const auto [it, isNew] = numbers_.try_emplace(
            {colour, device}, static_cast<std::uint16_t>(palette_.swatches.size()));
        if (isNew) {
            palette_.swatches.push_back(make(colour, fill, device));
        }
        return it->second;
    }

private:
    Swatch make(int colour, const QColor& fill, DeviceId device) const {
        Swatch swatch;
        if (device == kNoDevice) {
            swatch.fill = theme_.idle;
            swatch.border = theme_.control;
        } else {
            const DeviceStyle style = theme_.device(device);
            swatch.fill = style.fill;
            swatch.border = style.line;
            swatch.hatch = style.hatch;
            swatch.tag = style.letter;
            swatch.tagBorder = style.line;
        }
        if (colour >= 0) {
            swatch.fill = fill;
            swatch.border = theme_.control;
            swatch.hatch = DeviceHatch::None;
        }
        swatch.text = readableOn(swatch.fill);
        return swatch;
    }

    NodePalette& palette_;
    const Theme& theme_;
    std::map<std::pair<int, DeviceId>, std::uint16_t> numbers_;
};

void colourByDevice(const CanvasScene& scene, SwatchTable& table, NodePalette& palette) {
    for (OpId op = 0; op < scene.graph().opCount(); ++op) {
        palette.swatchOf[at(op)] = table.number(-1, {}, scene.device(op));
    }
}

void colourByKind(const CanvasScene& scene, const Theme& theme, SwatchTable& table,
                  NodePalette& palette) {
    std::array<bool, graph::kOpKindCount> used{};
    for (OpId op = 0; op < scene.graph().opCount(); ++op) {
        const graph::OpKind kind = scene.graph().kind(op);
        used[static_cast<std::size_t>(kind)] = true;
        palette.swatchOf[at(op)] =
            table.number(static_cast<int>(kind), kindColour(theme, kind), scene.device(op));
    }
    for (std::size_t kind = 0; kind < used.size(); ++kind) {
        if (used[kind]) {
            const auto which = static_cast<graph::OpKind>(kind);
            const std::string_view text = graph::name(which);
            palette.keys.push_back(
                {kindColour(theme, which),
                 QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()))});
        }
    }
}

void colourByValue(const CanvasScene& scene, const Theme& theme, SwatchTable& table,
                   NodePalette& palette) {
    const NodeValues values = nodeValues(scene);
    if (values.byOp.empty()) {
        palette.emptyText = values.emptyText;
        colourByDevice(scene, table, palette);
        return;
    }
    palette.rampTitle = values.title;
    palette.lowText = values.lowText;
    palette.highText = values.highText;
    for (int step = 0; step < kRampSteps; ++step) {
        palette.ramp.push_back(scaleColour(theme, step / (kRampSteps - 1.0)));
    }
    for (OpId op = 0; op < scene.graph().opCount(); ++op) {
        const int step = static_cast<int>(std::lround(values.byOp[at(op)] * (kRampSteps - 1)));
        palette.swatchOf[at(op)] = table.number(step, palette.ramp[at(step)], scene.device(op));
    }
}

} // namespace

// Blue, from close to the canvas to far from it; no device is asked to mean anything here, and the
// ends differ in lightness, so that the scale reads in grey as well.
QColor scaleColour(const Theme& theme, double share) {
    static const std::array<QColor, 3> kLight{QColor("#DCE6F2"), QColor("#6C9BD2"),
                                              QColor("#0B2F6B")};
    static const std::array<QColor, 3> kDark{QColor("#1D2A40"), QColor("#3F78C2"),
                                             QColor("#D6E8FF")};
    const auto& stops = theme.dark ? kDark : kLight;
    const double place = std::clamp(share, 0.0, 1.0) * 2;
    return place <= 1 ? between(stops[0], stops[1], place) : between(stops[1], stops[2], place - 1);
}

// Tol's "muted" and "light" schemes: kinds of one family have neighbouring hues.
QColor kindColour(const Theme& theme, graph::OpKind kind) {
    static constexpr std::array<const char*, graph::kOpKindCount> kColours{
        "#BBBBBB", // other
        "#5566AA", // contraction
        "#332288", // convolution
        "#44AA99", // formation
        "#117733", // reduction
        "#DDCC77", // elementwise
        "#CC6677", // softmax
        "#EE8866", // normalization
        "#AA4499", // rotary
        "#99DDFF", // fill
        "#77AADD", // select
        "#88CCEE", // concat
        "#C5DCEB", // reshape
        "#BBCC33", // pooling
        "#999933", // embedding
        "#7A4E9E", // lstm cell
        "#AAAA00", // routing
        "#882255", // communication
        "#FFAABB", // control flow
    };
    const QColor colour(kColours[static_cast<std::size_t>(kind)]);
    // The darkest two would sink into a dark canvas.
    return theme.dark && contrastRatio(colour, theme.canvas) < 2 ? colour.lighter(150) : colour;
}

NodePalette makePalette(const CanvasScene& scene, const Theme& theme) {
    NodePalette palette;
    if (!scene.problem) {
        return palette;
    }
    palette.swatchOf.resize(at(scene.graph().opCount()));
    SwatchTable table(palette, theme);
    switch (scene.colourBy) {
    case ColourBy::Device:
        colourByDevice(scene, table, palette);
        break;
    case ColourBy::Kind:
        colourByKind(scene, theme, table, palette);
        break;
    default:
        colourByValue(scene, theme, table, palette);
    }
    return palette;
}

} // namespace doppler::views
