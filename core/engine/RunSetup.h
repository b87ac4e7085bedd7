#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/cluster/Profile.h"
#include "core/engine/Runtimes.h"
#include "core/sim/Problem.h"

namespace doppler::engine {

/// A problem that is to be run on a runtime.
struct RunSetupRequest {
    /// As it is simulated.
    std::shared_ptr<const sim::Problem> problem;
    std::string graph;           ///< what its graph came from: a workload's text, or a file
    std::string runtime = "cpu"; ///< see makeRuntime()
    /// What profiled costs come from; null: other costs, or nobody knows.
    std::shared_ptr<const cluster::Profile> profile;
    std::string profileSource; ///< for messages
    /// The simulated problem keeps its own contention (or its own `cores`), whatever runs.
    bool keepContention = false;
    bool keepCores = false;
    std::uint64_t seed = 1; ///< of the inputs
    GpuTransfer transfer = GpuTransfer::Auto;
};

/// Everything that running placements of a problem needs, and what they compare with.
struct RunSetup {
    /// What is computed; null on an emulated runtime, which computes nothing.
    std::shared_ptr<const workload::SplitProgram> program;
    std::unique_ptr<Runtime> runtime;
    /// The problem with copies that wait for each other, and processors that devices share, as on
    /// the runtime.
    std::shared_ptr<const sim::Problem> simulated;
    /// What an Executor is made of. Its unit is ns, but for an emulated runtime and costs in units.
    std::shared_ptr<const sim::Problem> executed;
    int sharedProcessors = 0; ///< see sharedProcessors()
    /// What the user is to know: of the runtime, and what `simulated` differs in.
    std::vector<std::string> notes;
};

/// Makes ready for runs. Throws InputError for a profile of another machine or runtime (see
/// checkProfileFits()), and what makeRuntime() and executableProgram() throw.
RunSetup setUpRun(const RunSetupRequest& request);

/// The problem that an emulated testbed of its cluster executes: it differs from what is stated of
/// the cluster, not from what was measured on it.
std::shared_ptr<const sim::Problem> emulatedProblem(std::shared_ptr<const sim::Problem> problem);

} // namespace doppler::engine
