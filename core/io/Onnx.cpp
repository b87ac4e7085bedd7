#include "core/io/Onnx.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "core/graph/InputError.h"
#include "core/graph/SaturatingMath.h"
#include "core/io/MessageText.h"
#include "core/io/OnnxAnalysis.h"
#include "core/io/OnnxModel.h"
#include "core/io/OperatorKinds.h"
#include "core/io/TaskGraph.h"

namespace doppler::io {

namespace {

using graph::saturatingAdd;

constexpr std::size_t kShownNames = 4;

std::size_t at(int id) {
    return static_cast<std::size_t>(id);
}

/// "a, b, c, ..." of at most a few.
std::string someOf(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < kShownNames; ++i) {
        text += (i == 0 ? "" : ", ") + names[i];
    }
    return text + (names.size() > kShownNames ? ", ..." : "");
}

/// "layers.0" of "/model/layers.0/attn/MatMul": the path up to its first part with a number, or
/// else its first part. Empty for a name without parts.
std::string groupOf(const std::string& name) {
    std::vector<std::string> parts;
    std::string part;
    for (const char c : name) {
        if (c == '/') {
            if (!part.empty()) {
                parts.push_back(part);
            }
            part.clear();
        } else {
            part += c;
        }
    }
    std::string group;
    for (const std::string& each : parts) {
        group += (group.empty() ? "" : "/") + each;
        if (each.find_first_of("0123456789") != std::string::npos) {
            return group;
        }
    }
    return parts.empty() ? std::string() : parts.front();
}

/// A single number, or a list of integers such as a shape: no weight, although stored as one.
bool isNumber(const OnnxValue& value) {
    const std::size_t rank = value.shape ? value.shape->size() : 0;
    return value.constant && (rank == 0 || (rank == 1 && !value.constant->isReal));
}

/// Turns what was worked out into a graph.
class Builder {
public:
    Builder(OnnxNetwork& network, const OnnxAnalysis& analysis, std::string name)
        : network_(network), analysis_(analysis), builder_(std::move(name)) {}

    std::shared_ptr<const graph::Graph> build() {
        const auto& nodes = network_.nodes();
        builder_.reserve(static_cast<int>(nodes.size()), static_cast<int>(nodes.size()));
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            generated_.insert(toUtf8(nodes[i].node->op_type()) + " " + std::to_string(i));
        }
        addGivenInputs();
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            addOp(nodes[i], analysis_.facts()[i]);
        }
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            addOperands(static_cast<OpId>(i), nodes[i], analysis_.facts()[i]);
        }
        markOutputs();
        return builder_.build();
    }

    /// Initializers that no op reads.
    int unusedStored() const {
        int unused = 0;
        for (int id = 0; id < network_.slotCount(); ++id) {
            const bool own = network_.canonical(id) == id && network_.slot(id).stored;
            unused += own && !inputs_.contains(id) ? 1 : 0;
        }
        return unused;
    }

    int selfReads = 0;
    int renamed = 0;
    int outputsWithoutOp = 0;

