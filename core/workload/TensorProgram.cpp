#include "core/workload/TensorProgram.h"

#include <cmath>
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

bool Tensor::multiplies() const {
    return kind == graph::OpKind::Contraction || kind == graph::OpKind::Convolution;
}

std::int64_t Tensor::flops(std::int64_t joinElements) const {
    const std::int64_t count =
        workPerElement == 1 ? joinElements
                            : std::llround(static_cast<double>(joinElements) * workPerElement);
    return multiplies() ? 2 * count : count;
}

std::int64_t TensorProgram::multiplyAdds() const {
    std::int64_t sum = 0;
    for (const Tensor& tensor : tensors) {
        if (tensor.multiplies()) {
            sum += tensor.flops(graph::elementCount(tensor.fullShape)) / 2;
        }
    }
    return sum;
}

} // namespace doppler::workload
