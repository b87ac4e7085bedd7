#pragma once

#include <QObject>
#include <QPointer>
#include <functional>

#include "views/shell/OpenDocument.h"
#include "views/shell/RecentFiles.h"

namespace doppler::views {

class Job;
class Prompts;
class Workspace;

/// Opening and saving: what is open, what it is called, and that nothing unsaved is lost.
class Documents : public QObject {
    Q_OBJECT

public:
    Documents(Workspace& workspace, Prompts& prompts, QObject* parent = nullptr);

    RecentFiles& recent() { return recent_; }

    /// Opens a file of any kind or a workload in the background; what is open stays until the new
    /// one is there. A graph or a session asks first about unsaved changes. The latest call wins.
    void open(const OpenRequest& request);
    /// The same for a source alone; cluster and costs stay as they are where that is possible.
    void open(const QString& source);
    /// The same for an entry of recent(), with the cluster and the costs that it had then.
    void openRecent(const RecentEntry& entry);
    /// Asks for a file, then opens it.
    void openWithDialog();
    /// Opens the model that is open with other sizes for its dimensions, after asking for them.
    void changeDimensions();
    /// Whether the open problem came from a model with sizes to choose, and its file is there.
    bool hasDimensions() const;
    bool isOpening() const { return !opening_.isNull(); }

    /// Opens a session that was kept aside, as one that was never saved. False with failed().
    bool openRecovered(const QString& path);

    /// Saves to the session's own file, or asks for one; `then` gets whether it worked.
    void save(std::function<void(bool)> then = {});
    void saveAs(std::function<void(bool)> then = {});
    /// Runs `proceed` when no change would be lost by it: at once, or after the question.
    void confirm(std::function<void()> proceed);
    /// Closes the problem, after the question.
    void closeProblem();

    /// Name of what is open, for titles: "chainmm".
    QString title() const;

    static QString openFilter();

Q_SIGNALS:
    void opened();                                                  ///< another problem is open
    void traceOpened(const doppler::views::GanttTrack& track);      ///< beside what is open
    void imported(const QString& source, const QStringList& notes); ///< a reader has remarks
    void failed(const QString& message);                            ///< nothing has changed
    void saved(const QString& path);

private:
    OpenRequest withContext(OpenRequest request) const;
    void take(const OpenedDocument& document);
    void ask(OpenRequest request, const DimensionQuestion& question);
    void takeProblem(const OpenedDocument& document);
    void writeSession(const QString& path, std::function<void(bool)> then);
    void remember(const QString& source);
    void rememberTrace(const OpenedDocument& document);

    Workspace& workspace_;
    Prompts& prompts_;
    RecentFiles recent_;
    QPointer<Job> opening_;
    int edits_ = 0; ///< steps done, undone or changed so far
};

} // namespace doppler::views