private:
    void addGivenInputs() {
        for (int id = 0; id < network_.slotCount(); ++id) {
            if (network_.canonical(id) == id && network_.slot(id).given) {
                inputOf(id);
            }
        }
    }

    InputId inputOf(int id) {
        id = network_.canonical(id);
        const auto known = inputs_.find(id);
        if (known != inputs_.end()) {
            return known->second;
        }
        const OnnxSlot& slot = network_.slot(id);
        const std::int64_t bytes = slot.bytes >= 0 ? slot.bytes : onnxBytes(slot.value);
        if (bytes == std::numeric_limits<std::int64_t>::max()) {
            throw InputError("input " + quotedText(slot.name), "more bytes than 63 bits count",
                             "smaller dimensions");
        }
        const InputId input = builder_.addInput({.name = toUtf8(slot.name),
                                                 .shape = slot.value.shape.value_or(graph::Shape()),
                                                 .dtype = onnxDType(slot.value.elementType),
                                                 .bytes = bytes,
                                                 .weight = slot.stored && !isNumber(slot.value)});
        inputs_.emplace(id, input);
        return input;
    }

    std::string uniqueName(const OnnxInstance& instance) {
        const std::string own =
            instance.node->name().empty() ? std::string() : toUtf8(instance.node->name());
        std::string name = own.empty() && !instance.scope->path.empty()
                               ? toUtf8(instance.scope->path + instance.node->op_type())
                               : toUtf8(instance.scope->path) + own;
        if (name.empty()) {
            return name;
        }
        const std::string first = name;
        for (int again = 2; generated_.contains(name) || !names_.insert(name).second; ++again) {
            name = first + " (" + std::to_string(std::max(again, repeats_[first])) + ")";
            repeats_[first] = std::max(again, repeats_[first]) + 1;
        }
        renamed += name != first && !own.empty() ? 1 : 0;
        return name;
    }

    void addOp(const OnnxInstance& instance, const OnnxNodeFacts& facts) {
        graph::OpSpec spec;
        spec.name = uniqueName(instance);
        const std::string& type = instance.node->op_type();
        spec.kind = facts.subgraphs > 0 ? graph::OpKind::ControlFlow : kindOfOperator(type);
        spec.kindName = toUtf8(type.empty() ? "operator" : type);
        spec.outputBytes = 0;
        for (const int id : instance.outputs) {
            if (id == kNoSlot) {
                continue;
            }
            const OnnxValue& value = network_.slot(id).value;
            if (spec.shape.empty() && spec.dtype == graph::DType::Unknown && value.shape) {
                spec.shape = *value.shape;
                spec.dtype = onnxDType(value.elementType);
            }
            spec.outputBytes = saturatingAdd(spec.outputBytes, onnxBytes(value));
            spec.costEstimated = spec.costEstimated || !value.shape || value.assumed;
        }
        spec.flops = facts.cost.flops;
        spec.bytesTouched = facts.cost.bytesTouched;
        spec.costEstimated = spec.costEstimated || facts.cost.estimated || facts.cost.unknown;
        spec.group = toUtf8(groupOf(instance.scope->path + instance.node->name()));
        if (facts.subgraphs > 0) {
            spec.detail = countNote(at(facts.subgraphs), "subgraph", "with ") +
                          countNote(at(facts.innerNodes), "node", "inside");
        } else if (!instance.node->domain().empty() && instance.node->domain() != "ai.onnx") {
            spec.detail = "operator of " + toUtf8(instance.node->domain());
        }
        builder_.addOp(std::move(spec));
    }

    /// Several results of one op are separate payloads; one that is read twice goes over once.
    std::int64_t edgeBytes(const OnnxInstance& producer, int id, bool again) const {
        if (producer.outputs.size() == 1) {
            return -1;
        }
        return again ? 0 : onnxBytes(network_.slot(id).value);
    }

    void addOperands(OpId op, const OnnxInstance& instance, const OnnxNodeFacts& facts) {
        std::vector<int> reads = instance.inputs;
        reads.insert(reads.end(), instance.captures.begin(), instance.captures.end());
        reads.insert(reads.end(), facts.innerWeights.begin(), facts.innerWeights.end());
        std::unordered_set<int> seen;
        for (std::size_t i = 0; i < reads.size(); ++i) {
            if (reads[i] == kNoSlot) {
                continue;
            }
            const int id = network_.canonical(reads[i]);
            const bool again = !seen.insert(id).second;
            const OnnxSlot& slot = network_.slot(id);
            const auto operand = static_cast<std::int32_t>(i);
            if (slot.stored || slot.given) {
                builder_.addInputUse(inputOf(id), op, operand);
            } else if (slot.list == 0 && slot.producer == op) {
                ++selfReads;
            } else if (slot.list == 0) {
                builder_.addEdge(slot.producer, op, operand,
                                 edgeBytes(network_.nodes()[at(slot.producer)], id, again));
            }
        }
    }

    void markOutputs() {
        std::set<OpId> marked;
        for (const auto& output : network_.model().graph().output()) {
            const int id = OnnxNetwork::find(*network_.mainScope(), output.name());
            const bool made = id != kNoSlot && network_.slot(id).list == 0;
            outputsWithoutOp += made ? 0 : 1;
            if (made && marked.insert(network_.slot(id).producer).second) {
                builder_.markOutput(network_.slot(id).producer);
            }
        }
    }

    OnnxNetwork& network_;
    const OnnxAnalysis& analysis_;
    graph::GraphBuilder builder_;
    std::unordered_map<int, InputId> inputs_;
    std::unordered_set<std::string> generated_; // names that the graph makes for ops without one
    std::unordered_set<std::string> names_;
    std::unordered_map<std::string, int> repeats_;
};

/// Collects the lines of the import report.
class Report {
public:
    void count(int number, const std::string& thing, const std::string& what) {
        if (number > 0) {
            notes_.push_back(countNote(at(number), thing, what));
        }
    }
    void add(std::string note) { notes_.push_back(std::move(note)); }
    std::vector<std::string> take() { return std::move(notes_); }

private:
    std::vector<std::string> notes_;
};

