#pragma once

#include <map>
#include <memory>
#include <vector>

#include "core/engine/OperandPieces.h"
#include "core/engine/Runtime.h"
#include "core/engine/cuda/GpuTasks.h"

namespace doppler::engine::cuda {

/// Graph inputs in the memory of one device.
using GpuInputs = std::map<InputId, void*>;

/// Where an op's tasks go, one after the other: a stream.
class GpuLauncher {
public:
    virtual ~GpuLauncher() = default;
    /// Memory that lives until the op's tasks have run.
    virtual void* scratch(std::int64_t bytes) = 0;
    virtual void copy(const StridedCopy& copy, const void* from, void* to) = 0;
    virtual void join(const Join& join, void* out) = 0;
    virtual void rule(const RuleTask& task, float* out) = 0;
    virtual void multiply(const MatrixProduct& product, const void* a, const void* b, void* c) = 0;
};

/// What each op of a tensor program asks of a GPU: operands assembled from their pieces,
/// contractions as batched matrix products, everything else by a few generic kernels in f32.
/// No CUDA in it, so that it is tested without a GPU.
class GpuProgram {
public:
    explicit GpuProgram(std::shared_ptr<const workload::SplitProgram> split);

    const workload::SplitProgram& split() const { return *split_; }
    /// Hands the tasks of one op to the launcher. Throws std::runtime_error for what there is no
    /// kernel for.
    void run(const OpTask& task, const GpuInputs& inputs, GpuLauncher& launcher) const;

private:
    struct Operand {
        const void* data = nullptr;
        Element element = Element::F32;
        workload::Region region;
    };

    Operand assemble(const OperandPlan& plan, const OpTask& task, Element element,
                     const GpuInputs& inputs, GpuLauncher& launcher) const;
    void contract(const workload::BlockInfo& block, const std::vector<Operand>& operands, void* out,
                  GpuLauncher& launcher) const;
    void join(const workload::BlockInfo& block, const std::vector<Operand>& operands, void* out,
              GpuLauncher& launcher) const;
    void byRule(const workload::BlockInfo& block, const std::vector<Operand>& operands, void* out,
                GpuLauncher& launcher) const;

    std::shared_ptr<const workload::SplitProgram> split_;
    std::vector<std::vector<OperandPlan>> plans_; // by op
};

} // namespace doppler::engine::cuda
