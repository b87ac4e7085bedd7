#pragma once

#include "core/engine/cuda/GpuTasks.h"

struct CUstream_st;

namespace doppler::engine::cuda {

// Each enqueues the kernel of a task; data is in device memory.
void launchCopy(const StridedCopy& copy, const void* from, void* to, CUstream_st* stream);
void launchJoin(const Join& join, void* out, CUstream_st* stream);
void launchRule(const RuleTask& task, float* out, CUstream_st* stream);

} // namespace doppler::engine::cuda
