#include "views/shell/Recovery.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTimer>
#include <QUuid>
#include <utility>

#include "core/io/Formats.h"
#include "core/io/Session.h"
#include "views/workspace/Workspace.h"

namespace doppler::views {

namespace {

constexpr int kIntervalMs = 30'000;

QString lockOf(const QString& path) {
    return path + QStringLiteral(".lock");
}

std::unique_ptr<QLockFile> tryLock(const QString& path) {
    auto lock = std::make_unique<QLockFile>(lockOf(path));
    lock->setStaleLockTime(0); // a lock is void only when its process is gone
    return lock->tryLock(0) ? std::move(lock) : nullptr;
}

} // namespace

Recovery::Recovery(Workspace& workspace, JobRunner& jobs, const QString& folder, QObject* parent)
    : QObject(parent)
    , workspace_(workspace)
    , jobs_(jobs)
    , folder_(folder)
    , timer_(new QTimer(this)) {
    QDir().mkpath(folder_);
    connect(timer_, &QTimer::timeout, this, &Recovery::saveNow);
    timer_->start(kIntervalMs);
    connect(&workspace_, &Workspace::graphChanged, this, [this] { savedIndex_ = -1; });
    // The same index after an undo and another edit is another state.
    connect(&workspace_.undoStack(), &QUndoStack::indexChanged, this, [this] { savedIndex_ = -1; });
}

Recovery::~Recovery() {
    discard();
}

std::optional<Recovery::Found> Recovery::takeOver() {
    const QFileInfoList left =
        QDir(folder_).entryInfoList({QStringLiteral("recovery-*.json")}, QDir::Files, QDir::Time);
    for (const QFileInfo& file : left) {
        if (file.absoluteFilePath() == path_) {
            continue;
        }
        if (std::unique_ptr<QLockFile> lock = tryLock(file.absoluteFilePath())) {
            // Kept apart from what this window writes until somebody decides about it.
            found_ = file.absoluteFilePath();
            foundLock_ = std::move(lock);
            return Found{found_, file.lastModified()};
        }
    }
    return std::nullopt;
}

void Recovery::adopt() {
    discard();
    path_ = std::exchange(found_, {});
    lock_ = std::move(foundLock_);
}

void Recovery::discardFound() {
    QFile::remove(found_);
    foundLock_.reset();
    found_.clear();
}

void Recovery::claimFile() {
    if (path_.isEmpty()) {
        const QString id = QUuid::createUuid().toString(QUuid::Id128).left(8);
        path_ = QDir(folder_).absoluteFilePath(QStringLiteral("recovery-%1.json").arg(id));
        lock_ = tryLock(path_);
    }
}

void Recovery::discard() {
    if (!path_.isEmpty()) {
        QFile::remove(path_);
        lock_.reset();
        path_.clear();
    }
    savedIndex_ = -1;
}

void Recovery::saveNow() {
    const int index = workspace_.undoStack().index();
    if (writing_ || !workspace_.hasProblem() || !workspace_.isModified() || index == savedIndex_) {
        return;
    }
    claimFile();
    savedIndex_ = index;
    writing_ = true;
    Job* job = jobs_.start<bool>(
        {QStringLiteral("Autosave"), false, true},
        [session = workspace_.toSession(), path = path_.toStdString()](JobContext&) {
            io::writeFileAtomically(path, io::writeSession(session));
            return true;
        },
        [](bool) {}, [this](const QString&) { savedIndex_ = -1; });
    // The file may have been given up while it was written.
    connect(job, &Job::finished, this, [this, path = path_] {
        writing_ = false;
        if (path != path_) {
            QFile::remove(path);
        }
    });
}

} // namespace doppler::views
