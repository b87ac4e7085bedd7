#include "tests/support/RandomGraph.h"

#include <random>

#include "core/graph/GraphBuilder.h"

namespace doppler::tests {

namespace {

/// Which parts of a graph a generated one has.
struct Features {
    explicit Features(unsigned seed)
        : names((seed & 1U) != 0)
        , costs((seed & 2U) != 0)
        , inputs((seed & 4U) != 0)
        , operands((seed & 8U) != 0)
        , payload((seed & 16U) != 0)
        , repeats((seed & 32U) != 0) {}

    bool names;
    bool costs;
    bool inputs;
    bool operands;
    bool payload;
    bool repeats;
};

} // namespace

std::shared_ptr<const graph::Graph> randomGraph(unsigned seed) {
    const Features features(seed);
    std::mt19937 random(seed);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    graph::GraphBuilder builder("random \"" + std::to_string(seed) + "\" \xC3\xA9");
    if (features.costs) {
        builder.setFileCostUnit(seed % 2 == 0 ? graph::FileCostUnit::Units
                                              : graph::FileCostUnit::Nanoseconds);
    }
    if (features.inputs) {
        builder.addInput({"x", {2, 3}, graph::DType::F16, 12, false});
        builder.addInput({"w", {}, graph::DType::Unknown, 1'000'000'000'000, true});
    }
    const int ops = below(30);
    for (int i = 0; i < ops; ++i) {
        graph::OpSpec spec;
        spec.kind = static_cast<graph::OpKind>(below(graph::kOpKindCount));
        spec.flops = below(1000);
        if (features.names && below(4) > 0) {
            spec.name = "op/" + std::to_string(i) + "\n\\";
            spec.kindName = "MatMul";
            spec.detail = "block " + std::to_string(i);
        }
        if (below(2) == 0) {
            spec.shape = {below(5), 7};
            spec.dtype = static_cast<graph::DType>(below(graph::kDTypeCount));
        }
        spec.outputBytes = below(3) - 1;
        spec.bytesTouched = below(3) - 1;
        spec.costEstimated = features.names && below(3) == 0;
        spec.pinnedDevice = features.names && below(3) == 0 ? below(4) : kNoDevice;
        spec.group = features.names && below(3) > 0 ? "layer " + std::to_string(below(3)) : "";
        spec.fileCompute = features.costs ? below(100) : 0;
        spec.fileTransfer = features.costs ? below(100) : 0;
        builder.addOp(spec);
    }
    const int edges = ops < 2 ? 0 : below(4 * ops);
    for (int i = 0; i < edges; ++i) {
        const int target = 1 + below(ops - 1);
        const int operand = features.operands ? below(3) : -1;
        const int repeats = features.repeats && below(5) == 0 ? 2 : 1;
        const int source = below(target);
        for (int k = 0; k < repeats; ++k) {
            builder.addEdge(source, target, operand, features.payload ? below(50) : -1,
                            features.payload && features.costs ? below(50) : -1);
        }
        if (features.inputs && below(3) == 0) {
            builder.addInputUse(below(2), target, operand);
        }
    }
    if (ops > 0 && below(2) == 0) {
        builder.markOutput(below(ops));
    }
    return builder.build();
}

} // namespace doppler::tests
