#include "core/graph/GraphBuilder.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <set>
#include <unordered_map>

#include "core/graph/InputError.h"

namespace doppler::graph {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

std::int64_t saturatingAdd(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

std::int64_t tensorBytes(const Shape& shape, DType dtype) {
    std::int64_t bytes = 0;
    return __builtin_mul_overflow(elementCount(shape), elementBytes(dtype), &bytes)
               ? std::numeric_limits<std::int64_t>::max()
               : bytes;
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
    CheckedSum outputBytes("output bytes");
    CheckedSum edgeBytes("edge bytes");
    CheckedSum inputBytes("bytes of graph inputs");
    CheckedSum fileCosts("compute and transfer costs");
    for (OpId op = 0; op < graph.opCount(); ++op) {
        flops.add(graph.flops(op));
        outputBytes.add(graph.outputBytes(op));
        if (graph.hasFileCosts()) {
            fileCosts.add(graph.fileCompute(op));
        }
    }
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        edgeBytes.add(graph.edgeBytes(edge));
        if (graph.hasFileCosts()) {
            fileCosts.add(graph.edgeFileTransfer(edge));
        }
    }
    for (const GraphInput& input : graph.inputs()) {
        inputBytes.add(input.bytes);
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

std::string GraphBuilder::opLabel(OpId op) const {
    const OpSpec& spec = ops_[at(op)];
    if (!spec.name.empty()) {
        return "\"" + spec.name + "\"";
    }
    const std::string kind = spec.kindName.empty() ? std::string(name(spec.kind)) : spec.kindName;
    return "\"" + kind + " " + std::to_string(op) + "\"";
}

void GraphBuilder::checkValues() const {
    const auto opCount = static_cast<OpId>(ops_.size());
    const std::string range = opCount == 0 ? "no edges, for there are no ops"
                                           : "an op id from 0 to " + std::to_string(opCount - 1);
    for (std::size_t i = 0; i < edges_.size(); ++i) {
        const EdgeSpec& edge = edges_[i];
        const std::string where = "edge " + std::to_string(i);
        for (const OpId end : {edge.source, edge.target}) {
            if (end < 0 || end >= opCount) {
                throw InputError(where, "op id " + std::to_string(end), range);
            }
        }
        if (edge.source == edge.target) {
            throw InputError(where, "an edge from op " + opLabel(edge.source) + " to itself",
                             "two different ops");
        }
        if (edge.bytes < -1 || edge.fileTransfer < -1) {
            throw InputError(where, "a negative size or cost", "0 or more");
        }
    }
    for (const InputUseSpec& use : inputUses_) {
        if (use.input < 0 || at(use.input) >= inputs_.size() || use.target < 0 ||
            use.target >= opCount) {
            throw InputError("use of graph input " + std::to_string(use.input) + " by op " +
                                 std::to_string(use.target),
                             "an id that does not exist", "known ids");
        }
    }
    for (const OpId op : outputs_) {
        if (op < 0 || op >= opCount) {
            throw InputError("outputs", "op id " + std::to_string(op), range);
        }
    }
    for (OpId op = 0; op < opCount; ++op) {
        const OpSpec& spec = ops_[at(op)];
        const auto requireNonNegative = [&](std::int64_t value, std::int64_t least,
                                            const char* what) {
            if (value < least) {
                throw InputError("op " + opLabel(op),
                                 std::string(what) + " " + std::to_string(value), "0 or more");
            }
        };
        requireNonNegative(spec.outputBytes, -1, "output bytes");
        requireNonNegative(spec.bytesTouched, -1, "bytes touched");
        requireNonNegative(spec.flops, 0, "FLOPs");
        requireNonNegative(spec.fileCompute, 0, "compute cost");
        requireNonNegative(spec.fileTransfer, 0, "transfer cost");
        requireNonNegative(spec.pinnedDevice, kNoDevice, "pinned device");
        for (const std::int64_t dimension : spec.shape) {
            requireNonNegative(dimension, 0, "dimension");
        }
    }
    for (const GraphInput& input : inputs_) {
        if (input.bytes < 0) {
            throw InputError("graph input \"" + input.name + "\"",
                             std::to_string(input.bytes) + " bytes", "0 or more");
        }
    }
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

// Groups the edges by source (file order within a source), merging parallel ones, and numbers the
// incoming ones by operand.
void GraphBuilder::buildEdges(Graph& graph) {
    const std::size_t opCount = ops_.size();
    std::vector<std::size_t> bucket(opCount + 1, 0);
    for (const EdgeSpec& edge : edges_) {
        ++bucket[at(edge.source) + 1];
    }
    std::partial_sum(bucket.begin(), bucket.end(), bucket.begin());
    std::vector<std::size_t> bySource(edges_.size());
    {
        std::vector<std::size_t> next(bucket.begin(), bucket.end());
        for (std::size_t i = 0; i < edges_.size(); ++i) {
            bySource[next[at(edges_[i].source)]++] = i;
        }
    }

    const bool ownBytes = std::any_of(edges_.begin(), edges_.end(),
                                      [](const EdgeSpec& edge) { return edge.bytes >= 0; });
    const bool ownTransfer = unit_ != FileCostUnit::None &&
                             std::any_of(edges_.begin(), edges_.end(), [](const EdgeSpec& edge) {
                                 return edge.fileTransfer >= 0;
                             });
    mergedEdges_ = 0;
    graph.outBegin_.assign(1, 0);
    std::vector<std::int32_t> multiplicity;
    std::vector<std::int32_t> operandOf;
    std::vector<EdgeId> lastEdgeTo(opCount, kNoEdge);
    std::vector<OpId> lastSourceTo(opCount, kNoOp);
    for (OpId source = 0; at(source) < opCount; ++source) {
        for (std::size_t k = bucket[at(source)]; k < bucket[at(source) + 1]; ++k) {
            const EdgeSpec& edge = edges_[bySource[k]];
            const std::int64_t bytes =
                edge.bytes >= 0 ? edge.bytes : graph.outputBytes_[at(source)];
            const std::int64_t transfer = !ownTransfer ? 0
                                          : edge.fileTransfer >= 0
                                              ? edge.fileTransfer
                                              : graph.fileTransfer_[at(source)];
            if (lastSourceTo[at(edge.target)] == source) {
                const std::size_t first = at(lastEdgeTo[at(edge.target)]);
                ++multiplicity[first];
                ++mergedEdges_;
                if (edge.operand >= 0) {
                    operandOf[first] = operandOf[first] < 0
                                           ? edge.operand
                                           : std::min(operandOf[first], edge.operand);
                }
                // Stated sizes of parallel edges are separate payloads; whole outputs are one.
                if (ownBytes && edge.bytes >= 0) {
                    graph.edgeBytes_[first] = saturatingAdd(graph.edgeBytes_[first], bytes);
                }
                if (ownTransfer && edge.fileTransfer >= 0) {
                    graph.edgeFileTransfer_[first] =
                        saturatingAdd(graph.edgeFileTransfer_[first], transfer);
                }
                continue;
            }
            lastSourceTo[at(edge.target)] = source;
            lastEdgeTo[at(edge.target)] = static_cast<EdgeId>(graph.edgeTarget_.size());
            graph.edgeSource_.push_back(source);
            graph.edgeTarget_.push_back(edge.target);
            multiplicity.push_back(1);
            operandOf.push_back(edge.operand);
            if (ownBytes) {
                graph.edgeBytes_.push_back(bytes);
            }
            if (ownTransfer) {
                graph.edgeFileTransfer_.push_back(transfer);
            }
        }
        graph.outBegin_.push_back(static_cast<EdgeId>(graph.edgeTarget_.size()));
    }
    if (mergedEdges_ > 0) {
        graph.multiplicity_ = std::move(multiplicity);
    }

    graph.inBegin_.assign(opCount + 1, 0);
    for (const OpId target : graph.edgeTarget_) {
        ++graph.inBegin_[at(target) + 1];
    }
    std::partial_sum(graph.inBegin_.begin(), graph.inBegin_.end(), graph.inBegin_.begin());
    graph.inEdges_.resize(graph.edgeTarget_.size());
    std::vector<EdgeId> next(graph.inBegin_.begin(), graph.inBegin_.end());
    for (std::size_t edge = 0; edge < graph.edgeTarget_.size(); ++edge) {
        graph.inEdges_[at(next[at(graph.edgeTarget_[edge])]++)] = static_cast<EdgeId>(edge);
    }
    const bool operands = std::any_of(edges_.begin(), edges_.end(),
                                      [](const EdgeSpec& edge) { return edge.operand >= 0; });
    if (operands) {
        for (std::size_t op = 0; op < opCount; ++op) {
            std::stable_sort(
                graph.inEdges_.begin() + graph.inBegin_[op],
                graph.inEdges_.begin() + graph.inBegin_[op + 1],
                [&](EdgeId a, EdgeId b) { return operandOf[at(a)] < operandOf[at(b)]; });
        }
    }
}

void GraphBuilder::buildUses(Graph& graph) const {
    const bool operands = std::any_of(edges_.begin(), edges_.end(),
                                      [](const EdgeSpec& edge) { return edge.operand >= 0; });
    if (inputUses_.empty() && !operands) {
        return;
    }
    struct PendingUse {
        OpId target;
        Use use;
    };
    std::vector<PendingUse> pending;
    pending.reserve(edges_.size() + inputUses_.size());
    std::size_t nextInput = 0;
    for (std::size_t i = 0; i <= edges_.size(); ++i) {
        while (nextInput < inputUses_.size() && inputUses_[nextInput].afterEdges == i) {
            const InputUseSpec& use = inputUses_[nextInput++];
            pending.push_back({use.target, {use.input, use.operand, true}});
        }
        if (i < edges_.size()) {
            pending.push_back({edges_[i].target, {edges_[i].source, edges_[i].operand, false}});
        }
    }
    std::stable_sort(pending.begin(), pending.end(),
                     [](const PendingUse& a, const PendingUse& b) { return a.target < b.target; });
    graph.usesBegin_.assign(1, 0);
    std::size_t k = 0;
    for (OpId op = 0; at(op) < ops_.size(); ++op) {
        const auto first = static_cast<std::ptrdiff_t>(graph.uses_.size());
        std::int32_t nextOperand = 0;
        for (; k < pending.size() && pending[k].target == op; ++k) {
            Use use = pending[k].use;
            if (use.operand < 0) {
                use.operand = nextOperand;
            }
            nextOperand = std::max(nextOperand, use.operand + 1);
            graph.uses_.push_back(use);
        }
        std::stable_sort(graph.uses_.begin() + first, graph.uses_.end(),
                         [](const Use& a, const Use& b) { return a.operand < b.operand; });
        graph.usesBegin_.push_back(static_cast<std::uint32_t>(graph.uses_.size()));
    }
}

void GraphBuilder::orderTopologically(Graph& graph) const {
    const std::size_t count = ops_.size();
    std::vector<std::int32_t> missing(count);
    std::priority_queue<OpId, std::vector<OpId>, std::greater<>> ready;
    for (OpId op = 0; at(op) < count; ++op) {
        missing[at(op)] = graph.inDegree(op);
        if (missing[at(op)] == 0) {
            ready.push(op);
        }
    }
    graph.order_.reserve(count);
    while (!ready.empty()) {
        const OpId op = ready.top();
        ready.pop();
        graph.order_.push_back(op);
        for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
            if (--missing[at(graph.target(edge))] == 0) {
                ready.push(graph.target(edge));
            }
        }
    }
    if (graph.order_.size() == count) {
        return;
    }

    // Every op left over has a producer that is left over: walking producers must close a cycle.
    OpId op = 0;
    while (missing[at(op)] == 0) {
        ++op;
    }
    std::vector<std::int32_t> seenAt(count, -1);
    std::vector<OpId> walk;
    while (seenAt[at(op)] < 0) {
        seenAt[at(op)] = static_cast<std::int32_t>(walk.size());
        walk.push_back(op);
        for (const EdgeId edge : graph.inEdges(op)) {
            if (missing[at(graph.source(edge))] > 0) {
                op = graph.source(edge);
                break;
            }
        }
    }
    std::vector<OpId> cycle(walk.begin() + seenAt[at(op)], walk.end());
    std::reverse(cycle.begin(), cycle.end());
    constexpr std::size_t kShown = 12;
    std::string text = opLabel(cycle.back());
    for (std::size_t i = 0; i < cycle.size() && i < kShown; ++i) {
        text += " -> " + opLabel(cycle[i]);
    }
    if (cycle.size() > kShown) {
        text += " -> ... (" + std::to_string(cycle.size()) + " ops)";
    }
    throw InputError("edges", "a cycle, " + text, "an acyclic graph");
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
