#include <algorithm>
#include <cmath>

#include "core/workload/Generators.h"
#include "core/workload/ProgramParts.h"

namespace doppler::workload {

namespace {

constexpr double kLearningRate = 0.01;

struct Sizes {
    std::int64_t tokens;
    std::int64_t hidden;
    std::int64_t feedForward;
    std::int64_t experts;
    std::int64_t top;
    std::int64_t slots; ///< tokens that an expert takes at most
    std::int64_t tokenWays;
    std::int64_t expertWays;
};

Sizes readSizes(const ParameterReader& parameters) {
    Sizes sizes{};
    sizes.tokens = parameters.integer("tokens");
    sizes.hidden = parameters.integer("hidden");
    sizes.feedForward = parameters.integer("ffn");
    sizes.experts = parameters.integer("experts");
    sizes.top = parameters.integer("top");
    if (sizes.top > sizes.experts) {
        parameters.fail("top", "at most the experts, " + std::to_string(sizes.experts));
    }
    const double fair =
        static_cast<double>(sizes.tokens * sizes.top) / static_cast<double>(sizes.experts);
    sizes.slots = std::clamp<std::int64_t>(
        std::llround(std::ceil(fair * parameters.real("capacity"))), 1, sizes.tokens);
    sizes.tokenWays = parameters.integer("devices");
    sizes.expertWays = sizes.experts;
    if (sizes.tokenWays > sizes.tokens) {
        parameters.fail("devices", "at most the tokens, " + std::to_string(sizes.tokens));
    }
    return sizes;
}

/// Each expert's feed-forward layer on its slots: silu(x W1) times x W3, times W2.
TensorId runExperts(ProgramWriter& w, TensorId slots, const Sizes& sizes) {
    const auto [tokens, hidden, feedForward, experts, top, capacity, tokenWays, expertWays] = sizes;
    const Partition cut{expertWays, 1, 1};
    const Partition product{expertWays, 1, 1, 1};
    w.setModule("experts");
    const TensorId w1 = w.weight("experts' W1", {experts, feedForward, hidden}, cut);
    const TensorId w2 = w.weight("experts' W2", {experts, hidden, feedForward}, cut);
    const TensorId w3 = w.weight("experts' W3", {experts, feedForward, hidden}, cut);
    const TensorId gate = w.contraction("gate", "esh,efh->esf", {slots, w1}, product);
    const TensorId active = w.map(TensorOp::Silu, "silu of the gate", gate, cut);
    const TensorId up = w.contraction("up", "esh,efh->esf", {slots, w3}, product);
    const TensorId gated =
        w.apply(TensorOp::Multiply, "silu(gate) times up", "esf,esf->esf", {active, up}, cut);
    return w.contraction("down", "esf,ehf->esh", {gated, w2}, product);
}

TensorId expertBlock(ProgramWriter& w, TensorId x, const Sizes& sizes) {
    const auto [tokens, hidden, feedForward, experts, top, capacity, tokenWays, expertWays] = sizes;
    const Partition rows{tokenWays, 1};
    const graph::DType dtype = w.dtype();

    w.setModule("norm");
    const TensorId normWeight = w.weight("weight of the norm", {hidden}, {1});
    const TensorId normed = rmsNorm(w, x, normWeight, 1, rows, rows);

    w.setModule("router");
    const TensorId routerWeight = w.weight("weight of the router", {experts, hidden}, {1, 1});
    const TensorId scores =
        w.contraction("router scores", "th,eh->te", {normed, routerWeight}, {tokenWays, 1, 1});
    const TensorId exact = w.convert("router scores in f32", scores, graph::DType::F32, rows);
    w.setDType(graph::DType::F32);
    const TensorId probabilities = softmax(w, exact, rows);
    const TensorId gates = w.shaped(TensorOp::RouteTop, "gates", {tokens, experts}, 2,
                                    {probabilities}, rows, {.top = top});
    w.setDType(graph::DType::I32);
    const TensorId table = w.shaped(TensorOp::DispatchTable, "tokens of each expert",
                                    {experts, capacity}, 2, {gates}, {expertWays, 1});
    w.setDType(dtype);

    w.setModule("experts");
    const TensorId slots =
        w.shaped(TensorOp::Dispatch, "tokens at their experts", {experts, capacity, hidden}, 3,
                 {normed, table}, {expertWays, 1, 1});
    const TensorId outputs = runExperts(w, slots, sizes);
    w.setModule("combine");
    const TensorId partials =
        w.shaped(TensorOp::Undispatch, "sum over experts, partial sums", {tokens, hidden, experts},
                 2, {outputs, table, gates}, {tokenWays, 1, expertWays});
    // A token meets `top` of the experts.
    w.setWorkPerElement(partials, 2 * static_cast<double>(top) / static_cast<double>(experts));
    const TensorId sum = w.form("sum over experts", partials);
    return w.apply(TensorOp::Add, "residual", "th,th->th", {x, sum}, rows);
}

/// Mean square of what `y` is off a target, and the backward pass.
void train(ProgramWriter& w, TensorId y, const Sizes& sizes) {
    const Partition rows{sizes.tokenWays, 1};
    const double perElement = 1 / static_cast<double>(sizes.tokens * sizes.hidden);
    w.setModule("loss");
    const TensorId target = w.data("target", {sizes.tokens, sizes.hidden}, rows);
    const TensorId error = w.apply(TensorOp::Subtract, "error", "th,th->th", {y, target}, rows);
    const TensorId exact = w.convert("error in f32", error, graph::DType::F32, rows);
    const graph::DType dtype = w.dtype();
    w.setDType(graph::DType::F32);
    const TensorId squares = w.map(TensorOp::Square, "squared error", exact, rows);
    const TensorId sum =
        w.reduction(TensorOp::ReduceSum, "total squared error", "th->", squares, rows);
    w.result(w.map(TensorOp::Scale, "mean squared error", sum, {}, {.scale = perElement}));
    w.setDType(dtype);
    const TensorId gradient =
        w.map(TensorOp::Scale, "gradient of the output", error, rows, {.scale = 2 * perElement});
    backward(w, {{y, gradient}}, kLearningRate);
}

TensorProgram expertsProgram(const ParameterReader& parameters) {
    const Sizes sizes = readSizes(parameters);
    const std::int64_t layers = parameters.integer("layers");
    ProgramWriter w("moe");
    w.setDType(*graph::dtypeFromName(parameters.choice("dtype")));

    TensorId x = w.data("tokens", {sizes.tokens, sizes.hidden}, {sizes.tokenWays, 1});
    for (std::int64_t layer = 1; layer <= layers; ++layer) {
        if (layers > 1) {
            w.setScope("layer " + std::to_string(layer));
        }
        x = expertBlock(w, x, sizes);
    }
    w.setScope({});
    if (parameters.flag("training")) {
        train(w, x, sizes);
    } else {
        w.result(x);
    }
    return w.take();
}

} // namespace

Generator mixtureOfExperts() {
    return {
        .info = {.name = "moe",
                 .title = "Mixture of experts",
                 .description = "norm, router, the best experts of each token (top-2 of 8), "
                                "residual; tokens cut by device, experts one by one",
                 .source = "Mixtral, arXiv 2401.04088; GShard, arXiv 2006.16668",
                 .parameters =
                     {integerParameter("devices", "parts that the tokens are cut into", 4, 4, 1,
                                       64),
                      integerParameter("layers", "how often the block is repeated", 1, 1, 1, 1000),
                      integerParameter("tokens", "tokens", 4096, 64, 1, 1 << 20),
                      integerParameter("hidden", "model dimension", 4096, 32, 1, 1 << 16),
                      integerParameter("ffn", "width of an expert", 14336, 64, 1, 1 << 17),
                      integerParameter("experts", "experts", 8, 8, 1, 256),
                      integerParameter("top", "experts per token", 2, 2, 1, 256),
                      {.name = "capacity",
                       .description = "slots of an expert over its fair share of tokens; tokens "
                                      "beyond it are dropped",
                       .type = Parameter::Type::Real,
                       .defaultValue = "1.25",
                       .minimum = 0.1,
                       .maximum = 100},
                      choiceParameter("dtype", "element type of weights and activations",
                                      {"f16", "bf16", "f32"}, "f32"),
                      flagParameter("training", "with loss, backward pass and weight updates"),
                      sizeParameter()}},
        .program = expertsProgram};
}

} // namespace doppler::workload
