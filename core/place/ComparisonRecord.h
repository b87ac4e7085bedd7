#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/io/JsonField.h"
#include "core/sim/Problem.h"

namespace doppler::place {

/// What tells one run of an experiment from all others: two runs with equal keys need not both be
/// made.
struct RunKey {
    std::string problem; ///< problemHash()
    std::string method;
    std::uint64_t seed = 1;
    std::int64_t budgetMs = 0;          ///< 0 for methods that take no budget in time
    std::int64_t maxEvaluations = 0;    ///< 0 for methods that take no budget in evaluations
    std::string version;                ///< of the program
    std::string objective = "makespan"; ///< name() of what the method made small

    friend bool operator<(const RunKey& a, const RunKey& b) { return a.members() < b.members(); }
    friend bool operator==(const RunKey& a, const RunKey& b) { return a.members() == b.members(); }

private:
    std::tuple<const std::string&, const std::string&, std::uint64_t, std::int64_t, std::int64_t,
               const std::string&, const std::string&>
    members() const {
        return {problem, method, seed, budgetMs, maxEvaluations, version, objective};
    }
};

/// One finished run of one placer on one problem, with its placement.
struct RunRecord {
    RunKey key;
    std::string graph;   ///< name, for people
    std::string cluster; ///< name, for people
    std::string mode;    ///< "wc" or "bsp"
    std::string unit;    ///< of the makespan: "ns" or "units"
    Time makespan = 0;
    Time value = 0;     ///< of the objective, in the same unit
    double seconds = 0; ///< that the placer took
    std::int64_t evaluations = 0;
    std::int64_t trafficBytes = 0;
    double imbalance = 0;
    std::int64_t peakMemory = 0; ///< of the fullest device
    bool memoryOverflow = false;
    std::vector<std::string> notes;
    sim::Assignment assignment;

    /// What runs with equal objectives are compared by: the makespan if that was the objective
    /// (memory is told apart by its own figures then), else the value.
    Time compared() const { return key.objective == "makespan" ? makespan : value; }
};

/// One line of JSON without its line break.
std::string writeRunLine(const RunRecord& record);
/// A line of JSON; where it is none, the message says the column after `where`, which names file
/// and line.
io::JsonDocument parseJsonLine(std::string_view line, const std::string& where);
/// Throws InputError; `where` names file and line.
RunRecord parseRunLine(std::string_view line, const std::string& where);

/// 16 hexadecimal digits over everything that the outcome of a placer depends on: graph, cluster,
/// costs, simulator options and pins. (FNV-1a over their texts.)
std::string problemHash(const sim::Problem& problem);

} // namespace doppler::place
