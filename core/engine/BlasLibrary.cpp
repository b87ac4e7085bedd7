#include "core/engine/BlasLibrary.h"

#include <dlfcn.h>

namespace doppler::engine {

std::string blasCoreType() {
    using CoreName = char* (*)();
    const auto name = reinterpret_cast<CoreName>(dlsym(RTLD_DEFAULT, "openblas_get_corename"));
    const char* text = name != nullptr ? name() : nullptr;
    return text != nullptr ? text : "";
}

} // namespace doppler::engine
