#pragma once

#include <QByteArray>
#include <QString>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>

#include "views/layout/GraphLayout.h"

namespace doppler::views {

/// Chooses the layout engine for a graph and keeps what it found, in memory and on disk, by the
/// graph's content. Safe to use from several threads.
class LayoutLibrary {
public:
    struct Result {
        std::shared_ptr<const GraphLayout> layout; ///< null only if cancelled
        QString note; ///< why the layout is not Graphviz's though it should be
    };

    /// `folder` keeps layouts between runs; empty: in memory only.
    explicit LayoutLibrary(QString folder = standardFolder(),
                           QString dotProgram = QStringLiteral("dot"));

    /// The folder of the user's caches for this program.
    static QString standardFolder();

    /// The layout kept for this graph, or null. Quick.
    std::shared_ptr<const GraphLayout> kept(const graph::Graph& graph);
    /// Graphviz for graphs it can lay out well and soon (up to 2,500 ops), else the own one; keeps
    /// what Graphviz found.
    Result best(const graph::Graph& graph, const std::stop_token& stop = {});
    /// Whether best() would ask Graphviz.
    static bool suitsGraphviz(const graph::Graph& graph);

private:
    static QByteArray key(const graph::Graph& graph);
    QString fileOf(const QByteArray& key) const;

    QString folder_;
    QString dotProgram_;
    std::mutex mutex_;
    std::map<QByteArray, std::shared_ptr<const GraphLayout>> memory_;
};

} // namespace doppler::views
