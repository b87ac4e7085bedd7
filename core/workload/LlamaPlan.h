#pragma once

#include <cstdint>

namespace doppler::workload {

/// Ways to cut a tensor of (sequence, model dimension); the model dimension is cut by heads.
struct TokenWays {
    std::int64_t sequence = 1;
    std::int64_t heads = 1;
};

/// The same for a contraction, and the ways to cut its sum.
struct ContractionWays {
    std::int64_t rows = 1;    ///< sequence
    std::int64_t columns = 1; ///< heads, or the hidden layer
    std::int64_t sum = 1;
};

/// Ways to cut the attention scores.
struct ScoreWays {
    std::int64_t heads = 1;
    std::int64_t queries = 1;
    std::int64_t keys = 1;
};

/// How a Llama block is cut: the decompositions of the DOPPLER paper's graphs.
struct LlamaPlan {
    TokenWays attentionNormStatistics; ///< also the block's input
    TokenWays attentionNorm;
    ContractionWays q;
    ContractionWays k;
    ContractionWays v;
    ScoreWays scores;
    ContractionWays projection; ///< attention output
    TokenWays residual;         ///< also the statistics of the feed-forward norm
    TokenWays feedForwardNorm;
    ContractionWays hidden; ///< gate and up
    ContractionWays down;   ///< also the block's output
    std::int64_t vocabulary = 1;
};

/// A block on its own.
inline constexpr LlamaPlan kLlamaBlock4{.attentionNormStatistics = {2, 2},
                                        .attentionNorm = {2, 2},
                                        .q = {1, 2, 2},
                                        .k = {2, 2, 1},
                                        .v = {2, 2, 1},
                                        .scores = {2, 1, 2},
                                        .projection = {1, 2, 2},
                                        .residual = {1, 2},
                                        .feedForwardNorm = {1, 1},
                                        .hidden = {1, 4, 1},
                                        .down = {1, 1, 4},
                                        .vocabulary = 4};

inline constexpr LlamaPlan kLlamaBlock8{.attentionNormStatistics = {2, 4},
                                        .attentionNorm = {2, 2},
                                        .q = {2, 2, 2},
                                        .k = {2, 2, 2},
                                        .v = {2, 2, 2},
                                        .scores = {2, 2, 2},
                                        .projection = {2, 2, 2},
                                        .residual = {2, 2},
                                        .feedForwardNorm = {1, 2},
                                        .hidden = {1, 4, 2},
                                        .down = {1, 2, 4},
                                        .vocabulary = 8};

/// A block within a model.
inline constexpr LlamaPlan kLlamaLayer4{.attentionNormStatistics = {2, 2},
                                        .attentionNorm = {2, 2},
                                        .q = {2, 2, 1},
                                        .k = {1, 2, 2},
                                        .v = {1, 2, 2},
                                        .scores = {2, 2, 1},
                                        .projection = {2, 1, 2},
                                        .residual = {2, 1},
                                        .feedForwardNorm = {2, 1},
                                        .hidden = {2, 2, 1},
                                        .down = {2, 1, 2},
                                        .vocabulary = 4};

inline constexpr LlamaPlan kLlamaLayer8{.attentionNormStatistics = {2, 4},
                                        .attentionNorm = {2, 2},
                                        .q = {2, 2, 2},
                                        .k = {2, 2, 2},
                                        .v = {2, 2, 2},
                                        .scores = {2, 2, 2},
                                        .projection = {2, 2, 2},
                                        .residual = {2, 2},
                                        .feedForwardNorm = {2, 1},
                                        .hidden = {2, 4, 1},
                                        .down = {2, 1, 4},
                                        .vocabulary = 8};

} // namespace doppler::workload
