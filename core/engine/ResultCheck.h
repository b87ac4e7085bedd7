#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "core/workload/Splitter.h"

namespace doppler::engine {

/// The results of a tensor program computed whole, on one device, op by op: what any placement of
/// its blocks must agree with.
class ResultCheck {
public:
    /// Computes the whole program (that takes its time and memory). Throws std::runtime_error if it
    /// cannot.
    ResultCheck(std::shared_ptr<const workload::SplitProgram> split, std::uint64_t seed);

    /// Takes in a result block of a run; others are ignored.
    void add(OpId op, const std::vector<std::byte>& output);
    /// Of the blocks since the last call: the largest difference of any result tensor from the
    /// whole, over its largest value. Throws std::runtime_error if blocks are missing.
    double relativeError();

private:
    struct Result {
        std::vector<double> expected;
        std::vector<double> actual;
        std::int64_t blocks = 0; ///< that have been added
    };
    void computeWhole(std::uint64_t seed);

    std::shared_ptr<const workload::SplitProgram> split_;
    std::map<workload::TensorId, Result> results_;
};

/// The same program in one block a tensor.
std::shared_ptr<const workload::SplitProgram> uncut(const workload::TensorProgram& program);

} // namespace doppler::engine
