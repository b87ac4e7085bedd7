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
constexpr const char* kBest = "best.assignment.json";
constexpr const char* kFormat = "doppler-run/1";
constexpr const char* kEpisodesHeader = "episode,update,stage,problem,makespan,predicted,best\n";

std::string bestName(std::size_t problem) {
    return problem == 0 ? kBest : "best." + std::to_string(problem + 1) + ".assignment.json";
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

io::OrderedJson runJson(const TrainRequest& request, const std::vector<std::string>& hashes) {
    io::OrderedJson problems = io::OrderedJson::array();
    for (std::size_t i = 0; i < request.problems.size(); ++i) {
        problems.push_back(problemJson(*request.problems[i], hashes[i]));
    }
    io::OrderedJson run = {{"format", kFormat},
                           {"programVersion", DOPPLER_VERSION},
                           {"seed", request.seed},
                           {"budgetSeconds", nullptr},
                           {"init", request.init.string()},
                           {"problems", std::move(problems)},
                           {"options", toJson(request.options)}};
    if (request.budgetSeconds) {
        run["budgetSeconds"] = *request.budgetSeconds;
    }
    return run;
}

void writeRun(const std::filesystem::path& file, const io::OrderedJson& run) {
    constexpr int kIndent = 2;
    io::writeFileAtomically(file, run.dump(kIndent) + "\n");
}

/// What is wrong with run.json, as the rest of a sentence that it begins; empty: nothing.
std::string faultOf(const io::Json& found, const io::Json& expected,
                    const std::vector<std::string>& hashes) {
    if (!found.is_object() || found.value("format", io::Json()) != kFormat) {
        return "is damaged or of another version";
    }
    for (const char* key : {"seed", "options"}) {
        if (found.value(key, io::Json()) != expected[key]) {
            return std::string("tells of other ") + (key[0] == 's' ? "seeds" : key) +
                   " than the checkpoint";
        }
    }
    const io::Json problems = found.value("problems", io::Json::array());
    bool same = problems.is_array() && problems.size() == hashes.size();
    for (std::size_t i = 0; same && i < hashes.size(); ++i) {
        same = problems[i].is_object() && problems[i].value("hash", io::Json()) == hashes[i];
    }
    return same ? "" : "tells of other problems than the checkpoint";
}

/// What a run leaves that was killed before its first checkpoint, and nothing else.
bool neverBegan(const std::filesystem::path& folder) {
    if (std::filesystem::exists(folder / kBest)) {
        return false;
    }
    if (std::filesystem::exists(folder / kEpisodes) &&
        io::readFile(folder / kEpisodes) != kEpisodesHeader) {
        return false;
    }
    const io::Json run = io::Json::parse(io::readFile(folder / kRun), nullptr, false);
    return run.is_object() && run.value("format", io::Json()) == kFormat;
}

void checkFolder(const std::filesystem::path& path, bool resume) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    const std::string where = "folder \"" + path.string() + "\"";
    if (std::filesystem::exists(status) && !std::filesystem::is_directory(status)) {
        throw InputError(where, "a file", "a folder");
    }
    if (resume && !std::filesystem::exists(status)) {
        throw InputError(where, "none", "the folder of a training run to resume");
    }
    std::filesystem::create_directories(path, error);
    if (error == std::errc::not_a_directory) {
        throw InputError(where, "a file on the way to it", "folders only");
    }
    if (error) {
        throw std::runtime_error("cannot make the " + where + ": " + error.message());
    }
}

} // namespace

RunDirectory::RunDirectory(const std::filesystem::path& path, bool resume) : path_(path) {
    if (!wanted()) {
        return;
    }
    checkFolder(path_, resume);
    lock_ = FolderLock(path_);
    std::string found;
    for (const char* file : {kRun, kEpisodes, kBest, kCheckpoint}) {
        found = std::filesystem::exists(path_ / file) ? file : found;
    }
    holdsRun_ = resume && found == kCheckpoint;
    const std::string where = "folder \"" + path.string() + "\"";
    const bool hasRun = std::filesystem::exists(path_ / kRun);
    if (hasRun && found != kCheckpoint && neverBegan(path_)) {
        if (resume) {
            throw InputError(where, "a run that ended before it began",
                             "one with a checkpoint; without resuming it begins again");
        }
        return; // nothing is lost by beginning again
    }
    if (resume && !holdsRun_) {
        throw InputError(where,
                         found.empty() ? "no training run" : "a training run without a checkpoint",
                         "a run with a checkpoint to resume from");
    }
    if (!resume && !found.empty()) {
        throw InputError(where, "a training run (" + found + ")",
                         found == kCheckpoint ? "a folder without one, or to resume that run"
                                              : "a folder without one");
    }
}

