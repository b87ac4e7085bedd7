#include "core/engine/ElementValues.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace doppler::engine {

namespace {

using graph::DType;

// IEEE half precision: 5 bits of exponent (bias 15), 10 of mantissa.
constexpr int kHalfMantissa = 10;
constexpr int kHalfLeastExponent = -14;
constexpr double kHalfLargest = 65504;
constexpr std::uint16_t kHalfInfinity = 0x7c00;

std::uint16_t toHalf(double value) {
    const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
    const double size = std::fabs(value);
    if (std::isnan(value)) {
        return 0x7e00;
    }
    if (size == 0) {
        return sign;
    }
    const int exponent = std::max(std::ilogb(size), kHalfLeastExponent);
    // In units of the last place; may carry into the next exponent, which the encoding absorbs.
    const double units = std::nearbyint(std::ldexp(size, kHalfMantissa - exponent));
    if (std::ldexp(units, exponent - kHalfMantissa) > kHalfLargest) {
        return sign | kHalfInfinity;
    }
    const auto bits = static_cast<std::uint32_t>(units) +
                      (static_cast<std::uint32_t>(exponent - kHalfLeastExponent) << kHalfMantissa);
    return static_cast<std::uint16_t>(sign | bits);
}

double fromHalf(std::uint16_t bits) {
    const int exponent = (bits >> kHalfMantissa) & 0x1f;
    const int mantissa = bits & 0x3ff;
    double size = 0;
    if (exponent == 0x1f) {
        size = mantissa == 0 ? INFINITY : NAN;
    } else if (exponent == 0) {
        size = std::ldexp(mantissa, kHalfLeastExponent - kHalfMantissa);
    } else {
        size = std::ldexp(1024 + mantissa, exponent - 15 - kHalfMantissa);
    }
    return (bits & 0x8000) != 0 ? -size : size;
}

// The upper half of a float.
std::uint16_t toBFloat(double value) {
    auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    if (!std::isnan(value)) {
        bits += 0x7fff + ((bits >> 16) & 1); // to nearest, ties to even
    }
    return static_cast<std::uint16_t>(bits >> 16);
}

double fromBFloat(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

template <class T, class Convert>
std::vector<double> readAs(const void* data, std::int64_t count, Convert convert) {
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(count));
    const auto* bytes = static_cast<const std::byte*>(data);
    for (std::int64_t i = 0; i < count; ++i) {
        T element{};
        std::memcpy(&element, bytes + i * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
        values.push_back(convert(element));
    }
    return values;
}

template <class T, class Convert>
void writeAs(void* data, const double* values, std::int64_t count, Convert convert) {
    auto* bytes = static_cast<std::byte*>(data);
    for (std::int64_t i = 0; i < count; ++i) {
        const T element = convert(values[i]);
        std::memcpy(bytes + i * static_cast<std::int64_t>(sizeof(T)), &element, sizeof(T));
    }
}

template <class T>
double toDouble(T element) {
    return static_cast<double>(element);
}

template <class T>
T fromDouble(double value) {
    return static_cast<T>(value);
}

[[noreturn]] void refuse(DType dtype) {
    throw std::runtime_error("elements of type " + std::string(graph::name(dtype)) +
                             " cannot be computed");
}

} // namespace

std::vector<double> readElements(DType dtype, const void* data, std::int64_t count) {
    switch (dtype) {
    case DType::F16:
        return readAs<std::uint16_t>(data, count, fromHalf);
    case DType::BF16:
        return readAs<std::uint16_t>(data, count, fromBFloat);
    case DType::F32:
        return readAs<float>(data, count, toDouble<float>);
    case DType::F64:
        return readAs<double>(data, count, toDouble<double>);
    case DType::C64:
        return readAs<float>(data, 2 * count, toDouble<float>);
    case DType::I8:
        return readAs<std::int8_t>(data, count, toDouble<std::int8_t>);
    case DType::I32:
        return readAs<std::int32_t>(data, count, toDouble<std::int32_t>);
    case DType::I64:
        return readAs<std::int64_t>(data, count, toDouble<std::int64_t>);
    case DType::Bool:
    case DType::Unknown:
        break;
    }
    refuse(dtype);
}

void writeElements(DType dtype, void* data, const double* values, std::int64_t count) {
    switch (dtype) {
    case DType::F16:
        return writeAs<std::uint16_t>(data, values, count, toHalf);
    case DType::BF16:
        return writeAs<std::uint16_t>(data, values, count, toBFloat);
    case DType::F32:
        return writeAs<float>(data, values, count, fromDouble<float>);
    case DType::F64:
        return writeAs<double>(data, values, count, fromDouble<double>);
    case DType::C64:
        return writeAs<float>(data, values, 2 * count, fromDouble<float>);
    case DType::I8:
        return writeAs<std::int8_t>(data, values, count, fromDouble<std::int8_t>);
    case DType::I32:
        return writeAs<std::int32_t>(data, values, count, fromDouble<std::int32_t>);
    case DType::I64:
        return writeAs<std::int64_t>(data, values, count, fromDouble<std::int64_t>);
    case DType::Bool:
    case DType::Unknown:
        break;
    }
    refuse(dtype);
}

} // namespace doppler::engine
