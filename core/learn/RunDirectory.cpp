#include "core/learn/RunDirectory.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "core/graph/InputError.h"
#include "core/io/Formats.h"
#include "core/io/JsonText.h"
#include "core/learn/TrainOptionsJson.h"

namespace doppler::learn {

namespace {

constexpr const char* kRun = "run.json";
constexpr const char* kEpisodes = "episodes.csv";
constexpr const char* kCheckpoint = "checkpoint.pt";
constexpr const char* kEpisodesHeader = "episode,update,stage,problem,makespan,predicted,best\n";
constexpr std::size_t kMostPending = 1 << 16;

std::string bestName(std::size_t problem) {
    return problem == 0 ? "best.assignment.json"
                        : "best." + std::to_string(problem + 1) + ".assignment.json";
}

io::OrderedJson problemJson(const sim::Problem& problem, const std::string& hash) {
    return {{"graph", problem.graph->name()},
            {"cluster", problem.cluster->name()},
            {"ops", problem.opCount()},
            {"edges", problem.graph->edgeCount()},
            {"devices", problem.deviceCount()},
            {"costs", std::string(cost::name(problem.costs->model()))},
            {"unit", std::string(cost::name(problem.costs->unit()))},
            {"hash", hash}};
}

} // namespace

RunDirectory::RunDirectory(const std::filesystem::path& path, bool resume) : path_(path) {
    if (!wanted()) {
        return;
    }
    std::filesystem::create_directories(path_);
    holdsRun_ = resume && std::filesystem::exists(path_ / kCheckpoint);
    if (!holdsRun_ && std::filesystem::exists(path_ / kRun)) {
        throw InputError("folder \"" + path.string() + "\"",
                         resume ? "a training run without a checkpoint" : "a training run",
                         resume ? "a run with a checkpoint to resume from, or an empty folder"
                                : "an empty folder, or to resume that run");
    }
}

Checkpoint RunDirectory::load() const {
    return readCheckpoint(path_ / kCheckpoint);
}

void RunDirectory::start(const TrainRequest& request, const std::vector<std::string>& hashes) {
    if (!wanted()) {
        return;
    }
    io::OrderedJson problems = io::OrderedJson::array();
    for (std::size_t i = 0; i < request.problems.size(); ++i) {
        problems.push_back(problemJson(*request.problems[i], hashes[i]));
    }
    io::OrderedJson run = {{"format", "doppler-run/1"},
                           {"programVersion", DOPPLER_VERSION},
                           {"seed", request.seed},
                           {"budgetSeconds", nullptr},
                           {"init", request.init.string()},
                           {"problems", std::move(problems)},
                           {"options", toJson(request.options)}};
    if (request.budgetSeconds) {
        run["budgetSeconds"] = *request.budgetSeconds;
    }
    constexpr int kIndent = 2;
    io::writeFileAtomically(path_ / kRun, run.dump(kIndent) + "\n");
    io::writeFileAtomically(path_ / kEpisodes, kEpisodesHeader);
    written_ = static_cast<std::int64_t>(std::string_view(kEpisodesHeader).size());
}

void RunDirectory::continueFrom(const Checkpoint& checkpoint) {
    for (const SavedProblem& problem : checkpoint.problems) {
        kept_.push_back(problem.kept);
    }
    written_ = checkpoint.progress.episodesFileBytes;
    const std::filesystem::path file = path_ / kEpisodes;
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(file, error);
    if (error || size < static_cast<std::uintmax_t>(written_)) {
        throw InputError("file \"" + file.string() + "\"",
                         error ? "none" : std::to_string(size) + " bytes",
                         "the " + std::to_string(written_) + " bytes that the checkpoint knows of");
    }
    std::filesystem::resize_file(file, static_cast<std::uintmax_t>(written_));
}

void RunDirectory::addEpisodes(const UpdateFacts& facts) {
    if (!wanted()) {
        return;
    }
    const std::string middle = "," + std::to_string(facts.update) + "," +
                               std::string(name(facts.stage)) + "," +
                               std::to_string(facts.problem) + ",";
    const std::string end = "," + std::to_string(facts.best) + "\n";
    std::int64_t episode = facts.episodes - static_cast<std::int64_t>(facts.makespans.size());
    for (std::size_t i = 0; i < facts.makespans.size(); ++i) {
        pending_ += std::to_string(++episode) + middle + std::to_string(facts.makespans[i]) + "," +
                    (facts.predicted.empty() ? "" : std::to_string(facts.predicted[i])) + end;
    }
    if (pending_.size() > kMostPending) {
        flushEpisodes();
    }
}

void RunDirectory::flushEpisodes() {
    std::ofstream stream(path_ / kEpisodes, std::ios::binary | std::ios::app);
    stream << pending_ << std::flush;
    if (!stream) {
        throw std::runtime_error("cannot write \"" + (path_ / kEpisodes).string() + "\"");
    }
    written_ += static_cast<std::int64_t>(pending_.size());
    pending_.clear();
}

void RunDirectory::save(Checkpoint& checkpoint, const TrainRequest& request) {
    if (!wanted()) {
        return;
    }
    flushEpisodes();
    for (std::size_t i = 0; i < checkpoint.problems.size(); ++i) {
        saveBest(i, *request.problems[i], checkpoint.problems[i].best);
    }
    for (std::size_t i = 0; i < checkpoint.problems.size(); ++i) {
        checkpoint.problems[i].kept = kept(i);
    }
    checkpoint.progress.episodesFileBytes = written_;
    writeCheckpoint(path_ / kCheckpoint, checkpoint);
}

void RunDirectory::saveBest(std::size_t index, const sim::Problem& problem,
                            const SavedRecord& best) {
    bestWritten_.resize(std::max(bestWritten_.size(), index + 1));
    kept_.resize(std::max(kept_.size(), index + 1));
    if (best.makespan == 0 || best.makespan == bestWritten_[index] ||
        (kept_[index] != 0 && best.makespan >= kept_[index])) {
        return;
    }
    writeBest(index, problem, best.assignment);
    bestWritten_[index] = best.makespan;
    kept_[index] = 0;
}

void RunDirectory::keepBest(std::size_t index, const sim::Problem& problem, Time makespan,
                            const sim::Assignment& assignment) {
    kept_.resize(std::max(kept_.size(), index + 1));
    if (!wanted() || (kept_[index] != 0 && makespan >= kept_[index])) {
        return;
    }
    writeBest(index, problem, assignment);
    kept_[index] = makespan;
}

void RunDirectory::forgetBests() {
    bestWritten_.clear();
    kept_.clear();
}

void RunDirectory::writeBest(std::size_t index, const sim::Problem& problem,
                             const sim::Assignment& assignment) const {
    io::writeFileAtomically(
        path_ / bestName(index),
        io::writeAssignmentJson(assignment, *problem.graph, *problem.cluster, "doppler"));
}

} // namespace doppler::learn
