#include "core/engine/SystemInfo.h"

#include <fstream>

#include <unistd.h>

#include "core/engine/LibTorchVersion.h"
#include "core/engine/Processors.h"

namespace doppler::engine {

namespace {

std::int64_t physicalMemory() {
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long pageBytes = sysconf(_SC_PAGE_SIZE);
    return pages > 0 && pageBytes > 0 ? std::int64_t{pages} * pageBytes : 0;
}

} // namespace

std::string programVersion() {
    return DOPPLER_VERSION;
}

// The first "model name" of the kernel's list.
std::string processorName() {
    std::ifstream list("/proc/cpuinfo");
    for (std::string line; std::getline(list, line);) {
        const std::size_t colon = line.find(": ");
        if (line.rfind("model name", 0) == 0 && colon != std::string::npos) {
            return line.substr(colon + 2);
        }
    }
    return {};
}

SystemInfo systemInfo() {
    return {.version = programVersion(),
            .processor = processorName(),
            .processors = static_cast<int>(usableProcessors().size()),
            .memoryBytes = physicalMemory(),
            .libTorch = libTorchVersion(),
            .cuda = findGpus()};
}

} // namespace doppler::engine
