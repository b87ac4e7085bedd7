#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/cluster/Profile.h"
#include "core/engine/Executor.h"
#include "core/workload/Splitter.h"

namespace doppler::engine {

/// What is measured, and where.
struct CalibrationRequest {
    std::shared_ptr<const cluster::Cluster> cluster;
    /// Their kernels, and copies of their sizes, are measured.
    std::vector<std::shared_ptr<const workload::SplitProgram>> programs;
    std::string runtime = "cpu"; ///< see makeRuntime()
    /// Makes a runtime for a program; empty: makeRuntime().
    std::function<std::unique_ptr<Runtime>(std::shared_ptr<const workload::SplitProgram>)> make;
    /// Rounds of each program; each has two random placements, which run once.
    int rounds = 12;
    /// Devices that work at the same time; 0: all. Fewer where devices share processors, so that
    /// times are those of a device that is not disturbed.
    int devicesAtOnce = 0;
    std::uint64_t seed = 1;
    std::stop_token stop;
    /// Share done 0..1 and what goes on; may be empty.
    std::function<void(double, const std::string&)> progress;
};

struct Calibration {
    Outcome outcome = Outcome::Done;
    std::string message; ///< of a run that failed
    /// Of what was measured; if it was cancelled, only after a whole round.
    cluster::Profile profile;
    int rounds = 0; ///< whole ones
    int runs = 0;
    int disturbed = 0; ///< runs beside which other programs ran
    /// Kernels whose samples are two populations a hundredfold apart.
    std::vector<std::string> spiky;
    std::vector<std::string> notes; ///< in sentences; those of the runtime too
};

/// Measures kernels and copies where they happen: in the executor's own buffers, within runs of the
/// programs under random placements, in random order of ops. What counts for an op or a copy is
/// the time from the end of what it waited for last to its own end, so that the cost of waking and
/// dispatching is in it; of all samples of a kernel and class of devices, the median. Copies of
/// other sizes come from a program of their own (see copyProgram()). Throws what makeRuntime() and
/// Executor::prepare() throw.
Calibration calibrate(const CalibrationRequest& request);

} // namespace doppler::engine
