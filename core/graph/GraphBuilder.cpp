#include "core/graph/GraphBuilder.h"

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_map>

#include "core/graph/InputError.h"
#include "core/graph/SaturatingMath.h"

namespace doppler::graph {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

std::int64_t tensorBytes(const Shape& shape, DType dtype) {
    return saturatingMultiply(elementCount(shape), elementBytes(dtype));
}

/// Gives equal strings equal small numbers, in order of first use.
class Interner {
public:
    explicit Interner(std::vector<std::string>& names) : names_(names) {}

    std::uint32_t index(const std::string& text) {
        const auto [entry, added] = known_.try_emplace(text, names_.size());
        if (added) {
            names_.push_back(text);
        }
        return static_cast<std::uint32_t>(entry->second);
    }

private:
    std::vector<std::string>& names_;
    std::unordered_map<std::string, std::size_t> known_;
};

/// A sum that notices when it leaves 64 bits.
class CheckedSum {
public:
    explicit CheckedSum(const char* what) : what_(what) {}

    void add(std::int64_t value) {
        if (__builtin_add_overflow(sum_, value, &sum_)) {
            throw InputError("graph",
                             std::string(what_) + " that add up to more than " +
                                 std::to_string(std::numeric_limits<std::int64_t>::max()),
                             "smaller numbers");
        }
    }

private:
    const char* what_;
    std::int64_t sum_ = 0;
};

/// Sums over a graph, which everything behind it takes without a check, stay within 64 bits.
void checkSums(const Graph& graph) {
    CheckedSum flops("FLOPs");
    CheckedSum bytes("bytes of outputs, edges and graph inputs"); // one device may hold them all
    CheckedSum fileCosts("compute and transfer costs");
    for (OpId op = 0; op < graph.opCount(); ++op) {
        flops.add(graph.flops(op));
        bytes.add(graph.outputBytes(op));
        if (graph.hasFileCosts()) {
            fileCosts.add(graph.fileCompute(op));
        }
    }
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        bytes.add(graph.edgeBytes(edge));
        if (graph.hasFileCosts()) {
            fileCosts.add(graph.edgeFileTransfer(edge));
        }
    }
    for (const GraphInput& input : graph.inputs()) {
        bytes.add(input.bytes);
    }
}

} // namespace

GraphBuilder::GraphBuilder(std::string graphName) : name_(std::move(graphName)) {}

void GraphBuilder::reserve(int ops, int edges) {
    ops_.reserve(at(ops));
    edges_.reserve(at(edges));
}

InputId GraphBuilder::addInput(GraphInput input) {
    inputs_.push_back(std::move(input));
    return static_cast<InputId>(inputs_.size()) - 1;
}

OpId GraphBuilder::addOp(OpSpec spec) {
    ops_.push_back(std::move(spec));
    return static_cast<OpId>(ops_.size()) - 1;
}

void GraphBuilder::addEdge(OpId source, OpId target, std::int32_t operand, std::int64_t bytes,
                           std::int64_t fileTransfer) {
    edges_.push_back({source, target, operand, bytes, fileTransfer});
}

void GraphBuilder::addInputUse(InputId input, OpId target, std::int32_t operand) {
    inputUses_.push_back({input, target, operand, edges_.size()});
}

void GraphBuilder::markOutput(OpId op) {
    outputs_.push_back(op);
}

