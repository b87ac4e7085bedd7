#include "core/workload/Backward.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace doppler::workload {

namespace {

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

std::string letters(int rank) {
    std::string text;
    for (int d = 0; d < rank; ++d) {
        text += static_cast<char>('a' + d);
    }
    return text;
}

/// "ac,cb->ab" in its parts.
struct Indices {
    std::vector<std::string> operands{1};
    std::string output;

    explicit Indices(const std::string& text) {
        const std::size_t arrow = text.find("->");
        output = text.substr(arrow + 2);
        for (const char c : text.substr(0, arrow)) {
            if (c == ',') {
                operands.emplace_back();
            } else {
                operands.back() += c;
            }
        }
    }
};

bool contains(const std::string& text, char letter) {
    return text.find(letter) != std::string::npos;
}

/// A gradient of a tensor: `dims` are the letters of the tensor's dimensions (a for the first) that
/// it has; along the others it is constant.
struct Gradient {
    TensorId id;
    std::string dims;
};

/// A share of a tensor's gradient: of the whole tensor, or of a part of it along one axis.
struct Share {
    Gradient gradient;
    std::optional<TensorOp> part; ///< TensorOp::Select or Take: what took the part
    int axis = 0;
    std::int64_t begin = 0;
};

class Backward {
public:
    Backward(ProgramWriter& w, double learningRate)
        : w_(w)
        , rate_(learningRate)
        , forwardRows_(w.size())
        , shares_(w.size())
        , needed_(w.size(), false) {
        for (std::size_t row = 0; row < forwardRows_; ++row) {
            const Tensor& tensor = w_.at(static_cast<TensorId>(row));
            const bool reached =
                std::any_of(tensor.operands.begin(), tensor.operands.end(),
                            [&](TensorId operand) { return needed_[at(operand)]; });
            needed_[row] = tensor.weight || (reached && tensor.op != TensorOp::ReduceMax);
        }
    }

    void run(const std::vector<Seed>& seeds) {
        w_.setAlwaysForm(false);
        for (const Seed& seed : seeds) {
            addShare(seed.tensor, {seed.gradient, letters(w_.at(seed.tensor).outputRank)});
        }
        for (auto row = static_cast<TensorId>(forwardRows_) - 1; row >= 0; --row) {
            if (shares_[at(row)].empty() || !needed_[at(row)]) {
                continue;
            }
            const Tensor tensor = w_.at(row); // a copy: rows are added meanwhile
            w_.setDType(tensor.dtype);
            ways_ = tensor.partition;
            w_.setModule(tensor.group + "/backward");
            const Gradient gradient = accumulated(row, tensor);
            if (tensor.weight) {
                w_.setModule(tensor.group + "/update");
                update(row, tensor, gradient);
            } else {
                distribute(row, tensor, gradient);
            }
        }
        w_.setModule({});
    }

private:
    [[noreturn]] static void fail(const Tensor& tensor, const char* what) {
        throw std::logic_error("gradient of \"" + tensor.role + "\" (" + tensor.opName() +
                               "): " + what);
    }

    /// A row by letters: those of the forward row's join shape, each cut as there.
    TensorId apply(TensorOp op, const std::string& role, const std::string& indices,
                   const std::vector<TensorId>& operands, const OpParameters& parameters = {}) {
        const Indices parts(indices);
        std::string order = parts.output;
        for (const std::string& operand : parts.operands) {
            for (const char letter : operand) {
                if (!contains(order, letter)) {
                    order += letter;
                }
            }
        }
        Partition partition;
        for (const char letter : order) {
            partition.push_back(ways_[at(letter - 'a')]);
        }
        const TensorId partials =
            w_.apply(op, role, indices, operands, std::move(partition), parameters);
        if (w_.at(partials).partialCount() == 1) {
            return partials;
        }
        w_.setRole(partials, role + ", partial sums");
        return w_.form(role, partials);
    }

    /// How a gradient of all of `tensor` is cut; `more` further dimensions are not.
    static Partition waysOf(const Tensor& tensor, std::size_t more = 0) {
        Partition partition(tensor.partition.begin(), tensor.partition.begin() + tensor.outputRank);
        partition.insert(partition.end(), more, 1);
        return partition;
    }

    static std::string roleOf(const Tensor& tensor) { return "gradient of " + tensor.role; }
    std::string roleOf(TensorId tensor) const { return roleOf(w_.at(tensor)); }

    void addShare(TensorId tensor, Gradient gradient) {
        if (needed_[at(tensor)]) {
            shares_[at(tensor)].push_back({std::move(gradient), std::nullopt, 0, 0});
        }
    }

