#include <array>

#include "core/learn/Trainer.h"

namespace doppler::learn {

std::string_view name(Origin origin) {
    constexpr std::array<std::string_view, 4> kNames = {"teacher", "sample", "greedy", "polish"};
    return kNames[static_cast<std::size_t>(origin)];
}

std::string_view name(EndReason reason) {
    constexpr std::array<std::string_view, 5> kNames = {"finished", "budget", "stopped", "plateau",
                                                        "diverged"};
    return kNames[static_cast<std::size_t>(reason)];
}

} // namespace doppler::learn
