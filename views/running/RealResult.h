#pragma once

/// views/running: placements that are executed for real (or on an emulated testbed), and what came
/// of it.

#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "core/sim/Problem.h"
#include "core/sim/Report.h"
#include "core/sim/Timeline.h"

namespace doppler::views {

/// What running a placement showed. An emulated result is never called a measurement.
struct RealResult {
    QString runtime; ///< "cpu"; while it runs: "run 2 of 5"
    bool emulated = false;
    /// As the executor saw it: its times have this problem's unit.
    std::shared_ptr<const sim::Problem> problem;
    std::shared_ptr<const sim::Timeline> timeline; ///< of the run with the median makespan
    std::shared_ptr<const sim::Report> report;
    int runs = 0;
    double mean = 0;                     ///< of the makespans
    double sd = 0;                       ///< 0 with one run
    std::optional<double> relativeError; ///< if the results were checked
    double errorLimit = 0;
    QStringList notes;

    /// "Measured on cpu", "Emulated".
    QString title() const;
    /// "mean of 9 runs 12.1 ms, sd 0.2 ms, relative error 3e-7".
    QString description() const;
    /// By op: its time here over its simulated time; empty where the two have different units.
    std::vector<double> ratios(const sim::Problem& simulated,
                               const sim::Assignment& assignment) const;
    /// Time of an op in the shown run.
    Time duration(OpId op) const {
        const sim::Interval& interval = timeline->execution(op);
        return interval.end - interval.start;
    }
};

} // namespace doppler::views
