#include "core/io/FileSizeSignal.h"

#include <csignal>

namespace doppler::io {

void ignoreFileSizeSignal() {
    std::signal(SIGXFSZ, SIG_IGN);
}

} // namespace doppler::io
