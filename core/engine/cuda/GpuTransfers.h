#pragma once

// Only for the files of this folder.
#include <memory>

#include <cuda_runtime_api.h>

#include "core/engine/Runtimes.h"

namespace doppler::engine::cuda {

/// How bytes go from one GPU to another.
class GpuTransfers {
public:
    virtual ~GpuTransfers() = default;
    /// The two will move data. Not within a run.
    virtual void connect(int fromGpu, int toGpu) = 0;
    /// Enqueues; whatever follows on `toStream` comes after it. The streams belong to the pair.
    virtual void move(int fromGpu, const void* source, cudaStream_t fromStream, int toGpu,
                      void* destination, cudaStream_t toStream, std::size_t bytes) = 0;
};

/// Throws std::runtime_error if NCCL is asked for and not there.
std::unique_ptr<GpuTransfers> makeGpuTransfers(GpuTransfer kind);

} // namespace doppler::engine::cuda
