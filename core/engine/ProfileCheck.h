#pragma once

#include <string>
#include <string_view>

#include "core/cluster/Profile.h"

namespace doppler::engine {

/// Throws InputError if times of `profile` say nothing about `runtime` here: measured on another
/// runtime, on another processor, or with other BLAS kernels or threads. `where` names the file.
void checkProfileFits(const cluster::Profile& profile, std::string_view runtime,
                      const std::string& where);

} // namespace doppler::engine
