#pragma once

#include <QFileInfo>
#include <QString>

namespace doppler::tests {

/// The folder of public graphs and reference results beside the source tree; tests that use it
/// skip with kNoSharedData where it is absent.
inline QString sharedPath(const QString& relative) {
    return QStringLiteral(DOPPLER_SOURCE_DIR "/../shared/") + relative;
}

inline bool hasSharedData() {
    return QFileInfo::exists(sharedPath(QStringLiteral("golden/wc_golden.json")));
}

inline constexpr const char* kNoSharedData = "skipped: shared data not found";

} // namespace doppler::tests
