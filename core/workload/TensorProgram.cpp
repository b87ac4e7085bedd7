#include "core/workload/TensorProgram.h"

#include <functional>
#include <numeric>

namespace doppler::workload {

namespace {
std::int64_t product(const std::vector<std::int64_t>& values, std::size_t first = 0) {
    return std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(first), values.end(),
                           std::int64_t{1}, std::multiplies<>());
}
} // namespace

graph::Shape Tensor::outputShape() const {
    return {fullShape.begin(), fullShape.begin() + outputRank};
}

std::string Tensor::opName() const {
    std::string text(facts(op).name);
    if (op == TensorOp::Convert) {
        text += " ";
        text += graph::name(dtype);
    }
    return text;
}

std::int64_t Tensor::blockCount() const {
    return product(partition);
}

std::int64_t Tensor::partialCount() const {
    return product(partition, static_cast<std::size_t>(outputRank));
}

std::int64_t TensorProgram::multiplyAdds() const {
    std::int64_t sum = 0;
    for (const Tensor& tensor : tensors) {
        if (tensor.kind == graph::OpKind::Contraction ||
            tensor.kind == graph::OpKind::Convolution) {
            sum += graph::elementCount(tensor.fullShape);
        }
    }
    return sum;
}

} // namespace doppler::workload
