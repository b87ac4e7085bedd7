#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace doppler::graph {

/// Element type of a tensor.
enum class DType : std::uint8_t { Unknown, F16, BF16, F32, F64, C64, I8, I32, I64, Bool };

inline constexpr int kDTypeCount = 10;

/// Dimensions of a tensor, outermost first; empty for a scalar or an unknown shape.
using Shape = std::vector<std::int64_t>;

/// Bytes of one element; 0 for Unknown.
std::int64_t elementBytes(DType dtype);

/// "f32", "c64", ...; "unknown".
std::string_view name(DType dtype);

/// The inverse of name(); empty for any other text.
std::optional<DType> dtypeFromName(std::string_view text);

/// Product of the dimensions, saturating at the largest int64; 1 for an empty shape.
std::int64_t elementCount(const Shape& shape);

} // namespace doppler::graph
