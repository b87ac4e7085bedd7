#include "views/render/PictureFile.h"

#include <QFileInfo>
#include <QImage>
#include <QPageLayout>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include "views/format/ShownText.h"

namespace doppler::views {

namespace {

constexpr double kPngScale = 2;
constexpr int kMaxPngSide = 30'000;
constexpr double kDotsPerInch = 96;
constexpr double kPointsPerInch = 72;

QString endingOf(const QString& path) {
    return QFileInfo(path).suffix().toLower();
}

bool writePng(QIODevice& device, QSize size, const std::function<void(QPainter&)>& paint) {
    const double scale =
        std::max(size.width(), size.height()) * kPngScale > kMaxPngSide ? 1.0 : kPngScale;
    QImage image(size * scale, QImage::Format_ARGB32_Premultiplied);
    if (image.isNull()) {
        return false;
    }
    image.setDevicePixelRatio(scale);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    paint(painter);
    painter.end();
    return image.save(&device, "PNG");
}

bool writeSvg(QIODevice& device, QSize size, const QString& title,
              const std::function<void(QPainter&)>& paint) {
    QSvgGenerator generator;
    generator.setOutputDevice(&device);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(), size));
    generator.setTitle(title.toHtmlEscaped()); // Qt writes it as it is
    generator.setResolution(static_cast<int>(kDotsPerInch));
    QPainter painter(&generator);
    if (!painter.isActive()) {
        return false;
    }
    paint(painter);
    return painter.end();
}

bool writePdf(QIODevice& device, QSize size, const QString& title,
              const std::function<void(QPainter&)>& paint) {
    QPdfWriter writer(&device);
    writer.setTitle(title);
    writer.setResolution(static_cast<int>(kDotsPerInch));
    writer.setPageSize(QPageSize(QSizeF(size) * kPointsPerInch / kDotsPerInch, QPageSize::Point,
                                 QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    QPainter painter(&writer);
    if (!painter.isActive()) {
        return false;
    }
    paint(painter);
    return painter.end();
}

} // namespace

bool isPicturePath(const QString& path, QString* error) {
    const QString ending = endingOf(path);
    if (ending == QLatin1String("png") || ending == QLatin1String("svg") ||
        ending == QLatin1String("pdf")) {
        return true;
    }
    if (error) {
        *error = QStringLiteral("%1: found the ending \"%2\", expected .png, .svg or .pdf")
                     .arg(path, ending);
    }
    return false;
}

bool writePicture(const QString& path, QSize size, const QString& title,
                  const std::function<void(QPainter&)>& paint, QString* error) {
    if (!isPicturePath(path, error)) {
        return false;
    }
    QSaveFile file(path);
    bool written = file.open(QIODevice::WriteOnly);
    if (written) {
        const QString ending = endingOf(path);
        written = ending == QLatin1String("png")   ? writePng(file, size, paint)
                  : ending == QLatin1String("svg") ? writeSvg(file, size, shownText(title), paint)
                                                   : writePdf(file, size, shownText(title), paint);
        written = written && file.commit();
    }
    if (!written && error) {
        *error = QStringLiteral("%1: cannot be written: %2").arg(path, file.errorString());
    }
    return written;
}

} // namespace doppler::views
