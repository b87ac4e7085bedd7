#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/DType.h"
#include "core/graph/Ids.h"
#include "core/graph/OpKind.h"

namespace doppler::graph {

/// Unit of the costs that a file states itself.
enum class FileCostUnit : std::uint8_t {
    None,        ///< the graph has no costs of its own
    Units,       ///< integers without a physical unit, as in the paper's graphs
    Nanoseconds, ///< measured or stated times
    /// Stated compute times, but only bytes for transfers: these take what the link needs.
    NanosecondsAndBytes,
};

/// Data or a weight that enters the graph. It is not placed: it is everywhere at time 0, and
/// counts in the memory of every device that uses it.
struct GraphInput {
    std::string name;
    Shape shape;
    DType dtype = DType::Unknown;
    std::int64_t bytes = 0;
    bool weight = false;
};

/// One operand block that an op reads: the output of `source` (an op), or graph input `source`.
/// Several uses may share one operand index: the consumer assembles the operand from blocks.
struct Use {
    std::int32_t source = 0;
    std::int32_t operand = 0;
    bool fromInput = false;
};

/// An immutable DAG of operations; an edge carries the producer's whole output unless it states
/// bytes of its own. Structure of arrays; every id is dense. Made only by GraphBuilder.
///
/// Sizes: all per-op queries take 0 <= op < opCount(); per-edge ones 0 <= edge < edgeCount().
class Graph {
public:
    const std::string& name() const { return name_; }
    int opCount() const { return static_cast<int>(kinds_.size()); }
    int edgeCount() const { return static_cast<int>(edgeTarget_.size()); }
    int inputCount() const { return static_cast<int>(inputs_.size()); }

    /// The op's own name, or "<kind name> <id>" where the source gave none. Never empty.
    std::string opName(OpId op) const;
    /// True if the source named the op itself.
    bool hasOwnName(OpId op) const;
    OpKind kind(OpId op) const { return kinds_[at(op)]; }
    /// The exact operator, e.g. "matmul"; name(kind) where the source says no more.
    std::string_view kindName(OpId op) const { return kindNames_[kindNameIndex_[at(op)]]; }
    /// Output shape; empty if unknown (or scalar).
    std::span<const std::int64_t> shape(OpId op) const;
    DType dtype(OpId op) const { return dtypes_[at(op)]; }
    /// Bytes of the op's output.
    std::int64_t outputBytes(OpId op) const { return outputBytes_[at(op)]; }
    std::int64_t flops(OpId op) const { return flops_[at(op)]; }
    /// Bytes the op reads and writes in device memory.
    std::int64_t bytesTouched(OpId op) const { return bytesTouched_[at(op)]; }
    /// True if FLOPs or bytes are an estimate or unknown (not stated by the source).
    bool costEstimated(OpId op) const { return !estimated_.empty() && estimated_[at(op)] != 0; }
    /// The device the source pins the op to, or kNoDevice.
    DeviceId pinnedDevice(OpId op) const { return pinned_.empty() ? kNoDevice : pinned_[at(op)]; }
    /// Index of the op's group (layer, module) in groupNames(), or -1.
    std::int32_t group(OpId op) const { return groups_.empty() ? -1 : groups_[at(op)]; }
    const std::vector<std::string>& groupNames() const { return groupNames_; }
    /// What the op is in words, beyond its kind: "C (D E), partial sums, block 2,1,0". Empty where
    /// the source says no more.
    std::string_view detail(OpId op) const {
        return details_.empty() ? std::string_view() : std::string_view(details_[at(op)]);
    }

    FileCostUnit fileCostUnit() const { return fileCostUnit_; }
    bool hasFileCosts() const { return fileCostUnit_ != FileCostUnit::None; }
    /// Compute cost stated by the file; only if hasFileCosts().
    std::int64_t fileCompute(OpId op) const { return fileCompute_[at(op)]; }
    /// Cost of moving the op's output to another device; only if hasFileCosts().
    std::int64_t fileTransfer(OpId op) const { return fileTransfer_[at(op)]; }

