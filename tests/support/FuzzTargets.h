#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace doppler::tests {

/// A reader as a fuzzer drives it: any bytes go in; InputError is an answer, anything else that
/// escapes, and any accepted input that does not survive writing and reading, is a fault.
/// Returns 0, as libFuzzer wants it.
struct FuzzTarget {
    std::string_view name; ///< of the folder of its corpus
    int (*run)(const std::uint8_t* data, std::size_t size);
};

int fuzzGraph(const std::uint8_t* data, std::size_t size); ///< any graph format, by content
int fuzzGraphText(const std::uint8_t* data, std::size_t size);
int fuzzGraphJson(const std::uint8_t* data, std::size_t size);
int fuzzStg(const std::uint8_t* data, std::size_t size);
int fuzzSaga(const std::uint8_t* data, std::size_t size);
int fuzzWfFormat(const std::uint8_t* data, std::size_t size);
int fuzzDot(const std::uint8_t* data, std::size_t size);
int fuzzDax(const std::uint8_t* data, std::size_t size);
int fuzzGraphMl(const std::uint8_t* data, std::size_t size);
int fuzzOnnx(const std::uint8_t* data, std::size_t size);
int fuzzChakra(const std::uint8_t* data, std::size_t size);     ///< protobuf records
int fuzzChakraJson(const std::uint8_t* data, std::size_t size); ///< any of its JSON forms
int fuzzTrace(const std::uint8_t* data, std::size_t size);
int fuzzGzip(const std::uint8_t* data, std::size_t size);
int fuzzCluster(const std::uint8_t* data, std::size_t size);
int fuzzAssignment(const std::uint8_t* data, std::size_t size);
int fuzzSession(const std::uint8_t* data, std::size_t size);

std::span<const FuzzTarget> fuzzTargets();

} // namespace doppler::tests
