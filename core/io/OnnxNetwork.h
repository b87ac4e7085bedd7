#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/io/OnnxDimensions.h"
#include "core/io/OnnxProto.h"
#include "core/io/OnnxValue.h"

namespace doppler::io {

/// Stands for an operand that is left out, or that nothing defines.
inline constexpr int kNoSlot = -1;

/// A named value of a model: a given input, a weight, or the result of a node.
struct OnnxSlot {
    std::string name;
    OnnxValue value;
    std::optional<OnnxValue> declared; ///< what the file says of it, if it does
    int list = -1;                     ///< of the node that makes it; -1: none
    int producer = -1;                 ///< its index in that list
    int sameAs = kNoSlot;              ///< a function hands through what it was given
    bool stored = false;               ///< an initializer: its numbers come with the model
    bool given = false;                ///< an input of the model
    std::int64_t bytes = -1;           ///< of a weight; -1: as value says
};

/// Names that nodes can read, and the operator versions that hold there.
struct OnnxScope {
    std::unordered_map<std::string, int> slots;
    std::shared_ptr<const OnnxScope> outer; ///< of a subgraph; a function has none
    std::map<std::string, int> versions;    ///< by domain
    std::string path;                       ///< "call/" of the function calls around it
    int callDepth = 0;
};

/// A node after functions were inlined.
struct OnnxInstance {
    const onnx::NodeProto* node = nullptr;
    std::shared_ptr<const onnx::NodeProto> own; ///< holds the node where attributes were filled in
    std::shared_ptr<const OnnxScope> scope;
    std::vector<int> inputs;   ///< slots
    std::vector<int> captures; ///< slots that its subgraphs read from outside, each once
    std::vector<int> outputs;  ///< slots
    int topNode = -1;          ///< index of the node of the main graph that it is, or is inside of
    bool inlined = false;
};

/// The nodes of a subgraph with names resolved.
struct OnnxSubgraph {
    std::vector<OnnxInstance> nodes;
    std::shared_ptr<const OnnxScope> scope;
    std::vector<int> weights; ///< slots
    int list = -1;
};

using OnnxNodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

/// The nodes and values of a model with names resolved: functions are inlined, what a subgraph
/// takes from outside is an operand of its node. Repairs are counted.
/// The model must outlive it.
class OnnxNetwork {
public:
    OnnxNetwork(const onnx::ModelProto& model, OnnxDimensions& dimensions);

    const onnx::ModelProto& model() const { return model_; }
    /// The main graph's nodes in file order, functions inlined. List 0.
    const std::vector<OnnxInstance>& nodes() const { return nodes_; }

    /// A subgraph in a scope inside of `outer`: its own weights and results are new slots, its
    /// formal inputs get `inputs`.
    OnnxSubgraph enter(const onnx::GraphProto& graph, const std::shared_ptr<const OnnxScope>& outer,
                       const std::vector<OnnxValue>& inputs);

    int slotCount() const { return static_cast<int>(slots_.size()); }
    OnnxSlot& slot(int id) { return slots_[static_cast<std::size_t>(canonical(id))]; }
    const OnnxSlot& slot(int id) const { return slots_[static_cast<std::size_t>(canonical(id))]; }
    int canonical(int id) const;
    /// The slot of that name, or kNoSlot.
    static int find(const OnnxScope& scope, const std::string& name);
    const std::shared_ptr<const OnnxScope>& mainScope() const { return mainScope_; }

    int undefinedOperands = 0;
    std::string undefinedExample;
    int repeatedNames = 0; ///< results with the name of an earlier value
    int inlinedCalls = 0;
    int externalWeights = 0;
    int branchInputs = 0; ///< inputs of If branches, which should have none

private:
    int newSlot(const std::string& name);
    void addWeights(const onnx::GraphProto& graph, OnnxScope& scope, std::vector<int>* weights);
    void declareTypes(const onnx::GraphProto& graph, const OnnxScope& scope);
    void flatten(const OnnxNodes& nodes, const std::shared_ptr<OnnxScope>& scope,
                 const std::map<std::string, int>& wanted, const OnnxInstance* caller,
                 std::vector<OnnxInstance>& list, int listId);
    void call(const OnnxInstance& call, const onnx::FunctionProto& function,
              std::vector<OnnxInstance>& list, int listId);
    const onnx::FunctionProto* functionOf(const onnx::NodeProto& node) const;
    void collectCaptures(const onnx::GraphProto& graph, std::set<std::string> inner,
                         const OnnxScope& scope, std::vector<int>& captures) const;

    const onnx::ModelProto& model_;
    OnnxDimensions& dimensions_;
    std::map<std::pair<std::string, std::string>, const onnx::FunctionProto*> functions_;
    std::deque<OnnxSlot> slots_;
    std::vector<OnnxInstance> nodes_;
    std::shared_ptr<const OnnxScope> mainScope_;
    int lists_ = 0;
    std::size_t instances_ = 0;
};

} // namespace doppler::io
