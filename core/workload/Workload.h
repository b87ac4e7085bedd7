#pragma once

/// core/workload: generators of real workloads, from parameters to graphs with true shapes. Uses
/// core/graph. A program is a table of tensor operations (TensorProgram) that one splitter cuts
/// into blocks; a new workload is one file and one line in Workload.cpp.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/Graph.h"

namespace doppler::workload {

struct SplitProgram;

/// One parameter of a generator, as a form or a help page shows it.
struct Parameter {
    enum class Type { Integer, Real, Choice, Flag };
    std::string name;
    std::string description;
    Type type = Type::Integer;
    std::string defaultValue;
    std::string tinyValue; ///< default with size=tiny; empty: the same
    double minimum = 0;    ///< of numbers
    double maximum = 0;
    std::vector<std::string> choices; ///< of Choice
};

struct WorkloadInfo {
    std::string name;        ///< "chainmm"
    std::string title;       ///< "Matrix chain"
    std::string description; ///< "(A B) + (C (D E))"
    std::string source;      ///< paper
    std::vector<Parameter> parameters;
    /// True if it is a tensor program, so that its graphs can be executed (see generateProgram()).
    bool executable = true;
};

using Parameters = std::map<std::string, std::string>;

/// All generators, in the order they are shown.
const std::vector<WorkloadInfo>& workloads();

/// True if `text` starts with the name of a generator: "chainmm" or "chainmm:n=1000".
bool isWorkload(std::string_view text);

/// Builds a graph. Throws InputError for an unknown generator or parameter, a value of the wrong
/// type or out of range.
std::shared_ptr<const graph::Graph> generate(const std::string& name, const Parameters& parameters);

/// The same from "name:key=value,key=value".
std::shared_ptr<const graph::Graph> generate(std::string_view text);

/// The same with all that it takes to execute the graph; null for a workload that is a graph only
/// (not executable).
std::shared_ptr<const SplitProgram> generateProgram(const std::string& name,
                                                    const Parameters& parameters);
std::shared_ptr<const SplitProgram> generateProgram(std::string_view text);

/// "name:key=value,key=value" in its parts. Throws InputError for a malformed list.
std::pair<std::string, Parameters> parseWorkload(std::string_view text);

} // namespace doppler::workload
