// Takes the place of CudaRuntime.cpp in a build without CUDA.
#include <stdexcept>

#include "core/engine/cuda/CudaRuntime.h"

namespace doppler::engine {

std::unique_ptr<Runtime> makeCudaRuntime(const RuntimeRequest&) {
    throw std::runtime_error("no CUDA device: this program was built without CUDA");
}

} // namespace doppler::engine
