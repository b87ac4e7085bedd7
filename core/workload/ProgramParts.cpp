#include "core/workload/ProgramParts.h"

namespace doppler::workload {

TensorId softmax(ProgramWriter& w, TensorId x, const Partition& partition) {
    std::string all;
    for (int d = 0; d < w.at(x).outputRank; ++d) {
        all += static_cast<char>('a' + d);
    }
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
