#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/cluster/Profile.h"
#include "core/sim/Problem.h"

namespace doppler::io {

/// One placement of a session.
struct SessionPlacement {
    std::string label; ///< "anneal", "m-etf, 2 edits"
    std::string method;
    std::uint64_t seed = 0;
    double seconds = 0;    ///< time to find
    int edits = 0;         ///< ops moved by hand since the method found it
    std::string objective; ///< what the method made small: "p95:32"; empty: the makespan
    double noise = 0;      ///< of its noisy runs
    Time value = 0;        ///< of that objective, as found
    sim::Assignment assignment;

    bool operator==(const SessionPlacement&) const = default;
};

/// Everything a window keeps of one open problem. The graph and the cluster travel inside.
struct Session {
    std::shared_ptr<const graph::Graph> graph;
    std::shared_ptr<const cluster::Cluster> cluster;
    std::string graphSource;   ///< file or workload text it came from
    std::string clusterSource; ///< preset or file
    /// What was measured on the cluster; null: nothing. Profiled costs need it.
    std::shared_ptr<const cluster::Profile> profile;
    cost::CostModel costs = cost::CostModel::Physical;
    sim::SimOptions options;
    std::vector<DeviceId> pins;
    std::vector<SessionPlacement> placements;
    int current = -1; ///< shown placement
    /// Paths of the collapsed groups (graph::GroupTree); nothing: nobody chose.
    std::optional<std::vector<std::string>> collapsed;
    /// Window state as the window wrote it (opaque to core).
    std::string view;
};

/// "format": "doppler-session/1".
Session parseSession(std::string_view text, const std::string& where);
std::string writeSession(const Session& session);

/// True if the text is a session (by its format tag).
bool looksLikeSession(std::string_view text);

} // namespace doppler::io
