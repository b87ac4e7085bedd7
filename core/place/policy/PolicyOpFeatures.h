#pragma once

#include "core/place/policy/PolicyProblem.h"

namespace doppler::place {

/// Fills the features and contexts of the ops; all else must be there.
void addOpFeatures(PolicyProblem& problem);

} // namespace doppler::place
