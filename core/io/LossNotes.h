#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/graph/Graph.h"

namespace doppler::io {

/// What a file of `format` ("json", "txt", "dot", "graphml" or "csv") cannot hold of this graph, a
/// line each: "txt does not hold the transfer costs of 9 edges". Empty where nothing is lost.
std::vector<std::string> lossNotes(const graph::Graph& graph, std::string_view format);

} // namespace doppler::io