    void addPart(TensorId tensor, const Gradient& gradient, TensorOp part, int axis,
                 std::int64_t begin) {
        if (needed_[at(tensor)]) {
            shares_[at(tensor)].push_back({gradient, part, axis, begin});
        }
    }

    Gradient accumulated(TensorId id, const Tensor& tensor) {
        std::vector<Share>& shares = shares_[at(id)];
        if (shares.front().part) {
            return joined(tensor, shares);
        }
        if (shares.size() == 1) {
            return shares.front().gradient;
        }
        std::string dims;
        std::string indices;
        std::vector<TensorId> operands;
        for (const Share& share : shares) {
            if (share.part) {
                fail(tensor, "both whole and in parts");
            }
            dims = share.gradient.dims.size() > dims.size() ? share.gradient.dims : dims;
            indices += (indices.empty() ? "" : ",") + share.gradient.dims;
            operands.push_back(share.gradient.id);
        }
        return {apply(TensorOp::Add, roleOf(tensor), indices + "->" + dims, operands), dims};
    }

    /// All parts along one axis make the whole.
    Gradient joined(const Tensor& tensor, std::vector<Share>& shares) {
        std::sort(shares.begin(), shares.end(),
                  [](const Share& a, const Share& b) { return a.begin < b.begin; });
        const TensorOp part = *shares.front().part;
        const int axis = shares.front().axis;
        std::vector<TensorId> operands;
        std::int64_t end = 0;
        for (const Share& share : shares) {
            const Tensor& value = w_.at(share.gradient.id);
            const int rank = tensor.outputRank - (part == TensorOp::Take ? 1 : 0);
            if (share.part != part || share.axis != axis || share.begin != end ||
                value.outputRank != rank) {
                fail(tensor, "its parts do not cover it once");
            }
            operands.push_back(share.gradient.id);
            end += part == TensorOp::Take ? 1 : value.fullShape[at(axis)];
        }
        if (end != tensor.fullShape[at(axis)]) {
            fail(tensor, "its parts do not cover it");
        }
        const TensorOp op = part == TensorOp::Take ? TensorOp::Stack : TensorOp::Concat;
        return {w_.shaped(op, roleOf(tensor), tensor.outputShape(), tensor.outputRank, operands,
                          waysOf(tensor), {.axis = axis}),
                letters(tensor.outputRank)};
    }

    void update(TensorId weight, const Tensor& tensor, const Gradient& gradient) {
        const std::string all = letters(tensor.outputRank);
        w_.result(apply(TensorOp::Update, tensor.role + ", updated",
                        all + "," + gradient.dims + "->" + all, {weight, gradient.id},
                        {.scale = rate_}));
    }

    /// The gradient, in the letters of the forward row's indices (output dimension d is letter d).
    void distribute(TensorId id, const Tensor& tensor, const Gradient& gradient) {
        switch (tensor.op) {
        case TensorOp::Matmul:
            return ofMatmul(tensor, gradient);
        case TensorOp::Multiply:
            return ofMultiply(tensor, gradient);
        case TensorOp::Add:
        case TensorOp::Subtract:
            return ofSum(tensor, gradient);
        case TensorOp::Divide:
            return ofDivide(id, tensor, gradient);
        case TensorOp::ReduceSum:
            return addShare(tensor.operands[0], {gradient.id, inOperand(tensor, 0, gradient.dims)});
        case TensorOp::Exp:
            return byResult(TensorOp::Multiply, id, tensor, gradient);
        case TensorOp::Relu:
            return byResult(TensorOp::ReluGradient, id, tensor, gradient);
        case TensorOp::Sigmoid:
            return byResult(TensorOp::SigmoidGradient, id, tensor, gradient);
        case TensorOp::Tanh:
            return byResult(TensorOp::TanhGradient, id, tensor, gradient);
        case TensorOp::Rsqrt:
            return byResult(TensorOp::RsqrtGradient, id, tensor, gradient);
        case TensorOp::Formation:
            return addShare(tensor.operands[0], gradient);
        case TensorOp::Silu: {
            const std::string all = letters(tensor.outputRank);
            return addShare(
                tensor.operands[0],
                {apply(TensorOp::SiluGradient, roleOf(tensor.operands[0]),
                       all + "," + gradient.dims + "->" + all, {tensor.operands[0], gradient.id}),
                 all});
        }
        case TensorOp::Square: {
            const Gradient product = multiplied(roleOf(tensor.operands[0]) + ", half",
                                                tensor.operands[0], tensor.outputRank, gradient);
            return addShare(tensor.operands[0], scaled(roleOf(tensor.operands[0]), product, 2));
        }
        case TensorOp::Scale:
        case TensorOp::ScaleAddEps:
            return addShare(tensor.operands[0],
                            scaled(roleOf(tensor.operands[0]), gradient, tensor.parameters.scale));
        case TensorOp::Select:
        case TensorOp::Take:
            return ofPart(tensor, gradient);
        case TensorOp::Concat:
            return ofConcat(tensor, gradient);
        case TensorOp::Stack:
            return ofStack(tensor, gradient);
        default:
            return ofModelOperator(id, tensor, whole(tensor, gradient));
        }
    }

