#pragma once

// Only for the files of this folder.
#include <map>
#include <memory>
#include <vector>

#include <cuda_runtime_api.h>

#include "core/engine/cuda/CublasLibrary.h"
#include "core/engine/cuda/GpuProgram.h"

namespace doppler::engine::cuda {

/// A stream with what its kernels need.
struct ComputeLane {
    cudaStream_t stream = nullptr;
    cublasHandle_t cublas = nullptr;
};

/// A GpuProgram on CUDA streams, with its inputs. Enqueues only; all calls are for the current
/// device.
class CudaKernels {
public:
    CudaKernels(std::shared_ptr<const workload::SplitProgram> split, std::uint64_t seed);

    const CublasLibrary& cublas() const { return cublas_; }

    /// Makes the inputs that the ops of one device read, unless they are there; frees all others.
    void makeInputs(DeviceId device, const sim::Assignment& assignment);
    void freeInputs(DeviceId device);
    void enqueue(const OpTask& task, const ComputeLane& lane);

private:
    void dropUnread(DeviceId device, const sim::Assignment& assignment);

    GpuProgram program_;
    std::uint64_t seed_;
    CublasLibrary cublas_;
    std::map<DeviceId, GpuInputs> inputs_; // by device
};

} // namespace doppler::engine::cuda
