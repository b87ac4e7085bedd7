#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "core/place/Experiment.h"
#include "core/place/RunStore.h"

namespace doppler::place {

/// News of one run.
struct RunUpdate {
    enum class Kind {
        Started,
        Progress, ///< of a search: fraction and best so far
        Done,     ///< with its record
        Failed,   ///< with the reason
        Stopped,  ///< ended by a stop: not kept, will be made again
    };
    Kind kind = Kind::Started;
    std::size_t problem = 0;
    std::size_t method = 0;
    std::uint64_t seed = 1;
    double fraction = -1; ///< of the budget; negative if unknown
    Time best = 0;
    std::shared_ptr<const RunRecord> record;
    std::string error;
};

struct RunnerOptions {
    /// Runs made at once. Searches that use several threads share the processors then, and times
    /// mean less: 1 is honest.
    int threads = 1;
    std::stop_token stop;   ///< ends the runs in progress too; these are not kept
    std::stop_token finish; ///< lets the runs in progress end, and starts no other
    /// Called by the threads of the runner, one call at a time; may be empty.
    std::function<void(const RunUpdate&)> update;
};

/// Makes those runs of the experiment that the store does not hold yet, seed by seed, so that every
/// cell soon has its first; each is stored as it ends. Returns true if none is missing at the end
/// (failed ones are: they will be tried again). Throws what RunStore::add throws.
bool runExperiment(const Experiment& experiment, RunStore& store, const RunnerOptions& options);

} // namespace doppler::place
