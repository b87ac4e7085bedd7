#include "core/workload/ProgramParts.h"

namespace doppler::workload {

TensorId softmax(ProgramWriter& w, TensorId x, const Partition& partition) {
    std::string all;
    for (std::size_t d = 0; d < partition.size(); ++d) {
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

} // namespace doppler::workload
