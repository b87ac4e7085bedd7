#include "app/cli/RuntimeOptions.h"

#include <algorithm>
#include <thread>

#include "app/cli/Commands.h"
#include "core/engine/BlasLibrary.h"
#include "core/engine/Runtimes.h"
#include "core/engine/SystemInfo.h"
#include "core/graph/InputError.h"

namespace doppler::cli {

std::vector<std::string> runtimeNames() {
    std::vector<std::string> names;
    for (const engine::RuntimeKind& kind : engine::runtimeKinds()) {
        names.push_back(kind.name);
    }
    return names;
}

void addRuntimeOption(CLI::App& command, std::string& runtime) {
    command.add_option("--runtime", runtime, "What executes")
        ->check(CLI::IsMember(runtimeNames()))
        ->option_text(joined(runtimeNames(), "|") + "=" + runtime);
}

int usableProcessors() {
    return static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
}

bool sharesProcessors(const std::string& runtime, const cluster::Cluster& cluster) {
    int slots = 0;
    for (const cluster::Device& device : cluster.devices()) {
        slots += device.slots;
    }
    return runtime == "cpu" && slots > usableProcessors();
}

void checkProfileFits(const cluster::Profile& profile, const std::string& runtime,
                      const std::string& where) {
    if (profile.runtime != runtime) {
        throw InputError(where, "times measured on the runtime " + profile.runtime,
                         "times of " + runtime + " (or --runtime " + profile.runtime + ")");
    }
    if (runtime != "cpu") {
        return;
    }
    const std::string processor = engine::processorName();
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
    const std::string blas = engine::blasCoreType();
    if (!profile.blas.empty() && !blas.empty() && profile.blas != blas) {
        throw InputError(where, "times measured with BLAS kernels for " + profile.blas,
                         "times of those that run here, for " + blas +
                             ": calibrate again on this machine");
    }
}

} // namespace doppler::cli
