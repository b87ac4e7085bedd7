#include "core/engine/cuda/CublasLibrary.h"

#include <stdexcept>
#include <string>

#include "core/engine/cuda/DynamicLibrary.h"

namespace doppler::engine::cuda {

namespace {

void check(cublasStatus_t status, const char* what) {
    if (status != CUBLAS_STATUS_SUCCESS) {
        throw std::runtime_error(std::string(what) + ": cuBLAS status " +
                                 std::to_string(static_cast<int>(status)));
    }
}

} // namespace

CublasLibrary::CublasLibrary() {
    const DynamicLibrary library("cuBLAS", {DOPPLER_CUBLAS_NAME, DOPPLER_CUBLAS_PATH});
    library.find(create_, "cublasCreate_v2");
    library.find(destroy_, "cublasDestroy_v2");
    library.find(setStream_, "cublasSetStream_v2");
    library.find(multiply_, "cublasGemmStridedBatchedEx");
}

cublasHandle_t CublasLibrary::create(cudaStream_t stream) const {
    cublasHandle_t handle = nullptr;
    check(create_(&handle), "cublasCreate");
    check(setStream_(handle, stream), "cublasSetStream");
    return handle;
}

void CublasLibrary::multiply(cublasHandle_t handle, const MatrixProduct& product, const void* a,
                             const void* b, void* c) const {
    // cuBLAS counts columns first: the transposed product of the transposed matrices.
    const cudaDataType type = product.element == Element::F16    ? CUDA_R_16F
                              : product.element == Element::BF16 ? CUDA_R_16BF
                                                                 : CUDA_R_32F;
    const float one = 1;
    const float zero = 0;
    const auto m = static_cast<int>(product.columns);
    const auto n = static_cast<int>(product.rows);
    const auto k = static_cast<int>(product.inner);
    check(multiply_(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, b, type, m,
                    product.inner * product.columns, a, type, k, product.rows * product.inner,
                    &zero, c, type, m, product.rows * product.columns,
                    static_cast<int>(product.batch), CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
          "cublasGemmStridedBatchedEx");
}

} // namespace doppler::engine::cuda
