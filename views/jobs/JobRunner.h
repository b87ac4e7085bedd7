#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <any>
#include <atomic>
#include <functional>
#include <memory>
#include <stop_token>
#include <thread>
#include <vector>

namespace doppler::views {

/// What a job's function may use, from its own thread.
class JobContext {
public:
    virtual ~JobContext() = default;
    virtual std::stop_token stopToken() const = 0;
    /// Fraction 0..1 (negative: unknown) and a line of text. Cheap; the GUI sees the latest.
    virtual void report(double fraction, const QString& text) = 0;
    /// Runs `update` on the GUI thread, unless the job is cancelled before. Keep these few.
    virtual void post(std::function<void()> update) = 0;
};

/// One piece of background work, as the status bar shows it.
class Job : public QObject {
    Q_OBJECT

public:
    QString title() const { return title_; }
    double fraction() const { return fraction_; }
    QString text() const { return text_; }
    bool isCancelled() const { return stop_.stop_requested(); }
    /// Asks the work to stop; its result is dropped, unless keepsPartialResult().
    void cancel();
    /// A search that returns its best so far: cancel ends it, and the result is still delivered.
    bool keepsPartialResult() const { return keepsPartial_; }
    /// Hidden jobs (short simulations) are not listed.
    bool isHidden() const { return hidden_; }

Q_SIGNALS:
    void progressed();
    void finished(); ///< after the result (or failure) was delivered, or the job was dropped

private:
    friend class JobRunner;
    QString title_;
    QString text_;
    double fraction_ = -1;
    bool keepsPartial_ = false;
    bool hidden_ = false;
    bool hasOwner_ = false;
    QPointer<QObject> owner_;
    std::stop_source stop_;
};

struct JobOptions {
    QString title;
    bool keepsPartialResult = false;
    bool hidden = false;
    /// Who asked: once it is deleted the result is dropped. Null: the result is always wanted.
    QObject* owner = nullptr;
};

/// Runs functions on threads of their own; results come back on the GUI thread. Values in, values
/// out: a job must not touch widgets or the workspace. Destroying the runner stops and joins all.
class JobRunner : public QObject {
    Q_OBJECT

public:
    explicit JobRunner(QObject* parent = nullptr);
    ~JobRunner() override;

    /// `work` runs in the background; `done` gets its result on the GUI thread; `failed` the
    /// message of an exception. The job is owned by the runner and deleted after finished().
    template <typename Result>
    Job* start(const JobOptions& options, std::function<Result(JobContext&)> work,
               std::function<void(Result)> done, std::function<void(const QString&)> failed = {}) {
        return startAny(
            options,
            [work = std::move(work)](JobContext& context) {
                return std::make_shared<std::any>(std::make_any<std::shared_ptr<Result>>(
                    std::make_shared<Result>(work(context))));
            },
            [done = std::move(done)](std::any& result) {
                done(std::move(*std::any_cast<std::shared_ptr<Result>&>(result)));
            },
            std::move(failed));
    }

    /// Running jobs, oldest first; hidden ones too.
    const std::vector<Job*>& jobs() const { return jobs_; }
    /// Cancels everything and drops all results; the threads end when they notice.
    void cancelAll();

Q_SIGNALS:
    void jobsChanged();

private:
    using AnyWork = std::function<std::shared_ptr<std::any>(JobContext&)>;
    Job* startAny(const JobOptions& options, AnyWork work, std::function<void(std::any&)> done,
                  std::function<void(const QString&)> failed);
    void finish(Job* job);

    struct Worker;
    std::vector<Job*> jobs_;
    std::vector<std::unique_ptr<Worker>> workers_;
};

} // namespace doppler::views
