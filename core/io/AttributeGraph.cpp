#include "core/io/AttributeGraph.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <span>

#include "core/io/GraphJson.h"
#include "core/io/MessageText.h"
#include "core/io/OperatorKinds.h"
#include "core/io/TaskGraph.h"

namespace doppler::io {

using graph::FileCostUnit;
using graph::OpSpec;

namespace {

constexpr double kLargestNumber = 9e18;
constexpr double kNsPerMillisecond = 1e6;

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool sameWord(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return lower(x) == lower(y); });
}

using Keys = std::span<const std::string_view>;
constexpr std::array<std::string_view, 6> kComputeKeys{"compute",  "cost",    "time",
                                                       "duration", "runtime", "weight"};
constexpr std::array<std::string_view, 2> kFlopsKeys{"flops", "size"};
constexpr std::array<std::string_view, 4> kOperatorKeys{"operator", "op", "type", "kind"};
constexpr std::array<std::string_view, 3> kBytesKeys{"bytes", "size", "data"};
constexpr std::array<std::string_view, 3> kTransferKeys{"transfer", "comm", "cost"};
constexpr std::array<std::string_view, 1> kNodeTransferKeys{"transfer"};

/// Everything that is read, apart from what only draws.
constexpr std::array<std::string_view, 18> kNodeKeys{
    "compute",  "cost",        "time",         "duration",    "runtime", "weight",
    "flops",    "size",        "operator",     "op",          "type",    "kind",
    "transfer", "outputBytes", "bytesTouched", "tensorShape", "dtype",   "estimated"};
constexpr std::array<std::string_view, 6> kEdgeKeys{"bytes",    "size", "data",
                                                    "transfer", "comm", "cost"};
constexpr std::size_t kMostUnknown = 8;
constexpr double kMostDevices = std::numeric_limits<DeviceId>::max();
constexpr double kMostOperands = 1 << 24;

/// Fonts and arrows have sizes, too.
bool soundsLikeCost(std::string_view key) {
    std::string word(key);
    std::transform(word.begin(), word.end(), word.begin(), lower);
    if (word == "fontsize" || word == "labelfontsize" || word == "arrowsize") {
        return false;
    }
    for (const char* part : {"cost", "time", "duration", "byte", "size", "flop", "compute", "comm",
                             "weight", "transfer"}) {
        if (word.find(part) != std::string::npos) {
            return true;
        }
    }
    return false;
}

const std::string* findAny(const Attributes& attributes, Keys keys) {
    for (const std::string_view key : keys) {
        if (const std::string* value = findAttribute(attributes, key)) {
            return value;
        }
    }
    return nullptr;
}

std::optional<double> numberIn(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '+')) {
        text.remove_prefix(1);
    }
    while (!text.empty() && text.back() == ' ') {
        text.remove_suffix(1);
    }
    double value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || stop != text.data() + text.size() ||
        !std::isfinite(value)) {
        return std::nullopt;
    }
    return value;
}

/// A whole number keeps all its digits, where a double would not.
std::optional<std::int64_t> wholeNumberIn(std::string_view text) {
    std::int64_t whole = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, whole);
    return stop == end && error == std::errc() ? std::optional(whole) : std::nullopt;
}

bool isTrue(const Attributes& attributes, std::string_view key) {
    const std::string* value = findAttribute(attributes, key);
    return value != nullptr && *value == "true";
}

/// "[1, 64, 56]" or "(1, 64)"; empty optional for any other text.
std::optional<graph::Shape> shapeIn(std::string_view text) {
    const bool bracketed = text.size() >= 2 && ((text.front() == '[' && text.back() == ']') ||
                                                (text.front() == '(' && text.back() == ')'));
    if (!bracketed) {
        return std::nullopt;
    }
    graph::Shape shape;
    text = text.substr(1, text.size() - 2);
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        std::string_view word = text.substr(0, comma);
        text.remove_prefix(std::min(comma + 1, text.size()));
        word.remove_prefix(std::min(word.find_first_not_of(' '), word.size()));
        const std::optional<std::int64_t> whole = wholeNumberIn(word);
        const std::optional<double> dimension = numberIn(word);
        if (!dimension || *dimension < 0 || (!whole && *dimension > kLargestNumber)) {
            return std::nullopt;
        }
        shape.push_back(whole ? *whole : std::llround(*dimension));
    }
    return shape;
}

