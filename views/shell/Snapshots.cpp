#include "views/shell/Snapshots.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QPixmap>
#include <QSaveFile>
#include <QTimer>
#include <algorithm>
#include <optional>

#include "core/io/Formats.h"
#include "core/sim/Bounds.h"
#include "views/canvas/GraphCanvas.h"
#include "views/canvas/GraphView.h"
#include "views/docks/PlacementsView.h"
#include "views/experiments/ExperimentsView.h"
#include "views/format/Format.h"
#include "views/render/RenderGantt.h"
#include "views/render/RenderGraph.h"
#include "views/shell/MainWindow.h"
#include "views/theme/Appearance.h"

namespace doppler::views {

namespace {

constexpr QSize kWindow(1600, 1000);
constexpr QSize kTimelines(1600, 520);
constexpr int kQuietMs = 400; // nothing has run for this long: all is done
constexpr int kLongestMs = 180'000;

/// Lets the window work until no job has run for a while.
void settle(MainWindow& window) {
    QElapsedTimer whole;
    QElapsedTimer quiet;
    whole.start();
    quiet.start();
    while (whole.elapsed() < kLongestMs && quiet.elapsed() < kQuietMs) {
        QEventLoop loop;
        QTimer::singleShot(20, &loop, &QEventLoop::quit);
        loop.exec();
        const bool busy = !window.workspace().jobs().jobs().empty() ||
                          window.documents().isOpening() ||
                          window.graphView().canvas().isLayoutRunning() ||
                          window.experiments().session().isOpening() ||
                          window.experiments().session().state() != ExperimentSession::State::Idle;
        if (busy) {
            quiet.restart();
        }
    }
}

/// The op in the middle of the critical chain: something to show in the inspector.
OpId opToShow(const Placement& placement) {
    std::vector<OpId> chain;
    for (const std::int32_t index : placement.report->criticalChain) {
        const sim::Interval& each = placement.timeline->intervals[static_cast<std::size_t>(index)];
        if (!each.isTransfer()) {
            chain.push_back(each.op);
        }
    }
    return chain.empty() ? kNoOp : chain[chain.size() / 2];
}

/// Writes the files one after the other until one fails.
class Writer {
public:
    Writer(const QString& folder, SnapshotResult& result) : folder_(folder), result_(result) {}

    template <typename Write>
    void write(const QString& name, Write&& write) {
        if (!result_.error.isEmpty()) {
            return;
        }
        const QString path = folder_.filePath(name);
        QString error;
        if (write(path, &error)) {
            result_.files.append(path);
        } else {
            result_.error = error.isEmpty() ? path + QStringLiteral(" cannot be written") : error;
        }
    }

    void text(const QString& name, const QString& text) {
        write(name, [&](const QString& path, QString* error) {
            try {
                io::writeFileAtomically(path.toStdString(), text.toStdString());
                return true;
            } catch (const std::exception& failure) {
                *error = QString::fromUtf8(failure.what());
                return false;
            }
        });
    }

private:
    QDir folder_;
    SnapshotResult& result_;
};

/// A small experiment around what is open: the methods that run unasked, over the usual graphs.
void runExperiment(MainWindow& window) {
    constexpr double kBudget = 0.2; // seconds
    constexpr int kSeeds = 5;
    window.showExperiments();
    settle(window);
    ExperimentSession& session = window.experiments().session();
    ExperimentSetup setup = session.setup();
    setup.seeds = kSeeds;
    setup.budgetSeconds = kBudget;
    session.setSetup(setup);
    settle(window);
    session.start();
    settle(window);
}

} // namespace

QString placementsAsText(MainWindow& window) {
    Workspace& workspace = window.workspace();
    std::vector<const Placement*> rows;
    for (const Placement& placement : workspace.placements()) {
        if (placement.timeline && placement.report) {
            rows.push_back(&placement);
        }
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Placement* a, const Placement* b) {
        return a->makespan() < b->makespan();
    });
    const auto line = [](const QString& method, const QString& makespan, const QString& gap,
                         const QString& traffic, const QString& found, bool fits) {
        return QStringLiteral("%1 %2 %3 %4 %5%6\n")
            .arg(method, -24)
            .arg(makespan, 16)
            .arg(gap, 10)
            .arg(traffic, 12)
            .arg(found, 10)
            .arg(fits ? QString() : QStringLiteral("  does not fit"));
    };
    const cost::TimeUnit unit = workspace.problem()->costs->unit();
    const Time bound = workspace.bound().value;
    QString text = line(QStringLiteral("method"), QStringLiteral("makespan"), QStringLiteral("gap"),
                        QStringLiteral("traffic"), QStringLiteral("found"), true);
    for (const Placement* row : rows) {
        text += line(row->label(), timeText(row->makespan(), unit),
                     percentText(sim::gap(row->makespan(), bound)),
                     bytesText(row->report->totalTraffic), secondsText(row->seconds),
                     !row->report->memoryOverflow);
    }
    text += QStringLiteral("lower bound %1 (%2)\n")
                .arg(timeText(bound, unit), QString::fromStdString(workspace.bound().name));
    return text;
}

