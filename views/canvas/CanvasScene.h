#pragma once

/// views/canvas: the graph canvas. Scene, palette, geometry and painters are plain values and
/// classes that work without a window; GraphCanvas is the widget.

#include <memory>
#include <set>
#include <vector>

#include "core/sim/Problem.h"
#include "core/sim/Report.h"
#include "core/sim/Timeline.h"
#include "views/layout/FoldedLayout.h"
#include "views/workspace/ViewState.h"

namespace doppler::views {

/// What is drawn: a graph at its places, with an assignment and its timeline where there are any.
struct CanvasScene {
    std::shared_ptr<const sim::Problem> problem;
    std::shared_ptr<const GraphLayout> layout;
    /// Groups that are drawn around and instead of ops (`layout` is its `ops`); null: none.
    std::shared_ptr<const FoldedLayout> folds;
    std::shared_ptr<const sim::Assignment> assignment;
    std::shared_ptr<const sim::Timeline> timeline;
    std::shared_ptr<const sim::Report> report;
    /// By op: what the best single move of it would save; empty: not computed.
    std::vector<Time> moveGain;
    /// By op: time when run over simulated time; empty: not run, or in another unit.
    std::vector<double> measuredRatio;
    ColourBy colourBy = ColourBy::Device;
    bool showCriticalChain = true;
    /// Leave out edges within a device.
    bool crossDeviceOnly = false;

    bool isEmpty() const { return !problem || !layout || layout->centres.empty(); }
    const graph::Graph& graph() const { return *problem->graph; }
    bool isHidden(OpId op) const { return folds && folds->isHidden(op); }
    DeviceId device(OpId op) const {
        return assignment ? (*assignment)[static_cast<std::size_t>(op)] : kNoDevice;
    }
    bool crossesDevices(EdgeId edge) const {
        return assignment && device(graph().source(edge)) != device(graph().target(edge));
    }
};

/// Ops and edges of the critical chain.
struct CriticalParts {
    std::vector<std::uint8_t> ops;   ///< by op; empty: none
    std::vector<std::uint8_t> edges; ///< by edge; empty: none

    bool op(OpId id) const { return !ops.empty() && ops[static_cast<std::size_t>(id)] != 0; }
    bool edge(EdgeId id) const {
        return !edges.empty() && edges[static_cast<std::size_t>(id)] != 0;
    }
    explicit operator bool() const { return !ops.empty(); }
};

/// Follows the report's chain; an edge is on it where one link brings a value to the next op.
CriticalParts criticalParts(const CanvasScene& scene);

/// What the user does with the scene at this moment.
struct CanvasMarks {
    std::set<OpId> selected;
    OpId hovered = kNoOp;
    std::int32_t hoveredBox = -1;      ///< index of a group's box
    std::vector<std::uint8_t> matches; ///< by op: passes the filter; empty: no filter

    bool isOutside(OpId op) const {
        return !matches.empty() && matches[static_cast<std::size_t>(op)] == 0;
    }
};

} // namespace doppler::views
