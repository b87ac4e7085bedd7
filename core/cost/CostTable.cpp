#include "core/cost/CostTable.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/graph/InputError.h"

namespace doppler::cost {

namespace {

constexpr double kNsPerSecond = 1e9;
// Leaves room to add up a long schedule without overflow.
constexpr double kLargestTime = 4e15;

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

Time toTime(double value) {
    return static_cast<Time>(std::min(value, kLargestTime));
}

/// Numbers of equal things: classOf[i] indexes the distinct representatives.
template <typename T, typename Same>
std::vector<std::uint32_t> classify(const std::vector<T>& things, std::vector<std::size_t>& first,
                                    Same same) {
    std::vector<std::uint32_t> classOf(things.size(), 0);
    for (std::size_t i = 0; i < things.size(); ++i) {
        std::size_t cls = 0;
        while (cls < first.size() && !same(things[first[cls]], things[i])) {
            ++cls;
        }
        if (cls == first.size()) {
            first.push_back(i);
        }
        classOf[i] = static_cast<std::uint32_t>(cls);
    }
    return classOf;
}

struct Classes {
    std::vector<std::uint32_t> deviceClass;
    std::vector<const cluster::Device*> devices; // one a class
    std::vector<std::uint32_t> linkClass;
    std::vector<cluster::Link> links; // one a class, at least one
    std::vector<double> deviceShare;
    std::vector<double> linkShare;
};

Classes classesOf(const cluster::Cluster& cluster) {
    Classes classes;
    std::vector<std::size_t> first;
    classes.deviceClass =
        classify(cluster.devices(), first, [](const cluster::Device& a, const cluster::Device& b) {
            return a.peakFlops == b.peakFlops && a.memoryBytesPerSecond == b.memoryBytesPerSecond &&
                   a.launchOverheadNs == b.launchOverheadNs && a.relativeSpeed == b.relativeSpeed;
        });
    for (const std::size_t device : first) {
        classes.devices.push_back(&cluster.devices()[device]);
    }
    classes.deviceShare.assign(first.size(), 0);
    for (const std::uint32_t cls : classes.deviceClass) {
        classes.deviceShare[cls] += 1.0 / cluster.deviceCount();
    }

    const int count = cluster.deviceCount();
    classes.linkClass.assign(at(count) * at(count), 0);
    for (DeviceId from = 0; from < count; ++from) {
        for (DeviceId to = 0; to < count; ++to) {
            if (from == to) {
                continue;
            }
            const cluster::Link& link = cluster.link(from, to);
            std::size_t cls = 0;
            while (cls < classes.links.size() &&
                   !(classes.links[cls].bytesPerSecond == link.bytesPerSecond &&
                     classes.links[cls].latencyNs == link.latencyNs &&
                     classes.links[cls].relativeSpeed == link.relativeSpeed)) {
                ++cls;
            }
            if (cls == classes.links.size()) {
                classes.links.push_back(link);
                classes.linkShare.push_back(0);
            }
            classes.linkShare[cls] += 1.0 / (count * (count - 1.0));
            classes.linkClass[at(from) * at(count) + at(to)] = static_cast<std::uint32_t>(cls);
        }
    }
    if (classes.links.empty()) {
        classes.links.push_back({1, 0, cluster::LinkKind::Uniform, 1.0});
        classes.linkShare.push_back(0);
    }
    return classes;
}

/// Latency + bytes / bandwidth, by edge where edges state bytes, else by producer; link classes
/// within.
std::vector<Time> linkTimes(const graph::Graph& graph, const Classes& classes) {
    std::vector<Time> times;
    const bool perEdge = graph.hasEdgeBytes();
    const int rows = perEdge ? graph.edgeCount() : graph.opCount();
    for (std::int32_t row = 0; row < rows; ++row) {
        const std::int64_t bytes = perEdge ? graph.edgeBytes(row) : graph.outputBytes(row);
        for (const cluster::Link& link : classes.links) {
            const double ns =
                std::ceil(static_cast<double>(bytes) / link.bytesPerSecond * kNsPerSecond);
            times.push_back(toTime(ns) + link.latencyNs);
        }
    }
    return times;
}

/// Columns of a matrix, equal ones once.
struct Columns {
    std::vector<std::uint32_t> classOf; // by column
    std::vector<Time> values;           // row-major
    std::vector<double> share;          // of the columns that are used
};

/// `unused` columns, empty for none, are in class 0 and do not count. There is a class at least.
Columns distinctColumns(const std::vector<Time>& matrix, std::size_t columns,
                        const std::vector<bool>& unused) {
    const std::size_t rows = matrix.size() / columns;
    const auto equal = [&](std::size_t a, std::size_t b) {
        for (std::size_t row = 0; row < rows; ++row) {
            if (matrix[row * columns + a] != matrix[row * columns + b]) {
                return false;
            }
        }
        return true;
    };
    Columns result;
    std::vector<std::size_t> first;
    result.classOf.assign(columns, 0);
    double used = 0;
    for (std::size_t column = 0; column < columns; ++column) {
        if (!unused.empty() && unused[column]) {
            continue;
        }
        std::size_t cls = 0;
        while (cls < first.size() && !equal(first[cls], column)) {
            ++cls;
        }
        if (cls == first.size()) {
            first.push_back(column);
            result.share.push_back(0);
        }
        result.classOf[column] = static_cast<std::uint32_t>(cls);
        ++result.share[cls];
        ++used;
    }
    if (first.empty()) {
        first.push_back(0);
        result.share.push_back(0);
    }
    for (double& share : result.share) {
        share /= std::max(used, 1.0);
    }
    for (std::size_t row = 0; row < rows; ++row) {
        for (const std::size_t column : first) {
            result.values.push_back(matrix[row * columns + column]);
        }
    }
    return result;
}

/// A graph without any FLOPs or bytes would get nothing but launch overheads, which mean nothing.
void requireSizes(const graph::Graph& graph) {
    for (OpId op = 0; op < graph.opCount(); ++op) {
        if (graph.flops(op) > 0 || graph.bytesTouched(op) > 0) {
            return;
        }
    }
    if (graph.opCount() > 0 && graph.hasFileCosts()) {
        throw InputError("costs", "a graph that states neither FLOPs nor bytes of any op",
                         "published costs, which it has (physical ones need sizes)");
    }
}

} // namespace

std::string_view name(TimeUnit unit) {
    return unit == TimeUnit::Units ? "units" : "ns";
}

std::string_view name(CostModel model) {
    switch (model) {
    case CostModel::Published:
        return "published";
    case CostModel::Physical:
        return "physical";
    case CostModel::Profiled:
        return "profiled";
    }
    return "";
}

double CostTable::meanCompute(OpId op) const {
    double mean = 0;
    for (std::size_t cls = 0; cls < deviceClasses_; ++cls) {
        mean += deviceClassShare_[cls] * static_cast<double>(computeOfClass(op, cls));
    }
    return mean;
}

double CostTable::meanTransfer(EdgeId edge, OpId source) const {
    double mean = 0;
    for (std::size_t cls = 0; cls < linkClasses_; ++cls) {
        mean += linkClassShare_[cls] * static_cast<double>(transferOfClass(edge, source, cls));
    }
    return mean;
}

std::shared_ptr<const CostTable> CostTable::fromMatrices(const graph::Graph& graph, int devices,
                                                         const std::vector<Time>& compute,
                                                         const std::vector<Time>& transfer,
                                                         TimeUnit unit) {
    const std::size_t pairs = at(devices) * at(devices);
    if (devices < 1 || compute.size() != at(graph.opCount()) * at(devices) ||
        transfer.size() != at(graph.edgeCount()) * pairs) {
        throw InputError("cost matrices", "sizes that do not match the graph",
                         "ops x devices and edges x devices x devices");
    }
    const Columns computeColumns = distinctColumns(compute, at(devices), {});
    std::vector<bool> unused(pairs, false); // from a device to itself
    for (std::size_t device = 0; device < at(devices); ++device) {
        unused[device * at(devices) + device] = true;
    }
    const Columns transferColumns = distinctColumns(transfer, pairs, unused);
    std::shared_ptr<CostTable> table(new CostTable());
    table->unit_ = unit;
    // Times that come from elsewhere were measured there.
    table->model_ = unit == TimeUnit::Units ? CostModel::Published : CostModel::Profiled;
    table->opCount_ = graph.opCount();
    table->perEdge_ = true;
    table->deviceClasses_ = computeColumns.share.size();
    table->linkClasses_ = transferColumns.share.size();
    table->compute_ = computeColumns.values;
    table->transfer_ = transferColumns.values;
    table->deviceClassShare_ = computeColumns.share;
    table->linkClassShare_ = transferColumns.share;
    table->deviceClass_ = computeColumns.classOf;
    table->linkClass_ = transferColumns.classOf;
    return table;
}

std::shared_ptr<const CostTable> publishedCosts(const graph::Graph& graph,
                                                const cluster::Cluster& cluster) {
    if (!graph.hasFileCosts()) {
        throw InputError("costs of \"" + graph.name() + "\"", "a graph without costs of its own",
                         "published costs in the file (or --costs physical)");
    }
    const Classes classes = classesOf(cluster);
    std::shared_ptr<CostTable> table(new CostTable());
    table->unit_ = graph.fileCostUnit() == graph::FileCostUnit::Units ? TimeUnit::Units
                                                                      : TimeUnit::Nanoseconds;
    table->model_ = CostModel::Published;
    table->opCount_ = graph.opCount();
    const bool bytesOnly = graph.fileCostUnit() == graph::FileCostUnit::NanosecondsAndBytes;
    table->perEdge_ = bytesOnly ? graph.hasEdgeBytes() : graph.hasEdgeFileTransfer();
    table->deviceClasses_ = classes.devices.size();
    table->linkClasses_ = classes.links.size();
    table->deviceClass_ = classes.deviceClass;
    table->linkClass_ = classes.linkClass;
    table->deviceClassShare_ = classes.deviceShare;
    table->linkClassShare_ = classes.linkShare;
    // The file's own integers, untouched where the speed is 1.
    const auto scaled = [](std::int64_t cost, double speed) {
        return speed == 1.0 ? cost : toTime(std::round(static_cast<double>(cost) / speed));
    };
    for (OpId op = 0; op < graph.opCount(); ++op) {
        for (const cluster::Device* device : classes.devices) {
            table->compute_.push_back(scaled(graph.fileCompute(op), device->relativeSpeed));
        }
    }
    if (bytesOnly) {
        table->transfer_ = linkTimes(graph, classes);
        return table;
    }
    const int rows = table->perEdge_ ? graph.edgeCount() : graph.opCount();
    for (std::int32_t row = 0; row < rows; ++row) {
        const std::int64_t cost =
            table->perEdge_ ? graph.edgeFileTransfer(row) : graph.fileTransfer(row);
        for (const cluster::Link& link : classes.links) {
            table->transfer_.push_back(scaled(cost, link.relativeSpeed));
        }
    }
    return table;
}

std::shared_ptr<const CostTable> physicalCosts(const graph::Graph& graph,
                                               const cluster::Cluster& cluster) {
    requireSizes(graph);
    const Classes classes = classesOf(cluster);
    for (const cluster::Device* device : classes.devices) {
        if (device->flopsPerSecond(graph::DType::F32) <= 0 || device->memoryBytesPerSecond <= 0) {
            throw InputError("device \"" + device->name + "\"", "no FLOP/s or memory bandwidth",
                             "both, for physical costs");
        }
    }
    std::shared_ptr<CostTable> table(new CostTable());
    table->unit_ = TimeUnit::Nanoseconds;
    table->model_ = CostModel::Physical;
    table->opCount_ = graph.opCount();
    table->perEdge_ = graph.hasEdgeBytes();
    table->deviceClasses_ = classes.devices.size();
    table->linkClasses_ = classes.links.size();
    table->deviceClass_ = classes.deviceClass;
    table->linkClass_ = classes.linkClass;
    table->deviceClassShare_ = classes.deviceShare;
    table->linkClassShare_ = classes.linkShare;
    for (OpId op = 0; op < graph.opCount(); ++op) {
        for (const cluster::Device* device : classes.devices) {
            const double math =
                static_cast<double>(graph.flops(op)) / device->flopsPerSecond(graph.dtype(op));
            const double memory =
                static_cast<double>(graph.bytesTouched(op)) / device->memoryBytesPerSecond;
            const double ns = std::ceil(std::max(math, memory) * kNsPerSecond);
            table->compute_.push_back(toTime(ns) + device->launchOverheadNs);
        }
    }
    table->transfer_ = linkTimes(graph, classes);
    return table;
}

CostModel defaultCostModel(const graph::Graph& graph) {
    return graph.hasFileCosts() ? CostModel::Published : CostModel::Physical;
}

std::shared_ptr<const CostTable> makeCosts(CostModel model, const graph::Graph& graph,
                                           const cluster::Cluster& cluster) {
    switch (model) {
    case CostModel::Published:
        return publishedCosts(graph, cluster);
    case CostModel::Physical:
        return physicalCosts(graph, cluster);
    case CostModel::Profiled:
        break;
    }
    throw InputError("costs", "\"profiled\" without times measured on the cluster",
                     "a cluster file that doppler calibrate wrote, or published or physical");
}

} // namespace doppler::cost
