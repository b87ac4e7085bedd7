#include "views/layout/Bands.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "views/layout/BandRoutes.h"

namespace doppler::views {

namespace {

/// A strip longer than this times its height is folded.
constexpr double kFoldAspect = 8;
constexpr int kMostBands = 100;
/// How far from even lines a cut may be, in lines.
constexpr double kSlack = 0.3;
constexpr double kOffCost = 2;
/// A last line shorter than this stays with the one before.
constexpr double kShortestLine = 0.3;

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

class BandSearch {
public:
    explicit BandSearch(const Strip& strip) : strip_(strip), begin_(strip.along.size() + 1, 0) {
        std::partial_sum(strip.along.begin(), strip.along.end(), begin_.begin() + 1);
        crossing_.assign(strip.along.size() + 1, 0);
        for (EdgeId edge = 0; edge < strip.graph.edgeCount(); ++edge) {
            ++crossing_[at(levelOf(strip.graph.source(edge))) + 1];
            if (at(levelOf(strip.graph.target(edge))) + 1 < crossing_.size()) {
                --crossing_[at(levelOf(strip.graph.target(edge))) + 1];
            }
        }
        std::partial_sum(crossing_.begin(), crossing_.end(), crossing_.begin());
    }

    double length() const { return begin_.back(); }

    /// About `count` lines of about the same length.
    std::vector<int> cut(int count) const {
        const double line = length() / count;
        std::vector<int> bands{0};
        while (length() - begin_[at(bands.back())] > line * (1 + kShortestLine)) {
            const double ideal = begin_[at(bands.back())] + line;
            const auto first =
                std::lower_bound(begin_.begin(), begin_.end(), ideal - kSlack * line);
            int best = -1;
            double bestCost = 0;
            for (auto it = first; it != begin_.end() && *it <= ideal + kSlack * line; ++it) {
                const auto level = static_cast<int>(it - begin_.begin());
                if (level <= bands.back() || level + 1 >= static_cast<int>(begin_.size())) {
                    continue;
                }
                const double off = std::abs(*it - ideal) / line;
                const double cost = (crossing_[at(level)] + 1) * (1 + kOffCost * off);
                if (best < 0 || cost < bestCost) {
                    best = level;
                    bestCost = cost;
                }
            }
            if (best < 0) {
                break; // one level is longer than a line
            }
            bands.push_back(best);
        }
        return bands;
    }

    /// Width over height of the drawing.
    double aspectOf(const std::vector<int>& bands) const {
        std::vector<int> bandOf(strip_.along.size(), 0);
        for (std::size_t band = 1; band < bands.size(); ++band) {
            std::fill(bandOf.begin() + bands[band], bandOf.end(), static_cast<int>(band));
        }
        std::vector<int> passing(strip_.along.size() + 1, 0);
        std::vector<int> leaving(bands.size(), 0);
        for (OpId op = 0; op < strip_.graph.opCount(); ++op) {
            bool leaves = false;
            const std::int32_t from = levelOf(op);
            for (EdgeId edge = strip_.graph.firstOutEdge(op); edge < strip_.graph.endOutEdge(op);
                 ++edge) {
                const std::int32_t to = levelOf(strip_.graph.target(edge));
                if (bandOf[at(from)] == bandOf[at(to)]) {
                    ++passing[at(from) + 1];
                    --passing[at(to)];
                } else {
                    leaves = true;
                }
            }
            leaving[at(bandOf[at(from)])] += leaves ? 1 : 0;
        }
        std::partial_sum(passing.begin(), passing.end(), passing.begin());
        double width = 0;
        double height = 0;
        for (std::size_t band = 0; band < bands.size(); ++band) {
            const std::size_t end = band + 1 < bands.size() ? at(bands[band + 1]) : bandOf.size();
            double highest = 0;
            for (std::size_t level = at(bands[band]); level < end; ++level) {
                highest = std::max(highest, strip_.across[level] + passing[level] * kBendRoom);
            }
            width = std::max(width, begin_[end] - begin_[at(bands[band])]);
            height += highest;
            if (band + 1 < bands.size()) {
                height += kBandGap + BandRoutes::channelWidth(leaving[band]);
            }
        }
        return width / std::max(height, 1.0);
    }

private:
    std::int32_t levelOf(OpId op) const { return strip_.level[at(op)]; }

    const Strip& strip_;
    std::vector<double> begin_; // of each level along, and the end
    std::vector<int> crossing_; // by level: edges from before it to it or beyond
};

} // namespace

std::vector<int> chooseBands(const Strip& strip, double aspect) {
    const BandSearch search(strip);
    std::vector<int> best{0};
    double bestAspect = search.aspectOf(best);
    if (bestAspect < kFoldAspect) {
        return best;
    }
    for (int count = 2; count <= kMostBands && bestAspect > aspect; ++count) {
        std::vector<int> bands = search.cut(count);
        const double found = search.aspectOf(bands);
        if (std::abs(std::log(found / aspect)) < std::abs(std::log(bestAspect / aspect))) {
            best = std::move(bands);
            bestAspect = found;
        }
        if (found < aspect) {
            break;
        }
    }
    return best;
}

} // namespace doppler::views
