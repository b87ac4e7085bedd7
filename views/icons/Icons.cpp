#include "views/icons/Icons.h"

#include <QApplication>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>
#include <array>
#include <memory>

// Outside of any namespace, as the macro asks: the library is static, so nothing else pulls the
// files in.
static void initIconResources() {
    Q_INIT_RESOURCE(icons);
}

namespace doppler::views {

namespace {

constexpr std::array<const char*, kIconCount> kFiles{
    "open",         "save",      "undo",   "redo",     "search", "play",  "pause", "stop",
    "step-forward", "step-back", "first",  "last",     "plus",   "minus", "fit",   "close",
    "float",        "more",      "down",   "right",    "back",   "link",  "pin",   "lock",
    "lasso",        "export",    "filter", "settings", "layers", "train", "chip",  "graph",
    "compare",      "follow",    "chain",  "ruler",    "table",  "book",  "bulb",  "clock",
    "file",         "drop",      "check",  "warning",  "info",
};

struct IconColours {
    QColor normal;
    QColor disabled;
    QColor checked;
};

/// Draws the vector file anew for each size, then fills its shape with the colour of the state.
class LineIconEngine : public QIconEngine {
public:
    LineIconEngine(QString path, IconColours colours)
        : path_(std::move(path))
        , renderer_(std::make_shared<QSvgRenderer>(path_))
        , colours_(std::move(colours)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode,
               QIcon::State state) override {
        const qreal scale = painter->device()->devicePixelRatioF();
        const QPixmap picture = scaledPixmap(rect.size() * scale, mode, state, scale);
        painter->drawPixmap(rect, picture);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        return scaledPixmap(size, mode, state, 1);
    }

    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state,
                         qreal scale) override {
        QImage image(size, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        const int side = std::min(size.width(), size.height());
        renderer_->render(&painter, QRectF((size.width() - side) / 2.0,
                                           (size.height() - side) / 2.0, side, side));
        painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
        painter.fillRect(image.rect(), colour(mode, state));
        painter.end();
        QPixmap pixmap = QPixmap::fromImage(image);
        pixmap.setDevicePixelRatio(scale);
        return pixmap;
    }

    QIconEngine* clone() const override { return new LineIconEngine(*this); }
    QString key() const override { return QStringLiteral("doppler-line-icon"); }
    bool isNull() override { return !renderer_->isValid(); }

private:
    const QColor& colour(QIcon::Mode mode, QIcon::State state) const {
        if (mode == QIcon::Disabled) {
            return colours_.disabled;
        }
        return state == QIcon::On ? colours_.checked : colours_.normal;
    }

    QString path_;
    std::shared_ptr<QSvgRenderer> renderer_;
    IconColours colours_;
};

QIcon makeIcon(IconName name, IconColours colours) {
    initIconResources();
    const auto index = static_cast<std::size_t>(name);
    const QString path = QStringLiteral(":/icons/%1.svg").arg(QLatin1String(kFiles[index]));
    return QIcon(new LineIconEngine(path, std::move(colours)));
}

} // namespace

QIcon icon(IconName name, const Theme& theme) {
    return makeIcon(name, {theme.text, theme.disabled, theme.link});
}

QIcon icon(IconName name, const Theme& theme, const QColor& colour) {
    return makeIcon(name, {colour, theme.disabled, colour});
}

void loadIconResources() {
    initIconResources();
}

QIcon applicationIcon() {
    initIconResources();
    return QIcon(QStringLiteral(":/icons/doppler-workbench.svg"));
}

} // namespace doppler::views
