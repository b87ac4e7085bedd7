#include "core/engine/ProfileCheck.h"

#include "core/engine/BlasLibrary.h"
#include "core/engine/SystemInfo.h"
#include "core/graph/InputError.h"

namespace doppler::engine {

void checkProfileFits(const cluster::Profile& profile, std::string_view runtime,
                      const std::string& where) {
    if (profile.runtime != runtime) {
        throw InputError(where, "times measured on the runtime " + profile.runtime,
                         "times of " + std::string(runtime) + " (or the runtime " +
                             profile.runtime + ")");
    }
    if (runtime != "cpu") {
        return;
    }
    const std::string processor = processorName();
    if (!profile.processor.empty() && !processor.empty() && profile.processor != processor) {
        throw InputError(where, "times measured on " + profile.processor,
                         "times of this machine, " + processor + ": calibrate again");
    }
    constexpr int kBlasThreads = 1; // of each worker
    if (profile.blasThreads > 0 && profile.blasThreads != kBlasThreads) {
        throw InputError(where,
                         "times measured with " + std::to_string(profile.blasThreads) +
                             " BLAS threads a device",
                         "times with one, as devices run here: calibrate again");
    }
    const std::string blas = blasCoreType();
    if (!profile.blas.empty() && !blas.empty() && profile.blas != blas) {
        throw InputError(where, "times measured with BLAS kernels for " + profile.blas,
                         "times of those that run here, for " + blas +
                             ": calibrate again on this machine");
    }
}

} // namespace doppler::engine
