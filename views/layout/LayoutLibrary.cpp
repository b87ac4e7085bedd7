#include "views/layout/LayoutLibrary.h"

#include <QCryptographicHash>
#include <QDir>
#include <QStandardPaths>

#include "views/layout/DotLayout.h"
#include "views/layout/LayeredLayout.h"
#include "views/layout/LayoutFile.h"

namespace doppler::views {

namespace {
constexpr int kMaxDotOps = 2'500;
constexpr int kMaxDotEdges = 10'000;
/// Part of the key: a change of spacing or direction makes old files useless.
constexpr int kRulesVersion = 2;
} // namespace

LayoutLibrary::LayoutLibrary(QString folder, QString dotProgram)
    : folder_(std::move(folder)), dotProgram_(std::move(dotProgram)) {}

QString LayoutLibrary::standardFolder() {
    const QString caches = QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation);
    return caches.isEmpty() ? QString() : caches + QStringLiteral("/doppler/layouts");
}

QByteArray LayoutLibrary::key(const graph::Graph& graph) {
    QCryptographicHash hash(QCryptographicHash::Sha1);
    std::vector<std::int32_t> numbers{kRulesVersion, graph.opCount(), graph.edgeCount()};
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        numbers.push_back(graph.source(edge));
        numbers.push_back(graph.target(edge));
    }
    hash.addData(QByteArrayView(reinterpret_cast<const char*>(numbers.data()),
                                static_cast<qsizetype>(numbers.size() * sizeof(numbers[0]))));
    return hash.result().toHex();
}

QString LayoutLibrary::fileOf(const QByteArray& key) const {
    return folder_ + u'/' + QString::fromLatin1(key) + QStringLiteral(".layout");
}

std::shared_ptr<const GraphLayout> LayoutLibrary::kept(const graph::Graph& graph) {
    const QByteArray id = key(graph);
    {
        const std::lock_guard lock(mutex_);
        if (const auto it = memory_.find(id); it != memory_.end()) {
            return it->second;
        }
    }
    if (folder_.isEmpty()) {
        return nullptr;
    }
    auto layout = readLayoutFile(fileOf(id), graph.opCount(), graph.edgeCount());
    if (layout) {
        const std::lock_guard lock(mutex_);
        memory_[id] = layout;
    }
    return layout;
}

bool LayoutLibrary::suitsGraphviz(const graph::Graph& graph) {
    if (graph.opCount() > kMaxDotOps || graph.edgeCount() > kMaxDotEdges ||
        graph.edgeCount() == 0) {
        return false;
    }
    const LayoutShape shape = layoutShape(graph);
    // It does not fold: neither wide levels nor long strips.
    return shape.opsPerRow >= shape.width && shape.bands.size() == 1;
}

LayoutLibrary::Result LayoutLibrary::best(const graph::Graph& graph, const std::stop_token& stop) {
    if (auto layout = kept(graph)) {
        return {std::move(layout), {}};
    }
    if (!suitsGraphviz(graph)) {
        return {layeredLayout(graph, stop), {}};
    }
    DotResult result = dotLayout(graph, layoutShape(graph), stop, dotProgram_);
    if (!result.layout) {
        return {stop.stop_requested() ? nullptr : layeredLayout(graph, stop), result.error};
    }
    const QByteArray id = key(graph);
    {
        const std::lock_guard lock(mutex_);
        memory_[id] = result.layout;
    }
    if (!folder_.isEmpty()) {
        writeLayoutFile(fileOf(id), *result.layout);
    }
    return {std::move(result.layout), {}};
}

} // namespace doppler::views
