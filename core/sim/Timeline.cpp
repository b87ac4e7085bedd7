#include "core/sim/Timeline.h"

#include <array>

namespace doppler::sim {

std::string_view name(Cause cause) {
    constexpr std::array<std::string_view, 6> kNames{"nothing", "input",   "lane",
                                                     "memory",  "barrier", "core"};
    return kNames[static_cast<std::size_t>(cause)];
}

} // namespace doppler::sim
