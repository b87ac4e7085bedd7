#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "core/graph/Ids.h"

namespace doppler::engine {

/// A device has no room, whatever its cluster says of it. A runtime throws it from prepare(),
/// allocate() and launch(); it ends that run and no more.
class OutOfMemory : public std::runtime_error {
public:
    /// `what` was to be stored: "an input".
    OutOfMemory(DeviceId device, std::int64_t bytes, const std::string& what)
        : std::runtime_error("no room for " + what + " of " + std::to_string(bytes) + " bytes")
        , device_(device) {}

    DeviceId device() const { return device_; }

private:
    DeviceId device_;
};

} // namespace doppler::engine