void GraphBuilder::buildOps(Graph& graph) {
    const std::size_t count = ops_.size();
    graph.kinds_.resize(count);
    graph.kindNameIndex_.resize(count);
    graph.dtypes_.resize(count);
    graph.outputBytes_.resize(count);
    graph.flops_.resize(count);
    if (unit_ != FileCostUnit::None) {
        graph.fileCompute_.resize(count);
        graph.fileTransfer_.resize(count);
    }
    const auto any = [&](auto predicate) {
        return std::any_of(ops_.begin(), ops_.end(), predicate);
    };
    if (any([](const OpSpec& s) { return !s.name.empty(); })) {
        graph.names_.resize(count);
    }
    if (any([](const OpSpec& s) { return s.pinnedDevice != kNoDevice; })) {
        graph.pinned_.assign(count, kNoDevice);
    }
    if (any([](const OpSpec& s) { return !s.group.empty(); })) {
        graph.groups_.assign(count, -1);
    }
    if (any([](const OpSpec& s) { return !s.detail.empty(); })) {
        graph.details_.resize(count);
    }
    if (any([](const OpSpec& s) { return s.costEstimated; })) {
        graph.estimated_.assign(count, 0);
    }
    const bool shapes = any([](const OpSpec& s) { return !s.shape.empty(); });
    if (shapes) {
        graph.shapeBegin_.push_back(0);
    }

    Interner kindNames(graph.kindNames_);
    Interner groupNames(graph.groupNames_);
    for (std::size_t i = 0; i < count; ++i) {
        const OpSpec& spec = ops_[i];
        graph.kinds_[i] = spec.kind;
        graph.kindNameIndex_[i] =
            kindNames.index(spec.kindName.empty() ? std::string(name(spec.kind)) : spec.kindName);
        graph.dtypes_[i] = spec.dtype;
        graph.outputBytes_[i] = spec.outputBytes >= 0 ? spec.outputBytes
                                : spec.dtype == DType::Unknown
                                    ? 0
                                    : tensorBytes(spec.shape, spec.dtype);
        graph.flops_[i] = spec.flops;
        if (unit_ != FileCostUnit::None) {
            graph.fileCompute_[i] = spec.fileCompute;
            graph.fileTransfer_[i] = spec.fileTransfer;
        }
        if (!graph.names_.empty()) {
            graph.names_[i] = spec.name; // kept in the spec for messages
        }
        if (!graph.pinned_.empty()) {
            graph.pinned_[i] = spec.pinnedDevice;
        }
        if (!graph.groups_.empty() && !spec.group.empty()) {
            graph.groups_[i] = static_cast<std::int32_t>(groupNames.index(spec.group));
        }
        if (!graph.details_.empty()) {
            graph.details_[i] = spec.detail;
        }
        if (!graph.estimated_.empty()) {
            graph.estimated_[i] = spec.costEstimated ? 1 : 0;
        }
        if (shapes) {
            graph.shapeDims_.insert(graph.shapeDims_.end(), spec.shape.begin(), spec.shape.end());
            graph.shapeBegin_.push_back(static_cast<std::uint32_t>(graph.shapeDims_.size()));
        }
    }
}

std::shared_ptr<const Graph> GraphBuilder::build() {
    checkValues();
    std::shared_ptr<Graph> graph(new Graph());
    graph->name_ = name_;
    graph->fileCostUnit_ = unit_;
    buildOps(*graph);
    buildEdges(*graph);
    orderTopologically(*graph);
    buildUses(*graph);
    graph->inputs_ = std::move(inputs_);
    std::sort(outputs_.begin(), outputs_.end());
    outputs_.erase(std::unique(outputs_.begin(), outputs_.end()), outputs_.end());
    graph->outputs_ = std::move(outputs_);
    checkSums(*graph);

    graph->bytesTouched_.resize(ops_.size());
    for (OpId op = 0; at(op) < ops_.size(); ++op) {
        if (ops_[at(op)].bytesTouched >= 0) {
            graph->bytesTouched_[at(op)] = ops_[at(op)].bytesTouched;
            continue;
        }
        std::int64_t bytes = graph->outputBytes(op);
        for (const EdgeId edge : graph->inEdges(op)) {
            bytes = saturatingAdd(bytes, graph->edgeBytes(edge));
        }
        std::set<std::int32_t> inputsRead;
        for (const Use& use : graph->uses(op)) {
            if (use.fromInput && inputsRead.insert(use.source).second) {
                bytes = saturatingAdd(bytes, graph->inputs_[at(use.source)].bytes);
            }
        }
        graph->bytesTouched_[at(op)] = bytes;
    }

    ops_.clear();
    edges_.clear();
    inputUses_.clear();
    inputs_.clear();
    outputs_.clear();
    return graph;
}

} // namespace doppler::graph
