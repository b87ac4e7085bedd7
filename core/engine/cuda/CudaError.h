#pragma once

// Only for the files of this folder.
#include <stdexcept>
#include <string>

#include <cuda_runtime_api.h>

namespace doppler::engine::cuda {

/// Throws std::runtime_error with what CUDA says, which then counts as told: CUDA would tell it
/// again to whoever asks for its last error.
inline void check(cudaError_t status, const char* what) {
    if (status != cudaSuccess) {
        cudaGetLastError();
        throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
    }
}

} // namespace doppler::engine::cuda