SnapshotResult writeSnapshots(MainWindow& window, Appearance& appearance,
                              const OpenRequest& request, const QString& folder) {
    SnapshotResult result;
    if (!QDir().mkpath(folder)) {
        result.error = folder + QStringLiteral(" cannot be made");
        return result;
    }
    QObject::connect(&window.documents(), &Documents::failed, &window,
                     [&result](const QString& message) {
                         result.error = message;
                         result.badInput = true;
                     });
    std::optional<GanttTrack> trace;
    const QMetaObject::Connection opened =
        QObject::connect(&window.documents(), &Documents::traceOpened, &window,
                         [&trace](const GanttTrack& track) { trace = track; });
    window.documents().recent().setRemembering(false);
    const ThemeChoice::Mode chosen = window.themeChoice().mode();
    window.resize(kWindow);
    window.show();
    window.documents().open(request);
    settle(window);
    QObject::disconnect(opened);
    Writer writer(folder, result);
    const auto grab = [&window](const QString& path, QString*) {
        QSaveFile file(path); // no half of a picture is left
        return file.open(QIODevice::WriteOnly) && window.grab().save(&file, "PNG") && file.commit();
    };
    const auto grabInBothThemes = [&](const QString& name) {
        window.themeChoice().setMode(ThemeChoice::Mode::Light, false);
        settle(window);
        writer.write(name + QStringLiteral(".png"), grab);
        window.themeChoice().setMode(ThemeChoice::Mode::Dark, false);
        settle(window);
        writer.write(name + QStringLiteral("-dark.png"), grab);
        window.themeChoice().setMode(chosen, false);
    };
    if (trace && result.error.isEmpty()) {
        grabInBothThemes(QStringLiteral("window"));
        for (const char* ending : {"png", "svg"}) {
            writer.write(QStringLiteral("gantt.") + QLatin1String(ending),
                         [&](const QString& path, QString* error) {
                             return renderTrace(path, *trace, appearance.theme(), {}, error);
                         });
        }
        return result;
    }
    const Placement* shown = window.workspace().current();
    if (result.error.isEmpty() && (shown == nullptr || !shown->timeline || !shown->report)) {
        result.error = QStringLiteral("nothing was placed");
    }
    if (!result.error.isEmpty()) {
        return result;
    }
    window.workspace().selection().select(opToShow(*shown));
    settle(window);

    grabInBothThemes(QStringLiteral("window"));
    const sim::Problem& problem = *window.workspace().problem();
    for (const char* ending : {"png", "svg"}) {
        writer.write(QStringLiteral("graph.") + QLatin1String(ending),
                     [&](const QString& path, QString* error) {
                         return renderGraph(path, problem, shown->assignment.get(),
                                            shown->timeline.get(), appearance.theme(), {}, error);
                     });
        writer.write(QStringLiteral("gantt.") + QLatin1String(ending),
                     [&](const QString& path, QString* error) {
                         return renderGantt(path, problem, *shown->assignment, *shown->timeline,
                                            *shown->report, window.workspace().bound().value,
                                            appearance.theme(), kTimelines, error);
                     });
    }
    writer.text(QStringLiteral("placements.csv"), window.placementsView().toCsv());
    writer.text(QStringLiteral("placements.txt"), placementsAsText(window));

    runExperiment(window);
    grabInBothThemes(QStringLiteral("experiments"));
    writer.write(QStringLiteral("experiments.svg"), [&](const QString& path, QString* error) {
        return window.experiments().writePictureTo(path, error);
    });
    return result;
}

} // namespace doppler::views
