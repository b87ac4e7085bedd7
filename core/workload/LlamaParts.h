#pragma once

#include <cstdint>
#include <optional>

#include "core/workload/LlamaPlan.h"
#include "core/workload/ProgramWriter.h"

namespace doppler::workload {

/// Sizes of a Llama model. The model dimension is two: heads x headSize.
struct LlamaSizes {
    std::int64_t batch = 1;
    std::int64_t sequence = 4096;
    std::int64_t heads = 32;
    std::int64_t headSize = 128;
    std::int64_t feedForward = 11008;
};

/// Weights of one block.
struct LlamaWeights {
    TensorId q, k, v, projection;
    TensorId gate, down, up;
    TensorId attentionNorm, feedForwardNorm;
};

LlamaWeights llamaWeights(ProgramWriter& w, const LlamaSizes& sizes, const LlamaPlan& plan);

/// rmsNorm() of `x` (batch, sequence, heads, head size).
TensorId tokenNorm(ProgramWriter& w, TensorId x, TensorId weight, TokenWays statistics,
                   TokenWays output);

/// Attention and gated feed-forward, each with its norm and residual. `rotary` holds one complex
/// number per position and pair; `mask` is added to the scaled scores.
TensorId llamaBlock(ProgramWriter& w, TensorId x, const LlamaWeights& weights, TensorId rotary,
                    std::optional<TensorId> mask, const LlamaPlan& plan);

} // namespace doppler::workload
