#include "views/canvas/SpatialGrid.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace doppler::views {

namespace {
constexpr double kOpsPerCell = 4;
constexpr int kMaxSide = 2048;
} // namespace

SpatialGrid::SpatialGrid(const GraphLayout& layout) : origin_(layout.bounds.topLeft()) {
    const QSizeF size = layout.bounds.size();
    const double cells = std::max(1.0, layout.opCount() / kOpsPerCell);
    cell_ = std::max({std::sqrt(size.width() * size.height() / cells), kNodeHeight,
                      size.width() / kMaxSide, size.height() / kMaxSide});
    columns_ = static_cast<int>(size.width() / cell_) + 1;
    rows_ = static_cast<int>(size.height() / cell_) + 1;

    begin_.assign(static_cast<std::size_t>(columns_ * rows_) + 1, 0);
    const auto cellOf = [this](const QPointF& point) {
        return static_cast<std::size_t>(row(point.y()) * columns_ + column(point.x()));
    };
    for (const QPointF& centre : layout.centres) {
        ++begin_[cellOf(centre) + 1];
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    ops_.resize(layout.centres.size());
    std::vector<std::uint32_t> next = begin_;
    for (OpId op = 0; op < layout.opCount(); ++op) {
        ops_[next[cellOf(layout.centre(op))]++] = op;
    }
}

int SpatialGrid::column(double x) const {
    const double column = std::floor((x - origin_.x()) / cell_);
    return static_cast<int>(std::clamp(column, 0.0, columns_ - 1.0));
}

int SpatialGrid::row(double y) const {
    const double row = std::floor((y - origin_.y()) / cell_);
    return static_cast<int>(std::clamp(row, 0.0, rows_ - 1.0));
}

std::vector<OpId> SpatialGrid::near(const QRectF& area) const {
    std::vector<OpId> found;
    if (columns_ == 0) {
        return found;
    }
    const QRectF reach =
        area.adjusted(-kNodeWidth / 2, -kNodeHeight / 2, kNodeWidth / 2, kNodeHeight / 2);
    const int firstColumn = column(reach.left());
    const int lastColumn = column(reach.right());
    for (int r = row(reach.top()); r <= row(reach.bottom()); ++r) {
        const auto first = begin_[static_cast<std::size_t>(r * columns_ + firstColumn)];
        const auto last = begin_[static_cast<std::size_t>(r * columns_ + lastColumn) + 1];
        found.insert(found.end(), ops_.begin() + first, ops_.begin() + last);
    }
    return found;
}

} // namespace doppler::views
