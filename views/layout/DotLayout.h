#pragma once

#include <QByteArray>
#include <QString>
#include <memory>
#include <optional>
#include <stop_token>

#include "views/layout/GraphLayout.h"
#include "views/layout/LayoutShape.h"

namespace doppler::views {

/// A layout, or why there is none.
struct DotResult {
    std::shared_ptr<const GraphLayout> layout;
    QString error; ///< empty if the layout was cancelled
};

/// Runs Graphviz `dot` in a process of its own and waits for it; from any thread. Cancelled by
/// `stop`, given up after `timeoutSeconds`.
DotResult dotLayout(const graph::Graph& graph, const LayoutShape& shape,
                    const std::stop_token& stop = {},
                    const QString& program = QStringLiteral("dot"), int timeoutSeconds = 60);

/// What `dot` gets: direction and spacing of `shape`, nodes of fixed size, curved edges.
QByteArray dotSource(const graph::Graph& graph, const LayoutShape& shape);

/// Reads the answer of `dot -Tplain`; nothing if it does not describe this graph.
std::optional<GraphLayout> parsePlain(const QByteArray& plain, const graph::Graph& graph,
                                      const LayoutShape& shape);

} // namespace doppler::views
