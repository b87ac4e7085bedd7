#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/Runtime.h"
#include "core/workload/Splitter.h"

namespace doppler::engine {

/// How values move between GPUs.
enum class GpuTransfer : std::uint8_t {
    Auto, ///< peer copies
    Peer, ///< copies from device to device, through host memory where there is no direct way
    Nccl, ///< NCCL send and receive
};

/// What a runtime is made for.
struct RuntimeRequest {
    std::shared_ptr<const cluster::Cluster> cluster;
    std::shared_ptr<const workload::SplitProgram> program;
    std::uint64_t seed = 1; ///< of the inputs
    GpuTransfer transfer = GpuTransfer::Auto;
};

struct RuntimeKind {
    std::string name; ///< "cpu"
    std::string description;
};

/// All kinds, in the order they are shown.
const std::vector<RuntimeKind>& runtimeKinds();

/// Throws InputError for an unknown name, std::runtime_error (what is missing) where this machine
/// or this build has no such runtime.
std::unique_ptr<Runtime> makeRuntime(std::string_view name, const RuntimeRequest& request);

/// The tensor program of a workload ("chainmm:n=1000"). Throws InputError for anything else: only
/// a workload says what its ops compute.
std::shared_ptr<const workload::SplitProgram> executableProgram(const std::string& graph);

} // namespace doppler::engine
