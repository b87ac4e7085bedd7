#pragma once

#include <initializer_list>
#include <stdexcept>
#include <string>

#include <dlfcn.h>

namespace doppler::engine::cuda {

/// A shared library that is loaded at run time, and stays loaded.
class DynamicLibrary {
public:
    /// The first of `paths` that can be loaded; throws std::runtime_error if none can.
    DynamicLibrary(const std::string& name, std::initializer_list<const char*> paths) {
        std::string reasons;
        for (const char* path : paths) {
            handle_ = dlopen(path, RTLD_NOW | RTLD_LOCAL);
            if (handle_ != nullptr) {
                return;
            }
            const char* reason = dlerror();
            reasons += std::string(reasons.empty() ? "" : "; ") + (reason != nullptr ? reason : "");
        }
        throw std::runtime_error(name + " cannot be loaded: " + reasons);
    }

    template <class Function>
    void find(Function& function, const char* name) const {
        function = reinterpret_cast<Function>(dlsym(handle_, name));
        if (function == nullptr) {
            throw std::runtime_error(std::string(name) + " is not in its library");
        }
    }

private:
    void* handle_ = nullptr;
};

} // namespace doppler::engine::cuda
