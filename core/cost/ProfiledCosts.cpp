#include "core/cost/ProfiledCosts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "core/cluster/Profile.h"
#include "core/graph/InputError.h"

namespace doppler::cost {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

std::string typed(graph::DType dtype, std::span<const std::int64_t> shape) {
    std::string text(graph::name(dtype));
    for (std::size_t d = 0; d < shape.size(); ++d) {
        text += (d == 0 ? ' ' : 'x') + std::to_string(shape[d]);
    }
    return text;
}

constexpr double kNsPerSecond = 1e9;
// Together such times cannot leave 64 bits, however many there are.
constexpr double kLongest = 1e12;

/// The profile, by the classes of `physical`.
struct Measured {
    Measured(const cluster::Profile& profile, const CostTable& physical) {
        const DeviceId devices = physical.deviceCount();
        const auto check = [devices](DeviceId device) {
            if (device < 0 || device >= devices) {
                throw InputError("profile", "device " + std::to_string(device),
                                 "a device from 0 to " + std::to_string(devices - 1));
            }
        };
        for (const cluster::KernelTime& kernel : profile.kernels) {
            check(kernel.device);
            auto& times = kernels[kernel.kernel];
            times.resize(physical.deviceClasses(), -1);
            times[physical.deviceClass(kernel.device)] = kernel.ns;
        }
        for (const cluster::LinkTime& link : profile.links) {
            check(link.from);
            check(link.to);
            if (link.from != link.to) {
                links[physical.linkClass(link.from, link.to)] = &link;
            }
        }
        factors = profile.deviceFactors;
        factors.resize(at(devices), 1.0);
    }

    /// Negative: not measured.
    Time time(const std::string& kernel, std::size_t cls) const {
        const auto known = kernels.find(kernel);
        return known == kernels.end() ? -1 : known->second[cls];
    }

    std::unordered_map<std::string, std::vector<Time>> kernels;
    std::map<std::size_t, const cluster::LinkTime*> links;
    std::vector<double> factors; // by device
};

} // namespace

std::string kernelKey(const graph::Graph& graph, OpId op) {
    std::string key =
        std::string(graph.kindName(op)) + ' ' + typed(graph.dtype(op), graph.shape(op));
    if (graph.shape(op).empty()) {
        key += ' ' + std::to_string(graph.outputBytes(op)) + " B";
    }
    // Blocks that make up one operand follow each other; equal ones are counted.
    std::vector<std::pair<std::string, int>> operands;
    std::vector<std::int32_t> operandOf;
    const auto add = [&](std::string text, std::int32_t operand) {
        if (!operands.empty() && operands.back().first == text && operandOf.back() == operand) {
            ++operands.back().second;
            return;
        }
        operands.emplace_back(std::move(text), 1);
        operandOf.push_back(operand);
    };
    for (const graph::Use& use : graph.uses(op)) {
        if (use.fromInput) {
            const graph::GraphInput& input = graph.inputs()[at(use.source)];
            add(typed(input.dtype, input.shape), use.operand);
        } else {
            add(typed(graph.dtype(use.source), graph.shape(use.source)), use.operand);
        }
    }
    if (graph.uses(op).empty()) {
        std::int32_t operand = 0;
        for (const EdgeId edge : graph.inEdges(op)) {
            const OpId source = graph.source(edge);
            add(typed(graph.dtype(source), graph.shape(source)), operand++);
        }
    }
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const bool joins = i > 0 && operandOf[i] == operandOf[i - 1];
        key += i == 0 ? " <- " : joins ? " + " : ", ";
        key += operands[i].second > 1 ? std::to_string(operands[i].second) + " of " : "";
        key += operands[i].first;
    }
    return key + "; " + std::to_string(graph.flops(op)) + " FLOP";
}

std::shared_ptr<const CostTable> profiledCosts(const graph::Graph& graph,
                                               const cluster::Cluster& cluster,
                                               const cluster::Profile& profile) {
    const std::shared_ptr<const CostTable> physical = physicalCosts(graph, cluster);
    const Measured measured(profile, *physical);
    const DeviceId devices = cluster.deviceCount();
    std::vector<Time> compute;
    for (OpId op = 0; op < graph.opCount(); ++op) {
        const std::string kernel = kernelKey(graph, op);
        for (DeviceId device = 0; device < devices; ++device) {
            const std::size_t cls = physical->deviceClass(device);
            const Time known = measured.time(kernel, cls);
            const double ns = static_cast<double>(known) * measured.factors[at(device)];
            compute.push_back(known < 0 ? physical->computeOfClass(op, cls)
                                        : std::llround(std::min(ns, kLongest)));
        }
    }
    std::vector<Time> transfer;
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        const OpId source = graph.source(edge);
        const auto bytes = static_cast<double>(graph.edgeBytes(edge));
        for (DeviceId from = 0; from < devices; ++from) {
            for (DeviceId to = 0; to < devices; ++to) {
                const auto link = from == to ? measured.links.end()
                                             : measured.links.find(physical->linkClass(from, to));
                if (link == measured.links.end()) {
                    transfer.push_back(physical->transfer(edge, source, from, to));
                    continue;
                }
                const double ns = bytes / link->second->bytesPerSecond * kNsPerSecond +
                                  static_cast<double>(link->second->latencyNs);
                transfer.push_back(std::llround(std::min(ns, kLongest)));
            }
        }
    }
    return CostTable::fromMatrices(graph, devices, compute, transfer, TimeUnit::Nanoseconds);
}

ProfileCoverage profileCoverage(const graph::Graph& graph, const cluster::Cluster& cluster,
                                const cluster::Profile& profile) {
    const std::shared_ptr<const CostTable> physical = physicalCosts(graph, cluster);
    const Measured measured(profile, *physical);
    ProfileCoverage coverage;
    coverage.ops = graph.opCount();
    for (OpId op = 0; op < graph.opCount(); ++op) {
        const std::string kernel = kernelKey(graph, op);
        bool all = true;
        for (std::size_t cls = 0; cls < physical->deviceClasses(); ++cls) {
            all = all && measured.time(kernel, cls) >= 0;
        }
        coverage.measuredOps += all ? 1 : 0;
    }
    if (cluster.deviceCount() > 1) {
        coverage.links = static_cast<int>(physical->linkClasses());
        coverage.measuredLinks = static_cast<int>(measured.links.size());
    }
    return coverage;
}

} // namespace doppler::cost
