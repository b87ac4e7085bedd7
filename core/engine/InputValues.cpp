#include "core/engine/InputValues.h"

#include <algorithm>
#include <cmath>

namespace doppler::engine {

namespace {

using workload::Tensor;

std::size_t at(std::int64_t i) {
    return static_cast<std::size_t>(i);
}

/// A good mix of a number's bits (the finaliser of SplitMix64).
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

double unit(std::uint64_t bits) {
    return static_cast<double>(bits >> 11) * 0x1p-53;
}

double scaleOf(const Tensor& tensor) {
    const graph::Shape& shape = tensor.fullShape;
    if (!tensor.weight || shape.size() < 2) {
        return 1;
    }
    const std::size_t rank = shape.size();
    const std::int64_t fanIn = rank == 4 ? shape[1] * shape[2] * shape[3] // filters
                                         : std::max(shape[rank - 1], shape[rank - 2]);
    return std::sqrt(3.0 / static_cast<double>(fanIn)); // variance 1 / fan-in
}

} // namespace

std::vector<double> inputValues(const workload::TensorProgram& program,
                                const workload::BlockInfo& block, std::uint64_t seed) {
    const Tensor& tensor = program.at(block.tensor);
    const std::uint64_t key = mixed(seed ^ mixed(static_cast<std::uint64_t>(block.tensor)));
    const bool isComplex = tensor.dtype == graph::DType::C64;
    const double scale = scaleOf(tensor);
    std::vector<double> values;
    values.reserve(at(workload::elementCount(block.join)) * (isComplex ? 2 : 1));
    const auto add = [&](std::uint64_t place) {
        const std::uint64_t bits = mixed(key + 2 * place);
        if (tensor.parameters.limit > 0) {
            values.push_back(std::floor(unit(bits) * static_cast<double>(tensor.parameters.limit)));
            return;
        }
        values.push_back((2 * unit(bits) - 1) * scale);
        if (isComplex) {
            values.push_back((2 * unit(mixed(key + 2 * place + 1)) - 1) * scale);
        }
    };
    // Rows of the last dimension, whose elements follow each other.
    workload::Region rows = block.join;
    workload::Interval last{0, 1};
    if (!rows.empty()) {
        last = rows.back();
        rows.pop_back();
    }
    workload::forEachIndex(rows, [&](const std::vector<std::int64_t>& index) {
        std::uint64_t row = 0;
        for (std::size_t d = 0; d < index.size(); ++d) {
            row = row * static_cast<std::uint64_t>(tensor.fullShape[d]) +
                  static_cast<std::uint64_t>(index[d]);
        }
        row *= tensor.fullShape.empty() ? 1 : static_cast<std::uint64_t>(tensor.fullShape.back());
        for (std::int64_t i = last.begin; i < last.end; ++i) {
            add(row + static_cast<std::uint64_t>(i));
        }
    });
    return values;
}

} // namespace doppler::engine
