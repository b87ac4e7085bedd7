#include "core/engine/ProfileCheck.h"

#include "core/engine/BlasLibrary.h"
#include "core/engine/SystemInfo.h"
#include "core/graph/InputError.h"

namespace doppler::engine {

void checkProfileFits(const cluster::Profile& profile, std::string_view runtime,
                      const std::string& where) {
    if (profile.runtime != runtime) {
        throw InputError(where, "times measured on the runtime " + profile.runtime,
                         "times of the runtime " + std::string(runtime) + ": use the runtime " +
                             profile.runtime + ", or calibrate on " + std::string(runtime));
    }
    if (runtime != "cpu") {
        return;
    }
    const std::string processor = processorName();
    const std::string blas = blasCoreType();
    if ((profile.processor.empty() && !processor.empty()) ||
        (profile.blas.empty() && !blas.empty()) || profile.blasThreads == 0) {
        throw InputError(where,
                         "a profile that does not say where it was measured (processor, blas, "
                         "blasThreads)",
                         "times of this machine: calibrate again");
    }
    constexpr int kBlasThreads = 1; // of each worker
    if (profile.blasThreads != kBlasThreads) {
        throw InputError(where,
                         "times measured with " + std::to_string(profile.blasThreads) +
                             " BLAS threads a device",
                         "times with one, as devices run here: calibrate again");
    }
    if (!processor.empty() && profile.processor != processor) {
        throw InputError(where, "times measured on " + profile.processor,
                         "times of this machine, " + processor + ": calibrate again");
    }
    if (!blas.empty() && profile.blas != blas) {
        throw InputError(where, "times measured with BLAS kernels for " + profile.blas,
                         "times of those that run here, for " + blas +
                             ": calibrate again on this machine");
    }
}

std::string disturbanceNote(const cluster::Profile& profile) {
    return profile.disturbed == 0
               ? std::string()
               : "times measured while other programs ran, in " +
                     std::to_string(profile.disturbed) + " of " + std::to_string(profile.runs) +
                     " runs; they may be too long";
}

} // namespace doppler::engine
