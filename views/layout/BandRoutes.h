#pragma once

#include <QPointF>
#include <limits>
#include <map>
#include <vector>

#include "views/layout/Layering.h"

namespace doppler::views {

/// Where a level is along its band.
struct LevelExtent {
    double begin = 0;
    double end = 0;
};

/// Where a band is across the levels.
struct BandExtent {
    double begin = std::numeric_limits<double>::max();
    double end = std::numeric_limits<double>::lowest();
    double shift = 0;    ///< from the positions of the layering
    double gapAfter = 0; ///< to the next band
};

/// The ways of edges from one band to another, as lines of text wrap: out into the gap after the
/// producer's level, into the space below its band, back, and down to the consumer; edges that
/// skip bands go round at the beginning of the lines. All edges of one producer share a way.
/// Coordinates: x across the levels, y along them.
class BandRoutes {
public:
    BandRoutes(const graph::Graph& graph, const LayoutShape& shape, const Layering& layering,
               const std::vector<BandExtent>& bands, const std::vector<LevelExtent>& levels);

    /// Cubic Bézier pieces from the border of the producer at `from` to that of the consumer.
    std::vector<QPointF> curve(EdgeId edge, const QPointF& from, const QPointF& to) const;

    /// By band: how many producers have edges in the space after it.
    static std::vector<int> tracksAfter(const graph::Graph& graph, const LayoutShape& shape,
                                        const Layering& layering);
    static double channelWidth(int tracks);

private:
    double track(int band, OpId producer) const;

    const graph::Graph& graph_;
    const LayoutShape& shape_;
    const Layering& layering_;
    const std::vector<BandExtent>& bands_;
    const std::vector<LevelExtent>& levels_;
    std::vector<std::map<OpId, int>> tracks_; // by band
    std::map<OpId, int> rounds_;              // producers whose edges go round at the beginning
};

} // namespace doppler::views
