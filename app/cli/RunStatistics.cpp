#include "app/cli/RunStatistics.h"

#include <algorithm>
#include <cmath>

namespace doppler::cli {

namespace {

/// The smallest value that `share` of the sorted values do not exceed.
Time nearestRank(const std::vector<Time>& sorted, double share) {
    const double rank = std::ceil(share * static_cast<double>(sorted.size()));
    return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

} // namespace

RunStatistics runStatistics(std::vector<Time> makespans) {
    std::sort(makespans.begin(), makespans.end());
    const auto count = static_cast<double>(makespans.size());
    RunStatistics statistics;
    for (const Time makespan : makespans) {
        statistics.mean += static_cast<double>(makespan) / count;
    }
    double squares = 0;
    for (const Time makespan : makespans) {
        squares += std::pow(static_cast<double>(makespan) - statistics.mean, 2);
    }
    statistics.sd = count > 1 ? std::sqrt(squares / (count - 1)) : 0;
    statistics.least = makespans.front();
    statistics.median = nearestRank(makespans, 0.5);
    statistics.p95 = nearestRank(makespans, 0.95);
    statistics.most = makespans.back();
    return statistics;
}

} // namespace doppler::cli
