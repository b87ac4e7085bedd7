#include "views/shell/Placing.h"

#include <QSettings>

#include "core/place/Registry.h"
#include "views/format/Format.h"
#include "views/workspace/Workspace.h"

namespace doppler::views {

namespace {

constexpr double kFirstSearchSeconds = 1;
/// More at a time would only share the cores, and every budget is wall time.
constexpr int kMostRunning = 2;
const QString kFirstMethod = QStringLiteral("anneal");
// Above this many ops and edges even the rules take a while, so only the cheapest run unasked.
constexpr int kQuickSize = 20'000;

QStringList firstMethods(const sim::Problem& problem) {
    const int size = problem.opCount() + problem.graph->edgeCount();
    return size <= kQuickSize
               ? QStringList{QStringLiteral("instant"), QStringLiteral("single"),
                             QStringLiteral("round-robin"), QStringLiteral("critical-path"),
                             QStringLiteral("heft")}
               : QStringList{QStringLiteral("round-robin"), QStringLiteral("critical-path")};
}

place::PlaceResult run(const std::shared_ptr<const sim::Problem>& problem,
                       const PlaceChoice& choice, JobContext& context) {
    place::PlaceRequest request;
    request.problem = problem;
    request.seed = choice.seed;
    request.budgetSeconds = choice.budgetSeconds;
    request.stop = context.stopToken();
    request.progress = [&](const place::PlaceProgress& progress) {
        context.report(progress.fraction,
                       Placing::tr("best %1").arg(timeText(progress.best, problem->costs->unit())));
    };
    return place::makePlacer(choice.method.toStdString())->place(request);
}

} // namespace

Placing::Placing(Workspace& workspace, QObject* parent) : QObject(parent), workspace_(workspace) {
    // What waits for another graph is of no use any more.
    connect(&workspace_, &Workspace::graphChanged, this, [this] { waiting_.clear(); });
}

const place::PlacerInfo* Placing::find(const QString& method) {
    for (const place::PlacerInfo& info : place::placers()) {
        if (method == QString::fromStdString(info.name)) {
            return &info;
        }
    }
    return nullptr;
}

PlaceChoice Placing::storedChoice() {
    const QSettings settings;
    PlaceChoice choice;
    choice.method = settings.value(QStringLiteral("place/method"), kFirstMethod).toString();
    choice.budgetSeconds =
        settings.value(QStringLiteral("place/budget"), choice.budgetSeconds).toDouble();
    if (find(choice.method) == nullptr) {
        choice.method = kFirstMethod;
    }
    return choice;
}

void Placing::storeChoice(const PlaceChoice& choice) {
    QSettings settings;
    settings.setValue(QStringLiteral("place/method"), choice.method);
    settings.setValue(QStringLiteral("place/budget"), choice.budgetSeconds);
}

void Placing::place(const PlaceChoice& choice) {
    const place::PlacerInfo* info = find(choice.method);
    const bool random = info != nullptr && info->random;
    const int request = ++lastRequest_;
    const int runs = random ? std::max(1, choice.runs) : 1;
    for (int i = 0; i < runs; ++i) {
        PlaceChoice one = choice;
        one.seed = choice.seed + static_cast<std::uint64_t>(i);
        const QString title = runs == 1
                                  ? choice.method
                                  : tr("%1, run %2 of %3").arg(choice.method).arg(i + 1).arg(runs);
        enqueue({one, title, workspace_.problem(), true, request});
    }
}

void Placing::placeAtFirst(const QStringList& methods) {
    if (!workspace_.hasProblem()) {
        return;
    }
    const QStringList wanted = methods.isEmpty() ? firstMethods(*workspace_.problem()) : methods;
    for (const QString& method : wanted) {
        enqueue({{method, kFirstSearchSeconds, 1, 1},
                 method,
                 workspace_.problem(),
                 false,
                 ++lastRequest_});
    }
}

void Placing::enqueue(Waiting next) {
    waiting_.push_back(std::move(next));
    startNext();
}

void Placing::startNext() {
    while (running_ < kMostRunning && !waiting_.empty()) {
        const Waiting next = std::move(waiting_.front());
        waiting_.pop_front();
        start(next);
    }
}

void Placing::drop(int request) {
    std::erase_if(waiting_, [request](const Waiting& each) { return each.request == request; });
}

void Placing::start(const Waiting& next) {
    const place::PlacerInfo* info = find(next.choice.method);
    const bool search = info != nullptr && info->search;
    ++running_;
    Job* job = workspace_.jobs().start<place::PlaceResult>(
        {next.title, search, false},
        [next](JobContext& context) { return run(next.problem, next.choice, context); },
        [this, next](const place::PlaceResult& result) {
            deliver(next.choice, *next.problem, result, next.byHand);
        },
        [this, method = next.choice.method](const QString& message) {
            Q_EMIT workspace_.notice(QStringLiteral("%1: %2").arg(method, message));
        });
    connect(job, &Job::finished, this, [this, job, request = next.request] {
        --running_;
        if (job->isCancelled()) {
            drop(request);
        }
        startNext();
        Q_EMIT finished();
    });
}

void Placing::deliver(const PlaceChoice& choice, const sim::Problem& problem,
                      const place::PlaceResult& result, bool byHand) {
    const auto open = workspace_.problem();
    if (!open || open->graph != problem.graph || open->deviceCount() != problem.deviceCount()) {
        Q_EMIT workspace_.notice(
            tr("%1 ended after the problem had changed; its result is gone").arg(choice.method));
        return;
    }
    const Placement* shown = workspace_.current();
    // Rows that come unasked show themselves only while nobody has touched anything.
    const bool better = shown == nullptr || !shown->timeline || result.makespan < shown->makespan();
    const bool show = byHand || (better && !workspace_.isModified());
    workspace_.addPlacement(result.assignment, choice.method, choice.seed, result.seconds, show,
                            byHand);
    for (const std::string& note : result.notes) {
        Q_EMIT workspace_.notice(
            QStringLiteral("%1: %2").arg(choice.method, QString::fromStdString(note)));
    }
}

} // namespace doppler::views
