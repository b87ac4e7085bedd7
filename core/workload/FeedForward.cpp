#include "core/workload/Generators.h"
#include "core/workload/ProgramParts.h"

namespace doppler::workload {

namespace {

TensorProgram feedForwardProgram(const ParameterReader& parameters) {
    const std::int64_t batch = parameters.integer("batch");
    const std::int64_t in = parameters.integer("in");
    const std::int64_t hidden = parameters.integer("hidden");
    const std::int64_t out = parameters.integer("out");
    ProgramWriter w("ffnn");
    w.setPublishedCosts(true);

    const TensorId x = w.data("X", {batch, in}, {4, 1});
    const TensorId w1 = w.weight("W1", {in, hidden}, {1, 4});
    const TensorId layer1 = w.contraction("X W1", "ac,cb->ab", {x, w1}, {4, 4, 1});
    const TensorId relu = w.map(TensorOp::Relu, "relu(X W1)", layer1, {4, 4});
    const TensorId w2 = w.weight("W2", {hidden, out}, {4, 1});
    const TensorId layer2 = w.contraction("relu(X W1) W2", "ac,cb->ab", {relu, w2}, {4, 1, 4});
    w.setModule("softmax");
    w.result(softmax(w, layer2, {16, 1}));
    return w.take();
}

} // namespace

Generator feedForward() {
    return {
        .info = {.name = "ffnn",
                 .title = "Feed-forward network",
                 .description = "softmax(relu(X W1) W2)",
                 .source = "DOPPLER, arXiv 2505.23131",
                 .parameters = {integerParameter("batch", "rows of X", 32768, 256, 16, 1 << 20),
                                integerParameter("in", "columns of X", 32, 16, 1, 1 << 20),
                                integerParameter("hidden", "columns of W1", 65536, 256, 4, 1 << 20),
                                integerParameter("out", "columns of W2", 32, 16, 1, 1 << 20),
                                sizeParameter()}},
        .program = feedForwardProgram};
}

} // namespace doppler::workload
