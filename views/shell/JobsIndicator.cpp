#include "views/shell/JobsIndicator.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QProgressBar>
#include <QTimer>
#include <QToolButton>
#include <algorithm>

#include "views/icons/Icons.h"
#include "views/jobs/JobRunner.h"
#include "views/shell/ElidedLabel.h"
#include "views/theme/Appearance.h"

namespace doppler::views {

namespace {

constexpr int kShowAfterMs = 500;
constexpr int kBarWidth = 110;
constexpr int kBarSteps = 1000;
constexpr int kMostTextWidth = 380;

QString lineOf(const Job& job) {
    QString line = job.title();
    if (!job.text().isEmpty()) {
        line += QStringLiteral(": ") + job.text();
    }
    if (job.fraction() >= 0) {
        line += QStringLiteral("  %1 %").arg(job.fraction() * 100, 0, 'f', 0);
    }
    return line;
}

QString cancelText(const Job& job) {
    return job.keepsPartialResult() ? JobsIndicator::tr("Stop and keep the best so far")
                                    : JobsIndicator::tr("Cancel");
}

} // namespace

JobsIndicator::JobsIndicator(JobRunner& runner, const Appearance& appearance, QWidget* parent)
    : QWidget(parent)
    , runner_(runner)
    , appearance_(appearance)
    , label_(new ElidedLabel(this))
    , bar_(new QProgressBar(this))
    , cancel_(new QToolButton(this))
    , more_(new QToolButton(this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(label_);
    layout->addWidget(bar_);
    layout->addWidget(cancel_);
    layout->addWidget(more_);
    label_->setMaximumWidth(kMostTextWidth);
    bar_->setFixedSize(kBarWidth, 8);
    bar_->setTextVisible(false);
    cancel_->setFixedSize(22, 22);
    cancel_->setIconSize(QSize(12, 12));
    cancel_->setAccessibleName(tr("Cancel"));
    more_->setFixedHeight(22);
    more_->setToolTip(tr("All background jobs"));
    more_->setAccessibleName(more_->toolTip());
    connect(cancel_, &QToolButton::clicked, this, [this] {
        if (const std::vector<Job*> jobs = visibleJobs(); !jobs.empty()) {
            jobs.front()->cancel();
            refresh();
        }
    });
    connect(more_, &QToolButton::clicked, this, &JobsIndicator::showList);
    connect(&runner, &JobRunner::jobsChanged, this, &JobsIndicator::jobsChanged);
    connect(&appearance, &Appearance::changed, this, &JobsIndicator::applyTheme);
    applyTheme();
    refresh();
}

QString JobsIndicator::text() const {
    return label_->text();
}

std::vector<Job*> JobsIndicator::visibleJobs() const {
    std::vector<Job*> jobs;
    for (Job* job : runner_.jobs()) {
        // What was cancelled is gone for whoever did it, even while its thread winds up.
        const bool gone = job->isCancelled() && !job->keepsPartialResult();
        if (!gone && std::find(due_.begin(), due_.end(), job) != due_.end()) {
            jobs.push_back(job);
        }
    }
    return jobs;
}

void JobsIndicator::jobsChanged() {
    std::erase(due_, nullptr);
    std::erase(seen_, nullptr);
    for (Job* job : runner_.jobs()) {
        if (job->isHidden() || std::find(seen_.begin(), seen_.end(), job) != seen_.end()) {
            continue;
        }
        seen_.emplace_back(job);
        connect(job, &Job::progressed, this, &JobsIndicator::refresh);
        QTimer::singleShot(kShowAfterMs, this, [this, waiting = QPointer<Job>(job)] {
            if (waiting) {
                due_.push_back(waiting);
                refresh();
            }
        });
    }
    refresh();
}

void JobsIndicator::refresh() {
    const std::vector<Job*> jobs = visibleJobs();
    const bool busy = !jobs.empty();
    bar_->setVisible(busy);
    cancel_->setVisible(busy);
    more_->setVisible(jobs.size() > 1);
    if (busy) {
        const Job& job = *jobs.front();
        label_->setText(lineOf(job));
        cancel_->setToolTip(QStringLiteral("%1 (%2)").arg(cancelText(job), job.title()));
        cancel_->setAccessibleName(cancel_->toolTip());
        // A range of nothing is a bar that moves without an end in sight.
        bar_->setRange(0, job.fraction() < 0 ? 0 : kBarSteps);
        bar_->setValue(static_cast<int>(job.fraction() * kBarSteps));
        more_->setText(QStringLiteral("+%1").arg(jobs.size() - 1));
    } else {
        label_->setText(tr("No background jobs"));
    }
    updateGeometry();
    Q_EMIT sizeChanged();
}

void JobsIndicator::applyTheme() {
    cancel_->setIcon(icon(IconName::Close, appearance_.theme()));
}

void JobsIndicator::showList() {
    QMenu menu(this);
    for (Job* job : visibleJobs()) {
        QAction* entry =
            menu.addAction(QStringLiteral("%1\t%2").arg(lineOf(*job), cancelText(*job)));
        connect(entry, &QAction::triggered, job, &Job::cancel);
    }
    menu.exec(more_->mapToGlobal(QPoint(0, -menu.sizeHint().height())));
}

} // namespace doppler::views
