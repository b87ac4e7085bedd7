#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/io/OnnxCosts.h"
#include "core/io/OnnxNetwork.h"

namespace doppler::io {

/// What was worked out about one node of the main graph.
struct OnnxNodeFacts {
    OnnxCost cost;
    std::vector<int> innerWeights; ///< slots of weights inside its subgraphs
    int subgraphs = 0;
    int innerNodes = 0;  ///< in all its subgraphs
    std::string problem; ///< why its results have no shape, if they have none
};

/// Types, shapes and costs of a network's nodes, in the order of their dependencies. Fills in the
/// values of the network's slots.
class OnnxAnalysis {
public:
    explicit OnnxAnalysis(OnnxNetwork& network);

    /// By node of network.nodes().
    const std::vector<OnnxNodeFacts>& facts() const { return facts_; }
    /// Operators that the cost table does not have, with how often each stands in the main graph.
    const std::map<std::string, int>& unknownOperators() const { return unknownOperators_; }

private:
    struct Inside {
        OnnxCost cost;
        std::vector<OnnxValue> outputs;
    };

    std::vector<int> sorted(const std::vector<OnnxInstance>& list, int listId) const;
    void analyse(const OnnxInstance& instance, OnnxNodeFacts& facts);
    OnnxOperation operationOf(const OnnxInstance& instance) const;
    void addOutputs(const OnnxInstance& instance, OnnxOperation& operation) const;
    void setOutputs(const OnnxInstance& instance, std::vector<OnnxValue> results);
    Inside inside(const onnx::GraphProto& graph, const OnnxInstance& instance,
                  const std::vector<OnnxValue>& inputs, OnnxNodeFacts& facts);
    std::vector<OnnxValue> runBranches(const OnnxInstance& instance, OnnxNodeFacts& facts);
    std::vector<OnnxValue> runLoop(const OnnxInstance& instance, const OnnxOperation& operation,
                                   OnnxNodeFacts& facts);
    std::vector<OnnxValue> runScan(const OnnxInstance& instance, const OnnxOperation& operation,
                                   OnnxNodeFacts& facts);

    OnnxNetwork& network_;
    std::vector<OnnxNodeFacts> facts_;
    std::map<std::string, int> unknownOperators_;
};

} // namespace doppler::io
