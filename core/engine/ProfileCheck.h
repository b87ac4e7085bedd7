#pragma once

#include <string>
#include <string_view>

#include "core/cluster/Profile.h"

namespace doppler::engine {

/// Throws InputError if times of `profile` say nothing about `runtime` here: measured on another
/// runtime, on another processor, or with other BLAS kernels or threads, or without saying so.
/// `where` names the file.
void checkProfileFits(const cluster::Profile& profile, std::string_view runtime,
                      const std::string& where);

/// What is to be known of times that were measured beside other programs; else empty.
std::string disturbanceNote(const cluster::Profile& profile);

} // namespace doppler::engine
