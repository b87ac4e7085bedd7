#pragma once

#include <QString>
#include <memory>
#include <optional>

#include "core/io/Formats.h"
#include "core/io/GraphDimensions.h"
#include "core/io/PlacementFile.h"
#include "core/io/Session.h"
#include "core/sim/Problem.h"
#include "views/gantt/GanttTrack.h"

namespace doppler::io {
class ReadMonitor;
}

namespace doppler::views {

/// What someone asks to open, and how the problem around it is to look.
struct OpenRequest {
    QString source;                       ///< file (also FILE:DIMENSION=SIZE,...), or workload text
    QString cluster;                      ///< preset or file; empty: `context`'s, else by costs
    std::optional<cost::CostModel> costs; ///< none: measured ones, or the file's, if there are some
    std::optional<sim::SimOptions> options; ///< none: the preset that goes with the costs
    /// Cluster and costs are of an earlier time: where they are gone, it goes without them.
    bool remembered = false;
    /// The open problem: a cluster or an assignment is opened into it.
    std::shared_ptr<const sim::Problem> context;
    QString contextCluster;                                 ///< where its cluster came from
    std::shared_ptr<const cluster::Profile> contextProfile; ///< what was measured on that cluster
    /// Someone is there to answer: open dimensions without a size become a question, not 1.
    bool asksDimensions = false;
    /// Also those that have a size already.
    bool asksAllDimensions = false;
};

/// The sizes that a model leaves open.
struct DimensionQuestion {
    io::GraphSource source; ///< with the sizes that are known
    std::vector<io::OpenDimension> dimensions;
};

/// What a file turned out to be, ready for the workspace. One of the six is set.
struct OpenedDocument {
    QString source;
    std::shared_ptr<const sim::Problem> problem; ///< a graph, with cluster and costs around it
    std::optional<io::Session> session;
    std::shared_ptr<const cluster::Cluster> cluster;
    std::optional<io::PlacementFile> placement;
    std::optional<GanttTrack> trace;           ///< to look at; it changes no problem
    std::optional<DimensionQuestion> question; ///< to be opened again with the answer

    QString clusterSource;
    std::shared_ptr<const cluster::Profile> profile; ///< what was measured on the cluster; or null
    cost::CostModel costs = cost::CostModel::Physical;
    io::ImportReport report; ///< also where measured times are of another machine, or disturbed
};

/// Reads a file of any kind, told by its content, or builds a workload. Runs on any thread. Throws
/// InputError, also for a cluster or an assignment without a context. A large file reports to
/// `monitor`, which may end it.
OpenedDocument openDocument(const OpenRequest& request, const io::ReadMonitor* monitor = nullptr);

/// The source that stands for the devices found here.
inline const QString kThisMachine = QStringLiteral("this machine");

/// A preset, a file, or this machine. Throws InputError.
std::shared_ptr<const cluster::Cluster> openClusterSource(const QString& source);

/// The simulation preset that goes with a cost model.
sim::SimOptions defaultOptions(cost::CostModel costs);

/// Why the graph cannot be timed by `costs`, as a sentence; empty if it can. `measured`: there is a
/// profile of the cluster.
QString whyImpossible(cost::CostModel costs, const graph::Graph& graph, bool measured = false);

/// The file of a source, without sizes of dimensions; empty if there is none.
QString fileOf(const QString& source);

/// A source as a title: the file's name without its folder and ending, with its sizes, or the
/// workload's text.
QString titleOf(const QString& source);

} // namespace doppler::views
