#pragma once

#include <QString>
#include <memory>

#include "core/sim/Problem.h"
#include "core/sim/Report.h"
#include "core/sim/Timeline.h"
#include "views/workspace/FoundObjective.h"

namespace doppler::views {

struct RealResult;

/// One placement of the open problem, with its simulated timeline.
struct Placement {
    int id = 0;     ///< stable for the life of the workspace
    QString method; ///< placer or "file"
    QString origin; ///< label before any edit: "m-etf", "anneal 2"
    std::uint64_t seed = 0;
    double seconds = 0; ///< time to find
    FoundObjective objective;
    bool edited = false; ///< a copy that was changed by hand
    int savedEdits = 0;  ///< edits made before it was last opened from a session
    /// What the method (or the session) brought.
    std::shared_ptr<const sim::Assignment> found;
    std::shared_ptr<const sim::Assignment> assignment;
    /// Null until the first simulation is through (large graphs).
    std::shared_ptr<const sim::Timeline> timeline;
    std::shared_ptr<const sim::Report> report;
    /// What running it showed; null: not run since its ops last moved.
    std::shared_ptr<const RealResult> real;
    /// The run at work, as far as it has come: a timeline without executionOf, an empty report.
    std::shared_ptr<const RealResult> live;
    double simulationMicroseconds = 0;
    bool stale = false; ///< timeline and report belong to an older problem or assignment

    /// Ops on another device than the method chose.
    int edits() const;
    /// "m-etf, 2 edits".
    QString label() const;
    Time makespan() const { return timeline ? timeline->makespan : -1; }
};

} // namespace doppler::views
