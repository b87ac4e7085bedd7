#pragma once

// Only for the files of this folder; only in builds that found NCCL's header.
#include <array>
#include <map>
#include <utility>

#include <nccl.h>

namespace doppler::engine::cuda {

/// NCCL, loaded when it is asked for, with a communicator for each pair of GPUs that moves data.
class NcclLibrary {
public:
    /// Throws std::runtime_error where there is no NCCL.
    NcclLibrary();
    ~NcclLibrary();
    NcclLibrary(const NcclLibrary&) = delete;
    NcclLibrary& operator=(const NcclLibrary&) = delete;

    /// Makes the communicator of two different GPUs, unless it is there. Not within a run.
    void connect(int gpu, int otherGpu);
    /// Sends on one GPU's stream, receives on the other's.
    void move(int fromGpu, const void* source, cudaStream_t fromStream, int toGpu,
              void* destination, cudaStream_t toStream, std::size_t bytes);

private:
    using Pair = std::array<ncclComm_t, 2>; // ranks: the lower GPU, the higher one

    void check(ncclResult_t status, const char* what) const;

    decltype(&ncclCommInitAll) initialise_ = nullptr;
    decltype(&ncclCommDestroy) destroy_ = nullptr;
    decltype(&ncclGroupStart) groupStart_ = nullptr;
    decltype(&ncclGroupEnd) groupEnd_ = nullptr;
    decltype(&ncclSend) send_ = nullptr;
    decltype(&ncclRecv) receive_ = nullptr;
    decltype(&ncclGetErrorString) describe_ = nullptr;
    std::map<std::pair<int, int>, Pair> pairs_;
};

} // namespace doppler::engine::cuda
