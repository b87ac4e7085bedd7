#pragma once

#include <cstdint>
#include <vector>

#include "core/engine/cuda/GpuTasks.h"
#include "core/workload/Splitter.h"

namespace doppler::engine::cuda {

// How blocks of tensors lie in memory, as the kernels want to be told. No CUDA here.

/// Throws std::runtime_error for a type that is not computed.
Element elementOf(graph::DType dtype);
std::int64_t bytesOf(Element element);

/// Strides of a region that lies densely, last dimension fastest.
std::vector<std::int64_t> stridesOf(const workload::Region& region);
/// Elements from the beginning of `region` to the first of `part`, which it contains.
std::int64_t offsetIn(const workload::Region& region, const workload::Region& part);

/// `part` from where it lies in `from` to where it lies in `to`.
StridedCopy boxCopy(const workload::Region& part, const workload::Region& from,
                    const workload::Region& to);
StridedCopy flatCopy(std::int64_t count);
/// True if it changes no element's place.
bool isPlain(const StridedCopy& copy);

Box boxOf(const workload::Region& region, const graph::Shape& whole, const float* data);

/// Join dimensions of each operand's dimensions.
std::vector<std::vector<int>> lettersOf(const workload::Tensor& tensor);

/// A contraction as a batched matrix product.
class ContractionPlan {
public:
    /// Throws std::runtime_error for a dimension that is summed and only one operand has.
    ContractionPlan(const workload::Tensor& tensor, const workload::Region& join);

    std::int64_t batch() const { return sizeOf(batch_); }
    std::int64_t rows() const { return sizeOf(left_); }
    std::int64_t columns() const { return sizeOf(right_); }
    std::int64_t inner() const { return sizeOf(inner_); }
    /// Join dimensions in the order that the product wants.
    std::vector<int> orderOfLeft() const { return concat(batch_, left_, inner_); }
    std::vector<int> orderOfRight() const { return concat(batch_, inner_, right_); }
    /// From operand `k` as it lies to that order.
    StridedCopy arrange(std::size_t k, const std::vector<int>& order) const;
    /// From the product to the block.
    StridedCopy arrangeResult() const;

private:
    std::int64_t sizeOf(const std::vector<int>& dims) const;
    static std::vector<int> concat(const std::vector<int>& a, const std::vector<int>& b,
                                   const std::vector<int>& c);
    /// From dimensions in one order, lying densely, to the same in another.
    StridedCopy reorder(const std::vector<int>& from, const std::vector<int>& to) const;

    std::vector<std::vector<int>> letters_;
    std::vector<std::int64_t> sizes_; // of the join
    int outputRank_ = 0;
    std::vector<int> batch_, left_, right_, inner_;
};

/// A part of an operand that becomes a part of the result as it is.
struct MovedPart {
    std::size_t operand = 0;
    StridedCopy copy;
    std::int64_t fromOffset = 0; ///< elements
    std::int64_t toOffset = 0;
    bool asReal = false; ///< complex numbers count as two real ones
};

/// Of the operators that only move elements: Formation, Select, Squeeze, Take, Stack, Concat and
/// the conversions between complex and real. Throws std::runtime_error for others.
std::vector<MovedPart> movedParts(const workload::TensorProgram& program,
                                  const workload::BlockInfo& block);

} // namespace doppler::engine::cuda
