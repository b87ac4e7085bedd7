#include "views/jobs/JobRunner.h"

#include <algorithm>
#include <mutex>

namespace doppler::views {

void Job::cancel() {
    stop_.request_stop();
}

/// The thread of one job and what it shares with the GUI thread.
struct JobRunner::Worker : JobContext {
    JobRunner* runner = nullptr;
    Job* job = nullptr;
    std::stop_token stop;
    std::thread thread;

    std::mutex mutex; // guards the three below
    double fraction = -1;
    QString text;
    bool updatePending = false;

    std::stop_token stopToken() const override { return stop; }

    void report(double newFraction, const QString& newText) override {
        {
            const std::lock_guard lock(mutex);
            fraction = newFraction;
            text = newText;
            if (updatePending) {
                return;
            }
            updatePending = true;
        }
        QMetaObject::invokeMethod(
            runner,
            [this] {
                {
                    const std::lock_guard lock(mutex);
                    job->fraction_ = fraction;
                    job->text_ = text;
                    updatePending = false;
                }
                Q_EMIT job->progressed();
            },
            Qt::QueuedConnection);
    }

    void post(std::function<void()> update) override {
        QMetaObject::invokeMethod(
            runner,
            [this, update = std::move(update)] {
                if (!stop.stop_requested()) {
                    update();
                }
            },
            Qt::QueuedConnection);
    }
};

JobRunner::JobRunner(QObject* parent) : QObject(parent) {}

JobRunner::~JobRunner() {
    for (Job* job : jobs_) {
        job->cancel();
    }
    for (const auto& worker : workers_) {
        if (worker->thread.joinable()) { // else its result is being delivered
            worker->thread.join();
        }
    }
    qDeleteAll(jobs_);
}

void JobRunner::cancelAll() {
    const std::vector<Job*> running = jobs_;
    for (Job* job : running) {
        job->cancel();
        job->keepsPartial_ = false;
    }
}

Job* JobRunner::startAny(const JobOptions& options, AnyWork work,
                         std::function<void(std::any&)> done,
                         std::function<void(const QString&)> failed) {
    Job* job = new Job();
    job->title_ = options.title;
    job->keepsPartial_ = options.keepsPartialResult;
    job->hidden_ = options.hidden;
    job->hasOwner_ = options.owner != nullptr;
    job->owner_ = options.owner;
    if (options.owner != nullptr) {
        connect(options.owner, &QObject::destroyed, job, &Job::cancel);
    }

    auto owned = std::make_unique<Worker>();
    Worker* worker = owned.get();
    worker->runner = this;
    worker->job = job;
    worker->stop = job->stop_.get_token();
    jobs_.push_back(job);
    workers_.push_back(std::move(owned));

    worker->thread = std::thread([this, worker, job, work = std::move(work), done = std::move(done),
                                  failed = std::move(failed)] {
        std::shared_ptr<std::any> result;
        QString failure;
        try {
            result = work(*worker);
        } catch (const std::exception& error) {
            failure = QString::fromUtf8(error.what());
        }
        QMetaObject::invokeMethod(
            this,
            [this, worker, job, done, failed, result, failure] {
                worker->thread.join();                 // it has nothing left to do
                const QPointer<JobRunner> alive(this); // not if a dialog outlives the window
                const bool orphaned = job->hasOwner_ && job->owner_.isNull();
                const bool wanted = !orphaned && (!job->isCancelled() || job->keepsPartial_);
                if (wanted && result) {
                    done(*result);
                } else if (wanted && failed) {
                    failed(failure);
                }
                if (alive) {
                    finish(job);
                }
            },
            Qt::QueuedConnection);
    });
    Q_EMIT jobsChanged();
    return job;
}

void JobRunner::finish(Job* job) {
    const auto worker =
        std::find_if(workers_.begin(), workers_.end(),
                     [job](const std::unique_ptr<Worker>& each) { return each->job == job; });
    workers_.erase(worker);
    jobs_.erase(std::find(jobs_.begin(), jobs_.end(), job));
    Q_EMIT job->finished();
    Q_EMIT jobsChanged();
    job->deleteLater();
}

} // namespace doppler::views
