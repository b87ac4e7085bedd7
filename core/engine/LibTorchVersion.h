#pragma once

#include <string>

namespace doppler::engine {

/// LibTorch that this program was built with; empty without.
std::string libTorchVersion();

} // namespace doppler::engine
