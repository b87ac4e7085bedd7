#include <optional>

#include "core/workload/Generators.h"
#include "core/workload/LlamaParts.h"

namespace doppler::workload {

namespace {

/// Rows of the model's rotary table over the sequence: it serves longer ones too.
constexpr std::int64_t kRotaryRowsPerToken = 2;

std::vector<Parameter> llamaParameters() {
    return {choiceParameter("devices", "cut for that many devices", {"4", "8"}),
            integerParameter("layers", "how often the block is repeated", 1, 1, 1, 1000),
            integerParameter("seq", "tokens", 4096, 32, 2, 1 << 17),
            integerParameter("batch", "sequences", 1, 1, 1, 64),
            integerParameter("hidden", "model dimension: a multiple of twice the heads", 4096, 64,
                             8, 1 << 16),
            integerParameter("heads", "attention heads", 32, 4, 4, 1 << 12),
            integerParameter("ffn", "width of the feed-forward layer", 11008, 128, 4, 1 << 17),
            choiceParameter("dtype", "element type of weights and activations",
                            {"f16", "bf16", "f32"}, "f32"),
            sizeParameter()};
}

LlamaSizes readSizes(const ParameterReader& parameters) {
    LlamaSizes sizes;
    sizes.batch = parameters.integer("batch");
    sizes.sequence = parameters.integer("seq");
    sizes.heads = parameters.integer("heads");
    parameters.requireMultiple("hidden", 2 * sizes.heads,
                               "twice the heads: the rotary embedding turns pairs");
    sizes.headSize = parameters.integer("hidden") / sizes.heads;
    sizes.feedForward = parameters.integer("ffn");
    return sizes;
}

ProgramWriter startProgram(const char* name, const ParameterReader& parameters) {
    ProgramWriter w(name);
    w.setPublishedCosts(true);
    w.setDType(*graph::dtypeFromName(parameters.choice("dtype")));
    return w;
}

TensorId inputTokens(ProgramWriter& w, const char* role, const LlamaSizes& sizes,
                     const LlamaPlan& plan) {
    const TokenWays ways = plan.attentionNormStatistics;
    return w.data(role, {sizes.batch, sizes.sequence, sizes.heads, sizes.headSize},
                  {1, ways.sequence, ways.heads, 1});
}

TensorId rotaryTable(ProgramWriter& w, const LlamaSizes& sizes, std::int64_t rows) {
    const graph::DType dtype = w.dtype();
    w.setDType(graph::DType::C64);
    const TensorId table = w.data("rotary table", {rows, sizes.headSize / 2}, {2, 1});
    w.setDType(dtype);
    return table;
}

/// The blocks; `first` are the weights of the first one.
TensorId stack(ProgramWriter& w, TensorId x, const LlamaWeights& first, TensorId rotary,
               std::optional<TensorId> mask, const LlamaSizes& sizes, const LlamaPlan& plan,
               std::int64_t layers) {
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        if (layers > 1) {
            w.setScope("layer " + std::to_string(layer + 1));
        }
        w.setModule({});
        const LlamaWeights weights = layer == 0 ? first : llamaWeights(w, sizes, plan);
        x = llamaBlock(w, x, weights, rotary, mask, plan);
    }
    w.setScope({});
    return x;
}

TensorProgram blockProgram(const ParameterReader& parameters) {
    const LlamaSizes sizes = readSizes(parameters);
    const LlamaPlan& plan = parameters.choice("devices") == "4" ? kLlamaBlock4 : kLlamaBlock8;
    ProgramWriter w = startProgram("llama-block", parameters);
    const LlamaWeights weights = llamaWeights(w, sizes, plan);
    const TensorId x = inputTokens(w, "block input", sizes, plan);
    const TensorId rotary = rotaryTable(w, sizes, sizes.sequence);
    w.result(stack(w, x, weights, rotary, {}, sizes, plan, parameters.integer("layers")));
    return w.take();
}

TensorProgram layerProgram(const ParameterReader& parameters) {
    const LlamaSizes sizes = readSizes(parameters);
    const LlamaPlan& plan = parameters.choice("devices") == "4" ? kLlamaLayer4 : kLlamaLayer8;
    const auto [batch, sequence, heads, size, feedForward] = sizes;
    const std::int64_t words = parameters.integer("vocab");
    ProgramWriter w = startProgram("llama-layer", parameters);

    const TensorId x = inputTokens(w, "embedded tokens", sizes, plan);
    const LlamaWeights weights = llamaWeights(w, sizes, plan);
    const TensorId table = rotaryTable(w, sizes, kRotaryRowsPerToken * sequence);
    const TensorId normWeight =
        w.weight("weight of the final norm", {heads, size}, {plan.down.columns, 1});
    const TensorId vocabulary = w.weight("weight of the vocabulary projection",
                                         {words, heads, size}, {plan.vocabulary, 1, 1});
    const TensorId mask = w.shaped(TensorOp::FillMask, "causal mask", {sequence, sequence}, 2, {},
                                   {plan.scores.queries, plan.scores.keys});
    w.setDType(graph::DType::C64);
    const TensorId rotary = w.shaped(TensorOp::Select, "rotary table of the positions used",
                                     {sequence, size / 2}, 2, {table}, {1, 1}, {.start = {0, 0}});
    w.setDType(w.at(x).dtype);

    const TensorId last =
        stack(w, x, weights, rotary, mask, sizes, plan, parameters.integer("layers"));
    const TokenWays lastWays{plan.down.rows, plan.down.columns};
    w.setModule("final norm");
    const TensorId normed = tokenNorm(w, last, normWeight, lastWays, lastWays);
    w.setModule("vocabulary");
    const TensorId token = w.shaped(TensorOp::Select, "last token", {batch, 1, heads, size}, 4,
                                    {normed}, {1, 1, 1, 1}, {.start = {0, sequence - 1, 0, 0}});
    const TensorId flat = w.shaped(TensorOp::Squeeze, "last token, flat", {batch, heads, size}, 3,
                                   {token}, {1, 1, 1}, {.dropped = {1}});
    w.result(w.contraction("vocabulary projection", "acd,bcd->ab", {flat, vocabulary},
                           {1, plan.vocabulary, 1, 1}));
    return w.take();
}

} // namespace

Generator llamaBlockWorkload() {
    return {.info = {.name = "llama-block",
                     .title = "Llama block",
                     .description = "one transformer block of Llama-7B: RMS norm, rotary "
                                    "attention, gated feed-forward",
                     .source = "DOPPLER, arXiv 2505.23131; Llama, arXiv 2302.13971",
                     .parameters = llamaParameters()},
            .program = blockProgram};
}

Generator llamaLayerWorkload() {
    std::vector<Parameter> parameters = llamaParameters();
    parameters.insert(parameters.end() - 1,
                      integerParameter("vocab", "words of the vocabulary", 32000, 256, 8, 1 << 20));
    return {.info = {.name = "llama-layer",
                     .title = "Llama model",
                     .description = "Llama-7B with one layer or more: causal mask, blocks, final "
                                    "norm, vocabulary projection of the last token",
                     .source = "DOPPLER, arXiv 2505.23131; Llama, arXiv 2302.13971",
                     .parameters = std::move(parameters)},
            .program = layerProgram};
}

} // namespace doppler::workload
