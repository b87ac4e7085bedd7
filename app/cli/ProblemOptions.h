#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "core/cluster/Profile.h"
#include "core/io/Formats.h"
#include "core/place/Objective.h"
#include "core/sim/Problem.h"

namespace doppler::cli {

/// The simulator's options as the command line gives them: a preset or file, and single options
/// that override it.
struct SimFlags {
    std::string preset; ///< "", "published", "default" or a file
    std::optional<std::string> mode, contention, sharing, choice, memory;
    std::optional<double> noise;
    std::optional<int> cores;
    std::optional<std::uint64_t> seed;
};

/// GRAPH, --cluster, --costs and the simulator's options.
struct ProblemOptions {
    std::string graph;
    std::string cluster;
    std::string costs;       ///< empty: published where the graph has such costs
    bool anyProfile = false; ///< profiled costs may have been measured on another machine
    /// Costs without a time (published units) are refused; where they are the graph's own,
    /// physical ones are the default. Set it before the options are added.
    bool timesOnly = false;
    SimFlags sim;
};

/// A problem and what reading it had to report.
struct OpenedProblem {
    std::shared_ptr<const sim::Problem> problem;
    io::ImportReport report;
    std::string format; ///< of the graph: "ONNX", "workload", ...
    /// Of profiled costs: what they come from; else null, also if it need not fit this machine.
    std::shared_ptr<const cluster::Profile> profile;
};

/// GRAPH and `--dim`, whose sizes are appended to the text of GRAPH (see io::parseGraphSource).
void addGraphArgument(CLI::App& command, std::string& graph);
/// `--dim` alone: `take` gets "batch=8,seq=128" once the command line is read.
void addDimensionOption(CLI::App& command, std::function<void(const std::string&)> take);
/// "model.onnx" with "batch=8": "model.onnx:batch=8". GRAPH may name sizes already.
std::string withDimensions(const std::string& graph, const std::string& sizes);
void addClusterOption(CLI::App& command, std::string& cluster);
/// `--costs` and `--any-profile`.
void addCostsOption(CLI::App& command, ProblemOptions& options);
/// All of SimFlags but the mode.
void addSimOptions(CLI::App& command, SimFlags& flags);
void addModeOption(CLI::App& command, std::optional<std::string>& mode);
/// All of ProblemOptions.
void addProblemOptions(CLI::App& command, ProblemOptions& options);

/// A workload or a file. Throws InputError; what the reader reports also goes to stderr.
io::ReadGraph openGraph(const std::string& text);

/// A preset, a file, or "detect": the GPUs of this machine, or its processors.
std::shared_ptr<const cluster::Cluster> openCluster(const std::string& text);

/// Without a preset: the published one for published costs, else the default one.
sim::SimOptions resolveSimOptions(const SimFlags& flags, cost::CostModel costs);

/// Throws UsageError for an objective over noisy runs where `--noise 0` takes the noise away.
void checkNoise(const place::Objective& objective, const SimFlags& flags);

/// Ops and links that a profile lacks are told on stderr. Throws InputError, also for a profile of
/// another machine.
OpenedProblem openProblem(const ProblemOptions& options);

/// An assignment file for the problem.
sim::Assignment openAssignment(const std::string& path, const sim::Problem& problem);

} // namespace doppler::cli
