#pragma once

#include <memory>
#include <stop_token>

#include "views/layout/GraphLayout.h"
#include "views/layout/LayoutShape.h"

namespace doppler::views {

/// Own layered layout (Sugiyama): levels, barycentre sweeps, least-squares coordinates. Linear in
/// ops and edges but for sorting, a second or two for 100,000 ops. Long edges bend around nodes as
/// long as that stays affordable, else they are straight. What would be one long strip is folded
/// into bands; edges to another band run in the space between them. Null if `stop` is requested.
std::shared_ptr<const GraphLayout> layeredLayout(const graph::Graph& graph,
                                                 const std::stop_token& stop = {},
                                                 const LayoutWish& wish = {});

} // namespace doppler::views
