#pragma once

#include <QDateTime>
#include <QLockFile>
#include <QObject>
#include <QString>
#include <memory>
#include <optional>

class QTimer;

namespace doppler::views {

class JobRunner;
class Workspace;

/// Writes the session aside while it has unsaved changes, and finds what a crashed window left.
/// Each running window holds a lock on its own file, so that windows never mistake each other's.
class Recovery : public QObject {
    Q_OBJECT

public:
    struct Found {
        QString path;
        QDateTime when;
    };

    /// `folder` is made where it is missing.
    Recovery(Workspace& workspace, JobRunner& jobs, const QString& folder,
             QObject* parent = nullptr);
    /// A window that closes in peace leaves nothing.
    ~Recovery() override;

    /// The newest session that a window left behind, if any. Its file stays as it is until
    /// adopt() or discardFound().
    std::optional<Found> takeOver();
    /// The found session was opened: its file becomes the one that this window writes.
    void adopt();
    void discardFound();
    /// Forgets what was written: after saving, or when changes are given up.
    void discard();
    /// Writes now, in the background, if anything changed since the last time.
    void saveNow();
    QString path() const { return path_; }

private:
    void claimFile();

    Workspace& workspace_;
    JobRunner& jobs_;
    QString folder_;
    QString path_;
    std::unique_ptr<QLockFile> lock_;
    QString found_;
    std::unique_ptr<QLockFile> foundLock_;
    QTimer* timer_;
    int savedIndex_ = -1; // of the undo stack
    bool writing_ = false;
};

} // namespace doppler::views
