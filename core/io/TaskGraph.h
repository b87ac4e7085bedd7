#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/graph/GraphBuilder.h"
#include "core/io/Formats.h"

namespace doppler::io {

/// "3 self-edges dropped", "1 self-edge dropped".
std::string countNote(std::size_t count, const std::string& thing, const std::string& what);

/// The name of a graph that names itself nowhere: the file's, without folder and ending.
std::string graphNameOf(const std::string& where);

/// A stated duration in nanoseconds, rounded; capped at a hundred days.
std::int64_t toNanoseconds(double seconds);

/// What to do with dependencies that stand more than once.
enum class Repeated {
    Once, ///< the same fact stated twice: the second one is dropped
    Sum,  ///< parallel edges: their payloads add up
};

/// Collects the tasks of a foreign file by their ids there, with dependencies that may name
/// absent tasks, repeat, or follow from files written and read; repairs what can be repaired and
/// counts it for the import report.
class TaskGraph {
public:
    explicit TaskGraph(std::string name, Repeated repeated = Repeated::Once);

    /// A fileCompute of -1 is unknown: the mean of the known ones is assumed.
    /// False if there is a task of that id already: the first one counts.
    bool addTask(const std::string& id, graph::OpSpec spec);
    bool hasTask(const std::string& id) const { return tasks_.contains(id); }
    graph::OpSpec& task(const std::string& id) { return specs_[tasks_.at(id)]; }
    std::vector<graph::OpSpec>& tasks() { return specs_; }
    /// The result of a task that was added leaves the graph.
    void markOutput(const std::string& id) { outputs_.push_back(tasks_.at(id)); }

    /// A stated duration in nanoseconds, and a stated number of bytes. What is below 0 or beyond a
    /// hundred days (10^18 bytes) is cut to that, and counted for the report.
    std::int64_t nanoseconds(double seconds);
    std::int64_t bytes(double stated);

    /// Data or a weight that enters the graph; its id is one of those of tasks.
    /// False if that id is taken already: the first one counts.
    bool addInput(const std::string& id, graph::GraphInput input);

    /// `bytes` and `transfer` of -1: not stated; an operand of -1 is the next one (see
    /// GraphBuilder::addEdge). From the id of a graph input: `to` reads it, without a payload.
    void addDependency(const std::string& from, const std::string& to, std::int64_t bytes = -1,
                       std::int64_t transfer = -1, std::int32_t operand = -1);

    /// The task writes or reads a file of that many bytes (-1: not stated). Whoever reads what
    /// another task writes depends on it, and the file's bytes go along that edge; a file that no
    /// task writes is a graph input.
    void addWrite(const std::string& task, const std::string& file, std::int64_t bytes);
    void addRead(const std::string& task, const std::string& file, std::int64_t bytes);

    /// A line for the import report.
    void note(std::string text) { notes_.push_back(std::move(text)); }
    void noteCount(std::size_t count, const std::string& thing, const std::string& what);

    /// Throws InputError, prefixed with `where`, for a cycle.
    ReadGraph build(const std::string& where, std::string format, graph::FileCostUnit unit);

private:
    struct Dependency {
        std::size_t from = 0; // a task, or a graph input
        std::size_t to = 0;
        std::int64_t bytes = -1;
        std::int64_t transfer = -1;
        std::int32_t operand = -1;
        bool fromInput = false;
    };
    struct File {
        std::string name;
        std::optional<std::size_t> writer;
        std::vector<std::size_t> readers;
        std::int64_t bytes = -1; // the writer's figure, else the first reader's
        bool fromWriter = false;
        bool conflict = false; // several sizes
    };

    std::optional<std::size_t> resolve(const std::string& id);
    Dependency* findDependency(std::size_t from, std::size_t to);
    Dependency& insert(const Dependency& dependency);
    File& file(const std::string& name, std::int64_t bytes, bool writes);
    void dependOnWriters();
    void addFileInputs(graph::GraphBuilder& builder) const;
    void addRepairNotes();
    void addRangeNotes();
    void assumeUnknownCosts(graph::FileCostUnit unit);
    void noteUnstatedResults(const graph::Graph& graph, const std::vector<bool>& stated);

    std::string name_;
    Repeated repeated_;
    std::unordered_map<std::string, std::size_t> tasks_;
    std::vector<graph::OpSpec> specs_;
    std::unordered_map<std::string, std::size_t> inputIndex_;
    std::vector<graph::GraphInput> inputs_;
    std::vector<Dependency> dependencies_;
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> dependencyIndex_;
    std::unordered_map<std::string, std::size_t> fileIndex_;
    std::vector<File> files_;
    std::vector<std::size_t> outputs_;
    std::vector<std::string> notes_;

    std::size_t repeatedTasks_ = 0;
    std::size_t foreignNames_ = 0;
    std::size_t repeatedDependencies_ = 0;
    std::size_t selfEdges_ = 0;
    std::size_t absentTasks_ = 0;
    std::string absentExample_;
    std::size_t repeatedWriters_ = 0;
    std::size_t edgesIntoInputs_ = 0;
    std::size_t negativeTimes_ = 0;
    std::size_t longTimes_ = 0;
    std::size_t negativeSizes_ = 0;
    std::size_t largeSizes_ = 0;
};

} // namespace doppler::io
