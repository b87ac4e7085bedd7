#pragma once

#include <QRectF>
#include <vector>

#include "views/layout/GraphLayout.h"

namespace doppler::views {

/// Finds the ops near a place in constant time: a uniform grid over the node centres.
class SpatialGrid {
public:
    SpatialGrid() = default;
    explicit SpatialGrid(const GraphLayout& layout);

    /// Ops whose node may touch `area` (scene units): all that do, and some that are near.
    std::vector<OpId> near(const QRectF& area) const;

private:
    int column(double x) const;
    int row(double y) const;

    QPointF origin_;
    double cell_ = 1;
    int columns_ = 0;
    int rows_ = 0;
    std::vector<std::uint32_t> begin_; // by cell
    std::vector<OpId> ops_;
};

} // namespace doppler::views
