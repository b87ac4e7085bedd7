#include "views/gantt/PixelSpans.h"

#include <algorithm>
#include <cmath>

namespace doppler::views {

namespace {

constexpr double kBeyond = 16;

/// Busy time of the pixel column that is being filled.
class Column {
public:
    explicit Column(std::vector<PixelSpan>& out) : out_(out) {}

    void add(double left, double right) {
        const double column = std::floor(left);
        if (column != column_) {
            flush(column);
            column_ = column;
        }
        covered_ += right - left;
        used_ = true;
    }

    /// Writes the column, of which nothing beyond `limit` is free.
    void flush(double limit) {
        if (used_) {
            const double left = std::max(column_, lastRight_);
            const double right = std::min(column_ + 1, std::max(limit, column_));
            if (right > left) {
                append(left, right);
            }
        }
        used_ = false;
        covered_ = 0;
    }

    /// Nothing merged may be drawn left of here.
    void block(double right) { lastRight_ = right; }

private:
    void append(double left, double right) {
        // A lone short span must be seen, so half is the least that is shown.
        const int quarters =
            std::clamp(static_cast<int>(std::ceil(4 * covered_ / (right - left))), 2, 4);
        PixelSpan* last = out_.empty() ? nullptr : &out_.back();
        if (last != nullptr && last->span < 0 && last->right == left &&
            last->quarters == quarters) {
            last->right = right;
        } else {
            out_.push_back({left, right, -1, quarters});
        }
        lastRight_ = right;
    }

    std::vector<PixelSpan>& out_;
    double column_ = -1e300;
    double covered_ = 0;
    double lastRight_ = -1e300;
    bool used_ = false;
};

} // namespace

void pixelSpans(const LaneRow& row, const TimeMap& map, std::vector<PixelSpan>& out) {
    out.clear();
    Column column(out);
    const auto [first, last] = visibleSpans(row, map.from, map.to());
    for (std::size_t i = first; i < last; ++i) {
        const double left = map.x(static_cast<double>(row[i].start));
        const double right = map.x(static_cast<double>(row[i].end));
        if (right - left < 1) {
            column.add(left, right);
            continue;
        }
        column.flush(left);
        // What is far out of sight would overflow the painter's coordinates.
        out.push_back({std::max(left, map.left - kBeyond), std::min(right, map.right + kBeyond),
                       static_cast<std::int32_t>(i), 4});
        column.block(right);
    }
    column.flush(1e300);
}

} // namespace doppler::views
