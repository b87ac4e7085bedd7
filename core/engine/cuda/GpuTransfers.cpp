#include "core/engine/cuda/GpuTransfers.h"

#include <stdexcept>

#include "core/engine/cuda/CudaError.h"
#ifdef DOPPLER_HAS_NCCL
#include "core/engine/cuda/NcclLibrary.h"
#endif

namespace doppler::engine::cuda {

namespace {

class PeerTransfers : public GpuTransfers {
public:
    // Memory of stream-ordered pools is opened to a peer by the pool's access, not by
    // cudaDeviceEnablePeerAccess. Without it the driver copies through host memory.
    void connect(int fromGpu, int toGpu) override {
        int able = 0;
        if (cudaDeviceCanAccessPeer(&able, toGpu, fromGpu) != cudaSuccess || able == 0) {
            return;
        }
        cudaMemPool_t pool = nullptr;
        check(cudaDeviceGetDefaultMemPool(&pool, fromGpu), "memory pool");
        cudaMemAccessDesc access{};
        access.location.type = cudaMemLocationTypeDevice;
        access.location.id = toGpu;
        access.flags = cudaMemAccessFlagsProtReadWrite;
        check(cudaMemPoolSetAccess(pool, &access, 1), "access of a peer");
    }

    void move(int fromGpu, const void* source, cudaStream_t, int toGpu, void* destination,
              cudaStream_t toStream, std::size_t bytes) override {
        check(fromGpu == toGpu
                  ? cudaMemcpyAsync(destination, source, bytes, cudaMemcpyDeviceToDevice, toStream)
                  : cudaMemcpyPeerAsync(destination, toGpu, source, fromGpu, bytes, toStream),
              "copy between devices");
    }
};

#ifdef DOPPLER_HAS_NCCL
class NcclTransfers : public GpuTransfers {
public:
    void connect(int fromGpu, int toGpu) override {
        if (fromGpu != toGpu) {
            nccl_.connect(fromGpu, toGpu);
        }
    }

    void move(int fromGpu, const void* source, cudaStream_t fromStream, int toGpu,
              void* destination, cudaStream_t toStream, std::size_t bytes) override {
        if (fromGpu == toGpu) { // NCCL knows no two ranks on one GPU
            check(cudaMemcpyAsync(destination, source, bytes, cudaMemcpyDeviceToDevice, toStream),
                  "copy within a GPU");
            return;
        }
        nccl_.move(fromGpu, source, fromStream, toGpu, destination, toStream, bytes);
        // The source may be released once the receiver has it: that is, not before it was sent.
        cudaEvent_t sent = nullptr;
        check(cudaSetDevice(fromGpu), "device");
        check(cudaEventCreateWithFlags(&sent, cudaEventDisableTiming), "event");
        check(cudaEventRecord(sent, fromStream), "event");
        check(cudaSetDevice(toGpu), "device");
        check(cudaStreamWaitEvent(toStream, sent, 0), "event");
        check(cudaEventDestroy(sent), "event"); // takes effect once it has happened
    }

private:
    NcclLibrary nccl_;
};
#endif

} // namespace

std::unique_ptr<GpuTransfers> makeGpuTransfers(GpuTransfer kind) {
    if (kind != GpuTransfer::Nccl) {
        return std::make_unique<PeerTransfers>();
    }
#ifdef DOPPLER_HAS_NCCL
    return std::make_unique<NcclTransfers>();
#else
    throw std::runtime_error("this program was built without NCCL; use --transfer peer");
#endif
}

} // namespace doppler::engine::cuda