class Interpreter {
public:
    Interpreter(AttributeGraph graph, const std::string& where)
        : graph_(std::move(graph))
        , where_(where)
        , tasks_(graph_.name, graph_.strict ? Repeated::Once : Repeated::Sum) {}

    ReadGraph read(std::string format) {
        chooseUnit();
        for (const AttributeNode& node : graph_.nodes) {
            isTrue(node.attributes, "isInput") ? addInput(node) : addNode(node);
        }
        for (const AttributeEdge& edge : graph_.edges) {
            addEdge(edge);
        }
        if (unit_ == FileCostUnit::None) {
            tasks_.noteCount(unstatedWork_, "op",
                             "without stated work: estimated by the bytes they move");
        }
        tasks_.noteCount(ignored_, "attribute", "without a usable number: ignored");
        tasks_.noteCount(tooLarge_, "number", "above 9*10^18: cut to that");
        noteUnknown();
        tasks_.noteCount(controlEdges_, "edge", "that only orders (size below 0): no bytes");
        tasks_.noteCount(dummyEdges_, "edge", "of less than a byte: no bytes");
        tasks_.noteCount(shapes_, "output shape", "read from edge labels, taken as f32");
        return tasks_.build(where_, std::move(format), unit_);
    }

private:
    std::int64_t rounded(const std::string& text, double scale) {
        const std::optional<std::int64_t> whole = wholeNumberIn(text);
        if (scale == 1 && whole && *whole >= 0) {
            return *whole;
        }
        const double number = numberIn(text).value_or(0) * scale;
        tooLarge_ += number > kLargestNumber ? 1 : 0;
        return std::llround(std::clamp(number, 0.0, kLargestNumber));
    }

    /// Something that looks like a cost and that we do not know is not to be missed.
    void seeUnknown(const Attributes& attributes, Keys known) {
        for (const auto& [key, value] : attributes) {
            const auto is = [&name = key](std::string_view word) { return sameWord(name, word); };
            if (std::none_of(known.begin(), known.end(), is) && soundsLikeCost(key) &&
                numberIn(value) && (unknown_.contains(key) || unknown_.size() < kMostUnknown)) {
                ++unknown_[key];
            }
        }
    }

    void noteUnknown() {
        for (const auto& [key, count] : unknown_) {
            tasks_.noteCount(count, "attribute",
                             quotedText(key) + ", whose meaning is not known: ignored");
        }
    }

    /// The number of an attribute; what is none (or negative) is counted and ignored.
    const std::string* usable(const std::string* value) {
        if (value == nullptr) {
            return nullptr;
        }
        const std::optional<double> number = numberIn(*value);
        if (!number || *number < 0) {
            ++ignored_;
            return nullptr;
        }
        return value;
    }