    static TensorId whole(const Tensor& tensor, const Gradient& gradient) {
        if (gradient.dims.size() != at(tensor.outputRank)) {
            fail(tensor, "it only broadcasts, and a whole one is needed");
        }
        return gradient.id;
    }

    /// Letters of a row's join shape as letters of its operand's dimensions.
    static std::string inOperand(const Tensor& tensor, std::size_t operand,
                                 const std::string& dims) {
        const std::string own = Indices(tensor.indices).operands[operand];
        std::string result;
        for (std::size_t d = 0; d < own.size(); ++d) {
            if (contains(dims, own[d])) {
                result += static_cast<char>('a' + d);
            }
        }
        return result;
    }

    Gradient scaled(const std::string& role, const Gradient& gradient, double scale) {
        return {apply(TensorOp::Scale, role, gradient.dims + "->" + gradient.dims, {gradient.id},
                      {.scale = scale}),
                gradient.dims};
    }

    /// Elementwise product of a whole tensor and a gradient of its shape.
    Gradient multiplied(const std::string& role, TensorId factor, int rank,
                        const Gradient& gradient) {
        const std::string all = letters(rank);
        return {apply(TensorOp::Multiply, role, all + "," + gradient.dims + "->" + all,
                      {factor, gradient.id}),
                all};
    }

    /// Operators whose gradient follows from their result.
    void byResult(TensorOp op, TensorId id, const Tensor& tensor, const Gradient& gradient) {
        const std::string all = letters(tensor.outputRank);
        addShare(tensor.operands[0],
                 {apply(op, roleOf(tensor.operands[0]), all + "," + gradient.dims + "->" + all,
                        {id, gradient.id}),
                  all});
    }

    /// A contraction's gradient by one factor is the contraction with the other.
    void ofMatmul(const Tensor& tensor, const Gradient& gradient) {
        const Indices indices(tensor.indices);
        for (std::size_t k = 0; k < 2; ++k) {
            const TensorId operand = tensor.operands[k];
            if (!needed_[at(operand)]) {
                continue;
            }
            const std::string text =
                gradient.dims + "," + indices.operands[1 - k] + "->" + indices.operands[k];
            addShare(operand, {apply(TensorOp::Matmul, roleOf(operand), text,
                                     {gradient.id, tensor.operands[1 - k]}),
                               letters(w_.at(operand).outputRank)});
        }
    }

    /// Elementwise products, summed over what an operand was broadcast along.
    TensorId summedProduct(const std::string& role, const std::string& indices,
                           const std::vector<TensorId>& factors) {
        const TensorId sum = apply(TensorOp::Matmul, role, indices, factors);
        const Tensor& row = w_.at(sum);
        w_.setKind(row.op == TensorOp::Formation ? row.operands[0] : sum, graph::OpKind::Reduction);
        return sum;
    }

    void ofMultiply(const Tensor& tensor, const Gradient& gradient) {
        const Indices indices(tensor.indices);
        for (std::size_t k = 0; k < 2; ++k) {
            const TensorId operand = tensor.operands[k];
            if (!needed_[at(operand)]) {
                continue;
            }
            const std::string& other = indices.operands[1 - k];
            const std::string& own = indices.operands[k];
            const std::vector<TensorId> factors{gradient.id, tensor.operands[1 - k]};
            const std::string text = gradient.dims + "," + other + "->";
            const TensorId share =
                own.size() == indices.output.size()
                    ? apply(TensorOp::Multiply, roleOf(operand), text + indices.output, factors)
                    : summedProduct(roleOf(operand), text + own, factors);
            addShare(operand, {share, letters(w_.at(operand).outputRank)});
        }
    }

