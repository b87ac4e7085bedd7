#pragma once

/// core/cost: how long each op takes on each device and each value on each link. Uses core/graph
/// and core/cluster.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/cluster/Cluster.h"
#include "core/graph/Graph.h"

namespace doppler::cost {

/// Unit of all times of a problem.
enum class TimeUnit : std::uint8_t { Nanoseconds, Units };

/// "ns" or "units".
std::string_view name(TimeUnit unit);

enum class CostModel : std::uint8_t { Published, Physical, Profiled };

std::string_view name(CostModel model);

/// The numbers a simulator needs, resolved for one graph on one cluster: compute time per (op,
/// device class) and transfer time per (edge or producer, link class). Devices (links) with equal
/// numbers share a class, so the table stays small for like devices.
class CostTable {
public:
    TimeUnit unit() const { return unit_; }
    CostModel model() const { return model_; }
    int opCount() const { return opCount_; }
    int deviceCount() const { return static_cast<int>(deviceClass_.size()); }

    Time compute(OpId op, DeviceId device) const {
        return compute_[static_cast<std::size_t>(op) * deviceClasses_ +
                        deviceClass_[static_cast<std::size_t>(device)]];
    }
    /// Time for the value of `edge` (whose source is `source`) from one device to another; 0 when
    /// from == to.
    Time transfer(EdgeId edge, OpId source, DeviceId from, DeviceId to) const {
        if (from == to) {
            return 0;
        }
        const auto row = static_cast<std::size_t>(perEdge_ ? edge : source);
        return transfer_[row * linkClasses_ + linkClass(from, to)];
    }

    // The classes, for code that precomputes on them.
    std::size_t deviceClasses() const { return deviceClasses_; }
    std::size_t deviceClass(DeviceId device) const {
        return deviceClass_[static_cast<std::size_t>(device)];
    }
    std::size_t linkClasses() const { return linkClasses_; }
    /// Only for from != to.
    std::size_t linkClass(DeviceId from, DeviceId to) const {
        return linkClass_[static_cast<std::size_t>(from) * deviceClass_.size() +
                          static_cast<std::size_t>(to)];
    }
    Time computeOfClass(OpId op, std::size_t cls) const {
        return compute_[static_cast<std::size_t>(op) * deviceClasses_ + cls];
    }
    Time transferOfClass(EdgeId edge, OpId source, std::size_t cls) const {
        return transfer_[static_cast<std::size_t>(perEdge_ ? edge : source) * linkClasses_ + cls];
    }
    /// True if transfer times differ between edges of one producer.
    bool perEdge() const { return perEdge_; }

    /// Means over devices and over ordered pairs of distinct devices (0 with one device), as list
    /// schedulers use them.
    double meanCompute(OpId op) const;
    double meanTransfer(EdgeId edge, OpId source) const;

    /// From explicit numbers: `compute` is op-major (opCount x D), `transfer` is edge-major
    /// (edgeCount x D x D, from * D + to within an edge). For hand-made examples and tests.
    static std::shared_ptr<const CostTable> fromMatrices(const graph::Graph& graph, int devices,
                                                         const std::vector<Time>& compute,
                                                         const std::vector<Time>& transfer,
                                                         TimeUnit unit);

private:
    friend std::shared_ptr<const CostTable> publishedCosts(const graph::Graph&,
                                                           const cluster::Cluster&);
    friend std::shared_ptr<const CostTable> physicalCosts(const graph::Graph&,
                                                          const cluster::Cluster&);
    CostTable() = default;

    TimeUnit unit_ = TimeUnit::Nanoseconds;
    CostModel model_ = CostModel::Physical;
    int opCount_ = 0;
    bool perEdge_ = false;
    std::size_t deviceClasses_ = 1;
    std::size_t linkClasses_ = 1;
    std::vector<std::uint32_t> deviceClass_;
    std::vector<std::uint32_t> linkClass_;
    std::vector<Time> compute_;
    std::vector<Time> transfer_;
    std::vector<double> deviceClassShare_; // fraction of devices in each class
    std::vector<double> linkClassShare_;   // fraction of ordered pairs in each class
};

/// The costs of the file: compute / relative speed of the device, transfer / relative speed of the
/// link, rounded to the nearest; where the file states bytes only (NanosecondsAndBytes), transfers
/// as physicalCosts has them. Unit: the file's. Throws InputError if the graph has none.
std::shared_ptr<const CostTable> publishedCosts(const graph::Graph& graph,
                                                const cluster::Cluster& cluster);

/// max(FLOPs / rate, bytes touched / memory bandwidth) + launch overhead; latency + bytes /
/// bandwidth. Nanoseconds, rounded up. Throws InputError if a device has neither rate.
std::shared_ptr<const CostTable> physicalCosts(const graph::Graph& graph,
                                               const cluster::Cluster& cluster);

/// What the user asked for: Published where the graph has costs of its own, else Physical.
CostModel defaultCostModel(const graph::Graph& graph);

std::shared_ptr<const CostTable> makeCosts(CostModel model, const graph::Graph& graph,
                                           const cluster::Cluster& cluster);

} // namespace doppler::cost
