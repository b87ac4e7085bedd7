#include "core/io/OnnxNetwork.h"

#include <algorithm>

#include "core/graph/InputError.h"
#include "core/io/MessageText.h"
#include "core/io/OnnxInference.h"

namespace doppler::io {

namespace {

using onnx::AttributeProto;
using onnx::FunctionProto;
using onnx::GraphProto;
using onnx::NodeProto;

constexpr int kDeepestCall = 32;
/// Functions that call each other twice grow without end; no model comes near this.
constexpr std::size_t kMostInstances = 1'000'000;

std::string plainDomain(const std::string& domain) {
    return domain == "ai.onnx" ? std::string() : domain;
}

template <typename Imports>
std::map<std::string, int> versionsOf(const Imports& imports) {
    constexpr std::int64_t kNewest = 1000;
    std::map<std::string, int> versions;
    for (const auto& import : imports) {
        versions[plainDomain(import.domain())] =
            static_cast<int>(std::clamp<std::int64_t>(import.version(), 0, kNewest));
    }
    return versions;
}

/// The attributes of a function's node, with those of the call where it refers to them.
void fillIn(NodeProto& node, const std::map<std::string, const AttributeProto*>& given) {
    auto* attributes = node.mutable_attribute();
    for (AttributeProto& attribute : *attributes) {
        if (!attribute.ref_attr_name().empty()) {
            const auto found = given.find(attribute.ref_attr_name());
            const std::string name = attribute.name();
            attribute.Clear();
            if (found != given.end()) {
                attribute = *found->second;
                attribute.set_name(name);
            }
            continue;
        }
        if (attribute.has_g()) {
            for (NodeProto& inner : *attribute.mutable_g()->mutable_node()) {
                fillIn(inner, given);
            }
        }
    }
    attributes->erase(
        std::remove_if(attributes->begin(), attributes->end(),
                       [](const AttributeProto& attribute) { return attribute.name().empty(); }),
        attributes->end());
}

bool refersToCall(const NodeProto& node) {
    return std::any_of(node.attribute().begin(), node.attribute().end(), [](const auto& attribute) {
        const auto& inner = attribute.g().node();
        return !attribute.ref_attr_name().empty() ||
               std::any_of(inner.begin(), inner.end(), refersToCall);
    });
}

/// Every subgraph of a node.
std::vector<const GraphProto*> subgraphsOf(const NodeProto& node) {
    std::vector<const GraphProto*> graphs;
    for (const AttributeProto& attribute : node.attribute()) {
        if (attribute.has_g()) {
            graphs.push_back(&attribute.g());
        }
        for (const GraphProto& graph : attribute.graphs()) {
            graphs.push_back(&graph);
        }
    }
    return graphs;
}

} // namespace

OnnxNetwork::OnnxNetwork(const onnx::ModelProto& model, OnnxDimensions& dimensions)
    : model_(model), dimensions_(dimensions) {
    for (const FunctionProto& function : model.functions()) {
        functions_.try_emplace({plainDomain(function.domain()), function.name()}, &function);
    }
    const GraphProto& graph = model.graph();
    auto scope = std::make_shared<OnnxScope>();
    scope->versions = versionsOf(model.opset_import());
    mainScope_ = scope;
    addWeights(graph, *scope, nullptr);
    for (const auto& input : graph.input()) {
        if (scope->slots.contains(input.name())) {
            continue; // a weight, or said twice
        }
        const int id = newSlot(input.name());
        slots_.back().value = dimensions_.inputValue(input.type());
        slots_.back().given = true;
        scope->slots.emplace(input.name(), id);
    }
    flatten(graph.node(), scope, {}, nullptr, nodes_, lists_++);
    declareTypes(graph, *scope);
}

int OnnxNetwork::newSlot(const std::string& name) {
    slots_.push_back({.name = name});
    return slotCount() - 1;
}

int OnnxNetwork::canonical(int id) const {
    while (slots_[static_cast<std::size_t>(id)].sameAs != kNoSlot) {
        id = slots_[static_cast<std::size_t>(id)].sameAs;
    }
    return id;
}

int OnnxNetwork::find(const OnnxScope& scope, const std::string& name) {
    for (const OnnxScope* inside = &scope; inside != nullptr; inside = inside->outer.get()) {
        const auto found = inside->slots.find(name);
        if (found != inside->slots.end()) {
            return found->second;
        }
    }
    return kNoSlot;
}

void OnnxNetwork::addWeights(const GraphProto& graph, OnnxScope& scope, std::vector<int>* weights) {
    const auto add = [&](const std::string& name) {
        const int id = newSlot(name);
        slots_.back().stored = true;
        if (weights != nullptr) {
            weights->push_back(id);
        }
        scope.slots.emplace(name, id);
        return id;
    };
    for (const onnx::TensorProto& tensor : graph.initializer()) {
        if (scope.slots.contains(tensor.name())) {
            ++repeatedNames;
            continue;
        }
        slots_[static_cast<std::size_t>(add(tensor.name()))].value = onnxValueOf(tensor);
        externalWeights += tensor.data_location() == onnx::TensorProto::EXTERNAL ? 1 : 0;
    }
    for (const onnx::SparseTensorProto& sparse : graph.sparse_initializer()) {
        if (scope.slots.contains(sparse.values().name())) {
            ++repeatedNames;
            continue;
        }
        OnnxSlot& slot = slots_[static_cast<std::size_t>(add(sparse.values().name()))];
        onnx::TensorProto dense; // the type it stands for; what it stores is less
        dense.set_data_type(sparse.values().data_type());
        *dense.mutable_dims() = sparse.dims();
        slot.value = onnxValueOf(dense);
        slot.value.constant.reset();
        const std::int64_t stored = onnxBytes(onnxValueOf(sparse.values()));
        const std::int64_t places = onnxBytes(onnxValueOf(sparse.indices()));
        slot.bytes = __builtin_add_overflow(stored, places, &slot.bytes) ? stored : slot.bytes;
    }
}

void OnnxNetwork::declareTypes(const GraphProto& graph, const OnnxScope& scope) {
    for (const auto* values : {&graph.value_info(), &graph.output()}) {
        for (const auto& value : *values) {
            const auto found = scope.slots.find(value.name());
            if (found == scope.slots.end() || !value.has_type()) {
                continue;
            }
            OnnxSlot& slot = slots_[static_cast<std::size_t>(found->second)];
            if (!slot.declared) {
                slot.declared = dimensions_.declaredValue(value.type());
            }
        }
    }
}

const FunctionProto* OnnxNetwork::functionOf(const NodeProto& node) const {
    const auto found = functions_.find({plainDomain(node.domain()), node.op_type()});
    return found == functions_.end() ? nullptr : found->second;
}

void OnnxNetwork::flatten(const OnnxNodes& nodes, const std::shared_ptr<OnnxScope>& scope,
                          const std::map<std::string, int>& wanted, const OnnxInstance* caller,
                          std::vector<OnnxInstance>& list, int listId) {
    // All results first: nodes need not stand in order.
    std::vector<std::vector<int>> outputs(static_cast<std::size_t>(nodes.size()));
    for (int i = 0; i < nodes.size(); ++i) {
        for (const std::string& name : nodes[i].output()) {
            int id = kNoSlot;
            if (!name.empty()) {
                const auto asked = wanted.find(name);
                const bool taken = scope->slots.contains(name);
                id = asked != wanted.end() && !taken ? asked->second : newSlot(name);
                repeatedNames += taken ? 1 : 0;
                scope->slots.emplace(name, id);
            }
            outputs[static_cast<std::size_t>(i)].push_back(id);
        }
    }
    for (int i = 0; i < nodes.size(); ++i) {
        if (++instances_ > kMostInstances) {
            throw InputError("the model has more than " + std::to_string(kMostInstances) +
                             " nodes once its functions are inlined");
        }
        OnnxInstance instance;
        instance.node = &nodes[i];
        if (caller != nullptr && refersToCall(nodes[i])) {
            std::map<std::string, const AttributeProto*> given;
            for (const AttributeProto& attribute : caller->node->attribute()) {
                given.emplace(attribute.name(), &attribute);
            }
            auto own = std::make_shared<NodeProto>(nodes[i]);
            fillIn(*own, given);
            instance.node = own.get();
            instance.own = std::move(own);
        }
        instance.scope = scope;
        instance.topNode = caller != nullptr ? caller->topNode : i;
        instance.inlined = caller != nullptr;
        instance.outputs = std::move(outputs[static_cast<std::size_t>(i)]);
        for (const std::string& name : instance.node->input()) {
            const int id = name.empty() ? kNoSlot : find(*scope, name);
            instance.inputs.push_back(id);
            if (id == kNoSlot && !name.empty() &&
                !scope->slots.contains(name)) { // a function's absent operand is in there
                undefinedExample = undefinedOperands++ == 0 ? name : undefinedExample;
            }
        }
        for (const GraphProto* graph : subgraphsOf(*instance.node)) {
            collectCaptures(*graph, {}, *scope, instance.captures);
        }
        if (const FunctionProto* function = functionOf(*instance.node)) {
            call(instance, *function, list, listId);
            continue;
        }
        for (const int id : instance.outputs) {
            if (id != kNoSlot) {
                slots_[static_cast<std::size_t>(id)].list = listId;
                slots_[static_cast<std::size_t>(id)].producer = static_cast<int>(list.size());
            }
        }
        list.push_back(std::move(instance));
    }
}

void OnnxNetwork::call(const OnnxInstance& call, const FunctionProto& function,
                       std::vector<OnnxInstance>& list, int listId) {
    if (call.scope->callDepth >= kDeepestCall) {
        throw InputError("function " + quotedText(function.name()) +
                         " of the model: found more "
                         "than " +
                         std::to_string(kDeepestCall) +
                         " calls inside each other, expected functions that do not call "
                         "themselves");
    }
    ++inlinedCalls;
    auto scope = std::make_shared<OnnxScope>();
    scope->versions = versionsOf(function.opset_import());
    for (const auto& [domain, version] : call.scope->versions) {
        scope->versions.try_emplace(domain, version);
    }
    scope->path =
        call.scope->path + (call.node->name().empty() ? function.name() : call.node->name()) + "/";
    scope->callDepth = call.scope->callDepth + 1;
    for (int i = 0; i < function.input_size(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        scope->slots.emplace(function.input(i),
                             at < call.inputs.size() ? call.inputs[at] : kNoSlot);
    }
    std::map<std::string, int> wanted;
    for (int i = 0; i < function.output_size(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (at >= call.outputs.size() || call.outputs[at] == kNoSlot) {
            continue;
        }
        const auto operand = scope->slots.find(function.output(i));
        if (operand == scope->slots.end()) {
            wanted.emplace(function.output(i), call.outputs[at]);
        } else if (operand->second != kNoSlot && canonical(operand->second) != call.outputs[at]) {
            slots_[static_cast<std::size_t>(call.outputs[at])].sameAs = operand->second;
        }
    }
    flatten(function.node(), scope, wanted, &call, list, listId);
}

void OnnxNetwork::collectCaptures(const GraphProto& graph, std::set<std::string> inner,
                                  const OnnxScope& scope, std::vector<int>& captures) const {
    for (const auto& input : graph.input()) {
        inner.insert(input.name());
    }
    for (const auto& tensor : graph.initializer()) {
        inner.insert(tensor.name());
    }
    for (const auto& sparse : graph.sparse_initializer()) {
        inner.insert(sparse.values().name());
    }
    for (const NodeProto& node : graph.node()) {
        inner.insert(node.output().begin(), node.output().end());
    }
    const auto take = [&](const std::string& name) {
        const int id = name.empty() || inner.contains(name) ? kNoSlot : find(scope, name);
        if (id != kNoSlot && std::find(captures.begin(), captures.end(), id) == captures.end()) {
            captures.push_back(id);
        }
    };
    for (const NodeProto& node : graph.node()) {
        std::for_each(node.input().begin(), node.input().end(), take);
        for (const GraphProto* nested : subgraphsOf(node)) {
            collectCaptures(*nested, inner, scope, captures);
        }
    }
    for (const auto& output : graph.output()) {
        take(output.name());
    }
}

OnnxSubgraph OnnxNetwork::enter(const GraphProto& graph,
                                const std::shared_ptr<const OnnxScope>& outer,
                                const std::vector<OnnxValue>& inputs) {
    OnnxSubgraph result;
    auto inside = std::make_shared<OnnxScope>();
    inside->outer = outer;
    inside->versions = outer->versions;
    inside->path = outer->path;
    inside->callDepth = outer->callDepth;
    addWeights(graph, *inside, &result.weights);
    for (int i = 0; i < graph.input_size(); ++i) {
        const std::string& name = graph.input(i).name();
        if (inside->slots.contains(name)) {
            continue;
        }
        const int id = newSlot(name);
        const auto at = static_cast<std::size_t>(i);
        slots_.back().value = at < inputs.size() && (inputs[at].shape || !inputs[at].isTensor())
                                  ? inputs[at]
                                  : dimensions_.declaredValue(graph.input(i).type());
        inside->slots.emplace(name, id);
    }
    result.list = lists_++;
    flatten(graph.node(), inside, {}, nullptr, result.nodes, result.list);
    declareTypes(graph, *inside);
    result.scope = inside;
    return result;
}

} // namespace doppler::io
