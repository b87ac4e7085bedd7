#pragma once

namespace doppler::io {

/// From now on a write beyond the limit of file sizes (`ulimit -f`) fails as on a full disk instead
/// of ending the program by SIGXFSZ. Programs call it first.
void ignoreFileSizeSignal();

} // namespace doppler::io
