#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/learn/Checkpoint.h"
#include "core/learn/FolderLock.h"

namespace doppler::learn {

/// The folder of a training run:
///  - run.json: what was asked for (problems and their hashes, options, seed, program version);
///  - episodes.csv: a line an episode, only ever appended to (after a crash, resuming cuts off what
///    came after the last checkpoint, and makes it again); no makespan where it could not run;
///  - checkpoint.pt: see Checkpoint; replaced atomically;
///  - best.assignment.json: the best placement (best.2.assignment.json, ... for further problems).
/// The checkpoint is what resuming trusts; run.json follows it. While an object lives, no other
/// training has the folder. An object without a folder does nothing.
class RunDirectory {
public:
    /// Throws InputError if the folder holds anything of a run and `resume` is not set, if it holds
    /// no checkpoint and `resume` is set, and if another training uses it; std::runtime_error if it
    /// cannot be made. A run that ended before its first checkpoint counts for none: without
    /// `resume` it begins again.
    RunDirectory(const std::filesystem::path& path, bool resume);

    bool wanted() const { return !path_.empty(); }
    /// There is a run to continue.
    bool holdsRun() const { return holdsRun_; }
    Checkpoint load() const;

    /// Writes run.json and an empty episodes.csv.
    void start(const TrainRequest& request, const std::vector<std::string>& hashes);
    /// Cuts episodes.csv to what the checkpoint knows of. Where run.json is missing, cannot be read
    /// or tells of another run than the checkpoint does, writes it anew from `request`, whose
    /// options and seed are the checkpoint's; the sentences returned say so.
    std::vector<std::string> continueFrom(const Checkpoint& checkpoint, const TrainRequest& request,
                                          const std::vector<std::string>& hashes);

    void addEpisodes(const UpdateFacts& facts);
    /// Writes the episodes so far, the best placements and the checkpoint.
    void save(Checkpoint& checkpoint, const TrainRequest& request);
    /// Writes the best placement of the end of a run, which no checkpoint holds. A worse one does
    /// not replace it once the run is resumed.
    void keepBest(std::size_t index, const sim::Problem& problem, Time rank,
                  const sim::Assignment& assignment);
    /// Its rankOf(); 0: none was kept, or a better one has replaced it.
    Time kept(std::size_t index) const { return index < kept_.size() ? kept_[index] : 0; }
    /// From here on makespans mean something else, and compare with none before.
    void forgetBests();

private:
    void saveBest(std::size_t index, const sim::Problem& problem, const SavedRecord& best);
    void writeBest(std::size_t index, const sim::Problem& problem,
                   const sim::Assignment& assignment) const;
    void flushEpisodes();

    std::filesystem::path path_;
    FolderLock lock_;
    bool holdsRun_ = false;
    std::string pending_;           // lines of episodes.csv not yet written
    std::int64_t written_ = 0;      // bytes of episodes.csv
    std::vector<Time> bestWritten_; // by problem, as ranked
    std::vector<Time> kept_;        // the same
};

} // namespace doppler::learn