    void chooseUnit() {
        for (const auto& [unit, word] : kCostUnits) {
            const std::string* stated = findAttribute(graph_.attributes, "costUnit");
            if (stated != nullptr && *stated == word) {
                unit_ = unit;
                return;
            }
        }
        bool compute = false;
        bool bytes = false;
        bool transfer = false;
        bool fractions = false;
        const auto see = [&](const Attributes& attributes, Keys keys, bool cost) {
            const std::string* value = findAny(attributes, keys);
            const std::optional<double> number = value ? numberIn(*value) : std::nullopt;
            fractions = fractions || (cost && number && std::floor(*number) != *number);
            return number.has_value();
        };
        for (const AttributeNode& node : graph_.nodes) {
            compute = see(node.attributes, kComputeKeys, true) || compute;
            transfer = see(node.attributes, kNodeTransferKeys, true) || transfer;
        }
        for (const AttributeEdge& edge : graph_.edges) {
            bytes = see(edge.attributes, kBytesKeys, false) || bytes;
            transfer = see(edge.attributes, kTransferKeys, true) || transfer;
        }
        if (!compute) {
            return;
        }
        if (!transfer && bytes) {
            unit_ = FileCostUnit::NanosecondsAndBytes;
            tasks_.note("costs taken as milliseconds");
        } else if (fractions) {
            unit_ = FileCostUnit::Nanoseconds;
            tasks_.note("costs with fractions taken as milliseconds");
        } else {
            unit_ = FileCostUnit::Units;
        }
        scale_ = unit_ == FileCostUnit::Units ? 1 : kNsPerMillisecond;
    }

    void addInput(const AttributeNode& node) {
        const std::string* name = findAttribute(node.attributes, "name");
        OpSpec tensor;
        readTensor(node, tensor);
        tasks_.addInput(node.id, {.name = name != nullptr ? *name : node.id,
                                  .shape = std::move(tensor.shape),
                                  .dtype = tensor.dtype,
                                  .bytes = std::max<std::int64_t>(tensor.outputBytes, 0),
                                  .weight = isTrue(node.attributes, "isWeight")});
    }

    void addNode(const AttributeNode& node) {
        OpSpec spec;
        const std::string* name = findAttribute(node.attributes, "name");
        spec.name = name != nullptr ? *name : node.id;
        spec.group = node.group;
        for (const char* key : {"group", "opGroup"}) {
            if (const std::string* group = findAttribute(node.attributes, key)) {
                spec.group = *group;
            }
        }
        if (const std::string* op = findAny(node.attributes, kOperatorKeys)) {
            spec.kindName = *op;
            spec.kind = kindOfOperator(*op);
        }
        const std::string* kind = findAttribute(node.attributes, "kind");
        if (const auto known = graph::opKindFromName(kind != nullptr ? *kind : "")) {
            spec.kind = *known;
        }
        if (const std::string* label = findAttribute(node.attributes, "label");
            label != nullptr && *label != spec.name && *label != "\\N") {
            spec.detail = *label;
        }
        if (const std::string* detail = findAttribute(node.attributes, "detail")) {
            spec.detail = *detail;
        }
        const std::string* named = findAttribute(node.attributes, "isNamed");
        if (named != nullptr && *named == "false") {
            spec.name.clear();
        }
        readTensor(node, spec);
        readCosts(node, spec);
        if (const std::string* pin = findAttribute(node.attributes, "pinnedDevice")) {
            const std::optional<double> device = numberIn(*pin);
            if (device && *device >= 0 && *device <= kMostDevices) {
                spec.pinnedDevice = static_cast<DeviceId>(*device);
            } else {
                ++ignored_;
            }
        }
        seeUnknown(node.attributes, kNodeKeys);
        if (tasks_.addTask(node.id, std::move(spec)) && isTrue(node.attributes, "isOutput")) {
            tasks_.markOutput(node.id);
        }
    }

    void readTensor(const AttributeNode& node, OpSpec& spec) {
        if (const std::string* dtype = findAttribute(node.attributes, "dtype")) {
            spec.dtype = graph::dtypeFromName(*dtype).value_or(graph::DType::Unknown);
        }
        if (const std::string* shape = findAttribute(node.attributes, "tensorShape")) {
            spec.shape = shapeIn(*shape).value_or(graph::Shape{});
        }
        if (const std::string* bytes = usable(findAttribute(node.attributes, "outputBytes"))) {
            spec.outputBytes = rounded(*bytes, 1);
        }
        if (const std::string* bytes = usable(findAttribute(node.attributes, "bytesTouched"))) {
            spec.bytesTouched = rounded(*bytes, 1);
        }
    }

