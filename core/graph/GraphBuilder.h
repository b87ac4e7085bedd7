#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/graph/Graph.h"

namespace doppler::graph {

/// What a source says about one op. Everything but the kind may be left out.
struct OpSpec {
    std::string name; ///< empty: the graph makes one from kind and id
    OpKind kind = OpKind::Other;
    std::string kindName; ///< empty: name(kind)
    Shape shape;
    DType dtype = DType::Unknown;
    std::int64_t outputBytes = -1; ///< -1: from shape and dtype, 0 if unknown
    std::int64_t flops = 0;
    std::int64_t bytesTouched = -1; ///< -1: all distinct operands read plus the output written
    bool costEstimated = false;
    std::int64_t fileCompute = 0;
    std::int64_t fileTransfer = 0;
    DeviceId pinnedDevice = kNoDevice;
    std::string group;
    std::string detail; ///< see Graph::detail()
};

/// Collects ops and edges, then validates and freezes them into a Graph.
///
///     GraphBuilder builder("two ops");
///     const OpId a = builder.addOp({.kind = OpKind::Contraction});
///     const OpId b = builder.addOp({.kind = OpKind::Formation});
///     builder.addEdge(a, b);
///     std::shared_ptr<const Graph> graph = builder.build();
class GraphBuilder {
public:
    explicit GraphBuilder(std::string graphName = {});

    void setFileCostUnit(FileCostUnit unit) { unit_ = unit; }
    /// Room for that many ops and edges; only saves time.
    void reserve(int ops, int edges);

    InputId addInput(GraphInput input);
    OpId addOp(OpSpec spec);
    int opCount() const { return static_cast<int>(ops_.size()); }

    /// An edge whose consumer reads the producer as operand `operand` (-1: the next one).
    /// Ids may name ops that are added later. `bytes` and `fileTransfer` of -1: the producer's.
    void addEdge(OpId source, OpId target, std::int32_t operand = -1, std::int64_t bytes = -1,
                 std::int64_t fileTransfer = -1);
    void addInputUse(InputId input, OpId target, std::int32_t operand = -1);

    /// Names an op whose result leaves the graph. Without any, every sink is an output.
    void markOutput(OpId op);

    /// Edges that repeated an earlier pair and were merged by the last build().
    int mergedEdges() const { return mergedEdges_; }

    /// Validates and freezes. Throws InputError for an id out of range, a self-edge, a negative
    /// cost or size, sums beyond 64 bits, or a cycle (with one example cycle by name). The builder
    /// is empty afterwards.
    std::shared_ptr<const Graph> build();

private:
    struct EdgeSpec {
        OpId source;
        OpId target;
        std::int32_t operand;
        std::int64_t bytes;
        std::int64_t fileTransfer;
    };
    struct InputUseSpec {
        InputId input;
        OpId target;
        std::int32_t operand;
        std::size_t afterEdges; // keeps operand order between edges and inputs
    };

    std::string opLabel(OpId op) const;
    void checkValues() const;
    void buildEdges(Graph& graph);
    void buildUses(Graph& graph) const;
    void buildOps(Graph& graph);
    void orderTopologically(Graph& graph) const;

    std::string name_;
    FileCostUnit unit_ = FileCostUnit::None;
    std::vector<OpSpec> ops_;
    std::vector<EdgeSpec> edges_;
    std::vector<GraphInput> inputs_;
    std::vector<InputUseSpec> inputUses_;
    std::vector<OpId> outputs_;
    int mergedEdges_ = 0;
};

} // namespace doppler::graph
