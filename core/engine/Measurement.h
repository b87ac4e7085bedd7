#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/engine/Executor.h"
#include "core/engine/MachineLoad.h"
#include "core/workload/Splitter.h"

namespace doppler::engine {

/// Repeated runs of one placement.
struct MeasurementRequest {
    sim::Assignment assignment;
    int repeats = 1;
    /// Runs before these that fill pools and caches, and do not count.
    int warmUps = 1;
    std::stop_token stop;
    /// See ExecutionOptions; also told in warm-ups.
    std::function<void(const sim::Interval&)> interval;
    /// A run begins; negative numbers are warm-ups.
    std::function<void(int run)> runBegins;
    /// Looks at the machine before and after the runs that count: machineLoad(); empty: nobody
    /// wants to know.
    std::function<MachineLoad()> load;
    /// More devices than processors (see wasQuiet()).
    bool shared = false;
    /// A run more, the first, whose results are compared with the whole program's.
    class ResultCheck* check = nullptr;
};

struct Measurement {
    Outcome outcome = Outcome::Done; ///< of the run that ended badly, else Done
    std::string message;
    bool lacksMemory = false;    ///< see Execution
    std::vector<Time> makespans; ///< ns, by run; of those before the one that ended badly
    sim::Timeline timeline;      ///< of the run with the median makespan, if there is one
    std::optional<double> relativeError;
    bool quiet = true; ///< the runs were left alone, as far as the load tells (see wasQuiet())

    bool done() const { return outcome == Outcome::Done; }
};

/// Prepares the executor for the assignment and runs it; stops at the first run that ends badly.
/// Throws what Executor::prepare() throws.
Measurement measure(Executor& executor, const MeasurementRequest& request);

/// What an error may be for a program to count as computed rightly: that of its narrowest type.
double errorLimit(const workload::TensorProgram& program);

} // namespace doppler::engine
