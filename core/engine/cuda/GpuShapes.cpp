#include "core/engine/cuda/GpuShapes.h"

#include <algorithm>
#include <stdexcept>

namespace doppler::engine::cuda {

namespace {

using namespace workload;

std::size_t at(std::int64_t i) {
    return static_cast<std::size_t>(i);
}

bool contains(const std::vector<int>& dims, int d) {
    return std::find(dims.begin(), dims.end(), d) != dims.end();
}

void checkRank(std::size_t rank) {
    if (rank > kMostDimensions) {
        throw std::runtime_error("no CUDA kernel for " + std::to_string(rank) + " dimensions");
    }
}

/// The same elements in the same order.
MovedPart unchanged(std::size_t operand, std::int64_t count) {
    return {.operand = operand, .copy = flatCopy(count)};
}

} // namespace

Element elementOf(graph::DType dtype) {
    switch (dtype) {
    case graph::DType::F16:
        return Element::F16;
    case graph::DType::BF16:
        return Element::BF16;
    case graph::DType::F32:
        return Element::F32;
    case graph::DType::F64:
        return Element::F64;
    case graph::DType::C64:
        return Element::C64;
    case graph::DType::I32:
        return Element::I32;
    case graph::DType::I64:
        return Element::I64;
    default:
        throw std::runtime_error("no CUDA kernel for elements of type " +
                                 std::string(graph::name(dtype)));
    }
}

std::int64_t bytesOf(Element element) {
    switch (element) {
    case Element::F16:
    case Element::BF16:
        return 2;
    case Element::F32:
    case Element::I32:
        return 4;
    case Element::F64:
    case Element::C64:
    case Element::I64:
        return 8;
    }
    return 0;
}

std::vector<std::int64_t> stridesOf(const Region& region) {
    std::vector<std::int64_t> strides(region.size());
    std::int64_t stride = 1;
    for (std::size_t d = region.size(); d-- > 0;) {
        strides[d] = stride;
        stride *= region[d].size();
    }
    return strides;
}

std::int64_t offsetIn(const Region& region, const Region& part) {
    const std::vector<std::int64_t> strides = stridesOf(region);
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < region.size(); ++d) {
        offset += (part[d].begin - region[d].begin) * strides[d];
    }
    return offset;
}

StridedCopy boxCopy(const Region& part, const Region& from, const Region& to) {
    checkRank(part.size());
    StridedCopy copy;
    copy.rank = static_cast<int>(part.size());
    const std::vector<std::int64_t> fromStrides = stridesOf(from);
    const std::vector<std::int64_t> toStrides = stridesOf(to);
    for (std::size_t d = 0; d < part.size(); ++d) {
        copy.sizes[d] = std::max<std::int64_t>(part[d].size(), 0);
        copy.fromStrides[d] = fromStrides[d];
        copy.toStrides[d] = toStrides[d];
    }
    return copy;
}

StridedCopy flatCopy(std::int64_t count) {
    StridedCopy copy;
    copy.rank = 1;
    copy.sizes[0] = count;
    copy.fromStrides[0] = copy.toStrides[0] = 1;
    return copy;
}

bool isPlain(const StridedCopy& copy) {
    for (int d = 0; d < copy.rank; ++d) {
        if (copy.sizes[d] != 1 && copy.fromStrides[d] != copy.toStrides[d]) {
            return false;
        }
    }
    return true;
}

Box boxOf(const Region& region, const graph::Shape& whole, const float* data) {
    checkRank(region.size());
    Box box;
    box.data = data;
    box.rank = static_cast<int>(region.size());
    for (std::size_t d = 0; d < region.size(); ++d) {
        box.begin[d] = region[d].begin;
        box.end[d] = region[d].end;
        box.whole[d] = whole[d];
    }
    return box;
}

std::vector<std::vector<int>> lettersOf(const Tensor& tensor) {
    std::vector<std::vector<int>> letters(1);
    for (const char c : tensor.indices.substr(0, tensor.indices.find("->"))) {
        if (c == ',') {
            letters.emplace_back();
        } else {
            letters.back().push_back(c - 'a');
        }
    }
    checkRank(tensor.fullShape.size());
    return letters;
}

