#pragma once

// Only for the files of this folder.
#include <stdexcept>
#include <string>

#include <cuda_runtime_api.h>

#include "core/engine/OutOfMemory.h"

namespace doppler::engine::cuda {

/// Throws std::runtime_error with what CUDA says, which then counts as told: CUDA would tell it
/// again to whoever asks for its last error.
inline void check(cudaError_t status, const char* what) {
    if (status != cudaSuccess) {
        cudaGetLastError();
        throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
    }
}

/// The same for memory of a device, of that many bytes for `what`: throws OutOfMemory where there
/// is not enough.
inline void checkRoom(cudaError_t status, DeviceId device, std::size_t bytes, const char* what) {
    if (status == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        throw OutOfMemory(device, static_cast<std::int64_t>(bytes), what);
    }
    check(status, what);
}

} // namespace doppler::engine::cuda
