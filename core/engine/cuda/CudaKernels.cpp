#include "core/engine/cuda/CudaKernels.h"

#include <algorithm>
#include <set>

#include "core/engine/ElementValues.h"
#include "core/engine/InputValues.h"
#include "core/engine/cuda/CudaError.h"
#include "core/engine/cuda/CudaLaunch.h"

namespace doppler::engine::cuda {

namespace {

using namespace workload;

std::size_t at(std::int64_t i) {
    return static_cast<std::size_t>(i);
}

/// The tasks of one op on a stream; scratch is given back in the stream's order.
class StreamLauncher : public GpuLauncher {
public:
    StreamLauncher(const CublasLibrary& cublas, const ComputeLane& lane, DeviceId device)
        : cublas_(cublas), lane_(lane), device_(device) {}
    ~StreamLauncher() override {
        for (void* data : scratch_) {
            cudaFreeAsync(data, lane_.stream);
        }
    }
    StreamLauncher(const StreamLauncher&) = delete;
    StreamLauncher& operator=(const StreamLauncher&) = delete;

    void* scratch(std::int64_t bytes) override {
        void* data = nullptr;
        const std::size_t size = at(std::max<std::int64_t>(bytes, 1));
        checkRoom(cudaMallocAsync(&data, size, lane_.stream), device_, size,
                  "what an op works with");
        scratch_.push_back(data);
        return data;
    }
    void copy(const StridedCopy& copy, const void* from, void* to) override {
        launchCopy(copy, from, to, lane_.stream);
    }
    void join(const Join& join, void* out) override { launchJoin(join, out, lane_.stream); }
    void rule(const RuleTask& task, float* out) override { launchRule(task, out, lane_.stream); }
    void multiply(const MatrixProduct& product, const void* a, const void* b, void* c) override {
        cublas_.multiply(lane_.cublas, product, a, b, c);
    }

private:
    const CublasLibrary& cublas_;
    const ComputeLane& lane_;
    DeviceId device_;
    std::vector<void*> scratch_;
};

} // namespace

CudaKernels::CudaKernels(std::shared_ptr<const SplitProgram> split, std::uint64_t seed)
    : program_(std::move(split)), seed_(seed) {}

void CudaKernels::makeInputs(DeviceId device, const sim::Assignment& assignment) {
    std::map<InputId, void*>& inputs = inputs_[device];
    dropUnread(device, assignment);
    for (OpId op = 0; op < program_.split().graph->opCount(); ++op) {
        if (assignment[at(op)] != device) {
            continue;
        }
        for (const graph::Use& use : program_.split().graph->uses(op)) {
            if (!use.fromInput || inputs.count(use.source) > 0) {
                continue;
            }
            const BlockInfo& block = program_.split().ofInput(use.source);
            const graph::DType dtype = program_.split().program.at(block.tensor).dtype;
            const std::int64_t count = elementCount(block.join);
            std::vector<std::byte> host(at(count * graph::elementBytes(dtype)));
            const std::vector<double> values = inputValues(program_.split().program, block, seed_);
            writeElements(dtype, host.data(), values.data(), count);
            void* data = nullptr;
            const std::size_t size = std::max<std::size_t>(host.size(), 1);
            checkRoom(cudaMalloc(&data, size), device, size, "an input");
            inputs[use.source] = data;
            check(cudaMemcpy(data, host.data(), host.size(), cudaMemcpyHostToDevice), "an input");
        }
    }
}

void CudaKernels::dropUnread(DeviceId device, const sim::Assignment& assignment) {
    std::set<InputId> read;
    for (OpId op = 0; op < program_.split().graph->opCount(); ++op) {
        for (const graph::Use& use : program_.split().graph->uses(op)) {
            if (use.fromInput && assignment[at(op)] == device) {
                read.insert(use.source);
            }
        }
    }
    std::erase_if(inputs_[device], [&](const auto& input) {
        const bool unread = read.count(input.first) == 0;
        if (unread) {
            cudaFree(input.second);
        }
        return unread;
    });
}

void CudaKernels::freeInputs(DeviceId device) {
    for (const auto& [id, data] : inputs_[device]) {
        cudaFree(data);
    }
    inputs_.erase(device);
}

void CudaKernels::enqueue(const OpTask& task, const ComputeLane& lane) {
    cudaGetLastError(); // an old error that nobody asked for is not this op's
    StreamLauncher launcher(cublas_, lane, task.device);
    program_.run(task, inputs_[task.device], launcher);
    check(cudaGetLastError(), "launch");
}

} // namespace doppler::engine::cuda
