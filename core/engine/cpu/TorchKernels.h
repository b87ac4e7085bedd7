#pragma once

#include <memory>

#include "core/engine/Kernels.h"
#include "core/workload/Splitter.h"

namespace doppler::engine {

/// The operators of tensor programs, computed by LibTorch with one thread a worker. 16-bit floats
/// are stored as such and computed in f32. Inputs are seeded (see inputValues()), a copy for each
/// device that reads them; what the next prepare() does not read is dropped. Memory that a kernel
/// works in comes on top of what DeviceMemory counts.
std::unique_ptr<Kernels> makeTorchKernels(std::shared_ptr<const workload::SplitProgram> split,
                                          std::uint64_t seed);

} // namespace doppler::engine
