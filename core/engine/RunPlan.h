#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/sim/Problem.h"

namespace doppler::engine {

/// One value that moves to one device, for all its consumers there.
struct PlannedCopy {
    OpId op = kNoOp;
    DeviceId from = kNoDevice;
    DeviceId to = kNoDevice;
    std::int64_t bytes = 0;
    std::int32_t consumers = 0;
};

/// Where an operand of an op lies on the op's device.
struct OperandPlace {
    enum class Kind : std::uint8_t { Input, Output, Copy };
    Kind kind = Kind::Input;
    std::int32_t id = -1; ///< graph input, op, or copy
};

/// What an assignment makes of a problem: which values are copied where, and who uses what.
struct RunPlan {
    RunPlan(const sim::Problem& problem, const sim::Assignment& assignment);

    std::vector<PlannedCopy> copies;        ///< grouped by op
    std::vector<std::int32_t> firstCopy;    ///< by op; one past the last at the end
    std::vector<std::int32_t> copyOfEdge;   ///< -1: both ends are on one device
    std::vector<std::int32_t> users;        ///< by op: consumers on its device, and copies
    std::vector<OperandPlace> operands;     ///< of all ops
    std::vector<std::int32_t> firstOperand; ///< by op; one past the last at the end
    std::vector<std::int64_t> inputBytes;   ///< by device: graph inputs held for the whole run
};

} // namespace doppler::engine
