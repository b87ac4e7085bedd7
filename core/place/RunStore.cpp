#include "core/place/RunStore.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "core/graph/InputError.h"
#include "core/io/Formats.h"
#include "core/io/JsonField.h"
#include "core/place/Objective.h"

namespace doppler::place {

namespace {

constexpr const char* kFormat = "doppler-runs/1";

/// The file, open for appending and locked against other programs.
class LockedFile {
public:
    explicit LockedFile(const std::filesystem::path& path)
        : path_(path), file_(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
        if (file_ < 0) {
            fail();
        }
        // Where a file system knows no locks, appending whole lines must do.
        while (::flock(file_, LOCK_EX) != 0 && errno == EINTR) {
        }
    }
    ~LockedFile() { ::close(file_); }
    LockedFile(const LockedFile&) = delete;
    LockedFile& operator=(const LockedFile&) = delete;

    void append(std::string_view text) const {
        while (!text.empty()) {
            const ssize_t written = ::write(file_, text.data(), text.size());
            if (written < 0 && errno != EINTR) {
                fail();
            }
            text.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
        }
        if (::fdatasync(file_) != 0 && errno != EINVAL) {
            fail();
        }
    }
    void cut(std::size_t size) const {
        if (::ftruncate(file_, static_cast<off_t>(size)) != 0) {
            fail();
        }
    }

private:
    [[noreturn]] void fail() const {
        throw std::runtime_error("cannot write \"" + path_.string() +
                                 "\": " + std::strerror(errno));
    }

    const std::filesystem::path& path_;
    int file_;
};

std::string whereOf(const std::filesystem::path& file, std::size_t line) {
    return file.string() + ", line " + std::to_string(line);
}

/// A run has no format.
void refuseSecondHead(std::string_view row, const std::string& where) {
    if (row.find("\"format\"") == std::string_view::npos) {
        return;
    }
    const io::JsonDocument document = parseJsonLine(row, where);
    const io::JsonField root(document);
    if (root.isObject() && root.find("format")) {
        throw InputError(where, "a second first line, as where two files were joined",
                         "a run; a line with \"format\" stands only at the beginning");
    }
}

} // namespace

RunStore::RunStore(std::filesystem::path file, Damaged damaged, const Check& check)
    : file_(std::move(file)) {
    if (std::filesystem::is_directory(file_)) {
        throw InputError("\"" + file_.string() + "\"", "a folder", "a file of runs");
    }
    const LockedFile locked(file_);
    const std::string text = io::readFile(file_);
    const std::size_t end = text.rfind('\n') + 1; // 0 without any line
    std::size_t line = 0;
    for (std::size_t begin = 0; begin < end; ++line) {
        const std::size_t next = text.find('\n', begin);
        const std::string_view row(text.data() + begin, next - begin);
        begin = next + 1;
        if (line == 0) {
            io::requireFormat(parseJsonLine(row, whereOf(file_, 1)), kFormat);
        } else if (!row.empty()) {
            try {
                const std::string where = whereOf(file_, line + 1);
                refuseSecondHead(row, where);
                RunRecord record = parseRunLine(row, where);
                if (check) {
                    check(record, where);
                }
                keep(std::move(record));
            } catch (const InputError& error) {
                if (damaged == Damaged::Refuse) {
                    throw;
                }
                damagedLines_.emplace_back(error.what());
            }
        }
    }
    const std::string head = std::string("{\"format\":\"") + kFormat + "\"}\n";
    if (end < text.size()) {
        if (end == 0 && head.compare(0, text.size(), text) != 0) {
            io::requireFormat(parseJsonLine(text, whereOf(file_, 1)), kFormat);
        }
        droppedBytes_ = text.size() - end;
        locked.cut(end);
    }
    if (end == 0) {
        locked.append(head);
    }
}

std::shared_ptr<const RunRecord> RunStore::find(const RunKey& key) const {
    const std::lock_guard lock(mutex_);
    const auto found = runs_.find(key);
    return found == runs_.end() ? nullptr : found->second;
}

void RunStore::keep(RunRecord record) {
    const auto note = [&](const std::string& objective, Time reached) {
        const auto best = best_.try_emplace({record.key.problem, objective}, reached).first;
        best->second = std::min(best->second, reached);
    };
    // What does not fit counts only where the objective lets it.
    if (!record.memoryOverflow) {
        note("makespan", record.makespan); // whatever was made small
    }
    if (!record.memoryOverflow ||
        parseObjective(record.key.objective).memory != Objective::Memory::Hard) {
        note(record.key.objective, record.compared());
    }
    const RunKey key = record.key;
    runs_[key] = std::make_shared<const RunRecord>(std::move(record));
}

void RunStore::add(RunRecord record) {
    if (!file_.empty()) {
        const std::string line = writeRunLine(record) + '\n';
        const std::lock_guard lock(fileMutex_);
        LockedFile(file_).append(line);
    }
    const std::lock_guard lock(mutex_);
    keep(std::move(record));
}

std::optional<Time> RunStore::best(const std::string& problem, const std::string& objective) const {
    const std::lock_guard lock(mutex_);
    const auto found = best_.find({problem, objective});
    return found == best_.end() ? std::nullopt : std::optional(found->second);
}

std::size_t RunStore::size() const {
    const std::lock_guard lock(mutex_);
    return runs_.size();
}

} // namespace doppler::place
