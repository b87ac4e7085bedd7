#pragma once

#include <QString>
#include <map>
#include <mutex>

#include "views/experiments/ExperimentSetup.h"

namespace doppler::views {

/// Writes setups from any thread so that the newest is what stays in the file, whichever of several
/// threads gets there last.
class SetupWriter {
public:
    explicit SetupWriter(const SetupFolder& folder) : folder_(folder) {}

    /// Takes its place in the order: for the GUI thread.
    int newVersion() { return ++versions_; }
    /// Nothing if a newer version of the setup was written or removed. Throws std::runtime_error.
    void write(const ExperimentSetup& setup, int version);
    /// Removes the file; writes that were ordered before come to nothing.
    void remove(const QString& name);

private:
    const SetupFolder folder_;
    int versions_ = 0;
    std::mutex mutex_; // of the files and what follows
    std::map<QString, int> newest_;
};

} // namespace doppler::views
