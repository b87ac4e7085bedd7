#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "core/io/ChakraNode.h"
#include "core/io/MessageText.h"
#include "core/io/OperatorKinds.h"
#include "core/io/TaskGraph.h"

namespace doppler::io {

namespace {

// What stands in for the time of a collective that the trace does not state: the cluster is not
// known to a reader. One NVLink of a V100, and the usual cost of starting a collective.
constexpr double kNominalBytesPerSecond = 25e9;
constexpr double kNominalLatencyMicroseconds = 5;
constexpr double kSecondsPerMicrosecond = 1e-6;

constexpr std::array<const char*, 11> kTypeNames{
    "invalid", "metadata",   "memory load", "memory store", "compute",   "send",
    "receive", "collective", "storage",     "batch",        "checkpoint"};
constexpr std::array<const char*, 10> kCollectiveNames{
    "all-reduce", "reduce",         "all-gather",           "gather", "scatter", "broadcast",
    "all-to-all", "reduce-scatter", "reduce-scatter block", "barrier"};
constexpr std::array<std::pair<std::string_view, graph::DType>, 8> kTensorTypes{{
    {"float", graph::DType::F32},
    {"double", graph::DType::F64},
    {"c10::Half", graph::DType::F16},
    {"c10::BFloat16", graph::DType::BF16},
    {"long", graph::DType::I64},
    {"long int", graph::DType::I64},
    {"int", graph::DType::I32},
    {"bool", graph::DType::Bool},
}};

/// The whole numbers at the front of a list: "430, 431, 0, 'cpu'" gives three.
std::vector<std::int64_t> numbersOf(std::string_view list) {
    std::vector<std::int64_t> numbers;
    while (!list.empty()) {
        std::int64_t number = 0;
        const auto [stop, error] = std::from_chars(list.data(), list.data() + list.size(), number);
        if (error != std::errc() || number < 0) {
            break;
        }
        numbers.push_back(number);
        list.remove_prefix(static_cast<std::size_t>(stop - list.data()));
        const std::size_t next = list.find_first_not_of(", ");
        list.remove_prefix(std::min(next, list.size()));
    }
    return numbers;
}

/// Sum of the tensors in "[[id, storage, offset, elements, bytes per element, 'device'], ...]".
std::int64_t bytesOf(std::string_view values) {
    constexpr double kMost = 1e18;
    double sum = 0;
    for (std::size_t begin = values.find('['); begin != std::string_view::npos;
         begin = values.find('[', begin + 1)) {
        const std::string_view list = values.substr(begin + 1);
        const std::size_t end = list.find_first_of("[]");
        if (end == std::string_view::npos) {
            break;
        }
        const std::vector<std::int64_t> numbers = numbersOf(list.substr(0, end));
        if (numbers.size() == 5) {
            sum += static_cast<double>(numbers[3]) * static_cast<double>(numbers[4]);
        }
    }
    return std::llround(std::min(sum, kMost));
}

/// The dimensions in "[[2, 3]]"; none where there are several outputs, or none.
std::optional<graph::Shape> shapeOf(std::string_view shapes) {
    if (!shapes.starts_with("[[") || shapes.find(']') + 2 != shapes.size()) {
        return std::nullopt;
    }
    const std::string_view inner = shapes.substr(2, shapes.size() - 4);
    const std::vector<std::int64_t> numbers = numbersOf(inner);
    return inner.find_first_not_of("0123456789, ") == std::string_view::npos
               ? std::optional(graph::Shape(numbers.begin(), numbers.end()))
               : std::nullopt;
}

graph::DType dtypeOf(std::string_view types) {
    for (const auto& [name, dtype] : kTensorTypes) {
        if (types == "['Tensor(" + std::string(name) + ")']") {
            return dtype;
        }
    }
    return graph::DType::Unknown;
}

/// "aten::mm(12)" counts its calls: the operator is "aten::mm". Empty for the long signatures of
/// kernels.
std::string operatorOf(std::string_view name) {
    if (name.ends_with(')')) {
        const std::size_t open = name.rfind('(');
        const std::string_view count =
            open == std::string_view::npos ? name : name.substr(open + 1, name.size() - open - 2);
        if (open != std::string_view::npos &&
            count.find_first_not_of("0123456789") == std::string_view::npos) {
            name = name.substr(0, open);
        }
    }
    constexpr std::size_t kLongest = 64;
    const bool plain = !name.empty() && name.size() <= kLongest &&
                       name.find_first_of(" <(") == std::string_view::npos;
    return plain ? toUtf8(name) : std::string();
}

bool isCommunication(const ChakraNode& node) {
    return node.type >= ChakraNode::Send && node.type <= ChakraNode::Collective;
}

std::string kindNameOf(const ChakraNode& node) {
    const auto word = [](const auto& words, std::int64_t index) {
        return index >= 0 && index < static_cast<std::int64_t>(words.size())
                   ? std::string(words[static_cast<std::size_t>(index)])
                   : std::string();
    };
    if (node.type == ChakraNode::Collective) {
        if (std::string name = word(kCollectiveNames, node.collective); !name.empty()) {
            return name;
        }
    }
    if (!isCommunication(node)) {
        if (std::string name = operatorOf(node.name); !name.empty()) {
            return name;
        }
    }
    const std::string name = word(kTypeNames, node.type);
    return name.empty() ? "type " + std::to_string(node.type) : name;
}

class ChakraBuilder {
public:
    ChakraBuilder(const std::vector<ChakraNode>& nodes, const std::string& where)
        : nodes_(nodes), where_(where), tasks_(graphNameOf(where)) {}

