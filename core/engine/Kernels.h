#pragma once

#include "core/engine/Runtime.h"

namespace doppler::engine {

/// What ops compute in host memory: the part of a cpu runtime that knows tensors.
class Kernels {
public:
    virtual ~Kernels() = default;

    /// Makes the graph inputs that each device reads. `lanes`: workers that will call run().
    virtual void prepare(const sim::Problem& problem, const sim::Assignment& assignment,
                         int lanes) = 0;
    /// First thing that a worker does.
    virtual void enterThread() const {}
    /// Computes one op; throws std::exception if that fails. From any number of threads at once,
    /// each with a lane of its own.
    virtual void run(const OpTask& task, int lane) = 0;
};

/// Kernels of no work at all: what is left is the executor's overhead.
class NoKernels : public Kernels {
public:
    void prepare(const sim::Problem&, const sim::Assignment&, int) override {}
    void run(const OpTask&, int) override {}
};

} // namespace doppler::engine
