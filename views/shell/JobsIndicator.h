#pragma once

#include <QPointer>
#include <QWidget>
#include <vector>

class QProgressBar;
class QToolButton;

namespace doppler::views {

class Appearance;
class ElidedLabel;
class Job;
class JobRunner;

/// Background work at the right end of the status bar: the oldest job with its progress and a
/// button that ends it; a list of all where there are more. Jobs shorter than half a second never
/// show.
class JobsIndicator : public QWidget {
    Q_OBJECT

public:
    JobsIndicator(JobRunner& runner, const Appearance& appearance, QWidget* parent = nullptr);

    /// What it says now: "No background jobs", or the job and how far it is.
    QString text() const;

Q_SIGNALS:
    void sizeChanged();

private:
    void jobsChanged();
    void refresh();
    void applyTheme();
    void showList();
    std::vector<Job*> visibleJobs() const;

    JobRunner& runner_;
    const Appearance& appearance_;
    ElidedLabel* label_;
    QProgressBar* bar_;
    QToolButton* cancel_;
    QToolButton* more_;
    std::vector<QPointer<Job>> due_; ///< have run for long enough to be shown
    std::vector<QPointer<Job>> seen_;
};

} // namespace doppler::views