Checkpoint RunDirectory::load() const {
    return readCheckpoint(path_ / kCheckpoint);
}

void RunDirectory::start(const TrainRequest& request, const std::vector<std::string>& hashes) {
    if (!wanted()) {
        return;
    }
    writeRun(path_ / kRun, runJson(request, hashes));
    io::writeFileAtomically(path_ / kEpisodes, kEpisodesHeader);
    written_ = static_cast<std::int64_t>(std::string_view(kEpisodesHeader).size());
}

std::vector<std::string> RunDirectory::continueFrom(const Checkpoint& checkpoint,
                                                    const TrainRequest& request,
                                                    const std::vector<std::string>& hashes) {
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
                         "the " + std::to_string(written_) +
                             " bytes that the checkpoint knows of; a new run in another folder can "
                             "begin with the weights of this checkpoint");
    }
    std::filesystem::resize_file(file, static_cast<std::uintmax_t>(written_), error);
    if (error) {
        throw std::runtime_error("cannot write \"" + file.string() + "\": " + error.message());
    }

    io::OrderedJson run = runJson(request, hashes);
    std::string fault = "was missing";
    if (std::filesystem::exists(path_ / kRun)) {
        const io::Json found = io::Json::parse(io::readFile(path_ / kRun), nullptr, false);
        fault = faultOf(found, io::Json::parse(run.dump()), hashes);
        if (found.is_object() && found.contains("init")) {
            run["init"] = found["init"]; // no checkpoint knows it
        }
    }
    if (fault.empty()) {
        return {};
    }
    writeRun(path_ / kRun, run);
    return {"run.json " + fault + ": it was written anew, the checkpoint counts"};
}

void RunDirectory::addEpisodes(const UpdateFacts& facts) {
    if (!wanted()) {
        return;
    }
    const std::string middle = "," + std::to_string(facts.update) + "," +
                               std::string(name(facts.stage)) + "," +
                               std::to_string(facts.problem) + ",";
    const auto text = [](Time makespan) { // empty: could not run
        return makespan == 0 ? std::string() : std::to_string(makespan);
    };
    // In the simulator a makespan of 0 is one.
    const bool measured = facts.stage == Stage::System;
    const std::string end = "," + (measured ? text(facts.best) : std::to_string(facts.best)) + "\n";
    std::int64_t episode = facts.episodes - static_cast<std::int64_t>(facts.makespans.size());
    for (std::size_t i = 0; i < facts.makespans.size(); ++i) {
        pending_ += std::to_string(++episode) + middle +
                    (measured ? text(facts.makespans[i]) : std::to_string(facts.makespans[i])) +
                    "," + (facts.predicted.empty() ? "" : std::to_string(facts.predicted[i])) + end;
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
    // In this order: where there are episodes, there is a best.
    for (std::size_t i = 0; i < checkpoint.problems.size(); ++i) {
        saveBest(i, *request.problems[i], checkpoint.problems[i].best);
    }
    for (std::size_t i = 0; i < checkpoint.problems.size(); ++i) {
        checkpoint.problems[i].kept = kept(i);
    }
    flushEpisodes();
    checkpoint.progress.episodesFileBytes = written_;
    writeCheckpoint(path_ / kCheckpoint, checkpoint);
}

void RunDirectory::saveBest(std::size_t index, const sim::Problem& problem,
                            const SavedRecord& best) {
    bestWritten_.resize(std::max(bestWritten_.size(), index + 1), -1); // none yet
    kept_.resize(std::max(kept_.size(), index + 1));
    const Time rank = rankOf(best.makespan, best.fits);
    if (best.assignment.empty() || rank == bestWritten_[index] ||
        (kept_[index] != 0 && rank >= kept_[index])) {
        return;
    }
    writeBest(index, problem, best.assignment);
    bestWritten_[index] = rank;
    kept_[index] = 0;
}

void RunDirectory::keepBest(std::size_t index, const sim::Problem& problem, Time rank,
                            const sim::Assignment& assignment) {
    kept_.resize(std::max(kept_.size(), index + 1));
    if (!wanted() || (kept_[index] != 0 && rank >= kept_[index])) {
        return;
    }
    writeBest(index, problem, assignment);
    kept_[index] = rank;
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
