#include "views/experiments/SetupWriter.h"

namespace doppler::views {

void SetupWriter::write(const ExperimentSetup& setup, int version) {
    const std::lock_guard lock(mutex_);
    int& newest = newest_[setup.name];
    if (newest < version) {
        folder_.save(setup);
        newest = version;
    }
}

void SetupWriter::remove(const QString& name) {
    const int version = newVersion();
    const std::lock_guard lock(mutex_);
    newest_[name] = version;
    folder_.remove(name);
}

} // namespace doppler::views
