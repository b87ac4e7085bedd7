#include "core/io/OnnxAnalysis.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>

#include "core/graph/SaturatingMath.h"
#include "core/io/OnnxConstants.h"
#include "core/io/OnnxInference.h"

namespace doppler::io {

namespace {

using graph::saturatingAdd;
using graph::saturatingMultiply;
using graph::Shape;
using onnx::AttributeProto;
using onnx::GraphProto;

constexpr int kFloat = onnx::TensorProto::FLOAT;

std::size_t at(int id) {
    return static_cast<std::size_t>(id);
}

const GraphProto* graphOf(const onnx::NodeProto& node, const std::string& name) {
    for (const AttributeProto& attribute : node.attribute()) {
        if (attribute.name() == name && attribute.has_g()) {
            return &attribute.g();
        }
    }
    return nullptr;
}

bool hasSubgraph(const onnx::NodeProto& node) {
    return std::any_of(node.attribute().begin(), node.attribute().end(), [](const auto& attribute) {
        return attribute.has_g() || attribute.graphs_size() > 0;
    });
}

void add(OnnxCost& sum, const OnnxCost& cost, std::int64_t times = 1) {
    const std::int64_t bytes = std::max<std::int64_t>(cost.bytesTouched, 0);
    sum.flops = saturatingAdd(sum.flops, saturatingMultiply(cost.flops, times));
    sum.bytesTouched = saturatingAdd(std::max<std::int64_t>(sum.bytesTouched, 0),
                                     saturatingMultiply(bytes, times));
    sum.unknown = sum.unknown || cost.unknown;
}

OnnxValue valueOf(const OnnxValue* value) {
    OnnxValue copy = value != nullptr ? *value : OnnxValue();
    copy.constant.reset(); // may differ from one iteration to the next
    return copy;
}

/// `value` once for each of `count` steps.
OnnxValue stacked(OnnxValue value, std::int64_t count, bool assumed) {
    if (value.shape) {
        value.shape->insert(value.shape->begin(), count);
    }
    value.assumed = value.assumed || assumed;
    return value;
}

std::string operatorName(const OnnxOperation& operation) {
    return operation.domain.empty() ? operation.opType : operation.domain + "." + operation.opType;
}

} // namespace

OnnxAnalysis::OnnxAnalysis(OnnxNetwork& network)
    : network_(network), facts_(network.nodes().size()) {
    for (const int i : sorted(network_.nodes(), 0)) {
        const OnnxInstance& instance = network_.nodes()[at(i)];
        analyse(instance, facts_[at(i)]);
        const OnnxOperation operation = operationOf(instance);
        if (!hasSubgraph(*instance.node) && !hasOnnxCostRule(operation)) {
            ++unknownOperators_[operatorName(operation)];
        }
    }
}

/// Producers first; where that cannot be, the order of the file.
std::vector<int> OnnxAnalysis::sorted(const std::vector<OnnxInstance>& list, int listId) const {
    std::vector<std::vector<int>> readers(list.size());
    std::vector<int> waiting(list.size(), 0);
    for (std::size_t i = 0; i < list.size(); ++i) {
        const auto read = [&](int id) {
            if (id == kNoSlot) {
                return;
            }
            const OnnxSlot& slot = network_.slot(id);
            if (slot.list == listId && slot.producer != static_cast<int>(i)) {
                readers[at(slot.producer)].push_back(static_cast<int>(i));
                ++waiting[i];
            }
        };
        std::for_each(list[i].inputs.begin(), list[i].inputs.end(), read);
        std::for_each(list[i].captures.begin(), list[i].captures.end(), read);
    }
    std::priority_queue<int, std::vector<int>, std::greater<>> ready;
    std::vector<int> order;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (waiting[i] == 0) {
            ready.push(static_cast<int>(i));
        }
    }
    while (!ready.empty()) {
        order.push_back(ready.top());
        ready.pop();
        for (const int reader : readers[at(order.back())]) {
            if (--waiting[at(reader)] == 0) {
                ready.push(reader);
            }
        }
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (waiting[i] > 0) { // on a cycle, or behind one
            order.push_back(static_cast<int>(i));
        }
    }
    return order;
}

