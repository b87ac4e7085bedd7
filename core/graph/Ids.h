#pragma once

/// core/graph: the dataflow graph as an immutable value, its builder, and facts that follow from
/// its shape alone. Uses nothing but the standard library.

#include <cstdint>

namespace doppler {

/// Dense number of an operation, 0..n-1 in the order of the file or generator.
using OpId = std::int32_t;
/// Dense number of an edge: edges are numbered by source op, then in file order.
using EdgeId = std::int32_t;
/// Dense number of a graph input (data or weight).
using InputId = std::int32_t;
/// Dense number of a device in its cluster.
using DeviceId = std::int32_t;

inline constexpr OpId kNoOp = -1;
inline constexpr EdgeId kNoEdge = -1;
inline constexpr DeviceId kNoDevice = -1;

/// A point in time or a duration: nanoseconds, or the integer units of a file with published costs.
using Time = std::int64_t;

} // namespace doppler