    /// Add and Subtract: the gradient itself, summed over what the operand lacks.
    void ofSum(const Tensor& tensor, const Gradient& gradient) {
        const Indices indices(tensor.indices);
        for (std::size_t k = 0; k < tensor.operands.size(); ++k) {
            const TensorId operand = tensor.operands[k];
            if (!needed_[at(operand)]) {
                continue;
            }
            Gradient share = gradient;
            if (indices.operands[k].size() < indices.output.size()) {
                whole(tensor, gradient);
                share.id = apply(TensorOp::ReduceSum, roleOf(operand),
                                 indices.output + "->" + indices.operands[k], {gradient.id});
                share.dims = indices.operands[k];
            }
            if (tensor.op == TensorOp::Subtract && k == 1) {
                share = scaled(roleOf(operand) + ", negated", share, -1);
            }
            share.dims = inOperand(tensor, k, share.dims);
            addShare(operand, share);
        }
    }

    /// z = x / y: dx = dz / y, dy = -sum(dz z) / y.
    void ofDivide(TensorId id, const Tensor& tensor, const Gradient& gradient) {
        const Indices indices(tensor.indices);
        const TensorId x = tensor.operands[0];
        const TensorId y = tensor.operands[1];
        const std::string& rows = indices.operands[1];
        const TensorId dz = whole(tensor, gradient);
        addShare(x, {apply(TensorOp::Divide, roleOf(x), tensor.indices, {dz, y}),
                     letters(tensor.outputRank)});
        const TensorId sum =
            summedProduct(roleOf(y) + ", times itself, negated",
                          indices.output + "," + indices.output + "->" + rows, {dz, id});
        const Gradient negated = scaled(roleOf(y) + ", times itself", {sum, rows}, -1);
        const TensorId quotient =
            apply(TensorOp::Divide, roleOf(y), rows + "," + rows + "->" + rows, {negated.id, y});
        addShare(y, {quotient, letters(w_.at(y).outputRank)});
    }

    void ofPart(const Tensor& tensor, const Gradient& gradient) {
        const TensorId operand = tensor.operands[0];
        whole(tensor, gradient);
        if (tensor.op == TensorOp::Take) {
            return addPart(operand, gradient, TensorOp::Take, tensor.parameters.axis,
                           tensor.parameters.start[0]);
        }
        const graph::Shape& shape = w_.at(operand).fullShape;
        int axis = 0;
        while (axis + 1 < tensor.outputRank && shape[at(axis)] == tensor.fullShape[at(axis)]) {
            ++axis;
        }
        addPart(operand, gradient, TensorOp::Select, axis, tensor.parameters.start[at(axis)]);
    }

    void ofConcat(const Tensor& tensor, const Gradient& gradient) {
        const int axis = tensor.parameters.axis;
        const std::size_t position = gradient.dims.find(static_cast<char>('a' + axis));
        std::int64_t begin = 0;
        for (const TensorId operand : tensor.operands) {
            const std::int64_t size = w_.at(operand).fullShape[at(axis)];
            if (needed_[at(operand)]) {
                Gradient share = gradient;
                if (position != std::string::npos) {
                    graph::Shape shape = w_.at(gradient.id).outputShape();
                    graph::Shape start(shape.size(), 0);
                    shape[position] = size;
                    start[position] = begin;
                    const int rank = static_cast<int>(shape.size());
                    Partition partition;
                    if (rank == tensor.outputRank) {
                        partition = waysOf(w_.at(operand));
                    }
                    share.id =
                        w_.shaped(TensorOp::Select, roleOf(operand), std::move(shape), rank,
                                  {gradient.id}, std::move(partition), {.start = std::move(start)});
                }
                addShare(operand, share);
            }
            begin += size;
        }
    }

    void ofStack(const Tensor& tensor, const Gradient& gradient) {
        const TensorId whole = Backward::whole(tensor, gradient);
        for (std::size_t k = 0; k < tensor.operands.size(); ++k) {
            const TensorId operand = tensor.operands[k];
            if (needed_[at(operand)]) {
                addShare(operand,
                         {w_.shaped(TensorOp::Take, roleOf(operand), w_.at(operand).outputShape(),
                                    w_.at(operand).outputRank, {whole}, waysOf(w_.at(operand)),
                                    {.start = {static_cast<std::int64_t>(k)},
                                     .axis = tensor.parameters.axis}),
                          letters(w_.at(operand).outputRank)});
            }
        }
    }

