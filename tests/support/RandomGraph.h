#pragma once

#include <memory>

#include "core/graph/Graph.h"

namespace doppler::tests {

/// A graph of up to 29 ops that says everything a Graph can say, or only some of it: each
/// combination of features (names, costs, graph inputs, operands, payloads, repeated edges) comes
/// once in 64 seeds.
std::shared_ptr<const graph::Graph> randomGraph(unsigned seed);

} // namespace doppler::tests
