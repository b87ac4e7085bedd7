#include "core/engine/KernelSamples.h"

#include <algorithm>
#include <cmath>

#include "core/cost/ProfiledCosts.h"
#include "core/engine/Statistics.h"

namespace doppler::engine {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

bool alike(const cluster::Device& a, const cluster::Device& b) {
    return a.peakFlops == b.peakFlops && a.memoryBytesPerSecond == b.memoryBytesPerSecond &&
           a.launchOverheadNs == b.launchOverheadNs && a.relativeSpeed == b.relativeSpeed;
}

bool alike(const cluster::Link& a, const cluster::Link& b) {
    return a.bytesPerSecond == b.bytesPerSecond && a.latencyNs == b.latencyNs &&
           a.relativeSpeed == b.relativeSpeed;
}

/// Of what a copy moves: the edges' own bytes where they state some.
std::int64_t copiedBytes(const graph::Graph& graph, const sim::Interval& copy) {
    if (!graph.hasEdgeBytes()) {
        return graph.outputBytes(copy.op);
    }
    std::int64_t most = 0;
    for (EdgeId edge = graph.firstOutEdge(copy.op); edge < graph.endOutEdge(copy.op); ++edge) {
        most = std::max(most, graph.edgeBytes(edge));
    }
    return most;
}

} // namespace

void KernelSamples::add(const sim::Problem& problem, const sim::Timeline& timeline, bool kernels) {
    for (const sim::Interval& interval : timeline.intervals) {
        Time from = 0;
        if (interval.causeInterval >= 0) {
            from = timeline.intervals[at(interval.causeInterval)].end;
        }
        const auto ns = static_cast<double>(interval.end - std::min(from, interval.start));
        if (interval.isTransfer()) {
            copies_[{interval.device, interval.to}][copiedBytes(*problem.graph, interval)]
                .push_back(ns);
        } else if (kernels) {
            kernels_[cost::kernelKey(*problem.graph, interval.op)]
                .ofDevice[interval.device]
                .push_back(ns);
        }
    }
}

KernelSamples::Classes KernelSamples::classesOf(const cluster::Cluster& cluster) {
    Classes classes;
    for (DeviceId device = 0; device < cluster.deviceCount(); ++device) {
        DeviceId first = 0;
        while (!alike(cluster.device(first), cluster.device(device))) {
            ++first;
        }
        classes.ofDevice.push_back(first);
    }
    std::vector<std::pair<DeviceId, DeviceId>> representatives;
    for (DeviceId from = 0; from < cluster.deviceCount(); ++from) {
        for (DeviceId to = 0; to < cluster.deviceCount(); ++to) {
            if (from == to) {
                continue;
            }
            const auto known =
                std::find_if(representatives.begin(), representatives.end(), [&](const auto& pair) {
                    return alike(cluster.link(pair.first, pair.second), cluster.link(from, to));
                });
            classes.ofPair[{from, to}] =
                known == representatives.end() ? std::pair(from, to) : *known;
            if (known == representatives.end()) {
                representatives.emplace_back(from, to);
            }
        }
    }
    return classes;
}

// Devices of one class are compared kernel by kernel, so that it does not matter which ran what.
std::vector<double> KernelSamples::factors(const Classes& classes) const {
    constexpr std::size_t kLeastSamples = 3;
    constexpr double kAlike = 0.02; // less than what repeating a measurement changes
    std::vector<std::vector<double>> ratios(classes.ofDevice.size());
    for (const auto& [key, kernel] : kernels_) {
        std::map<DeviceId, std::vector<double>> medians; // by class
        for (const auto& [device, ns] : kernel.ofDevice) {
            if (ns.size() >= kLeastSamples) {
                medians[classes.ofDevice[at(device)]].push_back(median(ns));
            }
        }
        for (const auto& [device, ns] : kernel.ofDevice) {
            const std::vector<double>& ofClass = medians[classes.ofDevice[at(device)]];
            if (ns.size() < kLeastSamples || ofClass.size() < 2) {
                continue;
            }
            double sum = 0;
            for (const double each : ofClass) {
                sum += each;
            }
            if (sum > 0) {
                ratios[at(device)].push_back(median(ns) * static_cast<double>(ofClass.size()) /
                                             sum);
            }
        }
    }
    std::vector<double> result;
    for (const std::vector<double>& ofDevice : ratios) {
        result.push_back(ofDevice.empty() ? 1 : median(ofDevice));
    }
    const bool unlike = std::any_of(result.begin(), result.end(),
                                    [](double f) { return std::fabs(f - 1) >= kAlike; });
    return unlike ? result : std::vector<double>{};
}

void KernelSamples::fill(cluster::Profile& profile, const cluster::Cluster& cluster) const {
    const Classes classes = classesOf(cluster);
    profile.deviceFactors = factors(classes);
    for (const auto& [key, kernel] : kernels_) {
        std::map<DeviceId, std::vector<double>> ofClass;
        for (const auto& [device, ns] : kernel.ofDevice) {
            const double factor =
                profile.deviceFactors.empty() ? 1 : profile.deviceFactors[at(device)];
            for (const double each : ns) {
                ofClass[classes.ofDevice[at(device)]].push_back(each / factor);
            }
        }
        for (const auto& [device, ns] : ofClass) {
            const double middle = median(ns);
            profile.kernels.push_back({.kernel = key,
                                       .device = device,
                                       .ns = std::llround(middle),
                                       .samples = static_cast<std::int32_t>(ns.size()),
                                       .spread = relativeSpread(ns, middle),
                                       .spiky = twoPopulations(ns)});
        }
    }
    std::map<std::pair<DeviceId, DeviceId>, std::map<std::int64_t, std::vector<double>>> links;
    for (const auto& [pair, sizes] : copies_) {
        for (const auto& [bytes, ns] : sizes) {
            std::vector<double>& all = links[classes.ofPair.at(pair)][bytes];
            all.insert(all.end(), ns.begin(), ns.end());
        }
    }
    for (const auto& [pair, sizes] : links) {
        std::vector<CopyTimes> times;
        for (const auto& [bytes, ns] : sizes) {
            times.push_back({.bytes = bytes, .ns = ns});
        }
        const LinkFit fit = fitLink(times);
        profile.links.push_back({.from = pair.first,
                                 .to = pair.second,
                                 .latencyNs = fit.latencyNs,
                                 .bytesPerSecond = fit.bytesPerSecond,
                                 .samples = fit.samples,
                                 .error = fit.error});
    }
}

} // namespace doppler::engine