    void readCosts(const AttributeNode& node, OpSpec& spec) {
        spec.costEstimated = findAttribute(node.attributes, "estimated") != nullptr;
        const std::string* flops = usable(findAny(node.attributes, kFlopsKeys));
        if (flops != nullptr) {
            spec.flops = rounded(*flops, 1);
        } else if (unit_ == FileCostUnit::None) {
            spec.costEstimated = true;
            ++unstatedWork_;
        }
        if (unit_ == FileCostUnit::None) {
            return;
        }
        const std::string* compute = usable(findAny(node.attributes, kComputeKeys));
        spec.fileCompute = compute != nullptr ? rounded(*compute, scale_) : -1;
        if (const std::string* transfer = usable(findAttribute(node.attributes, "transfer"))) {
            spec.fileTransfer = rounded(*transfer, scale_);
        }
    }

    void addEdge(const AttributeEdge& edge) {
        seeUnknown(edge.attributes, kEdgeKeys);
        std::int64_t bytes = -1;
        if (const std::string* stated = findAny(edge.attributes, kBytesKeys)) {
            const std::optional<double> number = numberIn(*stated);
            ignored_ += number ? 0 : 1;
            if (number) {
                bytes = *number < 0 ? 0 : rounded(*stated, 1);
                controlEdges_ += *number < 0 ? 1 : 0;
                dummyEdges_ += *number > 0 && bytes == 0 ? 1 : 0;
            }
        } else if (const std::string* label = findAttribute(edge.attributes, "label")) {
            if (const auto shape = shapeIn(*label)) {
                takeShape(edge.from, *shape);
            }
        }
        std::int64_t transfer = -1;
        if (unit_ != FileCostUnit::None) {
            if (const std::string* stated = usable(findAny(edge.attributes, kTransferKeys))) {
                transfer = rounded(*stated, scale_);
            }
        }
        tasks_.addDependency(edge.from, edge.to, bytes, transfer, operandOf(edge));
    }

    /// -1 where none is stated.
    std::int32_t operandOf(const AttributeEdge& edge) {
        const std::string* stated = usable(findAttribute(edge.attributes, "operand"));
        const double operand = stated != nullptr ? numberIn(*stated).value_or(-1) : -1;
        if (operand > kMostOperands || operand != std::floor(operand)) {
            ++ignored_;
            return -1;
        }
        return static_cast<std::int32_t>(operand);
    }

    void takeShape(const std::string& id, const graph::Shape& shape) {
        if (!tasks_.hasTask(id) || tasks_.task(id).dtype != graph::DType::Unknown) {
            return;
        }
        tasks_.task(id).shape = shape;
        tasks_.task(id).dtype = graph::DType::F32;
        ++shapes_;
    }

    AttributeGraph graph_;
    std::string where_;
    TaskGraph tasks_;
    FileCostUnit unit_ = FileCostUnit::None;
    double scale_ = 1;
    std::size_t unstatedWork_ = 0;
    std::size_t ignored_ = 0;
    std::size_t controlEdges_ = 0;
    std::size_t dummyEdges_ = 0;
    std::size_t shapes_ = 0;
    std::size_t tooLarge_ = 0;
    std::map<std::string, std::size_t> unknown_;
};

} // namespace

const std::string* findAttribute(const Attributes& attributes, std::string_view key) {
    const auto found = std::find_if(attributes.begin(), attributes.end(),
                                    [&](const auto& entry) { return sameWord(entry.first, key); });
    return found == attributes.end() ? nullptr : &found->second;
}

void setAttribute(Attributes& attributes, const std::string& key, std::string value) {
    for (auto& [known, text] : attributes) {
        if (known == key) {
            text = std::move(value);
            return;
        }
    }
    attributes.emplace_back(key, std::move(value));
}

ReadGraph interpretAttributes(AttributeGraph graph, const std::string& where, std::string format) {
    return Interpreter(std::move(graph), where).read(std::move(format));
}

} // namespace doppler::io