OnnxOperation OnnxAnalysis::operationOf(const OnnxInstance& instance) const {
    constexpr int kNewestKnown = 17;
    const std::string& domain = instance.node->domain();
    const auto version = instance.scope->versions.find(domain == "ai.onnx" ? "" : domain);
    OnnxOperation operation = onnxOperationOf(
        *instance.node, version == instance.scope->versions.end() ? kNewestKnown : version->second);
    for (const int id : instance.inputs) {
        operation.inputs.push_back(id == kNoSlot ? nullptr : &network_.slot(id).value);
    }
    return operation;
}

void OnnxAnalysis::addOutputs(const OnnxInstance& instance, OnnxOperation& operation) const {
    for (const int id : instance.outputs) {
        operation.outputs.push_back(id == kNoSlot ? nullptr : &network_.slot(id).value);
    }
}

/// Keeps what was worked out; what the file declares stands in where nothing was.
void OnnxAnalysis::setOutputs(const OnnxInstance& instance, std::vector<OnnxValue> results) {
    results.resize(instance.outputs.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (instance.outputs[i] == kNoSlot) {
            continue;
        }
        OnnxSlot& slot = network_.slot(instance.outputs[i]);
        OnnxValue& value = results[i];
        if (slot.declared && value.isTensor()) {
            const bool better = slot.declared->shape && (!value.shape || value.assumed);
            if (better || !slot.declared->isTensor()) {
                OnnxValue declared = *slot.declared;
                declared.constant.swap(value.constant);
                value = std::move(declared);
            } else if (value.elementType == 0) {
                value.elementType = slot.declared->elementType;
            }
        }
        if (value.isTensor() && value.shape && value.elementType == 0) {
            value.elementType = kFloat;
            value.assumed = true;
        }
        slot.value = std::move(value);
    }
}

void OnnxAnalysis::analyse(const OnnxInstance& instance, OnnxNodeFacts& facts) {
    OnnxOperation operation = operationOf(instance);
    const bool standard = operation.domain.empty();
    if (hasSubgraph(*instance.node)) {
        facts.cost.bytesTouched = 0;
        std::vector<OnnxValue> results =
            standard && operation.opType == "Loop"   ? runLoop(instance, operation, facts)
            : standard && operation.opType == "Scan" ? runScan(instance, operation, facts)
                                                     : runBranches(instance, facts);
        facts.cost.estimated = true;
        setOutputs(instance, std::move(results));
        return;
    }
    if (auto constant = onnxConstantResult(operation)) {
        setOutputs(instance, {*std::move(constant)});
    } else {
        setOutputs(instance, inferOnnxResults(*instance.node, operation, facts.problem));
    }
    addOutputs(instance, operation);
    facts.cost = onnxCost(operation);
}

/// A subgraph once, with those inputs.
OnnxAnalysis::Inside OnnxAnalysis::inside(const GraphProto& graph, const OnnxInstance& instance,
                                          const std::vector<OnnxValue>& inputs,
                                          OnnxNodeFacts& facts) {
    const OnnxSubgraph subgraph = network_.enter(graph, instance.scope, inputs);
    facts.innerWeights.insert(facts.innerWeights.end(), subgraph.weights.begin(),
                              subgraph.weights.end());
    ++facts.subgraphs;
    Inside result;
    for (const int i : sorted(subgraph.nodes, subgraph.list)) {
        OnnxNodeFacts inner;
        analyse(subgraph.nodes[at(i)], inner);
        add(result.cost, inner.cost);
        facts.subgraphs += inner.subgraphs;
        facts.innerNodes += 1 + inner.innerNodes;
        facts.innerWeights.insert(facts.innerWeights.end(), inner.innerWeights.begin(),
                                  inner.innerWeights.end());
    }
    for (const auto& output : graph.output()) {
        const int id = OnnxNetwork::find(*subgraph.scope, output.name());
        result.outputs.push_back(valueOf(id == kNoSlot ? nullptr : &network_.slot(id).value));
    }
    return result;
}

