#include "core/engine/LibTorchVersion.h"

#ifdef DOPPLER_HAS_LIBTORCH
#include <torch/version.h>
#endif

namespace doppler::engine {

std::string libTorchVersion() {
#ifdef DOPPLER_HAS_LIBTORCH
    return TORCH_VERSION;
#else
    return {};
#endif
}

} // namespace doppler::engine
