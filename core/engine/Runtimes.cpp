#include "core/engine/Runtimes.h"

#include "core/engine/cpu/CpuRuntime.h"
#include "core/engine/cpu/TorchKernels.h"
#include "core/engine/cuda/CudaRuntime.h"
#include "core/engine/emulated/EmulatedRuntime.h"
#include "core/graph/InputError.h"
#include "core/workload/Workload.h"

namespace doppler::engine {

namespace {

using Maker = std::unique_ptr<Runtime> (*)(const RuntimeRequest&);

struct Entry {
    RuntimeKind kind;
    Maker make;
};

std::unique_ptr<Runtime> makeCpu(const RuntimeRequest& request) {
    return std::make_unique<CpuRuntime>(*request.cluster,
                                        makeTorchKernels(request.program, request.seed));
}

std::unique_ptr<Runtime> makeEmulated(const RuntimeRequest& request) {
    return std::make_unique<EmulatedRuntime>(testbedOf(*request.cluster), request.seed);
}

const std::vector<Entry>& entries() {
    static const std::vector<Entry> all = {
        {{"cpu", "Processors of this machine: a worker thread for each device"}, makeCpu},
        {{"cuda", "GPUs: streams for each device, also several devices on one GPU"},
         makeCudaRuntime},
        {{"emulated", "A machine that differs from what the simulator assumes of it, in virtual "
                      "time: nothing is measured"},
         makeEmulated},
    };
    return all;
}

} // namespace

const std::vector<RuntimeKind>& runtimeKinds() {
    static const std::vector<RuntimeKind> kinds = [] {
        std::vector<RuntimeKind> list;
        for (const Entry& entry : entries()) {
            list.push_back(entry.kind);
        }
        return list;
    }();
    return kinds;
}

std::unique_ptr<Runtime> makeRuntime(std::string_view name, const RuntimeRequest& request) {
    std::string known;
    for (const Entry& entry : entries()) {
        if (entry.kind.name == name) {
            return entry.make(request);
        }
        known += (known.empty() ? "" : ", ") + entry.kind.name;
    }
    throw InputError("found the runtime \"" + std::string(name) + "\", expected one of " + known);
}

std::shared_ptr<const workload::SplitProgram> executableProgram(const std::string& graph) {
    if (!workload::isWorkload(graph)) {
        throw InputError(graph + ": a graph from a file does not say what its ops compute; only "
                                 "workloads can be executed (doppler workloads lists them)");
    }
    std::shared_ptr<const workload::SplitProgram> program = workload::generateProgram(graph);
    if (!program) {
        throw InputError(graph + ": this workload is a graph only, without tensors to compute; "
                                 "expected one that can be executed");
    }
    return program;
}

} // namespace doppler::engine
