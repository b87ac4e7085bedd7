#ifdef DOPPLER_HAS_NCCL
#include "core/engine/cuda/NcclLibrary.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "core/engine/cuda/DynamicLibrary.h"

namespace doppler::engine::cuda {

NcclLibrary::NcclLibrary() {
    const DynamicLibrary library("NCCL", {"libnccl.so.2", DOPPLER_NCCL_PATH});
    library.find(initialise_, "ncclCommInitAll");
    library.find(destroy_, "ncclCommDestroy");
    library.find(groupStart_, "ncclGroupStart");
    library.find(groupEnd_, "ncclGroupEnd");
    library.find(send_, "ncclSend");
    library.find(receive_, "ncclRecv");
    library.find(describe_, "ncclGetErrorString");
}

NcclLibrary::~NcclLibrary() {
    for (const auto& [gpus, pair] : pairs_) {
        destroy_(pair[0]);
        destroy_(pair[1]);
    }
}

void NcclLibrary::check(ncclResult_t status, const char* what) const {
    if (status != ncclSuccess) {
        throw std::runtime_error(std::string(what) + ": " + describe_(status));
    }
}

void NcclLibrary::connect(int gpu, int otherGpu) {
    const auto key = std::minmax(gpu, otherGpu);
    if (pairs_.count(key) == 0) {
        Pair pair{};
        const int gpus[] = {key.first, key.second};
        check(initialise_(pair.data(), 2, gpus), "ncclCommInitAll");
        pairs_[key] = pair;
    }
}

void NcclLibrary::move(int fromGpu, const void* source, cudaStream_t fromStream, int toGpu,
                       void* destination, cudaStream_t toStream, std::size_t bytes) {
    const Pair& pair = pairs_.at(std::minmax(fromGpu, toGpu));
    const int fromRank = fromGpu < toGpu ? 0 : 1;
    check(groupStart_(), "ncclGroupStart");
    const ncclResult_t sent = send_(source, bytes, ncclInt8, 1 - fromRank,
                                    pair[static_cast<std::size_t>(fromRank)], fromStream);
    const ncclResult_t received = receive_(destination, bytes, ncclInt8, fromRank,
                                           pair[static_cast<std::size_t>(1 - fromRank)], toStream);
    check(groupEnd_(), "ncclGroupEnd");
    check(sent, "ncclSend");
    check(received, "ncclRecv");
}

} // namespace doppler::engine::cuda
#endif
