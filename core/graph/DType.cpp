#include "core/graph/DType.h"

#include <array>

#include "core/graph/SaturatingMath.h"

namespace doppler::graph {

namespace {
struct DTypeFacts {
    std::string_view name;
    std::int64_t bytes;
};
constexpr std::array<DTypeFacts, kDTypeCount> kFacts{{{"unknown", 0},
                                                      {"f16", 2},
                                                      {"bf16", 2},
                                                      {"f32", 4},
                                                      {"f64", 8},
                                                      {"c64", 8},
                                                      {"i8", 1},
                                                      {"i32", 4},
                                                      {"i64", 8},
                                                      {"bool", 1}}};
} // namespace

std::int64_t elementBytes(DType dtype) {
    return kFacts[static_cast<std::size_t>(dtype)].bytes;
}

std::string_view name(DType dtype) {
    return kFacts[static_cast<std::size_t>(dtype)].name;
}

std::optional<DType> dtypeFromName(std::string_view text) {
    for (std::size_t i = 0; i < kFacts.size(); ++i) {
        if (kFacts[i].name == text) {
            return static_cast<DType>(i);
        }
    }
    return std::nullopt;
}

std::int64_t elementCount(const Shape& shape) {
    std::int64_t count = 1;
    for (const std::int64_t dimension : shape) {
        count = saturatingMultiply(count, dimension);
    }
    return count;
}

} // namespace doppler::graph