void reportDimensions(const OnnxDimensions& dimensions, Report& report) {
    std::vector<std::string> asked;
    std::vector<std::string> assumed;
    for (const auto& [name, size] : dimensions.taken()) {
        const std::string text = toUtf8(name) + " = " + std::to_string(size);
        (dimensions.wasAsked(name) ? asked : assumed).push_back(text);
    }
    const auto all = [](const std::vector<std::string>& texts) {
        std::string line;
        for (const std::string& text : texts) {
            line += (line.empty() ? "" : ", ") + text;
        }
        return line;
    };
    if (!asked.empty()) {
        report.add("open dimensions set: " + all(asked));
    }
    if (!assumed.empty()) {
        const std::string first = assumed.front().substr(0, assumed.front().rfind(" = "));
        report.add("open dimensions taken as 1: " + all(assumed) + " (open FILE:" + first +
                   "=SIZE to set one)");
    }
    report.count(dimensions.unnamed(), "dimension",
                 "of the inputs without size or name: taken as 1");
}

void reportCosts(const OnnxNetwork& network, const OnnxAnalysis& analysis, Report& report) {
    std::vector<std::string> operators;
    int unknownOps = 0;
    for (const auto& [name, count] : analysis.unknownOperators()) {
        operators.push_back(toUtf8(name));
        unknownOps += count;
    }
    if (unknownOps > 0) {
        report.add(countNote(at(unknownOps), "op", "without a cost rule (") + someOf(operators) +
                   "): one operation for each element of the result assumed, marked as estimates");
    }
    int control = 0;
    int guesses = 0;
    std::vector<std::string> shapeless;
    std::string reason;
    for (std::size_t i = 0; i < network.nodes().size(); ++i) {
        const OnnxInstance& node = network.nodes()[i];
        const OnnxNodeFacts& facts = analysis.facts()[i];
        control += facts.subgraphs > 0 ? 1 : 0;
        bool without = false;
        bool guess = false;
        for (const int id : node.outputs) {
            const OnnxValue* value = id == kNoSlot ? nullptr : &network.slot(id).value;
            without = without || (value != nullptr && value->isTensor() && !value->shape);
            guess = guess || (value != nullptr && value->assumed);
        }
        guesses += guess ? 1 : 0;
        if (without) {
            const std::string& name = node.node->name();
            shapeless.push_back(quotedText(name.empty() ? node.node->op_type() : name));
            if (reason.empty()) {
                reason = facts.problem;
            }
        }
    }
    report.count(control, "op",
                 "with subgraphs: one op each, of the summed costs inside, marked as estimates");
    report.count(guesses, "op",
                 "with a result whose size is only known when it runs or is a guess: marked as "
                 "estimates");
    if (!shapeless.empty()) {
        std::replace(reason.begin(), reason.end(), '\n', ' ');
        report.add(countNote(shapeless.size(), "op", "with a result of unknown size (") +
                   someOf(shapeless) + "): counted as 0 bytes, marked as estimates" +
                   (reason.empty() ? std::string() : "; the first one: " + quotedText(reason)));
    }
}

void reportRepairs(const OnnxNetwork& network, const Builder& builder, Report& report) {
    report.count(network.inlinedCalls, "call", "of the model's functions inlined");
    if (network.undefinedOperands > 0) {
        report.add(
            countNote(at(network.undefinedOperands), "operand", "that nothing defines (such as ") +
            quotedText(network.undefinedExample) + "): left out");
    }
    report.count(builder.selfReads, "operand",
                 "that is the result of the reading op itself: dropped");
    report.count(network.repeatedNames, "value",
                 "with the name of an earlier one: nodes read the earlier one");
    report.count(builder.renamed, "op", "with the name of another one: numbered");
    report.count(network.branchInputs, "input",
                 "of If branches, which nothing feeds: the declared types count");
    report.count(network.externalWeights, "weight",
                 "stored in other files: sized by shape and element type");
    report.count(builder.unusedStored(), "weight", "that no op reads: left out");
    report.count(builder.outputsWithoutOp, "output",
                 "that no op makes (an input or weight handed through, or not defined)");
}

} // namespace

ReadGraph parseOnnx(std::string_view bytes, const std::string& where,
                    const GraphDimensions& asked) {
    const onnx::ModelProto model = parseOnnxModel(bytes, where);
    requireDimensions(model, where, asked);
    ReadGraph result;
    result.format = "ONNX";
    try {
        OnnxDimensions dimensions(asked);
        OnnxNetwork network(model, dimensions);
        const OnnxAnalysis analysis(network);
        const std::string& name = model.graph().name();
        Builder builder(network, analysis, name.empty() ? graphNameOf(where) : toUtf8(name));
        result.graph = builder.build();
        Report report;
        reportDimensions(dimensions, report);
        reportCosts(network, analysis, report);
        reportRepairs(network, builder, report);
        for (const std::string& configuration : deviceConfigurations(model)) {
            report.add("device configuration " + quotedText(configuration) +
                       ": not part of the graph; the file also opens as an assignment");
        }
        result.report.notes = report.take();
    } catch (const InputError& error) {
        throw InputError(where + ": " + error.what());
    }
    return result;
}

} // namespace doppler::io
