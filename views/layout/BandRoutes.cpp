#include "views/layout/BandRoutes.h"

#include <algorithm>
#include <cmath>

namespace doppler::views {

namespace {

constexpr double kTrackStep = 4;
constexpr double kMostChannel = 120;
constexpr double kRoundMargin = 24; // from the beginning of the lines
constexpr double kMostRound = 60;
constexpr double kCorner = 10;

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

/// Calls `use(band, producer)` for every space between bands that the edge runs in, and
/// `round(producer)` if it skips a band.
template <typename Use, typename Round>
void forEachChannel(const graph::Graph& graph, const LayoutShape& shape, const Layering& layering,
                    const Use& use, const Round& round) {
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        const OpId source = graph.source(edge);
        const int from = shape.bandOf(layering.level(source));
        const int to = shape.bandOf(layering.level(graph.target(edge)));
        if (from == to) {
            continue;
        }
        use(from, source);
        if (to > from + 1) {
            use(to - 1, source);
            round(source);
        }
    }
}

std::vector<std::map<OpId, int>> tracksOf(const graph::Graph& graph, const LayoutShape& shape,
                                          const Layering& layering) {
    std::vector<std::map<OpId, int>> tracks(shape.bands.size());
    forEachChannel(
        graph, shape, layering,
        [&](int band, OpId producer) {
            tracks[at(band)].try_emplace(producer, static_cast<int>(tracks[at(band)].size()));
        },
        [](OpId) {});
    return tracks;
}

/// A line through `corners` whose corners are rounded, as cubic pieces.
std::vector<QPointF> rounded(const std::vector<QPointF>& corners) {
    std::vector<QPointF> points{corners.front()};
    const auto straightTo = [&](const QPointF& end) {
        const QPointF begin = points.back();
        points.push_back(begin + (end - begin) / 3);
        points.push_back(end - (end - begin) / 3);
        points.push_back(end);
    };
    const auto towards = [](const QPointF& from, const QPointF& to, double distance) {
        const double length = std::hypot(to.x() - from.x(), to.y() - from.y());
        return length < 1e-9 ? from : from + (to - from) * std::min(0.5, distance / length);
    };
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
        const QPointF& corner = corners[i];
        const QPointF in = towards(corner, corners[i - 1], kCorner);
        const QPointF out = towards(corner, corners[i + 1], kCorner);
        straightTo(in);
        points.push_back(in + (corner - in) * 0.6);
        points.push_back(out + (corner - out) * 0.6);
        points.push_back(out);
    }
    straightTo(corners.back());
    return points;
}

} // namespace

BandRoutes::BandRoutes(const graph::Graph& graph, const LayoutShape& shape,
                       const Layering& layering, const std::vector<BandExtent>& bands,
                       const std::vector<LevelExtent>& levels)
    : graph_(graph)
    , shape_(shape)
    , layering_(layering)
    , bands_(bands)
    , levels_(levels)
    , tracks_(tracksOf(graph, shape, layering)) {
    forEachChannel(
        graph, shape, layering, [](int, OpId) {},
        [this](OpId producer) { rounds_.try_emplace(producer, static_cast<int>(rounds_.size())); });
}

std::vector<int> BandRoutes::tracksAfter(const graph::Graph& graph, const LayoutShape& shape,
                                         const Layering& layering) {
    std::vector<int> counts;
    for (const auto& tracks : tracksOf(graph, shape, layering)) {
        counts.push_back(static_cast<int>(tracks.size()));
    }
    return counts;
}

double BandRoutes::channelWidth(int tracks) {
    return std::min(kMostChannel, tracks * kTrackStep);
}

double BandRoutes::track(int band, OpId producer) const {
    const auto& tracks = tracks_[at(band)];
    const BandExtent& extent = bands_[at(band)];
    const double width = channelWidth(static_cast<int>(tracks.size()));
    const double share = (tracks.at(producer) + 0.5) / static_cast<double>(tracks.size());
    return extent.end + (extent.gapAfter - width) / 2 + width * share;
}

std::vector<QPointF> BandRoutes::curve(EdgeId edge, const QPointF& from, const QPointF& to) const {
    const OpId source = graph_.source(edge);
    const OpId target = graph_.target(edge);
    const int first = shape_.bandOf(layering_.level(source));
    const int last = shape_.bandOf(layering_.level(target));
    const double begin = from.y() + layering_.extentAlong(source) / 2;
    const double end = to.y() - layering_.extentAlong(target) / 2;
    // The lines up and down stand in the gaps between the levels.
    const double leave = levels_[at(layering_.level(source))].end + shape_.levelGap / 3;
    const double arrive = levels_[at(layering_.level(target))].begin - shape_.levelGap / 3;
    const double out = track(first, source);
    std::vector<QPointF> corners{{from.x(), begin}, {from.x(), leave}, {out, leave}};
    if (last > first + 1) {
        const double share = (rounds_.at(source) + 0.5) / static_cast<double>(rounds_.size());
        const double width = std::min(kMostRound, static_cast<double>(rounds_.size()) * kTrackStep);
        const double round = -kRoundMargin - width * share;
        const double in = track(last - 1, source);
        corners.insert(corners.end(), {{out, round}, {in, round}, {in, arrive}});
    } else {
        corners.emplace_back(out, arrive);
    }
    corners.emplace_back(to.x(), arrive);
    corners.emplace_back(to.x(), end);
    return rounded(corners);
}

} // namespace doppler::views
