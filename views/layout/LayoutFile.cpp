#include "views/layout/LayoutFile.h"

#include <QDataStream>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

namespace doppler::views {

namespace {

constexpr quint32 kMagic = 0x444C4159; // "DLAY"
constexpr quint32 kVersion = 1;

void prepare(QDataStream& stream) {
    stream.setVersion(QDataStream::Qt_6_0);
    stream.setFloatingPointPrecision(QDataStream::SinglePrecision);
}

void write(QDataStream& stream, const std::vector<QPointF>& points) {
    stream << static_cast<quint32>(points.size());
    for (const QPointF& point : points) {
        stream << point.x() << point.y();
    }
}

bool read(QDataStream& stream, std::vector<QPointF>& points, quint64 expectedBytes) {
    quint32 count = 0;
    stream >> count;
    if (stream.status() != QDataStream::Ok || count > expectedBytes) {
        return false;
    }
    points.reserve(count);
    for (quint32 i = 0; i < count && stream.status() == QDataStream::Ok; ++i) {
        double x = 0;
        double y = 0;
        stream >> x >> y;
        points.emplace_back(x, y);
    }
    return stream.status() == QDataStream::Ok;
}

} // namespace

void writeLayoutFile(const QString& path, const GraphLayout& layout) {
    QDir().mkpath(QFileInfo(path).absolutePath());
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) {
        return;
    }
    QDataStream stream(&file);
    prepare(stream);
    stream << kMagic << kVersion << static_cast<quint8>(layout.engine) << layout.leftToRight;
    write(stream, layout.centres);
    stream << static_cast<quint32>(layout.curveBegin.size());
    for (const std::uint32_t begin : layout.curveBegin) {
        stream << begin;
    }
    write(stream, layout.curvePoints);
    file.commit();
}

std::shared_ptr<const GraphLayout> readLayoutFile(const QString& path, int ops, int edges) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return nullptr;
    }
    const auto bytes = static_cast<quint64>(file.size());
    QDataStream stream(&file);
    prepare(stream);
    quint32 magic = 0;
    quint32 version = 0;
    quint8 engine = 0;
    GraphLayout layout;
    stream >> magic >> version >> engine >> layout.leftToRight;
    if (magic != kMagic || version != kVersion || !read(stream, layout.centres, bytes)) {
        return nullptr;
    }
    layout.engine = engine == 0 ? LayoutEngine::Layered : LayoutEngine::Dot;
    quint32 begins = 0;
    stream >> begins;
    if (layout.opCount() != ops || begins != static_cast<quint32>(edges) + 1) {
        return nullptr;
    }
    layout.curveBegin.assign(begins, 0);
    for (std::uint32_t& begin : layout.curveBegin) {
        stream >> begin;
    }
    if (!read(stream, layout.curvePoints, bytes)) {
        return nullptr;
    }
    std::uint32_t previous = 0;
    for (const std::uint32_t begin : layout.curveBegin) {
        if (begin < previous || begin > layout.curvePoints.size()) {
            return nullptr;
        }
        previous = begin;
    }
    layout.updateBounds();
    return std::make_shared<const GraphLayout>(std::move(layout));
}

} // namespace doppler::views
