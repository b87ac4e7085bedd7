#pragma once

#include <cstdint>
#include <vector>

#include "core/workload/Region.h"
#include "core/workload/TensorProgram.h"

namespace doppler::workload {

/// Which indices of one operand dimension are read for an interval [b, e) of the join shape's
/// dimension `dimension`: from floor((b * multiply + first) / divide) to
/// floor(((e - 1) * multiply + last) / divide), cut to the operand. kWhole: all of them.
struct DimensionMap {
    static constexpr int kWhole = -1;

    int dimension = kWhole;
    std::int64_t multiply = 1;
    std::int64_t divide = 1;
    std::int64_t first = 0;
    std::int64_t last = 0;
};

/// A map per dimension of the operand.
using OperandMap = std::vector<DimensionMap>;

/// How `tensor` reads its operand number `operand`: by letters, or by the operator's own rule.
OperandMap operandMap(const TensorProgram& program, const Tensor& tensor, std::size_t operand);

/// True if the operator reads no more of that operand than it produces: rows by number.
bool readsRowsOnly(TensorOp op, std::size_t operand);

/// What a block that covers `join` of the join shape reads of an operand of that shape.
Region readRegion(const OperandMap& map, const Region& join, const graph::Shape& operandShape);

} // namespace doppler::workload
