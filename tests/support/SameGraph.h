#pragma once

#include <string>

#include "core/graph/Graph.h"

namespace doppler::tests {

/// The first difference between two graphs in words, over everything a Graph says; empty if they
/// are equal.
std::string firstDifference(const graph::Graph& a, const graph::Graph& b);

} // namespace doppler::tests