    ReadGraph build(std::string format) {
        for (const ChakraNode& node : nodes_) {
            names_.try_emplace(node.id, &node.name);
        }
        for (const ChakraNode& node : nodes_) {
            addNode(node);
        }
        for (const ChakraNode& node : nodes_) {
            for (const std::uint64_t parent : node.dataDependencies) {
                tasks_.addDependency(std::to_string(parent), std::to_string(node.id));
            }
        }
        noteControl();
        tasks_.noteCount(priced_, "communication",
                         "without a duration: priced by bytes, at 25 GB/s and 5 µs");
        tasks_.noteCount(untimed_, "node", "without a duration: kept at 0");
        return tasks_.build(where_, std::move(format), graph::FileCostUnit::NanosecondsAndBytes);
    }

private:
    void addNode(const ChakraNode& node) {
        graph::OpSpec spec;
        spec.name = toUtf8(node.name);
        spec.kindName = kindNameOf(node);
        spec.kind =
            isCommunication(node) ? graph::OpKind::Communication : kindOfOperator(spec.kindName);
        spec.fileCompute = 0;
        if (const auto shape = shapeOf(node.outputShapes)) {
            spec.shape = *shape;
            spec.dtype = dtypeOf(node.outputTypes);
        }
        if (const std::int64_t bytes = bytesOf(node.outputValues); bytes > 0) {
            spec.outputBytes = bytes;
        }
        for (const std::uint64_t parent : node.controlDependencies) {
            const auto caller = names_.find(parent);
            if (parent != node.id && caller != names_.end() && spec.detail.empty()) {
                spec.detail = "called by " + toUtf8(*caller->second);
            }
        }
        if (!tasks_.hasTask(std::to_string(node.id))) {
            timeUnstated(node, spec);
            countControl(node);
        }
        tasks_.addTask(std::to_string(node.id), std::move(spec));
    }

    void timeUnstated(const ChakraNode& node, graph::OpSpec& spec) {
        if (node.microseconds != 0) {
            spec.fileCompute = tasks_.nanoseconds(node.microseconds * kSecondsPerMicrosecond);
            return;
        }
        if (isCommunication(node) && node.communicationBytes > 0) {
            spec.fileCompute = toNanoseconds(kNominalLatencyMicroseconds * kSecondsPerMicrosecond +
                                             static_cast<double>(node.communicationBytes) /
                                                 kNominalBytesPerSecond);
            spec.costEstimated = true;
            spec.outputBytes = std::max(spec.outputBytes, node.communicationBytes);
            ++priced_;
            return;
        }
        ++untimed_;
    }

    void countControl(const ChakraNode& node) {
        controls_ += node.controlDependencies.size();
        for (const std::uint64_t parent : node.controlDependencies) {
            selfControls_ += parent == node.id ? 1 : 0;
            absentControls_ += names_.contains(parent) ? 0 : 1;
        }
    }

    void noteControl() {
        if (controls_ == 0) {
            return;
        }
        std::string text = controls_ == 1 ? "1 control dependency"
                                          : std::to_string(controls_) + " control dependencies";
        if (selfControls_ + absentControls_ > 0) {
            text += " (" + std::to_string(selfControls_) + " on the node itself, " +
                    std::to_string(absentControls_) + " on absent nodes)";
        }
        tasks_.note(text + ": shown as who called whom, not as order");
    }

    const std::vector<ChakraNode>& nodes_;
    const std::string& where_;
    TaskGraph tasks_;
    std::unordered_map<std::uint64_t, const std::string*> names_;
    std::size_t controls_ = 0;
    std::size_t selfControls_ = 0;
    std::size_t absentControls_ = 0;
    std::size_t priced_ = 0;
    std::size_t untimed_ = 0;
};

} // namespace

ReadGraph buildChakraGraph(const std::vector<ChakraNode>& nodes, const std::string& where,
                           std::string format) {
    return ChakraBuilder(nodes, where).build(std::move(format));
}

} // namespace doppler::io
