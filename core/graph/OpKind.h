#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace doppler::graph {

/// What an operation does, as far as cost, drawing and execution care. The exact operator is the
/// op's kind name ("matmul", "relu", "Conv", ...); Other is any operator outside this list.
enum class OpKind : std::uint8_t {
    Other,
    Contraction,
    Convolution,
    Formation,
    Reduction,
    Elementwise,
    Softmax,
    Normalization,
    Rotary,
    Fill,
    Select,
    Concat,
    Reshape,
    Pooling,
    Embedding,
    LstmCell,
    Routing,
    Communication,
    ControlFlow,
};

inline constexpr int kOpKindCount = 19;

/// Groups of kinds that are drawn alike.
enum class OpFamily : std::uint8_t { Contraction, Formation, Elementwise, DataMovement };

OpFamily family(OpKind kind);

/// "contraction", "formation", ...: the word shown to people and written to files.
std::string_view name(OpKind kind);
std::string_view name(OpFamily family);

/// The inverse of name(OpKind); empty for any other text.
std::optional<OpKind> opKindFromName(std::string_view text);

} // namespace doppler::graph
