#pragma once

#include <cstdint>

#include "core/io/OnnxValue.h"

namespace doppler::io {

/// Work of one operator of a model.
struct OnnxCost {
    std::int64_t flops = 0;
    std::int64_t bytesTouched = -1; ///< -1: all operands read and all results written
    bool estimated = false;         ///< no rule for the operator, or a guess among its shapes
    bool unknown = false;           ///< not even an estimate could be made: flops is 0
};

/// FLOPs (2 for a multiply-add, 1 for any other arithmetic on an element) and bytes of an operator
/// by the table in OnnxCosts.cpp. An operator that is not there is taken as one operation for each
/// element of its results, marked as an estimate.
OnnxCost onnxCost(const OnnxOperation& operation);

/// True if the table has a rule for the operator.
bool hasOnnxCostRule(const OnnxOperation& operation);

} // namespace doppler::io
