#include "core/io/OnnxConstants.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/graph/SaturatingMath.h"

namespace doppler::io {

namespace {

using graph::elementCount;
using graph::Shape;
using Result = std::optional<OnnxValue>;

constexpr int kFloat = 1; // TensorProto.DataType
constexpr int kInt32 = 6;
constexpr int kInt64 = 7;
constexpr int kBool = 9;
constexpr int kDouble = 11;

const OnnxValue* constantInput(const OnnxOperation& op, std::size_t i) {
    const OnnxValue* value = op.input(i);
    const bool known =
        value != nullptr && value->constant && value->shape &&
        elementCount(*value->shape) == static_cast<std::int64_t>(value->constant->size());
    return known ? value : nullptr;
}

/// The numbers of an operand as integers; nothing unless it is a list of them.
std::optional<std::vector<std::int64_t>> intsOf(const OnnxOperation& op, std::size_t i) {
    const OnnxValue* value = constantInput(op, i);
    if (value == nullptr || value->constant->isReal) {
        return std::nullopt;
    }
    return value->constant->ints;
}

/// Axes of an attribute, or of an operand as later versions have it.
std::optional<std::vector<std::int64_t>> intsOf(const OnnxOperation& op, const std::string& name,
                                                std::size_t i) {
    const auto found = op.numbers.find(name);
    return found != op.numbers.end() ? std::optional(found->second) : intsOf(op, i);
}

Result ofInts(Shape shape, std::vector<std::int64_t> ints, int type = kInt64) {
    OnnxValue value;
    value.elementType = type;
    value.shape = std::move(shape);
    value.constant = OnnxConstant{std::move(ints), {}, false};
    return value;
}

/// The elements of `source` at those places, in that order.
Result picked(const OnnxValue& source, Shape shape, const std::vector<std::size_t>& places) {
    OnnxValue value;
    value.elementType = source.elementType;
    value.shape = std::move(shape);
    value.constant.emplace();
    value.constant->isReal = source.constant->isReal;
    for (const std::size_t place : places) {
        if (source.constant->isReal) {
            value.constant->reals.push_back(source.constant->reals[place]);
        } else {
            value.constant->ints.push_back(source.constant->ints[place]);
        }
    }
    return value;
}

Result reshaped(const OnnxValue& source, Shape shape) {
    if (elementCount(shape) != elementCount(*source.shape)) {
        return std::nullopt;
    }
    OnnxValue value = source;
    value.shape = std::move(shape);
    return value;
}

Result shapeOf(const OnnxOperation& op) {
    const Shape* in = op.inputShape(0);
    if (in == nullptr) {
        return std::nullopt;
    }
    const auto rank = static_cast<std::int64_t>(in->size());
    const auto place = [&](std::int64_t i) { return std::clamp(i < 0 ? i + rank : i, 0L, rank); };
    const std::int64_t begin = place(op.number("start", 0));
    const std::int64_t end = std::max(begin, place(op.number("end", rank)));
    return ofInts({end - begin}, std::vector(in->begin() + begin, in->begin() + end));
}

Result sizeOf(const OnnxOperation& op) {
    const Shape* in = op.inputShape(0);
    return in == nullptr ? Result() : ofInts({}, {elementCount(*in)});
}

Result gather(const OnnxOperation& op) {
    const OnnxValue* data = constantInput(op, 0);
    const OnnxValue* at = constantInput(op, 1);
    const bool list = data != nullptr && data->shape->size() == 1 && op.number("axis", 0) == 0;
    if (!list || at == nullptr || at->constant->isReal) {
        return std::nullopt;
    }
    const auto count = static_cast<std::int64_t>(data->constant->size());
    std::vector<std::size_t> places;
    for (std::int64_t place : at->constant->ints) {
        place = place < 0 ? graph::saturatingAdd(place, count) : place;
        if (place < 0 || place >= count) {
            return std::nullopt;
        }
        places.push_back(static_cast<std::size_t>(place));
    }
    return picked(*data, *at->shape, places);
}

/// Lists end to end.
Result concat(const OnnxOperation& op) {
    if (op.inputs.empty() || op.inputs.size() > kMostConstantElements) {
        return std::nullopt;
    }
    OnnxValue value;
    value.constant.emplace();
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
        const OnnxValue* part = constantInput(op, i);
        if (part == nullptr || part->shape->size() != 1 ||
            (i > 0 && part->constant->isReal != value.constant->isReal)) {
            return std::nullopt;
        }
        value.elementType = part->elementType;
        value.constant->isReal = part->constant->isReal;
        auto& ints = value.constant->ints;
        auto& reals = value.constant->reals;
        ints.insert(ints.end(), part->constant->ints.begin(), part->constant->ints.end());
        reals.insert(reals.end(), part->constant->reals.begin(), part->constant->reals.end());
        if (value.constant->size() > kMostConstantElements) {
            return std::nullopt;
        }
    }
    value.shape = Shape{static_cast<std::int64_t>(value.constant->size())};
    return value;
}

Result slice(const OnnxOperation& op) {
    const OnnxValue* data = constantInput(op, 0);
    const auto starts = intsOf(op, "starts", 1);
    const auto ends = intsOf(op, "ends", 2);
    if (data == nullptr || data->shape->size() != 1 || !starts || !ends || starts->size() != 1 ||
        ends->size() != 1) {
        return std::nullopt;
    }
    const auto steps = op.input(4) != nullptr ? intsOf(op, 4) : std::vector<std::int64_t>{1};
    if (!steps || steps->size() != 1 || steps->front() < 1) {
        return std::nullopt;
    }
    const auto count = static_cast<std::int64_t>(data->constant->size());
    const auto place = [&](std::int64_t i) {
        return std::clamp(i < 0 ? graph::saturatingAdd(i, count) : i, 0L, count);
    };
    std::vector<std::size_t> places;
    for (std::int64_t i = place(starts->front()); i < place(ends->front());
         i = graph::saturatingAdd(i, steps->front())) {
        places.push_back(static_cast<std::size_t>(i));
    }
    const auto found = static_cast<std::int64_t>(places.size());
    return picked(*data, {found}, places);
}

Result squeeze(const OnnxOperation& op) {
    const OnnxValue* data = constantInput(op, 0);
    if (data == nullptr || data->shape->size() != 1 || data->constant->size() != 1) {
        return std::nullopt; // only a list of one becomes a scalar
    }
    return reshaped(*data, {});
}

Result unsqueeze(const OnnxOperation& op) {
    const OnnxValue* data = constantInput(op, 0);
    const auto axes = intsOf(op, "axes", 1);
    if (data == nullptr || !axes || !data->shape->empty() || axes->size() != 1) {
        return std::nullopt; // only a scalar becomes a list of one
    }
    return reshaped(*data, {1});
}

Result reshape(const OnnxOperation& op) {
    const OnnxValue* data = constantInput(op, 0);
    const auto target = intsOf(op, "shape", 1);
    if (data == nullptr || !target || target->size() > 1) {
        return std::nullopt;
    }
    const auto count = static_cast<std::int64_t>(data->constant->size());
    return reshaped(*data, target->empty() ? Shape{} : Shape{count});
}

Result identity(const OnnxOperation& op) {
    const OnnxValue* data = constantInput(op, 0);
    return data == nullptr ? Result() : Result(*data);
}

Result cast(const OnnxOperation& op) {
    const OnnxValue* data = constantInput(op, 0);
    const auto type = static_cast<int>(std::clamp<std::int64_t>(op.number("to", 0), 0, kDouble));
    const bool toReal = type == kFloat || type == kDouble;
    if (data == nullptr || (!toReal && type != kInt32 && type != kInt64 && type != kBool)) {
        return std::nullopt;
    }
    OnnxValue value = *data;
    value.elementType = type;
    OnnxConstant& numbers = *value.constant;
    if (toReal && !numbers.isReal) {
        numbers.reals.assign(numbers.ints.begin(), numbers.ints.end());
        numbers.ints.clear();
    } else if (!toReal && numbers.isReal) {
        constexpr double kLargest = 9e18;
        for (const double real : numbers.reals) {
            if (!(std::abs(real) < kLargest)) {
                return std::nullopt;
            }
            numbers.ints.push_back(static_cast<std::int64_t>(real));
        }
        numbers.reals.clear();
    }
    numbers.isReal = toReal;
    return value;
}

using Checked = std::optional<std::int64_t>;

Checked calculate(const std::string& op, std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    if (op == "Add") {
        return __builtin_add_overflow(a, b, &result) ? Checked() : result;
    }
    if (op == "Sub") {
        return __builtin_sub_overflow(a, b, &result) ? Checked() : result;
    }
    if (op == "Mul") {
        return __builtin_mul_overflow(a, b, &result) ? Checked() : result;
    }
    if (op == "Div" || op == "Mod") {
        const bool defined = b != 0 && !(b == -1 && a == std::numeric_limits<std::int64_t>::min());
        return !defined ? Checked() : op == "Div" ? a / b : a % b;
    }
    if (op == "Equal") {
        return a == b ? 1 : 0;
    }
    if (op == "Greater" || op == "Less") {
        return (op == "Greater" ? a > b : a < b) ? 1 : 0;
    }
    if (op == "Min" || op == "Max") {
        return op == "Min" ? std::min(a, b) : std::max(a, b);
    }
    return std::nullopt;
}

std::optional<double> calculate(const std::string& op, double a, double b) {
    if (op == "Add" || op == "Sub") {
        return op == "Add" ? a + b : a - b;
    }
    if (op == "Mul" || op == "Div") {
        return op == "Mul" ? a * b : a / b;
    }
    return std::nullopt;
}

/// Operands of equal shape, or one of them a single number.
Result arithmetic(const OnnxOperation& op) {
    const OnnxValue* a = constantInput(op, 0);
    const OnnxValue* b = constantInput(op, 1);
    if (a == nullptr || b == nullptr || op.inputs.size() != 2 ||
        a->constant->isReal != b->constant->isReal) {
        return std::nullopt;
    }
    const std::size_t ofA = a->constant->size();
    const std::size_t ofB = b->constant->size();
    const bool fits = *a->shape == *b->shape ||
                      (ofB == 1 && b->shape->size() <= a->shape->size()) ||
                      (ofA == 1 && a->shape->size() <= b->shape->size());
    if (!fits) {
        return std::nullopt;
    }
    const bool like = *a->shape == *b->shape || ofB == 1;
    OnnxValue value = like ? *a : *b;
    const bool truth = op.opType == "Equal" || op.opType == "Greater" || op.opType == "Less";
    value.elementType = truth ? kBool : a->elementType;
    for (std::size_t i = 0; i < value.constant->size(); ++i) {
        const std::size_t inA = ofA == 1 ? 0 : i;
        const std::size_t inB = ofB == 1 ? 0 : i;
        if (value.constant->isReal) {
            const auto real =
                calculate(op.opType, a->constant->reals[inA], b->constant->reals[inB]);
            if (!real) {
                return std::nullopt;
            }
            value.constant->reals[i] = *real;
        } else {
            const auto whole = calculate(op.opType, a->constant->ints[inA], b->constant->ints[inB]);
            if (!whole) {
                return std::nullopt;
            }
            value.constant->ints[i] = *whole;
        }
    }
    return value;
}

Result where(const OnnxOperation& op) {
    const auto condition = intsOf(op, 0);
    const OnnxValue* yes = constantInput(op, 1);
    const OnnxValue* no = constantInput(op, 2);
    if (!condition || yes == nullptr || no == nullptr || yes->constant->isReal ||
        no->constant->isReal || *yes->shape != *no->shape || *op.inputs[0]->shape != *yes->shape) {
        return std::nullopt;
    }
    OnnxValue value = *yes;
    for (std::size_t i = 0; i < condition->size(); ++i) {
        if ((*condition)[i] == 0) {
            value.constant->ints[i] = no->constant->ints[i];
        }
    }
    return value;
}

Result constantOfShape(const OnnxOperation& op) {
    const auto target = intsOf(op, 0);
    if (!target || std::any_of(target->begin(), target->end(), [](auto d) { return d < 0; })) {
        return std::nullopt;
    }
    const std::int64_t count = elementCount(*target);
    const bool ints = op.tensor && op.tensor->constant && !op.tensor->constant->isReal &&
                      op.tensor->constant->size() == 1;
    if (count > kMostConstantElements || !ints) {
        return std::nullopt;
    }
    return ofInts(*target,
                  std::vector<std::int64_t>(static_cast<std::size_t>(count),
                                            op.tensor->constant->ints.front()),
                  op.tensor->elementType);
}

Result range(const OnnxOperation& op) {
    const auto from = intsOf(op, 0);
    const auto to = intsOf(op, 1);
    const auto step = intsOf(op, 2);
    const bool three = from && to && step && from->size() == 1 && to->size() == 1 &&
                       step->size() == 1 && step->front() > 0;
    if (!three) {
        return std::nullopt;
    }
    std::vector<std::int64_t> numbers;
    for (std::int64_t i = from->front(); i < to->front();
         i = graph::saturatingAdd(i, step->front())) {
        numbers.push_back(i);
        if (numbers.size() > kMostConstantElements) {
            return std::nullopt;
        }
    }
    const auto count = static_cast<std::int64_t>(numbers.size());
    return ofInts({count}, std::move(numbers));
}

Result reduceProduct(const OnnxOperation& op) {
    const auto numbers = intsOf(op, 0);
    if (!numbers || op.inputs[0]->shape->size() != 1) {
        return std::nullopt;
    }
    std::int64_t product = 1;
    for (const std::int64_t number : *numbers) {
        if (__builtin_mul_overflow(product, number, &product)) {
            return std::nullopt;
        }
    }
    return ofInts(op.number("keepdims", 1) != 0 ? Shape{1} : Shape{}, {product});
}

/// A constant is what it says.
Result constant(const OnnxOperation& op) {
    if (op.tensor) {
        return op.tensor;
    }
    for (const char* name : {"value_int", "value_ints"}) {
        if (const auto found = op.numbers.find(name); found != op.numbers.end()) {
            const auto count = static_cast<std::int64_t>(found->second.size());
            const bool scalar = std::string(name) == "value_int";
            return ofInts(scalar ? Shape{} : Shape{count}, found->second);
        }
    }
    return std::nullopt;
}

struct Evaluator {
    const char* opType;
    Result (*evaluate)(const OnnxOperation&);
};
constexpr Evaluator kEvaluators[] = {
    {"Constant", constant},
    {"Shape", shapeOf},
    {"Size", sizeOf},
    {"Gather", gather},
    {"Concat", concat},
    {"Slice", slice},
    {"Squeeze", squeeze},
    {"Unsqueeze", unsqueeze},
    {"Reshape", reshape},
    {"Cast", cast},
    {"Identity", identity},
    {"Where", where},
    {"Range", range},
    {"ReduceProd", reduceProduct},
    {"ConstantOfShape", constantOfShape},
    {"Add", arithmetic},
    {"Sub", arithmetic},
    {"Mul", arithmetic},
    {"Div", arithmetic},
    {"Mod", arithmetic},
    {"Equal", arithmetic},
    {"Greater", arithmetic},
    {"Less", arithmetic},
    {"Min", arithmetic},
    {"Max", arithmetic},
};

} // namespace

Result onnxConstantResult(const OnnxOperation& operation) {
    if (!operation.domain.empty()) {
        return std::nullopt;
    }
    for (const Evaluator& evaluator : kEvaluators) {
        if (operation.opType == evaluator.opType) {
            return evaluator.evaluate(operation);
        }
    }
    return std::nullopt;
}

} // namespace doppler::io
