#include "core/io/TaskGraph.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "core/graph/InputError.h"
#include "core/io/MessageText.h"

namespace doppler::io {

std::string countNote(std::size_t count, const std::string& thing, const std::string& what) {
    std::string things = thing;
    if (count != 1) {
        if (things.ends_with('y')) {
            things.replace(things.size() - 1, 1, "ies");
        } else {
            things += "s";
        }
    }
    return std::to_string(count) + " " + things + " " + what;
}

std::string graphNameOf(const std::string& where) {
    const std::filesystem::path file = std::filesystem::path(where).filename();
    return (file.extension() == ".gz" ? file.stem() : file).stem().string();
}

namespace {

constexpr double kLongestSeconds = 100.0 * 24 * 3600;
constexpr double kMostBytes = 1e18;

} // namespace

std::int64_t toNanoseconds(double seconds) {
    constexpr double kNsPerSecond = 1e9;
    return std::llround(std::clamp(seconds, 0.0, kLongestSeconds) * kNsPerSecond);
}

TaskGraph::TaskGraph(std::string name, Repeated repeated)
    : name_(std::move(name)), repeated_(repeated) {}

std::int64_t TaskGraph::nanoseconds(double seconds) {
    negativeTimes_ += seconds < 0 ? 1 : 0;
    longTimes_ += seconds > kLongestSeconds ? 1 : 0;
    return toNanoseconds(seconds);
}

std::int64_t TaskGraph::bytes(double stated) {
    negativeSizes_ += stated < 0 ? 1 : 0;
    largeSizes_ += stated > kMostBytes ? 1 : 0;
    return std::llround(std::clamp(stated, 0.0, kMostBytes));
}

bool TaskGraph::addTask(const std::string& id, graph::OpSpec spec) {
    if (inputIndex_.contains(id) || !tasks_.try_emplace(id, specs_.size()).second) {
        ++repeatedTasks_;
        return false;
    }
    // Ids stay apart as bytes; what is shown and written again must be text.
    bool foreignBytes = false;
    for (std::string* text : {&spec.name, &spec.kindName, &spec.group, &spec.detail}) {
        std::string utf8 = toUtf8(*text);
        foreignBytes = foreignBytes || utf8 != *text;
        *text = std::move(utf8);
    }
    foreignNames_ += foreignBytes ? 1 : 0;
    specs_.push_back(std::move(spec));
    return true;
}

bool TaskGraph::addInput(const std::string& id, graph::GraphInput input) {
    if (tasks_.contains(id) || !inputIndex_.try_emplace(id, inputs_.size()).second) {
        ++repeatedTasks_;
        return false;
    }
    std::string utf8 = toUtf8(input.name);
    foreignNames_ += utf8 != input.name ? 1 : 0;
    input.name = std::move(utf8);
    inputs_.push_back(std::move(input));
    return true;
}

std::optional<std::size_t> TaskGraph::resolve(const std::string& id) {
    const auto found = tasks_.find(id);
    if (found != tasks_.end()) {
        return found->second;
    }
    if (absentTasks_++ == 0) {
        absentExample_ = id;
    }
    return std::nullopt;
}

TaskGraph::Dependency* TaskGraph::findDependency(std::size_t from, std::size_t to) {
    const auto found = dependencyIndex_.find({from, to});
    return found == dependencyIndex_.end() ? nullptr : &dependencies_[found->second];
}

TaskGraph::Dependency& TaskGraph::insert(const Dependency& dependency) {
    dependencyIndex_.try_emplace({dependency.from, dependency.to}, dependencies_.size());
    dependencies_.push_back(dependency);
    return dependencies_.back();
}

void TaskGraph::addDependency(const std::string& from, const std::string& to, std::int64_t bytes,
                              std::int64_t transfer, std::int32_t operand) {
    if (inputIndex_.contains(to)) {
        ++edgesIntoInputs_;
        return;
    }
    const auto input = inputIndex_.find(from);
    if (input != inputIndex_.end()) {
        if (const auto target = resolve(to)) {
            dependencies_.push_back(
                {.from = input->second, .to = *target, .operand = operand, .fromInput = true});
        }
        return;
    }
    const auto source = resolve(from);
    const auto target = resolve(to);
    if (!source || !target) {
        return;
    }
    if (*source == *target) {
        ++selfEdges_;
        return;
    }
    if (findDependency(*source, *target) != nullptr) {
        ++repeatedDependencies_;
        if (repeated_ == Repeated::Once) {
            return;
        }
    }
    insert({*source, *target, bytes, transfer, operand});
}

TaskGraph::File& TaskGraph::file(const std::string& name, std::int64_t bytes, bool writes) {
    const auto [entry, added] = fileIndex_.try_emplace(name, files_.size());
    if (added) {
        files_.push_back({.name = name});
    }
    File& file = files_[entry->second];
    if (bytes >= 0) {
        file.conflict = file.conflict || (file.bytes >= 0 && file.bytes != bytes);
        if (file.bytes < 0 || (writes && !file.fromWriter)) {
            file.bytes = bytes;
            file.fromWriter = writes;
        }
    }
    return file;
}

void TaskGraph::addWrite(const std::string& task, const std::string& name, std::int64_t bytes) {
    if (const auto writer = resolve(task)) {
        File& written = file(name, bytes, true);
        if (written.writer && *written.writer != *writer) {
            ++repeatedWriters_;
            return;
        }
        written.writer = writer;
    }
}

void TaskGraph::addRead(const std::string& task, const std::string& name, std::int64_t bytes) {
    if (const auto reader = resolve(task)) {
        std::vector<std::size_t>& readers = file(name, bytes, false).readers;
        if (std::find(readers.begin(), readers.end(), *reader) == readers.end()) {
            readers.push_back(*reader);
        }
    }
}

void TaskGraph::noteCount(std::size_t count, const std::string& thing, const std::string& what) {
    if (count > 0) {
        notes_.push_back(countNote(count, thing, what));
    }
}

void TaskGraph::dependOnWriters() {
    const auto plus = [](std::int64_t a, std::int64_t b) {
        std::int64_t sum = 0;
        const bool tooLarge = __builtin_add_overflow(std::max<std::int64_t>(a, 0),
                                                     std::max<std::int64_t>(b, 0), &sum);
        return tooLarge ? std::numeric_limits<std::int64_t>::max() : sum;
    };
    const std::size_t declared = dependencies_.size();
    std::size_t ownReads = 0;
    std::size_t sizesMissing = 0;
    std::size_t conflicts = 0;
    for (const File& file : files_) {
        sizesMissing += file.bytes < 0 ? 1 : 0;
        conflicts += file.conflict ? 1 : 0;
        if (!file.writer) {
            continue;
        }
        specs_[*file.writer].outputBytes = plus(specs_[*file.writer].outputBytes, file.bytes);
        for (const std::size_t reader : file.readers) {
            if (reader == *file.writer) {
                ++ownReads;
                continue;
            }
            Dependency* known = findDependency(*file.writer, reader);
            Dependency& dependency = known != nullptr ? *known : insert({*file.writer, reader});
            dependency.bytes = plus(dependency.bytes, file.bytes);
        }
    }
    std::size_t withoutFile = 0;
    for (Dependency& dependency : dependencies_) {
        if (!files_.empty() && !dependency.fromInput && dependency.bytes < 0) {
            dependency.bytes = 0;
            ++withoutFile;
        }
    }
    noteCount(dependencies_.size() - declared, "dependency",
              "added: files written and read that the file does not declare");
    noteCount(withoutFile, "declared dependency", "without a file: no bytes to move");
    noteCount(ownReads, "file", "read by the task that writes it: ignored");
    noteCount(sizesMissing, "file", "without a size: counted as 0 bytes");
    noteCount(conflicts, "file", "of several sizes: the writer's figure counts, else the first");
    noteCount(repeatedWriters_, "file", "written by several tasks: the first one counts");
}

void TaskGraph::addFileInputs(graph::GraphBuilder& builder) const {
    for (const File& file : files_) {
        if (file.writer || file.readers.empty()) {
            continue;
        }
        const InputId input = builder.addInput(
            {.name = toUtf8(file.name), .bytes = std::max<std::int64_t>(file.bytes, 0)});
        for (const std::size_t reader : file.readers) {
            builder.addInputUse(input, static_cast<OpId>(reader));
        }
    }
}

void TaskGraph::addRepairNotes() {
    noteCount(repeatedTasks_, "task", "with the id of an earlier one: dropped");
    noteCount(foreignNames_, "task", "named in bytes that are not UTF-8: shown as U+FFFD");
    noteCount(repeatedDependencies_, "repeated dependency",
              repeated_ == Repeated::Sum ? "merged, payloads added up" : "merged");
    noteCount(selfEdges_, "dependency", "of a task on itself: dropped");
    noteCount(edgesIntoInputs_, "dependency", "of a graph input on something: dropped");
    if (absentTasks_ > 0) {
        notes_.push_back(countNote(absentTasks_, "reference", "to absent tasks") + " (such as " +
                         quotedText(absentExample_) + "): dropped");
    }
}

void TaskGraph::addRangeNotes() {
    noteCount(negativeTimes_, "time", "below 0: counted as 0");
    noteCount(longTimes_, "time", "above 100 days: cut to that");
    noteCount(negativeSizes_, "size", "below 0: counted as 0");
    noteCount(largeSizes_, "size", "above 10^18 bytes: cut to that");
}

void TaskGraph::assumeUnknownCosts(graph::FileCostUnit unit) {
    if (unit == graph::FileCostUnit::None) {
        return;
    }
    double sum = 0;
    std::size_t unknown = 0;
    for (const graph::OpSpec& spec : specs_) {
        unknown += spec.fileCompute < 0 ? 1 : 0;
        sum += static_cast<double>(std::max<std::int64_t>(spec.fileCompute, 0));
    }
    const std::size_t known = specs_.size() - unknown;
    const std::int64_t one = unit == graph::FileCostUnit::Units ? 1 : toNanoseconds(1);
    const std::int64_t assumed =
        known == 0 ? one
                   : std::max<std::int64_t>(
                         1, std::llround(std::min(sum / static_cast<double>(known), 1e18)));
    for (graph::OpSpec& spec : specs_) {
        if (spec.fileCompute < 0) {
            spec.fileCompute = assumed;
            spec.costEstimated = true;
        }
    }
    const char* standIn = known > 0                            ? "the mean of the others assumed"
                          : unit == graph::FileCostUnit::Units ? "1 unit assumed"
                                                               : "1 s assumed";
    noteCount(unknown, "task", std::string("without a stated compute cost: ") + standIn);
}

/// An edge may carry bytes of a result whose own size nobody states; its memory is then too small.
void TaskGraph::noteUnstatedResults(const graph::Graph& graph, const std::vector<bool>& stated) {
    std::size_t unstated = 0;
    for (OpId op = 0; op < graph.opCount(); ++op) {
        bool carried = false;
        for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
            carried = carried || graph.edgeBytes(edge) > 0;
        }
        const bool counted = graph.outputBytes(op) > 0 || stated[static_cast<std::size_t>(op)];
        unstated += carried && !counted ? 1 : 0;
    }
    if (unstated > 0) {
        notes_.push_back("results have no stated size: memory counts 0 B for " +
                         std::to_string(unstated) + (unstated == 1 ? " op" : " ops"));
    }
}

