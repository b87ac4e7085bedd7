#pragma once

/// Loops over floats that are compiled for wider registers too, chosen when the program starts.
/// Sanitizers run before that choice can be made.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) &&             \
    !defined(__SANITIZE_THREAD__)
#define DOPPLER_VECTORISED __attribute__((target_clones("default", "arch=x86-64-v3")))
#else
#define DOPPLER_VECTORISED
#endif

namespace doppler::learn {

/// Eight floats that are added and multiplied at once; may stand anywhere in memory.
using Floats8 = float __attribute__((vector_size(32), aligned(4), may_alias));
inline constexpr int kLanes = 8;

/// Slope of LeakyReLU below 0, LibTorch's default.
inline constexpr float kLeakySlope = 0.01F;

} // namespace doppler::learn
