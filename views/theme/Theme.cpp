#include "views/theme/Theme.h"

#include <QApplication>
#include <algorithm>
#include <array>
#include <cmath>

namespace doppler::views {

namespace {

struct DeviceColours {
    const char* fill;
    const char* fillDark;
    const char* lineLight;
    const char* lineDark;
};

// Okabe-Ito, ordered for contrast between neighbours.
constexpr std::array<DeviceColours, 8> kOkabeIto{{
    {"#0072B2", "#0072B2", "#0072B2", "#4FA6DD"},
    {"#E69F00", "#E69F00", "#A87000", "#E69F00"},
    {"#009E73", "#009E73", "#007F5C", "#2FBF94"},
    {"#CC79A7", "#CC79A7", "#AD4F86", "#DE96BE"},
    {"#56B4E9", "#56B4E9", "#2B7FB5", "#7CC7F0"},
    {"#D55E00", "#D55E00", "#BF5200", "#F2793A"},
    {"#F0E442", "#F0E442", "#857A00", "#F0E442"},
    {"#2B2B2B", "#DADADA", "#2B2B2B", "#DADADA"},
}};

// Tol's "muted" scheme.
constexpr std::array<const char*, 8> kTolMuted{"#88CCEE", "#44AA99", "#117733", "#332288",
                                               "#DDCC77", "#999933", "#CC6677", "#882255"};

const QColor kNearBlack("#14171D");

constexpr int kPaletteSize = 16;
constexpr double kLineContrast = 3.0;

double linearChannel(double channel) {
    return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& colour) {
    return 0.2126 * linearChannel(colour.redF()) + 0.7152 * linearChannel(colour.greenF()) +
           0.0722 * linearChannel(colour.blueF());
}

/// The fill itself, made darker (lighter on a dark surface) until a thin line of it can be seen.
QColor lineFor(QColor fill, const QColor& surface, bool dark) {
    for (int step = 0; step < 20 && contrastRatio(fill, surface) < kLineContrast; ++step) {
        fill = dark ? fill.lighter(110) : fill.darker(110);
    }
    return fill;
}

QString letters(int index) {
    const QString letter = QChar(u'A' + index % kPaletteSize);
    if (index < kPaletteSize) {
        return letter;
    }
    return letters(index / kPaletteSize - 1) + letter;
}

} // namespace

double contrastRatio(const QColor& a, const QColor& b) {
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QColor readableOn(const QColor& background) {
    return contrastRatio(Qt::white, background) >= contrastRatio(kNearBlack, background)
               ? QColor(Qt::white)
               : kNearBlack;
}

QFont fontOfSize(int pixels, bool bold) {
    QFont font = QApplication::font();
    font.setPixelSize(pixels);
    font.setBold(bold);
    return font;
}

Theme Theme::light() {
    Theme theme;
    theme.window = "#F1F3F6";
    theme.base = "#FFFFFF";
    theme.alt = "#F7F8FA";
    theme.head = "#E8EBF0";
    theme.border = "#D2D7DF";
    theme.control = "#7D8698";
    theme.text = "#1B1F27";
    theme.secondary = "#4B5565";
    theme.disabled = "#7C8596";
    theme.accent = "#5A43D6";
    theme.onAccent = "#FFFFFF";
    theme.accentSoft = "#ECE9FB";
    theme.link = "#4A33C4";
    theme.canvas = "#FBFCFD";
    theme.grid = "#E9ECF1";
    theme.lane = "#F3F5F8";
    theme.idle = "#DDE2EA";
    theme.edge = "#838C9D";
    theme.ink = "#14171D";
    theme.better = "#14703F";
    theme.worse = "#B3261E";
    theme.warning = "#8A5A00";
    theme.warningSoft = "#FFF4D6";
    theme.errorSoft = "#FCE8E6";
    theme.playHead = "#B3261E";
    theme.onPlayHead = "#FFFFFF";
    return theme;
}

Theme Theme::darkTheme() {
    Theme theme;
    theme.dark = true;
    theme.window = "#1E2127";
    theme.base = "#17191E";
    theme.alt = "#1C1F25";
    theme.head = "#272B33";
    theme.border = "#383D48";
    theme.control = "#757F90";
    theme.text = "#E9EBEF";
    theme.secondary = "#B0B8C5";
    theme.disabled = "#7F8898";
    theme.accent = "#A293FF";
    theme.onAccent = "#15121F";
    theme.accentSoft = "#312C52";
    theme.link = "#B9ADFF";
    theme.canvas = "#121418";
    theme.grid = "#1E2228";
    theme.lane = "#1B1E24";
    theme.idle = "#2C313A";
    theme.edge = "#6E7888";
    theme.ink = "#FFFFFF";
    theme.better = "#6BD49A";
    theme.worse = "#FF8A80";
    theme.warning = "#F0B849";
    theme.warningSoft = "#3A3018";
    theme.errorSoft = "#44201D";
    theme.playHead = "#FF8A80";
    theme.onPlayHead = "#15121F";
    return theme;
}

DeviceStyle Theme::device(DeviceId id) const {
    const int index = std::max(id, 0);
    const int colour = index % kPaletteSize;
    DeviceStyle style;
    style.letter = letters(index);
    if (colour < static_cast<int>(kOkabeIto.size())) {
        const DeviceColours& colours = kOkabeIto[static_cast<std::size_t>(colour)];
        style.fill = dark ? colours.fillDark : colours.fill;
        style.line = dark ? colours.lineDark : colours.lineLight;
    } else {
        style.fill = kTolMuted[static_cast<std::size_t>(colour) - kOkabeIto.size()];
        style.line = lineFor(style.fill, canvas, dark);
        style.hatch = DeviceHatch::Diagonal;
    }
    if (index >= kPaletteSize) {
        style.hatch = DeviceHatch::Crossed;
    }
    style.text = readableOn(style.fill);
    return style;
}

QColor Theme::mixed(const QColor& colour, double share) const {
    const auto mix = [share](float top, float below) {
        return static_cast<float>(share * top + (1 - share) * below);
    };
    return QColor::fromRgbF(mix(colour.redF(), canvas.redF()),
                            mix(colour.greenF(), canvas.greenF()),
                            mix(colour.blueF(), canvas.blueF()));
}

QPalette Theme::palette() const {
    QPalette palette;
    palette.setColor(QPalette::Window, window);
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::Base, base);
    palette.setColor(QPalette::AlternateBase, alt);
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::Button, dark ? head : base);
    palette.setColor(QPalette::BrightText, worse);
    palette.setColor(QPalette::PlaceholderText, secondary);
    palette.setColor(QPalette::Highlight, accent);
    palette.setColor(QPalette::HighlightedText, onAccent);
    palette.setColor(QPalette::Link, link);
    palette.setColor(QPalette::LinkVisited, link);
    palette.setColor(QPalette::ToolTipBase, dark ? head : base);
    palette.setColor(QPalette::ToolTipText, text);
    palette.setColor(QPalette::Light, base);
    palette.setColor(QPalette::Midlight, alt);
    palette.setColor(QPalette::Mid, border);
    palette.setColor(QPalette::Dark, control);
    palette.setColor(QPalette::Shadow, border);
    for (const QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, disabled);
    }
    palette.setColor(QPalette::Disabled, QPalette::Highlight, idle);
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, disabled);
    return palette;
}

} // namespace doppler::views