ReadGraph TaskGraph::build(const std::string& where, std::string format, graph::FileCostUnit unit) {
    dependOnWriters();
    addRepairNotes();
    addRangeNotes();
    assumeUnknownCosts(unit);
    graph::GraphBuilder builder(toUtf8(name_));
    builder.setFileCostUnit(unit);
    std::vector<bool> stated; // the sizes of results, by op
    for (graph::OpSpec& spec : specs_) {
        stated.push_back(spec.outputBytes >= 0);
        builder.addOp(std::move(spec));
    }
    for (graph::GraphInput& input : inputs_) {
        builder.addInput(std::move(input));
    }
    for (const Dependency& dependency : dependencies_) {
        const auto from = static_cast<std::int32_t>(dependency.from);
        const auto to = static_cast<OpId>(dependency.to);
        if (dependency.fromInput) {
            builder.addInputUse(from, to, dependency.operand);
        } else {
            builder.addEdge(from, to, dependency.operand, dependency.bytes, dependency.transfer);
        }
    }
    addFileInputs(builder);
    for (const std::size_t output : outputs_) {
        builder.markOutput(static_cast<OpId>(output));
    }
    ReadGraph result;
    try {
        result.graph = builder.build();
    } catch (const InputError& error) {
        throw InputError(where + ": " + error.what());
    }
    noteUnstatedResults(*result.graph, stated);
    result.format = std::move(format);
    result.report.notes = std::move(notes_);
    return result;
}

} // namespace doppler::io
