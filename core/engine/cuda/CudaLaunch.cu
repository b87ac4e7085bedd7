#include "core/engine/cuda/CudaLaunch.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "core/engine/cuda/GpuElements.h"

// Generic kernels, one thread (of reductions: one warp) for each element of the result. They are
// the plain meaning of every operator but the contractions, which cuBLAS computes.

namespace doppler::engine::cuda {

namespace {

constexpr int kThreads = 256;
constexpr int kWarp = 32;
constexpr std::int64_t kMostBlocks = 1 << 20; // further elements by strides of the grid

int blocksFor(std::int64_t threads) {
    const std::int64_t blocks = (threads + kThreads - 1) / kThreads;
    return static_cast<int>(blocks < kMostBlocks ? blocks : kMostBlocks);
}

__device__ std::int64_t firstThread() {
    return std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

__device__ std::int64_t allThreads() {
    return std::int64_t{gridDim.x} * blockDim.x;
}

__device__ Pair load(Element element, const void* data, std::int64_t i) {
    switch (element) {
    case Element::F16:
        return {__half2float(static_cast<const __half*>(data)[i]), 0};
    case Element::BF16:
        return {__bfloat162float(static_cast<const __nv_bfloat16*>(data)[i]), 0};
    case Element::F32:
        return {static_cast<const float*>(data)[i], 0};
    case Element::F64:
        return {static_cast<float>(static_cast<const double*>(data)[i]), 0};
    case Element::C64:
        return static_cast<const Pair*>(data)[i];
    case Element::I32:
        return {static_cast<float>(static_cast<const std::int32_t*>(data)[i]), 0};
    case Element::I64:
        return {static_cast<float>(static_cast<const std::int64_t*>(data)[i]), 0};
    }
    return {0, 0};
}

__device__ void store(Element element, void* data, std::int64_t i, Pair value) {
    switch (element) {
    case Element::F16:
        static_cast<__half*>(data)[i] = __float2half(value.x);
        return;
    case Element::BF16:
        static_cast<__nv_bfloat16*>(data)[i] = __float2bfloat16(value.x);
        return;
    case Element::F32:
        static_cast<float*>(data)[i] = value.x;
        return;
    case Element::F64:
        static_cast<double*>(data)[i] = value.x;
        return;
    case Element::C64:
        static_cast<Pair*>(data)[i] = value;
        return;
    case Element::I32:
        static_cast<std::int32_t*>(data)[i] = static_cast<std::int32_t>(value.x);
        return;
    case Element::I64:
        static_cast<std::int64_t*>(data)[i] = static_cast<std::int64_t>(value.x);
        return;
    }
}

__global__ void copyKernel(StridedCopy copy, const void* from, void* to, std::int64_t count) {
    for (std::int64_t i = firstThread(); i < count; i += allThreads()) {
        std::int64_t source = 0;
        std::int64_t target = 0;
        copyOffsets(copy, i, source, target);
        Pair value = load(copy.fromElement, from, source);
        if (copy.merge != StridedCopy::Merge::Set) {
            value = merged(copy.merge, load(copy.toElement, to, target), value);
        }
        store(copy.toElement, to, target, value);
    }
}

__global__ void joinKernel(Join join, float* out, std::int64_t count) {
    for (std::int64_t i = firstThread(); i < count; i += allThreads()) {
        out[i] = joinElement(join, i);
    }
}

__global__ void complexJoinKernel(Join join, Pair* out, std::int64_t count) {
    for (std::int64_t i = firstThread(); i < count; i += allThreads()) {
        out[i] = complexJoinElement(join, i);
    }
}

/// One warp for each element of the result.
__global__ void reduceKernel(Join join, float* out, std::int64_t count, std::int64_t reduced) {
    const int lane = threadIdx.x % kWarp;
    for (std::int64_t i = firstThread() / kWarp; i < count; i += allThreads() / kWarp) {
        float value = reducedElements(join, i, reduced, lane, kWarp);
        for (int step = kWarp / 2; step > 0; step /= 2) {
            value = reduceTwo(join, value, __shfl_down_sync(0xffffffff, value, step));
        }
        if (lane == 0) {
            out[i] = value;
        }
    }
}

__global__ void ruleKernel(RuleTask task, float* out, std::int64_t count) {
    for (std::int64_t n = firstThread(); n < count; n += allThreads()) {
        out[n] = ruleElement(task, n);
    }
}

} // namespace

void launchCopy(const StridedCopy& copy, const void* from, void* to, CUstream_st* stream) {
    std::int64_t count = 1;
    for (int d = 0; d < copy.rank; ++d) {
        count *= copy.sizes[d];
    }
    if (count > 0) {
        copyKernel<<<blocksFor(count), kThreads, 0, stream>>>(copy, from, to, count);
    }
}

void launchJoin(const Join& join, void* out, CUstream_st* stream) {
    std::int64_t count = 1;
    std::int64_t reduced = 1;
    for (int d = 0; d < join.rank; ++d) {
        (d < join.outputRank ? count : reduced) *= join.sizes[d];
    }
    if (count == 0) {
        return;
    }
    if (join.isComplex) {
        complexJoinKernel<<<blocksFor(count), kThreads, 0, stream>>>(join, static_cast<Pair*>(out),
                                                                     count);
    } else if (join.rank == join.outputRank) {
        joinKernel<<<blocksFor(count), kThreads, 0, stream>>>(join, static_cast<float*>(out),
                                                              count);
    } else {
        reduceKernel<<<blocksFor(count * kWarp), kThreads, 0, stream>>>(
            join, static_cast<float*>(out), count, reduced);
    }
}

void launchRule(const RuleTask& task, float* out, CUstream_st* stream) {
    std::int64_t count = 1;
    for (int d = 0; d < task.outputRank; ++d) {
        count *= task.join.end[d] - task.join.begin[d];
    }
    if (count > 0) {
        ruleKernel<<<blocksFor(count), kThreads, 0, stream>>>(task, out, count);
    }
}

} // namespace doppler::engine::cuda
