#include "core/graph/OpKind.h"

#include <array>

namespace doppler::graph {

namespace {
struct KindFacts {
    std::string_view name;
    OpFamily family;
};
constexpr std::array<KindFacts, kOpKindCount> kFacts{{
    {"other", OpFamily::Elementwise},        {"contraction", OpFamily::Contraction},
    {"convolution", OpFamily::Contraction},  {"formation", OpFamily::Formation},
    {"reduction", OpFamily::Formation},      {"elementwise", OpFamily::Elementwise},
    {"softmax", OpFamily::Elementwise},      {"normalization", OpFamily::Elementwise},
    {"rotary", OpFamily::Elementwise},       {"fill", OpFamily::DataMovement},
    {"select", OpFamily::DataMovement},      {"concat", OpFamily::DataMovement},
    {"reshape", OpFamily::DataMovement},     {"pooling", OpFamily::Formation},
    {"embedding", OpFamily::DataMovement},   {"lstm cell", OpFamily::Contraction},
    {"routing", OpFamily::DataMovement},     {"communication", OpFamily::DataMovement},
    {"control flow", OpFamily::Elementwise},
}};
} // namespace

OpFamily family(OpKind kind) {
    return kFacts[static_cast<std::size_t>(kind)].family;
}

std::string_view name(OpKind kind) {
    return kFacts[static_cast<std::size_t>(kind)].name;
}

std::string_view name(OpFamily family) {
    constexpr std::array<std::string_view, 4> kNames{"contraction", "formation", "elementwise",
                                                     "data movement"};
    return kNames[static_cast<std::size_t>(family)];
}

std::optional<OpKind> opKindFromName(std::string_view text) {
    for (std::size_t i = 0; i < kFacts.size(); ++i) {
        if (kFacts[i].name == text) {
            return static_cast<OpKind>(i);
        }
    }
    return std::nullopt;
}

} // namespace doppler::graph