ContractionPlan::ContractionPlan(const Tensor& tensor, const Region& join)
    : letters_(lettersOf(tensor)), outputRank_(tensor.outputRank) {
    for (const Interval& interval : join) {
        sizes_.push_back(interval.size());
    }
    for (int d = 0; at(d) < sizes_.size(); ++d) {
        const bool left = contains(letters_[0], d);
        const bool right = contains(letters_[1], d);
        if (left && right) {
            (d < outputRank_ ? batch_ : inner_).push_back(d);
        } else if (d >= outputRank_) {
            throw std::runtime_error("no CUDA kernel for the contraction " + tensor.indices);
        } else {
            (left ? left_ : right_).push_back(d);
        }
    }
}

std::int64_t ContractionPlan::sizeOf(const std::vector<int>& dims) const {
    std::int64_t size = 1;
    for (const int d : dims) {
        size *= sizes_[at(d)];
    }
    return size;
}

std::vector<int> ContractionPlan::concat(const std::vector<int>& a, const std::vector<int>& b,
                                         const std::vector<int>& c) {
    std::vector<int> all = a;
    all.insert(all.end(), b.begin(), b.end());
    all.insert(all.end(), c.begin(), c.end());
    return all;
}

StridedCopy ContractionPlan::reorder(const std::vector<int>& from,
                                     const std::vector<int>& to) const {
    std::vector<std::int64_t> strides(sizes_.size(), 0); // of `from`, by join dimension
    std::int64_t stride = 1;
    for (std::size_t i = from.size(); i-- > 0;) {
        strides[at(from[i])] = stride;
        stride *= sizes_[at(from[i])];
    }
    StridedCopy copy;
    copy.rank = static_cast<int>(to.size());
    stride = 1;
    for (std::size_t i = to.size(); i-- > 0;) {
        copy.sizes[i] = sizes_[at(to[i])];
        copy.fromStrides[i] = strides[at(to[i])];
        copy.toStrides[i] = stride;
        stride *= copy.sizes[i];
    }
    return copy;
}

StridedCopy ContractionPlan::arrange(std::size_t k, const std::vector<int>& order) const {
    return reorder(letters_[k], order);
}

StridedCopy ContractionPlan::arrangeResult() const {
    std::vector<int> block;
    for (int d = 0; d < outputRank_; ++d) {
        block.push_back(d);
    }
    return reorder(concat(batch_, left_, right_), block);
}

std::vector<MovedPart> movedParts(const TensorProgram& program, const BlockInfo& block) {
    const Tensor& tensor = program.at(block.tensor);
    const Region output = block.output(program);
    const std::int64_t count = elementCount(output);
    const auto axis = at(tensor.parameters.axis);
    std::vector<MovedPart> parts;
    switch (tensor.op) {
    case TensorOp::Formation:
    case TensorOp::Select:
    case TensorOp::Squeeze:
    case TensorOp::Take:
        return {unchanged(0, count)};
    case TensorOp::ComplexFromReal: { // pairs already lie as they should
        MovedPart part = unchanged(0, 2 * count);
        part.asReal = true;
        return {part};
    }
    case TensorOp::RealFromComplex: { // the pairs may begin or end outside the block
        Region pairs = block.operands[0];
        pairs.back() = {2 * pairs.back().begin, 2 * pairs.back().end};
        MovedPart part{.operand = 0, .copy = boxCopy(output, pairs, output)};
        part.fromOffset = offsetIn(pairs, output);
        part.asReal = true;
        return {part};
    }
    case TensorOp::Stack:
        for (std::int64_t k = output[axis].begin; k < output[axis].end; ++k) {
            Region slice = output; // the operand, with a dimension of size 1 at the axis
            slice[axis] = {k, k + 1};
            parts.push_back({.operand = at(k),
                             .copy = boxCopy(slice, slice, output),
                             .toOffset = offsetIn(output, slice)});
        }
        return parts;
    case TensorOp::Concat: {
        std::int64_t first = 0;
        for (std::size_t k = 0; k < tensor.operands.size(); ++k) {
            Region moved = block.operands[k]; // in the result's indices
            moved[axis] = {moved[axis].begin + first, moved[axis].end + first};
            if (!moved[axis].empty()) {
                parts.push_back({.operand = k,
                                 .copy = boxCopy(moved, moved, output),
                                 .toOffset = offsetIn(output, moved)});
            }
            first += program.at(tensor.operands[k]).fullShape[axis];
        }
        return parts;
    }
    default:
        throw std::runtime_error("no CUDA kernel for " + tensor.opName());
    }
}

} // namespace doppler::engine::cuda
