#pragma once

#include <vector>

#include "views/layout/LayoutShape.h"

namespace doppler::views {

/// A long strip of levels that runs to the right, to be folded into bands.
struct Strip {
    const graph::Graph& graph;
    const std::vector<std::int32_t>& level; ///< by op
    std::vector<double> along;              ///< by level: extent of its nodes, and of the gap after
    std::vector<double> across;             ///< by level: of its nodes, side by side
};

/// First levels of the bands whose drawing comes closest to `aspect`, cut where few edges cross;
/// {0} for a strip that is better not cut.
std::vector<int> chooseBands(const Strip& strip, double aspect);

} // namespace doppler::views
