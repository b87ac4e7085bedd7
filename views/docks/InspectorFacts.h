#pragma once

#include <QString>
#include <set>
#include <utility>
#include <vector>

#include "core/graph/Topology.h"
#include "views/theme/Theme.h"
#include "views/workspace/Workspace.h"

namespace doppler::views {

/// A label and its value, as one row of the inspector.
using Fact = std::pair<QString, QString>;

/// What the inspector says about each kind of selection; no widgets.
std::vector<Fact> opFacts(const Workspace& workspace, OpId op);
std::vector<Fact> deviceFacts(const Workspace& workspace, DeviceId device);
std::vector<Fact> severalFacts(const Workspace& workspace, const std::set<OpId>& ops,
                               const Theme& theme);
/// `graph`: those of the open graph; null: not known yet, and left out.
std::vector<Fact> problemFacts(const Workspace& workspace, const graph::GraphFacts* graph);

/// "contraction · C (D E), block 2,1,0".
QString opSubtitle(const graph::Graph& graph, OpId op);

/// True if the op's execution is on the critical chain of the shown timeline.
bool isCritical(const Workspace& workspace, OpId op);

} // namespace doppler::views
