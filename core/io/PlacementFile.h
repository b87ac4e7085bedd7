#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/cluster/Cluster.h"
#include "core/graph/Graph.h"
#include "core/sim/Problem.h"

namespace doppler::io {

/// Where a placement comes from and what it was found for. What is unknown is empty or absent.
struct PlacementRecord {
    std::string method;                         ///< name of a placer
    std::optional<std::uint64_t> seed;          ///< of the placer
    std::optional<double> budgetSeconds;        ///< of a search
    std::optional<std::int64_t> maxEvaluations; ///< of a search that counted these instead
    std::string objective;                      ///< what the placer made small: "p95:32"
    std::optional<Time> value;                  ///< of the objective, in the unit
    std::optional<double> noise;  ///< that an objective over noisy runs was taken with
    std::optional<Time> makespan; ///< in the unit
    std::string unit;             ///< "ns" or "units"

    bool operator==(const PlacementRecord&) const = default;
};

struct PlacementFile {
    sim::Assignment assignment;
    PlacementRecord record; ///< empty but for files that say so
};

/// Everything that parseAssignment() reads, with what a "doppler-assignment/1" says of itself:
/// method, seed, budgetSeconds, maxEvaluations, objective, value, noise, makespan, unit; each may
/// be absent.
PlacementFile parsePlacement(std::string_view text, const std::string& where,
                             const graph::Graph& graph, const cluster::Cluster& cluster);

/// "format": "doppler-assignment/1", with what is known of the record.
std::string writePlacementJson(const PlacementFile& placement, const graph::Graph& graph,
                               const cluster::Cluster& cluster);

} // namespace doppler::io
