#include <algorithm>
#include <limits>

#include "core/graph/InputError.h"
#include "core/io/ForeignFormats.h"
#include "core/io/LineScanner.h"
#include "core/io/MessageText.h"
#include "core/io/TaskGraph.h"

// Standard Task Graph Set (Kasahara laboratory, Waseda University):
//   line 1: number of tasks, without the dummy entry and exit; in the prototype form also the
//           number of processors, and no dummies
//   a line a task: id, processing time, number of predecessors, their ids
//   a variant states communication costs: each predecessor and its cost on a line of its own
//   # starts a comment

namespace doppler::io {

namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMostTasks = 100'000'000;

bool isNumber(std::string_view word) {
    return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Moves to the next line that holds more than a comment.
bool nextTaskLine(LineScanner& lines) {
    while (lines.next()) {
        if (!lines.line().empty() && lines.line().front() != '#') {
            return true;
        }
    }
    return false;
}

class StgReader {
public:
    StgReader(std::string_view text, const std::string& where)
        : lines_(text, where), where_(where), tasks_(graphNameOf(where), Repeated::Once) {}

    ReadGraph read() {
        readHeader();
        while (nextTaskLine(lines_)) {
            readTask();
        }
        const auto found = static_cast<std::int64_t>(dependencies_.tasks);
        if (found < stated_) {
            throw InputError(lines_.place(),
                             "the end of the text after " + std::to_string(found) + " tasks",
                             std::to_string(stated_) + " (line 1)");
        }
        for (const Edge& edge : dependencies_.edges) {
            tasks_.addDependency(edge.from, edge.to, -1, edge.cost);
        }
        tasks_.note(dependencies_.costs
                        ? "read as the variant with communication costs"
                        : "no communication costs in the file: transfers take no time");
        return tasks_.build(where_, "STG", graph::FileCostUnit::Units);
    }

private:
    struct Edge {
        std::string from;
        std::string to;
        std::int64_t cost = -1;
    };
    struct Dependencies {
        std::vector<Edge> edges;
        std::size_t tasks = 0;
        bool costs = false;
    };

    void readHeader() {
        if (!nextTaskLine(lines_)) {
            throw InputError(where_, "no task", "the number of tasks");
        }
        const std::vector<std::string_view> words = lines_.words();
        if (words.size() > 2) {
            throw InputError(lines_.place(), quotedText(lines_.line()),
                             "the number of tasks, and perhaps that of processors");
        }
        stated_ = lines_.integer(words.front(), "number of tasks", kMostTasks);
        if (words.size() == 2) {
            const std::int64_t processors =
                lines_.integer(words[1], "number of processors", kMostTasks);
            tasks_.note(countNote(static_cast<std::size_t>(processors), "processor",
                                  "named by the file: not used, the cluster has its own devices"));
        }
    }

    void readTask() {
        const std::vector<std::string_view> words = lines_.words();
        if (words.size() < 3) {
            throw InputError(lines_.place(), quotedText(lines_.line()),
                             "id, processing time and number of predecessors");
        }
        const std::string id(words[0]);
        lines_.integer(words[0], "task id", kMostTasks);
        const std::int64_t time = lines_.integer(words[1], "processing time", kLargest);
        const std::int64_t count = lines_.integer(words[2], "number of predecessors", kMostTasks);
        ++dependencies_.tasks;
        tasks_.addTask(id, {.name = "task " + id, .kindName = "task", .fileCompute = time});
        const auto given = static_cast<std::int64_t>(words.size()) - 3;
        if (given == 0 && count > 0) {
            readCostLines(id, count);
            return;
        }
        if (given != count) {
            throw InputError(lines_.place(), std::to_string(given) + " predecessors",
                             std::to_string(count) + ", as the third number says");
        }
        for (std::size_t i = 3; i < words.size(); ++i) {
            lines_.integer(words[i], "predecessor", kMostTasks);
            dependencies_.edges.push_back({std::string(words[i]), id});
        }
    }

    void readCostLines(const std::string& id, std::int64_t count) {
        dependencies_.costs = true;
        for (std::int64_t i = 0; i < count; ++i) {
            const bool any = nextTaskLine(lines_);
            const std::vector<std::string_view> words = lines_.words();
            if (!any || words.size() != 2) {
                throw InputError(lines_.place(), any ? quotedText(lines_.line()) : "the end",
                                 "a predecessor of task " + id + " and its cost");
            }
            lines_.integer(words[0], "predecessor", kMostTasks);
            dependencies_.edges.push_back(
                {std::string(words[0]), id,
                 lines_.integer(words[1], "communication cost", kLargest)});
        }
    }

    LineScanner lines_;
    std::string where_;
    TaskGraph tasks_;
    Dependencies dependencies_;
    std::int64_t stated_ = 0;
};

} // namespace

bool looksLikeStg(std::string_view text) {
    LineScanner lines(text, "");
    if (!nextTaskLine(lines)) {
        return false;
    }
    const auto counts = lines.words();
    if (counts.empty() || counts.size() > 2 ||
        !std::all_of(counts.begin(), counts.end(), isNumber)) {
        return false;
    }
    // The paper's text goes on with a comma list; a task line has three numbers or more. Bad ones
    // among them are for the reader to name.
    return nextTaskLine(lines) && lines.words().size() >= 3 &&
           lines.line().find(',') == std::string_view::npos;
}

ReadGraph parseStg(std::string_view text, const std::string& where) {
    return StgReader(text, where).read();
}

} // namespace doppler::io
