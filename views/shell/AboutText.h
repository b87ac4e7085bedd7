#pragma once

#include <QString>

namespace doppler::views {

/// What Help > About says: versions of this program and of what it stands on, licence.
QString aboutText();

/// The line at the foot of the start page: "2 CPU cores, no CUDA device. ..."
QString machineText();

} // namespace doppler::views
