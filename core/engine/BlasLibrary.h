#pragma once

#include <string>

namespace doppler::engine {

/// Core type for which the loaded BLAS library chose its kernels ("Haswell"): with another one the
/// same products take other times. Empty: the library does not tell.
std::string blasCoreType();

} // namespace doppler::engine
