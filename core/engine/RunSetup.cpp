#include "core/engine/RunSetup.h"

#include "core/engine/Processors.h"
#include "core/engine/ProfileCheck.h"

namespace doppler::engine {

namespace {

constexpr std::string_view kEmulated = "emulated";

/// Real times are in ns, whatever unit the simulated ones have. Costs that are times are kept: they
/// decide which ready op is critical.
std::shared_ptr<const sim::Problem> realProblem(const sim::Problem& problem,
                                                const workload::SplitProgram& program) {
    auto real = std::make_shared<sim::Problem>(problem);
    real->graph = program.graph;
    if (real->costs->unit() != cost::TimeUnit::Nanoseconds) {
        real->costs = cost::physicalCosts(*real->graph, *real->cluster);
    }
    return real;
}

std::shared_ptr<const sim::Problem> asOnRuntime(const RunSetupRequest& request,
                                                const RuntimeInfo& info, RunSetup& setup) {
    auto simulated = std::make_shared<sim::Problem>(*request.problem);
    if (!request.keepContention) {
        simulated->options.contention = info.contention;
    }
    if (!request.keepCores && setup.sharedProcessors > 0 && simulated->options.cores == 0) {
        simulated->options.cores = setup.sharedProcessors;
        setup.notes.push_back("simulated with " + std::to_string(setup.sharedProcessors) +
                              " processors that devices and copies share, too");
    }
    return simulated;
}

} // namespace

RunSetup setUpRun(const RunSetupRequest& request) {
    if (request.profile) {
        checkProfileFits(*request.profile, request.runtime, request.profileSource);
    }
    RunSetup setup;
    const bool emulated = request.runtime == kEmulated;
    if (emulated) {
        setup.executed = emulatedProblem(request.problem);
    } else {
        setup.program = executableProgram(request.graph);
        setup.executed = realProblem(*request.problem, *setup.program);
    }
    setup.runtime = makeRuntime(request.runtime, {.cluster = request.problem->cluster,
                                                  .program = setup.program,
                                                  .seed = request.seed,
                                                  .transfer = request.transfer});
    setup.sharedProcessors = sharedProcessors(request.runtime, *request.problem->cluster);
    setup.notes = setup.runtime->info().notes;
    setup.simulated = asOnRuntime(request, setup.runtime->info(), setup);
    return setup;
}

std::shared_ptr<const sim::Problem> emulatedProblem(std::shared_ptr<const sim::Problem> problem) {
    if (problem->costs->model() != cost::CostModel::Profiled) {
        return problem;
    }
    auto stated = std::make_shared<sim::Problem>(*problem);
    stated->costs = cost::physicalCosts(*stated->graph, *stated->cluster);
    return stated;
}

} // namespace doppler::engine
