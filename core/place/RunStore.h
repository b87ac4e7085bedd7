#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/place/ComparisonRecord.h"

namespace doppler::place {

/// The runs of experiments, kept in memory and, if wanted, in a file that only ever grows: a line
/// {"format": "doppler-runs/1"}, then one run a line, each on disk before the next begins. A line
/// that a crash cut short is dropped; several programs may add to one file. Thread-safe.
class RunStore {
public:
    /// What to do with a whole line that is no run.
    enum class Damaged {
        Refuse,  ///< throw InputError with its number
        SetAside ///< leave it in the file, unused, and tell of it in damagedLines()
    };
    /// Throws InputError for a run that cannot be; `where` names file and line.
    using Check = std::function<void(const RunRecord& record, const std::string& where)>;

    /// In memory only.
    RunStore() = default;
    /// Reads the file, or starts it. Throws InputError for another kind of file,
    /// std::runtime_error if it cannot be written. A run that `check` refuses is a damaged line.
    explicit RunStore(std::filesystem::path file, Damaged damaged = Damaged::Refuse,
                      const Check& check = {});

    /// Null if that run was not made.
    std::shared_ptr<const RunRecord> find(const RunKey& key) const;
    /// Replaces a run with an equal key. Throws std::runtime_error if it cannot be written.
    void add(RunRecord record);
    /// The least makespan that any method, budget or version has reached on a problem with a
    /// placement that fits the memory; or the least value of another objective, which may let it
    /// not fit.
    std::optional<Time> best(const std::string& problem,
                             const std::string& objective = "makespan") const;
    std::size_t size() const;
    /// Bytes of a run that a crash cut short, dropped when the file was opened.
    std::size_t droppedBytes() const { return droppedBytes_; }
    /// What is wrong with each line that was set aside when the file was opened.
    const std::vector<std::string>& damagedLines() const { return damagedLines_; }

private:
    void keep(RunRecord record);

    std::filesystem::path file_;
    std::size_t droppedBytes_ = 0;
    std::vector<std::string> damagedLines_;
    std::mutex fileMutex_;     // of file_, which may be slow
    mutable std::mutex mutex_; // of what follows; never held while the file is written
    std::map<RunKey, std::shared_ptr<const RunRecord>> runs_;
    std::map<std::pair<std::string, std::string>, Time> best_; ///< by problem and objective
};

} // namespace doppler::place
