#pragma once

// Only for the files of this folder.
#include <cublas_v2.h>

#include "core/engine/cuda/GpuTasks.h"

namespace doppler::engine::cuda {

/// cuBLAS, loaded when it is first needed: a program that executes nothing on a GPU starts without
/// its half gigabyte, and where it is not installed.
class CublasLibrary {
public:
    /// Throws std::runtime_error where there is no cuBLAS.
    CublasLibrary();

    cublasHandle_t create(cudaStream_t stream) const;
    void destroy(cublasHandle_t handle) const { destroy_(handle); }

    void multiply(cublasHandle_t handle, const MatrixProduct& product, const void* a, const void* b,
                  void* c) const;

private:
    decltype(&cublasCreate_v2) create_ = nullptr;
    decltype(&cublasDestroy_v2) destroy_ = nullptr;
    decltype(&cublasSetStream_v2) setStream_ = nullptr;
    // cublasGemmStridedBatchedEx, whose name is overloaded in C++.
    cublasStatus_t (*multiply_)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                                const void*, const void*, cudaDataType, int, long long, const void*,
                                cudaDataType, int, long long, const void*, void*, cudaDataType, int,
                                long long, int, cublasComputeType_t, cublasGemmAlgo_t) = nullptr;
};

} // namespace doppler::engine::cuda