    /// Edges that leave `op`: first id and one past the last; ids in file order.
    EdgeId firstOutEdge(OpId op) const { return outBegin_[at(op)]; }
    EdgeId endOutEdge(OpId op) const { return outBegin_[at(op) + 1]; }
    int outDegree(OpId op) const { return endOutEdge(op) - firstOutEdge(op); }
    int inDegree(OpId op) const { return inBegin_[at(op) + 1] - inBegin_[at(op)]; }
    /// Ids of the edges that enter `op`, ordered by operand, then file order.
    std::span<const EdgeId> inEdges(OpId op) const;
    OpId source(EdgeId edge) const { return edgeSource_[at(edge)]; }
    OpId target(EdgeId edge) const { return edgeTarget_[at(edge)]; }
    /// How many parallel edges of the source were merged into this one (at least 1).
    std::int32_t multiplicity(EdgeId edge) const {
        return multiplicity_.empty() ? 1 : multiplicity_[at(edge)];
    }
    /// Bytes the edge carries: stated by the source, or the producer's whole output.
    std::int64_t edgeBytes(EdgeId edge) const;
    /// Transfer cost stated for this very edge, or fileTransfer(source). Only if hasFileCosts().
    std::int64_t edgeFileTransfer(EdgeId edge) const;
    bool hasEdgeBytes() const { return !edgeBytes_.empty(); }
    bool hasEdgeFileTransfer() const { return !edgeFileTransfer_.empty(); }

    const std::vector<GraphInput>& inputs() const { return inputs_; }
    /// Everything `op` reads, in operand order; empty where the source has edges only
    /// (then inEdges() is all there is).
    std::span<const Use> uses(OpId op) const;

    /// Ops whose results leave the graph, ascending; empty: every sink is one.
    const std::vector<OpId>& outputs() const { return outputs_; }

    /// A topological order, smallest id first among the ready (size opCount()).
    const std::vector<OpId>& topologicalOrder() const { return order_; }

private:
    friend class GraphBuilder;
    Graph() = default;

    static std::size_t at(std::int32_t id) { return static_cast<std::size_t>(id); }

    std::string name_;
    std::vector<std::string> names_; // empty when no op is named
    std::vector<OpKind> kinds_;
    std::vector<std::uint32_t> kindNameIndex_;
    std::vector<std::string> kindNames_;
    std::vector<std::uint32_t> shapeBegin_; // empty when no shape is known
    std::vector<std::int64_t> shapeDims_;
    std::vector<DType> dtypes_;
    std::vector<std::int64_t> outputBytes_;
    std::vector<std::int64_t> flops_;
    std::vector<std::int64_t> bytesTouched_;
    std::vector<std::uint8_t> estimated_;
    std::vector<DeviceId> pinned_;
    std::vector<std::int32_t> groups_;
    std::vector<std::string> groupNames_;
    std::vector<std::string> details_; // empty when no op has one
    FileCostUnit fileCostUnit_ = FileCostUnit::None;
    std::vector<std::int64_t> fileCompute_;
    std::vector<std::int64_t> fileTransfer_;
    std::vector<EdgeId> outBegin_;
    std::vector<OpId> edgeSource_;
    std::vector<OpId> edgeTarget_;
    std::vector<std::int32_t> multiplicity_;
    std::vector<std::int64_t> edgeBytes_;
    std::vector<std::int64_t> edgeFileTransfer_;
    std::vector<EdgeId> inBegin_;
    std::vector<EdgeId> inEdges_;
    std::vector<GraphInput> inputs_;
    std::vector<std::uint32_t> usesBegin_;
    std::vector<Use> uses_;
    std::vector<OpId> outputs_;
    std::vector<OpId> order_;
};

} // namespace doppler::graph
