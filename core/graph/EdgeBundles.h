#pragma once

#include <cstdint>
#include <vector>

#include "core/graph/Graph.h"

namespace doppler::graph {

/// All edges from one part of a graph to another, drawn as one line.
struct EdgeBundle {
    std::int32_t source = 0; ///< number of the part
    std::int32_t target = 0;
    int count = 0;          ///< edges
    std::int64_t bytes = 0; ///< that they carry
    /// It closes a cycle between the parts (whose ops depend on each other both ways). Without the
    /// backward bundles the parts form a DAG.
    bool backward = false;
};

/// Collects links between parts (groups, or single ops) and merges those of the same two.
class EdgeBundler {
public:
    /// Adds an edge of the graph between two parts; nothing if they are the same.
    void add(std::int32_t source, std::int32_t target, std::int64_t bytes);

    /// The bundles, ordered by source, then target. `position` (by part) says what comes first
    /// where parts depend on each other both ways: bundles against it are marked as backward.
    std::vector<EdgeBundle> bundles(const std::vector<double>& position) const;

private:
    std::vector<EdgeBundle> links_;
};

} // namespace doppler::graph
