#pragma once

#include <memory>
#include <span>

#include "core/learn/GraphFeatures.h"
#include "core/learn/NetworkShape.h"
#include "core/learn/PolicyTables.h"

namespace doppler::learn {

/// The two networks on one graph, in LibTorch: from weights to the tables that rollouts read, and
/// from the gradient of the tables to that of the weights. Networks 0 (SEL) and 1 (PLC) are
/// independent: they may run in two threads at once.
class Encoder {
public:
    Encoder(const NetworkShape& shape, std::shared_ptr<const GraphFeatures> graph);
    ~Encoder();
    Encoder(Encoder&&) noexcept;
    Encoder& operator=(Encoder&&) noexcept;

    /// Fills the tables of `network` (without PolicyTables::prepare). With `train`, what backward()
    /// needs is kept.
    void forward(int network, std::span<const float> weights, PolicyTables& tables, bool train);

    /// Writes dL/dweights of `network` into its part of `out` (size of all weights).
    void backward(int network, const TableGradient& gradient, std::span<float> out);

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Makes LibTorch and its BLAS use one thread each for calls from this thread: the parallelism is
/// ours, and results must not depend on the number of cores.
void useOneLibTorchThread();

} // namespace doppler::learn
