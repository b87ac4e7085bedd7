#pragma once

#include "views/format/Format.h"
#include "views/workspace/Workspace.h"

namespace doppler::views {

/// The one scale in which the docks show makespans, so that they compare at a glance: by the bound,
/// or by the first makespan until that is known.
TimeScale makespanScale(const Workspace& workspace);

} // namespace doppler::views
