#pragma once

#include <QFontMetricsF>
#include <QString>

#include "core/graph/Graph.h"

namespace doppler::views {

/// How an op is called where space is short: by its own name, or by its number if the name
/// ends with it ("mm 437" is "437") or there is none. Never by a number beside names: that would
/// read as a name of its own.
QString shortOpName(const graph::Graph& graph, OpId op);

/// The name that fits `width`: the whole one, else the op's number where the name ends with it or
/// there is no other. Else what tells it from its neighbours: of a path ("/layers.0/attn/MatMul")
/// the last parts, of a name that ends with a number that number, of any other the beginning, with
/// an ellipsis for what is left out. Empty when less than a few letters would be left, or of a
/// number less than all of it.
QString fittingOpName(const graph::Graph& graph, OpId op, const QFontMetricsF& metrics,
                      double width);

} // namespace doppler::views