/// If, and whatever else holds graphs: each once; the results are those of the first one.
std::vector<OnnxValue> OnnxAnalysis::runBranches(const OnnxInstance& instance,
                                                 OnnxNodeFacts& facts) {
    std::vector<OnnxValue> results;
    bool first = true;
    const auto run = [&](const GraphProto& graph) {
        if (instance.node->op_type() == "If") {
            network_.branchInputs += graph.input_size();
        }
        Inside branch = inside(graph, instance, {}, facts);
        add(facts.cost, branch.cost);
        branch.outputs.resize(std::max(branch.outputs.size(), results.size()));
        for (std::size_t i = 0; !first && i < results.size(); ++i) {
            OnnxValue& other = branch.outputs[i];
            const bool bigger = onnxBytes(results[i]) > onnxBytes(other);
            const bool differ = results[i].shape != other.shape;
            other = bigger ? results[i] : other;
            other.assumed = other.assumed || differ;
        }
        results = std::move(branch.outputs);
        first = false;
    };
    for (const AttributeProto& attribute : instance.node->attribute()) {
        if (attribute.has_g()) {
            run(attribute.g());
        }
        std::for_each(attribute.graphs().begin(), attribute.graphs().end(), run);
    }
    return results;
}

/// Operands: trip count, condition, state... The body: iteration, condition, state... ->
/// condition, state..., one slice of each stacked result.
std::vector<OnnxValue> OnnxAnalysis::runLoop(const OnnxInstance& instance,
                                             const OnnxOperation& operation, OnnxNodeFacts& facts) {
    const GraphProto* body = graphOf(*instance.node, "body");
    if (body == nullptr) {
        return {};
    }
    OnnxValue iteration;
    iteration.elementType = onnx::TensorProto::INT64;
    iteration.shape = Shape();
    OnnxValue condition;
    condition.elementType = onnx::TensorProto::BOOL;
    condition.shape = Shape();
    std::vector<OnnxValue> inputs{iteration, condition};
    for (std::size_t i = 2; i < operation.inputs.size(); ++i) {
        inputs.push_back(valueOf(operation.inputs[i]));
    }
    const OnnxValue* count = operation.input(0);
    const bool known = count != nullptr && count->constant && count->constant->ints.size() == 1;
    const std::int64_t trips = known ? std::max<std::int64_t>(count->constant->ints.front(), 0) : 1;
    const Inside once = inside(*body, instance, inputs, facts);
    add(facts.cost, once.cost, trips);
    std::vector<OnnxValue> results;
    for (std::size_t i = 1; i < once.outputs.size(); ++i) {
        const bool state = i + 1 < inputs.size();
        results.push_back(state ? once.outputs[i] : stacked(once.outputs[i], trips, !known));
    }
    return results;
}

/// Operands: state..., then tensors that are cut along an axis (the first unless said otherwise).
/// The body: state..., slices... -> state..., one slice of each stacked result.
std::vector<OnnxValue> OnnxAnalysis::runScan(const OnnxInstance& instance,
                                             const OnnxOperation& operation, OnnxNodeFacts& facts) {
    const GraphProto* body = graphOf(*instance.node, "body");
    const auto operands = static_cast<std::int64_t>(operation.inputs.size());
    const std::int64_t cut = operation.number("num_scan_inputs", 0);
    constexpr int kFirstWithoutBatch = 9;
    if (body == nullptr || cut < 1 || cut > operands || operation.version < kFirstWithoutBatch) {
        return runBranches(instance, facts);
    }
    const auto states = static_cast<std::size_t>(operands - cut);
    const auto axes = operation.numbers.find("scan_input_axes");
    std::vector<OnnxValue> inputs;
    std::int64_t trips = -1;
    for (std::size_t i = 0; i < operation.inputs.size(); ++i) {
        inputs.push_back(valueOf(operation.inputs[i]));
        if (i < states || !inputs.back().shape) {
            continue;
        }
        Shape& shape = *inputs.back().shape;
        const auto rank = static_cast<std::int64_t>(shape.size());
        const bool said = axes != operation.numbers.end() && i - states < axes->second.size();
        std::int64_t axis = said ? axes->second[i - states] : 0;
        axis = axis < 0 ? axis + rank : axis;
        if (axis < 0 || axis >= rank) {
            inputs.back().shape.reset();
            continue;
        }
        trips = shape[static_cast<std::size_t>(axis)];
        shape.erase(shape.begin() + axis);
    }
    const bool known = trips >= 0;
    trips = known ? trips : 1;
    const Inside once = inside(*body, instance, inputs, facts);
    add(facts.cost, once.cost, trips);
    std::vector<OnnxValue> results;
    for (std::size_t i = 0; i < once.outputs.size(); ++i) {
        results.push_back(i < states ? once.outputs[i] : stacked(once.outputs[i], trips, !known));
    }
    return results;
}

} // namespace doppler::io
