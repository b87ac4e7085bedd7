#pragma once

#include <memory>

#include "core/workload/Splitter.h"

namespace doppler::engine {

/// A program whose values have sizes of 1 KiB to `largestBytes` in fourfold steps, two of each
/// size, each with one consumer: run under random placements it shows how long copies take by size.
std::shared_ptr<const workload::SplitProgram> copyProgram(std::int64_t largestBytes);

} // namespace doppler::engine
