#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>
#include <memory>

#include "views/jobs/JobRunner.h"
#include "views/layout/FoldedLayout.h"
#include "views/layout/LayoutLibrary.h"

namespace doppler::views {

/// Finds a layout for the open graph in the background: one that is kept at once; else the quick
/// own one as a preview, if the better one takes long. The latest request wins.
class CanvasLayouts : public QObject {
    Q_OBJECT

public:
    CanvasLayouts(JobRunner& jobs, std::shared_ptr<LayoutLibrary> library,
                  QObject* parent = nullptr);

    /// Null: there is no graph. With `fold` groups are drawn, those collapsed that it says; the
    /// layout before is kept on screen until the new one is there.
    void request(std::shared_ptr<const graph::Graph> graph,
                 std::shared_ptr<const graph::FoldState> fold = {});
    bool isRunning() const { return running_; }

Q_SIGNALS:
    /// A layout for the requested graph; null when there is none. May come twice.
    void ready(std::shared_ptr<const doppler::views::GraphLayout> layout);
    /// The same for a layout with groups.
    void folded(std::shared_ptr<const doppler::views::FoldedLayout> layout);
    /// A layout with groups was cancelled or failed: what is on screen stays.
    void foldGivenUp();
    void runningChanged();
    /// Why the layout is not as good as it could be.
    void notice(const QString& text);

private:
    void setRunning(bool running);
    void showPreview();
    void startFolded(int request, std::shared_ptr<const graph::FoldState> fold);

    JobRunner& jobs_;
    std::shared_ptr<LayoutLibrary> library_;
    std::shared_ptr<const graph::Graph> graph_;
    std::shared_ptr<const GraphLayout> preview_;
    QTimer previewTimer_;
    bool running_ = false;
    QPointer<Job> job_;
    int request_ = 0;
};

} // namespace doppler::views
