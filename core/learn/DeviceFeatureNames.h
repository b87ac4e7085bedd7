#pragma once

#include <string>
#include <vector>

namespace doppler::learn {

/// Names of the features of a device, in the order of Rollout.h: what weights were trained on.
inline std::vector<std::string> deviceFeatureNames() {
    return {"z assigned work",  "z parents' work",   "z first input",       "z last input",
            "z earliest start", "log assigned work", "log earliest finish", "parents' share",
            "log first input",  "log last input"};
}

} // namespace doppler::learn