    void ofModelOperator(TensorId id, const Tensor& tensor, TensorId gradient) {
        const TensorId x = tensor.operands[0];
        const Tensor input = w_.at(x);
        const graph::Shape shape = input.outputShape();
        const std::string all = letters(input.outputRank);
        const OpParameters& parameters = tensor.parameters;
        const auto share = [&](TensorOp op, std::vector<TensorId> operands) {
            addShare(x, {w_.shaped(op, roleOf(x), shape, input.outputRank, std::move(operands),
                                   waysOf(input), parameters),
                         all});
        };
        switch (tensor.op) {
        case TensorOp::Embedding:
            return share(TensorOp::EmbeddingGradient, {tensor.operands[1], gradient});
        case TensorOp::MaxPool:
            return share(TensorOp::MaxPoolGradient, {x, id, gradient});
        case TensorOp::AvgPool:
            return share(TensorOp::AvgPoolGradient, {gradient});
        case TensorOp::Conv2d:
            return ofConvolution(tensor, gradient);
        case TensorOp::Convert:
            return addShare(x, {w_.convert(roleOf(x), gradient, input.dtype, waysOf(input)), all});
        case TensorOp::RouteTop:
            return share(TensorOp::RouteGradient, {x, id, gradient});
        case TensorOp::Dispatch:
            return ofDispatch(tensor, gradient);
        case TensorOp::Undispatch:
            return ofUndispatch(tensor, gradient);
        default:
            fail(tensor, "no rule for this operator");
        }
    }

    /// Rows go back to their tokens, summed over experts.
    void ofDispatch(const Tensor& tensor, TensorId gradient) {
        const TensorId x = tensor.operands[0];
        const Tensor input = w_.at(x);
        const Partition ways = waysOf(input);
        const std::int64_t experts = tensor.fullShape[0];
        const TensorId partials = w_.shaped(
            TensorOp::Undispatch, roleOf(x), {input.fullShape[0], input.fullShape[1], experts}, 2,
            {gradient, tensor.operands[1]}, {ways[0], ways[1], tensor.partition[0]});
        addShare(x, {w_.form(roleOf(x), partials), letters(2)});
    }

    void ofUndispatch(const Tensor& tensor, TensorId gradient) {
        const TensorId slots = tensor.operands[0];
        const TensorId table = tensor.operands[1];
        const TensorId gates = tensor.operands[2];
        addShare(slots, {w_.shaped(TensorOp::Dispatch, roleOf(slots), w_.at(slots).outputShape(), 3,
                                   {gradient, table, gates}, waysOf(w_.at(slots))),
                         letters(3)});
        const graph::Shape shape = w_.at(gates).outputShape();
        const Partition ways = waysOf(w_.at(gates));
        const TensorId partials = w_.shaped(
            TensorOp::GateGradient, roleOf(gates), {shape[0], shape[1], tensor.fullShape[1]}, 2,
            {slots, table, gradient}, {ways[0], ways[1], tensor.partition[1]});
        addShare(gates, {w_.form(roleOf(gates), partials), letters(2)});
    }

    void ofConvolution(const Tensor& tensor, TensorId gradient) {
        const TensorId x = tensor.operands[0];
        const TensorId filter = tensor.operands[1];
        const auto [n, k, p, q, c, r, s] = std::array<std::int64_t, 7>{
            tensor.fullShape[0], tensor.fullShape[1], tensor.fullShape[2], tensor.fullShape[3],
            tensor.fullShape[4], tensor.fullShape[5], tensor.fullShape[6]};
        addShare(filter,
                 {w_.shaped(TensorOp::ConvFilterGradient, roleOf(filter), {k, c, r, s, n, p, q}, 4,
                            {x, gradient}, waysOf(w_.at(filter), 3), tensor.parameters),
                  letters(4)});
        if (!needed_[at(x)]) {
            return;
        }
        const graph::Shape images = w_.at(x).outputShape();
        const TensorId dx =
            w_.shaped(TensorOp::ConvInputGradient, roleOf(x), {n, c, images[2], images[3], k, r, s},
                      4, {gradient, filter}, {}, tensor.parameters);
        w_.setWorkPerElement(dx, static_cast<double>(p * q) /
                                     static_cast<double>(images[2] * images[3]));
        addShare(x, {dx, letters(4)});
    }

    ProgramWriter& w_;
    double rate_;
    std::size_t forwardRows_;
    std::vector<std::vector<Share>> shares_;
    std::vector<bool> needed_;
    Partition ways_; // of the forward row at hand
};

} // namespace

void backward(ProgramWriter& w, const std::vector<Seed>& seeds, double learningRate) {
    Backward(w, learningRate).run(seeds);
}

} // namespace doppler::workload
