#pragma once

#include <memory>

#include "core/engine/Runtimes.h"

namespace doppler::engine {

/// GPUs: for each device a compute stream, for each directed pair that moves data a copy stream.
/// Where the cluster has more devices than the machine has GPUs, several logical devices share one,
/// each with streams of its own, and info() says so. Throws std::runtime_error where there is no
/// GPU, or the program was built without CUDA.
std::unique_ptr<Runtime> makeCudaRuntime(const RuntimeRequest& request);

} // namespace doppler::engine
