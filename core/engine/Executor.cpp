#include "core/engine/Executor.h"

#include "core/engine/ExecutorRun.h"

namespace doppler::engine {

Executor::Executor(std::shared_ptr<const sim::Problem> problem, Runtime& runtime)
    : run_(std::make_unique<Run>(std::move(problem), runtime)) {}

Executor::~Executor() = default;

const std::shared_ptr<const sim::Problem>& Executor::problem() const {
    return run_->problem();
}

void Executor::prepare(const sim::Assignment& assignment) {
    run_->prepare(assignment);
}

Execution Executor::run(const ExecutionOptions& options) {
    return run_->run(options);
}

} // namespace doppler::engine
