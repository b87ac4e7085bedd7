#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/place/policy/LinearPolicy.h"

namespace doppler::place {

/// Policies that are good at different graphs; the best of them all is taken. The first is the
/// best on its own.
struct PolicyPortfolio {
    std::string description; ///< what they were trained on, and with which command
    std::vector<LinearPolicy> members;
};

/// "format": "doppler-policy/1": "features" {"op", "context", "device": lists of names},
/// "description", "members" [{"name", "sel" [one weight per op feature], "plc" [per context: one
/// weight per device feature]}]. Throws InputError for another format, and in one message for
/// features that are not those of this program (policies of another version).
PolicyPortfolio parsePolicies(std::string_view text, const std::string& where);
std::string writePolicies(const PolicyPortfolio& portfolio);

/// The policies of resources/policies that travel inside the program.
const PolicyPortfolio& shippedPolicies();

} // namespace doppler::place
