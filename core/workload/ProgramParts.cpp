#include "core/workload/ProgramParts.h"

namespace doppler::workload {

namespace {

/// "abc" for rank 3.
std::string letters(int rank) {
    std::string text;
    for (int d = 0; d < rank; ++d) {
        text += static_cast<char>('a' + d);
    }
    return text;
}

} // namespace

TensorId softmax(ProgramWriter& w, TensorId x, const Partition& partition) {
    const std::string all = letters(w.at(x).outputRank);
    const std::string rows = all.substr(0, all.size() - 1);
    const std::string reduce = all + "->" + rows;
    const std::string broadcast = all + "," + rows + "->" + all;

    const TensorId maximum =
        w.reduction(TensorOp::ReduceMax, "softmax maximum of each row", reduce, x, partition);
    const TensorId shifted = w.apply(TensorOp::Subtract, "softmax, less the row's maximum",
                                     broadcast, {x, maximum}, partition);
    const TensorId exponentials = w.map(TensorOp::Exp, "softmax, exponentials", shifted, partition);
    const TensorId sum = w.reduction(TensorOp::ReduceSum, "softmax sum of each row", reduce,
                                     exponentials, partition);
    const TensorId quotient =
        w.apply(TensorOp::Divide, "softmax", broadcast, {exponentials, sum}, partition);
    for (const TensorId row : {shifted, exponentials, quotient}) {
        w.setKind(row, graph::OpKind::Softmax);
    }
    return quotient;
}

Linear linear(ProgramWriter& w, const std::string& name, std::int64_t rows, std::int64_t columns) {
    return {w.weight(name + " weight", {rows, columns}), w.weight(name + " bias", {columns})};
}

TensorId applyLinear(ProgramWriter& w, const std::string& role, TensorId x, const Linear& layer) {
    const TensorId product = w.product(role + ", product", "ac,cb->ab", {x, layer.weight});
    return w.apply(TensorOp::Add, role, "ab,b->ab", {product, layer.bias});
}

TensorId rmsNorm(ProgramWriter& w, TensorId x, TensorId weight, int rowRank,
                 const Partition& statistics, const Partition& output) {
    constexpr double kEps = 1e-6;
    const graph::DType dtype = w.dtype();
    const std::string all = letters(w.at(x).outputRank);
    const std::string row = all.substr(0, static_cast<std::size_t>(rowRank));
    const std::string within = all.substr(static_cast<std::size_t>(rowRank));
    const Partition rowWays(statistics.begin(), statistics.begin() + rowRank);
    const double perElement = 1 / static_cast<double>(graph::elementCount(w.at(weight).fullShape));

    const TensorId exact = w.convert("norm input in f32", x, graph::DType::F32, statistics);
    w.setDType(graph::DType::F32);
    const TensorId squares = w.map(TensorOp::Square, "norm squares", exact, statistics);
    const TensorId sum = w.reduction(TensorOp::ReduceSum, "norm sum of squares", all + "->" + row,
                                     squares, statistics);
    const TensorId mean = w.map(TensorOp::ScaleAddEps, "norm mean of squares plus eps", sum,
                                rowWays, {.scale = perElement, .eps = kEps});
    const TensorId root = w.map(TensorOp::Rsqrt, "norm reciprocal root", mean, rowWays);
    const TensorId normal = w.apply(TensorOp::Multiply, "normalised", all + "," + row + "->" + all,
                                    {exact, root}, output);
    w.setDType(dtype);
    const TensorId rounded = w.convert("normalised, rounded", normal, dtype, output);
    const TensorId result = w.apply(TensorOp::Multiply, "norm output, times weight",
                                    all + "," + within + "->" + all, {rounded, weight}, output);
    for (const TensorId part : {squares, mean, root, normal, result}) {
        w.setKind(part, graph::OpKind::Normalization);
    }
    return result;
}

CrossEntropy crossEntropy(ProgramWriter& w, TensorId logits, TensorId labels) {
    const graph::Shape shape = w.at(logits).outputShape();
    const double perRow = 1 / static_cast<double>(shape[0]);
    const TensorId truth = w.shaped(TensorOp::OneHot, "labels, one-hot", shape, 2, {labels});
    const TensorId maximum =
        w.reduction(TensorOp::ReduceMax, "softmax maximum of each row", "ab->a", logits, {});
    const TensorId shifted = w.apply(TensorOp::Subtract, "softmax, less the row's maximum",
                                     "ab,a->ab", {logits, maximum});
    const TensorId exponentials = w.map(TensorOp::Exp, "softmax, exponentials", shifted);
    const TensorId sum =
        w.reduction(TensorOp::ReduceSum, "softmax sum of each row", "ab->a", exponentials, {});
    const TensorId log = w.map(TensorOp::Log, "log of the softmax sum", sum);
    const TensorId masked =
        w.apply(TensorOp::Multiply, "shifted logit of the label", "ab,ab->ab", {shifted, truth});
    const TensorId picked =
        w.reduction(TensorOp::ReduceSum, "logit of the label", "ab->a", masked, {});
    const TensorId losses =
        w.apply(TensorOp::Subtract, "cross-entropy of each row", "a,a->a", {log, picked});
    const TensorId total =
        w.reduction(TensorOp::ReduceSum, "cross-entropy, total", "a->", losses, {});
    const TensorId loss = w.map(TensorOp::Scale, "cross-entropy", total, {}, {.scale = perRow});

    const TensorId probabilities =
        w.apply(TensorOp::Divide, "softmax", "ab,a->ab", {exponentials, sum});
    const TensorId difference =
        w.apply(TensorOp::Subtract, "softmax less the truth", "ab,ab->ab", {probabilities, truth});
    const TensorId gradient =
        w.map(TensorOp::Scale, "gradient of the logits", difference, {}, {.scale = perRow});
    for (const TensorId row : {shifted, exponentials, probabilities}) {
        w.setKind(row, graph::OpKind::Softmax);
    }
    return {loss, {logits, gradient}};
}

void resultSum(ProgramWriter& w, std::string role, const std::vector<TensorId>& scalars) {
    if (scalars.size() == 1) {
        return w.result(scalars.front());
    }
    const std::string indices = std::string(scalars.size() - 1, ',') + "->";
    w.result(w.apply(TensorOp::Add, std::move(role), indices, scalars));
}

} // namespace doppler::workload
