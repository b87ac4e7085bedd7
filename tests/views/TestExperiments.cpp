#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QHeaderView>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

#include "core/io/Session.h"
#include "core/place/ComparisonTables.h"
#include "core/workload/Workload.h"
#include "tests/support/WindowFixture.h"
#include "views/experiments/BoxPlots.h"
#include "views/experiments/ExperimentPanel.h"
#include "views/experiments/ExperimentsView.h"
#include "views/experiments/ObjectiveDialog.h"
#include "views/experiments/ResultsTable.h"
#include "views/shell/JobsIndicator.h"

using namespace doppler;
using namespace doppler::views;
using namespace doppler::tests;

namespace {

ExperimentSetup setupOf(const QStringList& methods, int seeds) {
    ExperimentSetup setup;
    setup.name = QStringLiteral("test");
    setup.graphs = {{QStringLiteral("chainmm"), {}, true},
                    {QStringLiteral("ffnn"), {}, true},
                    {QStringLiteral("llama-block"), {}, false}};
    setup.methods = methods;
    setup.seeds = seeds;
    setup.budgetSeconds = 0.1;
    return setup;
}

const QStringList kQuick = {QStringLiteral("random"), QStringLiteral("critical-path"),
                            QStringLiteral("heft")};

bool write(const QString& path, const QByteArray& text) {
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
}

bool opens(ExperimentSession& session) {
    return QTest::qWaitFor([&] { return !session.isOpening(); }, 60'000);
}

bool ends(ExperimentSession& session) {
    return QTest::qWaitFor([&] { return session.state() == ExperimentSession::State::Idle; },
                           60'000);
}

bool runs(ExperimentSession& session, const ExperimentSetup& setup) {
    session.setSetup(setup);
    if (!opens(session)) {
        return false;
    }
    session.start();
    return ends(session);
}

} // namespace

class TestExperiments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void setupsAreKept() {
        QTemporaryDir folder;
        const SetupFolder setups(folder.filePath(QStringLiteral("made/when/needed")));
        QVERIFY(setups.names().isEmpty());
        ExperimentSetup setup = setupOf(kQuick, 4);
        setup.graphs[1].cluster = QStringLiteral("uniform:8");
        setup.costs = cost::CostModel::Physical;
        setup.modes = ExperimentModes::Both;
        setup.objective = place::parseObjective("p95:16,memory=penalty,traffic=0.25");
        setups.save(setup);
        QCOMPARE(setups.names(), QStringList{QStringLiteral("test")});
        QString problem;
        QVERIFY(setups.load(QStringLiteral("test"), &problem) == setup);
        QCOMPARE(setups.freeName(QStringLiteral("test")), QStringLiteral("test-2"));
        QVERIFY(setups.load(QStringLiteral("other"), &problem) ==
                ExperimentSetup::usual(QStringLiteral("other")));
        QVERIFY(problem.isEmpty());
        QVERIFY(!SetupFolder::isName(QStringLiteral("a/b")));
        QVERIFY(!SetupFolder::isName(QString()));
    }

    void aBrokenSetupIsKeptAndTold() {
        QTemporaryDir folder;
        for (const QString& kept : {QStringLiteral("mine.experiment.json.broken"),
                                    QStringLiteral("mine.experiment.json.broken-2")}) {
            QVERIFY(write(folder.filePath(QStringLiteral("mine.experiment.json")), "{\"form"));
            ExperimentSession session(folder.path());
            QSignalSpy failed(&session, &ExperimentSession::failed);
            session.load(QStringLiteral("mine"));
            QCOMPARE(failed.size(), 1);
            QVERIFY(failed[0][0].toString().contains(kept));
            QFile file(folder.filePath(kept));
            QVERIFY(file.open(QIODevice::ReadOnly));
            QCOMPARE(file.readAll(), QByteArray("{\"form"));
            QCOMPARE(session.folder().names(), QStringList{QStringLiteral("mine")});
            session.removeFile();
        }
    }

    void changesAreSavedTogetherAndAtTheLatestWhenClosing() {
        QTemporaryDir folder;
        QString problem;
        const SetupFolder setups(folder.path());
        {
            ExperimentSession session(folder.path());
            session.setSetup(setupOf(kQuick, 1));
            session.setSetup(setupOf(kQuick, 7));
            QCOMPARE(setups.load(QStringLiteral("test"), &problem).seeds, 1);
            QTRY_COMPARE(setups.load(QStringLiteral("test"), &problem).seeds, 7);
            session.setSetup(setupOf(kQuick, 8));
        }
        QCOMPARE(setups.load(QStringLiteral("test"), &problem).seeds, 8);
    }

    void theNewestOfSeveralWritesStays() {
        QTemporaryDir folder;
        QString problem;
        const SetupFolder setups(folder.path());
        SetupWriter writer(setups);
        const int older = writer.newVersion();
        const int newer = writer.newVersion();
        writer.write(setupOf(kQuick, 2), newer);
        writer.write(setupOf(kQuick, 1), older); // a thread that comes late
        QCOMPARE(setups.load(QStringLiteral("test"), &problem).seeds, 2);
        const int ordered = writer.newVersion();
        writer.remove(QStringLiteral("test"));
        writer.write(setupOf(kQuick, 3), ordered);
        QVERIFY(setups.names().isEmpty());
        writer.write(setupOf(kQuick, 4), writer.newVersion());
        QCOMPARE(setups.load(QStringLiteral("test"), &problem).seeds, 4);
    }

    void comparesByAnotherObjective() {
        WindowFixture f;
        f.window->showExperiments();
        ExperimentsView& view = f.window->experiments();
        ExperimentSession& session = view.session();
        QVERIFY(opens(session));
        ExperimentSetup setup = setupOf(kQuick, 2);
        QVERIFY(runs(session, setup));
        setup.objective = place::parseObjective("p95:8");
        session.setSetup(setup);
        QVERIFY(opens(session));
        QCOMPARE(session.runsMade(), 0);
        session.start();
        QVERIFY(ends(session));
        QCOMPARE(session.runsMade(), session.runsWanted());
        const QString words = QStringLiteral("95th percentile of 8 noisy runs");
        QVERIFY2(view.statusText().contains(words), qPrintable(view.statusText()));
        const QModelIndex cell = view.model().index(0, 1);
        const QString tip = view.model().data(cell, Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains(words), qPrintable(tip));
        const place::RunRecord& best = view.model().summary(cell).best();
        QCOMPARE(best.key.objective, std::string("p95:8"));
        QVERIFY(best.value > 0 && best.value != best.makespan);
        // What was run for makespans is still there.
        setup.objective = {};
        session.setSetup(setup);
        QCOMPARE(session.runsMade(), session.runsWanted());
    }

    void theDialogKnowsEveryObjective_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"makespan", "mean:32", "p95:8,traffic=0.5",
                                 "makespan,memory=penalty", "p95:100,memory=ignore,traffic=2"}) {
            QTest::newRow(text) << QString::fromLatin1(text);
        }
    }

    void theDialogKnowsEveryObjective() {
        QFETCH(QString, text);
        const place::Objective objective = place::parseObjective(text.toStdString());
        QVERIFY(ObjectiveDialog(objective).objective() == objective);
    }

    void workOfTheWorkbenchShowsInTheStatusBar() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm")));
        f.window->showExperiments();
        PlaceChoice choice;
        choice.method = QStringLiteral("anneal");
        choice.budgetSeconds = 600;
        f.window->placing().place(choice);
        const auto shown = [&] {
            for (JobsIndicator* each : f.window->findChildren<JobsIndicator*>()) {
                if (each->isVisible() && each->text().contains(QStringLiteral("anneal"))) {
                    return true;
                }
            }
            return false;
        };
        QTRY_VERIFY(shown());
        f.workspace().jobs().cancelAll();
        QVERIFY(f.settle());
    }

    void changedAndFailedGraphsAreOpenedAgain() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("graph.dot"));
        ExperimentSession session(folder.path());
        ExperimentSetup setup = setupOf({QStringLiteral("heft")}, 1);
        setup.costs = cost::CostModel::Physical;
        setup.graphs = {{path, {}, true}};
        session.setSetup(setup);
        QVERIFY(opens(session));
        QVERIFY(session.graphFailed(setup.graphs[0]));
        // It is there now: ticking the graph tries again.
        QVERIFY(write(path, "digraph g { a -> b }"));
        setup.graphs[0].chosen = false;
        session.setSetup(setup);
        QVERIFY(opens(session));
        setup.graphs[0].chosen = true;
        session.setSetup(setup);
        QVERIFY(opens(session));
        QCOMPARE(session.graphFacts(setup.graphs[0]), QStringLiteral("2 ops"));
        // It grew: a run is of the file as it is.
        QVERIFY(write(path, "digraph g { a -> b; b -> c }"));
        session.start();
        QVERIFY(opens(session));
        QVERIFY(ends(session));
        QCOMPARE(session.graphFacts(setup.graphs[0]), QStringLiteral("3 ops"));
        QCOMPARE(session.runsMade(), 1);
    }

    void boxesHaveFiveNumbers() {
        const BoxFigures box = boxFigures({4, 1, 3, 2});
        QCOMPARE(box.least, 1.0);
        QCOMPARE(box.lowerQuartile, 1.75);
        QCOMPARE(box.median, 2.5);
        QCOMPARE(box.upperQuartile, 3.25);
        QCOMPARE(box.largest, 4.0);
        QCOMPARE(boxFigures({7}).lowerQuartile, 7.0);
        QCOMPARE(usualLargest({1, 2, 3, 100}), 3.0);
        QCOMPARE(usualLargest({5}), 5.0);
        QCOMPARE(usualLargest({}), 0.0);
        QCOMPARE(usualLargest({0, 0, 9}), 9.0);
    }

    void runsAndContinues() {
        QTemporaryDir folder;
        {
            ExperimentSession session(folder.path());
            QVERIFY(runs(session, setupOf(kQuick, 2)));
            QCOMPARE(session.columns().size(), 2U);
            QCOMPARE(session.runsMade(), 2 * (2 + 2 + 1));
            QCOMPARE(session.runsMade(), session.runsWanted());
        }
        ExperimentSession session(folder.path());
        session.begin();
        QVERIFY(opens(session));
        QCOMPARE(session.setup().name, QStringLiteral("test"));
        QCOMPARE(session.runsMade(), 10); // of the session before
        ExperimentSetup more = session.setup();
        more.seeds = 3;
        session.setSetup(more);
        QCOMPARE(session.runsMade(), 10);
        QCOMPARE(session.runsWanted(), 14);
        QVERIFY(opens(session));
        session.start();
        QVERIFY(ends(session));
        QCOMPARE(session.runsMade(), 14);
    }

    void pausesAndStops() {
        QTemporaryDir folder;
        ExperimentSession session(folder.path());
        ExperimentSetup setup = setupOf({QStringLiteral("anneal")}, 50);
        setup.budgetSeconds = 0.2;
        session.setSetup(setup);
        QVERIFY(opens(session));
        session.start();
        QCOMPARE(session.state(), ExperimentSession::State::Running);
        QTRY_VERIFY_WITH_TIMEOUT(session.runsMade() > 0, 20'000);
        session.pause();
        QCOMPARE(session.state(), ExperimentSession::State::Pausing);
        QVERIFY(ends(session));
        const int made = session.runsMade();
        QVERIFY(made > 0 && made < session.runsWanted());
        setup.budgetSeconds = 600;
        session.setSetup(setup);
        QVERIFY(opens(session));
        session.start();
        QTRY_VERIFY_WITH_TIMEOUT(session.activity(0, 0).running, 20'000);
        QVERIFY(session.secondsLeft() > 600);
        session.stop();
        QVERIFY(ends(session)); // ten minutes before its time
        QVERIFY(!session.activity(0, 0).running);
        QCOMPARE(session.runsMade(), 0);
        setup.budgetSeconds = 0.2;
        session.setSetup(setup);
        QCOMPARE(session.runsMade(), made); // what was there is still there
    }

    void badGraphsAreTold() {
        QTemporaryDir folder;
        ExperimentSession session(folder.path());
        ExperimentSetup setup = setupOf(kQuick, 1);
        setup.graphs.push_back({QStringLiteral("/no/such/graph"), {}, true});
        setup.graphs.push_back({QStringLiteral("chainmm"), QStringLiteral("nonsense"), true});
        session.setSetup(setup);
        QVERIFY(opens(session));
        QCOMPARE(session.columns().size(), 2U);
        QVERIFY(!session.graphFailed(setup.graphs[0]));
        QCOMPARE(session.graphFacts(setup.graphs[0]), QStringLiteral("76 ops"));
        QVERIFY(session.graphFailed(setup.graphs[3]));
        QVERIFY(session.graphFacts(setup.graphs[3]).contains(QStringLiteral("/no/such/graph")));
        QVERIFY(session.graphFailed(setup.graphs[4]));
    }

    void aFileThatIsNoResultsIsLeftAlone() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("runs.jsonl"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("hello\n") == 6);
        file.close();
        ExperimentSession session(folder.path());
        QSignalSpy failed(&session, &ExperimentSession::failed);
        QVERIFY(runs(session, setupOf(kQuick, 1)));
        QCOMPARE(failed.size(), 1);
        QCOMPARE(session.runsMade(), session.runsWanted()); // in memory
        QCOMPARE(QFileInfo(path).size(), 6);
    }

    void bothModesAreTwoColumns() {
        QTemporaryDir folder;
        ExperimentSession session(folder.path());
        ExperimentSetup setup = setupOf({QStringLiteral("heft")}, 1);
        setup.modes = ExperimentModes::Both;
        setup.graphs[1] = {QStringLiteral("chainmm"), QStringLiteral("uniform:8"), true};
        QVERIFY(runs(session, setup));
        QStringList labels;
        for (const auto& problem : session.experiment().problems) {
            labels.append(QString::fromStdString(problem.label));
        }
        QCOMPARE(labels, (QStringList{QStringLiteral("chainmm@uniform:4, wc"),
                                      QStringLiteral("chainmm@uniform:4, bsp"),
                                      QStringLiteral("chainmm@uniform:8, wc"),
                                      QStringLiteral("chainmm@uniform:8, bsp")}));
    }

    void theModelSortsAndSpeaks() {
        QTemporaryDir folder;
        ExperimentSession session(folder.path());
        ResultsModel model(session);
        const QAbstractItemModelTester tester(&model);
        session.setSetup(setupOf(kQuick, 3));
        QVERIFY(opens(session));
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.columnCount(), 4);
        QCOMPARE(model.data(model.index(0, 1)).toString(), QStringLiteral("\u2013"));
        session.start();
        QVERIFY(ends(session));
        // The last by mean rank is random, on any graph.
        QCOMPARE(model.data(model.index(2, 0)).toString(), QStringLiteral("random"));
        model.sort(1, Qt::DescendingOrder);
        QCOMPARE(model.data(model.index(0, 0)).toString(), QStringLiteral("random"));
        model.sort(0, Qt::AscendingOrder);
        QCOMPARE(model.data(model.index(0, 0)).toString(), QStringLiteral("random"));
        model.sort(1, Qt::AscendingOrder);
        const QString best = model.data(model.index(0, 1)).toString();
        QVERIFY2(best.endsWith(QStringLiteral("best")), qPrintable(best));
        const QString tip = model.data(model.index(2, 1), Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains(QStringLiteral("Welch")), qPrintable(tip));
        QVERIFY(tip.contains(QStringLiteral("3 of 3 runs")));
        QCOMPARE(model.headerData(1, Qt::Horizontal).toString(), QStringLiteral("chainmm"));
        for (const CellValue value : {CellValue::OverBestKnown, CellValue::Makespan,
                                      CellValue::Seconds, CellValue::Traffic, CellValue::Memory}) {
            model.setValue(value);
            QVERIFY(!model.figure(model.index(0, 1)).text.isEmpty());
            QVERIFY(model.barEnd(1) > 0);
        }
    }

    void theWindowRunsAnExperimentAndOpensACell() {
        WindowFixture f;
        f.window->showExperiments();
        ExperimentSession& session = f.window->experiments().session();
        QVERIFY(opens(session));
        QCOMPARE(session.columns().size(), 4U);
        session.setSetup(setupOf(kQuick, 2));
        QVERIFY(opens(session));
        QPushButton* run = f.window->experiments().panel().runButton();
        QTRY_VERIFY(run->isEnabled());
        QTest::mouseClick(run, Qt::LeftButton);
        QVERIFY(ends(session));
        QTRY_VERIFY(!run->isEnabled()); // nothing is missing
        ResultsTable& table = f.window->experiments().table();
        ResultsModel& model = f.window->experiments().model();
        const QModelIndex cell = model.index(0, 2); // ffnn
        const place::RunRecord best = model.summary(cell).best();
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(cell).center());
        QVERIFY(!f.window->areExperimentsShown());
        QVERIFY(f.settle());
        QCOMPARE(f.workspace().problem()->opCount(), 180);
        QCOMPARE(f.workspace().placements().size(), 1U);
        QCOMPARE(*f.workspace().current()->assignment, best.assignment);
        QCOMPARE(f.makespan(), best.makespan);
        QVERIFY(!f.workspace().isModified());
        // The same graph is not opened again; another placement of it is added.
        f.window->showExperiments();
        table.setCurrentIndex(model.index(1, 2));
        QTest::keyClick(&table, Qt::Key_Return);
        QVERIFY(f.settle());
        QCOMPARE(f.workspace().placements().size(), 2U);
        QCOMPARE(f.makespan(), model.summary(model.index(1, 2)).best().makespan);
    }

    void keysOfTheWorkbenchRestMeanwhile() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm")));
        const Time before = f.makespan();
        f.selection().select(0);
        f.window->showExperiments();
        QVERIFY(!f.action("edit.assign1")->isEnabled());
        QVERIFY(!f.action("placement.best")->isEnabled());
        QTest::keyClick(f.window.get(), Qt::Key_B);
        QCOMPARE(f.makespan(), before);
    }

    void exportsEveryKind_data() {
        QTest::addColumn<QString>("ending");
        QTest::addColumn<QByteArray>("start");
        QTest::newRow("csv") << QStringLiteral("csv") << QByteArray("graph,nodes,mode,");
        QTest::newRow("md") << QStringLiteral("md") << QByteArray("| method | chainmm |");
        QTest::newRow("tex") << QStringLiteral("tex") << QByteArray("% needs");
        QTest::newRow("json") << QStringLiteral("json") << QByteArray("[");
        QTest::newRow("png") << QStringLiteral("png") << QByteArray("\x89PNG");
        QTest::newRow("svg") << QStringLiteral("svg") << QByteArray("<?xml");
        QTest::newRow("pdf") << QStringLiteral("pdf") << QByteArray("%PDF");
    }

    void exportsEveryKind() {
        QFETCH(QString, ending);
        QFETCH(QByteArray, start);
        QTemporaryDir folder;
        Appearance appearance;
        ScriptedPrompts prompts;
        ExperimentsView view(folder.path(), prompts, appearance);
        view.resize(1200, 800);
        QVERIFY(runs(view.session(), setupOf(kQuick, 2)));
        prompts.path = folder.filePath(QStringLiteral("table.") + ending);
        QSignalSpy failed(&view, &ExperimentsView::failed);
        view.exportTable();
        QCOMPARE(failed.size(), 0);
        QFile file(prompts.path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY2(text.startsWith(start), text.left(80).constData());
        prompts.path = folder.filePath(QStringLiteral("table.xyz"));
        view.exportTable();
        QCOMPARE(failed.size(), 1);
    }

    void exportsBothModesTogether() {
        QTemporaryDir folder;
        Appearance appearance;
        ScriptedPrompts prompts;
        ExperimentsView view(folder.path(), prompts, appearance);
        ExperimentSetup setup = setupOf({QStringLiteral("heft")}, 1);
        setup.graphs.resize(1);
        setup.modes = ExperimentModes::Both;
        QVERIFY(runs(view.session(), setup));
        for (const char* ending : {"md", "tex", "csv", "json"}) {
            prompts.path = folder.filePath(QStringLiteral("modes.") + QLatin1String(ending));
            QSignalSpy written(&view, &ExperimentsView::written);
            view.exportTable();
            QVERIFY(written.size() == 1 || written.wait(20'000));
            QFile file(prompts.path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray text = file.readAll();
            const bool plain = QByteArray(ending) == "csv" || QByteArray(ending) == "json";
            QVERIFY2(text.contains(plain ? "bsp_over_wc" : "wc placement in bsp"),
                     text.constData());
        }
    }

    void theOpenGraphIsOffered() {
        QTemporaryDir folder;
        const QString graph = folder.filePath(QStringLiteral("mine.json"));
        QVERIFY(write(graph, QByteArray::fromStdString(
                                 io::writeGraphJson(*workload::generate("chainmm:n=2000")))));
        WindowFixture f;
        f.window->showExperiments();
        ExperimentsView& view = f.window->experiments();
        ExperimentSession& session = view.session();
        session.setSetup(setupOf(kQuick, 1));
        QVERIFY(opens(session));
        const auto offer = [&]() -> QAction* {
            for (QAction* action : view.panel().findChildren<QAction*>()) {
                if (action->text().startsWith(QStringLiteral("Open graph"))) {
                    return action;
                }
            }
            return nullptr;
        };
        f.window->workspace().open(sim::makeProblem(workload::generate("chainmm:n=2000"),
                                                    io::openCluster("uniform:3"),
                                                    cost::CostModel::Physical, {}),
                                   graph, QStringLiteral("uniform:3"), cost::CostModel::Physical);
        QAction* action = offer();
        QVERIFY(action != nullptr && action->isVisible());
        QCOMPARE(action->text(), QStringLiteral("Open graph: mine on uniform:3"));
        const std::size_t before = session.setup().graphs.size();
        action->trigger();
        QCOMPARE(session.setup().graphs.size(), before + 1);
        QCOMPARE(session.setup().graphs.back().source, graph);
        QCOMPARE(session.setup().graphs.back().cluster, QStringLiteral("uniform:3"));
        QVERIFY(opens(session));
        QVERIFY(!session.graphFailed(session.setup().graphs.back()));
        QCOMPARE(session.columns().back().prepared->problem->deviceCount(), 3);
        f.window->workspace().close();
        QVERIFY(offer() == nullptr || !offer()->isVisible());
    }

    void aSessionsGraphCanBeCompared() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("mine.doppler"));
        io::Session saved;
        saved.graph = workload::generate("chainmm:n=2000");
        saved.cluster = io::openCluster("uniform:3");
        QVERIFY(write(file, QByteArray::fromStdString(io::writeSession(saved))));
        ExperimentSession session(folder.path());
        ExperimentSetup setup = setupOf(kQuick, 1);
        setup.graphs = {{file, {}, true}};
        QVERIFY(runs(session, setup));
        QCOMPARE(session.runsMade(), session.runsWanted());
        QCOMPARE(session.columns().front().prepared->problem->deviceCount(), 4); // its own
    }

    void plotsFollowTheTable() {
        QTemporaryDir folder;
        Appearance appearance;
        ScriptedPrompts prompts;
        ExperimentsView view(folder.path(), prompts, appearance);
        view.resize(1200, 800);
        view.show();
        QVERIFY(runs(view.session(), setupOf(kQuick, 3)));
        QCOMPARE(view.plots().data().columns.size(), 2U);
        QCOMPARE(view.plots().data().methods.back(), QStringLiteral("random"));
        view.model().sort(1, Qt::DescendingOrder);
        QCOMPARE(view.plots().data().methods.front(), QStringLiteral("random"));
        view.plots().setSameScale(true);
        QCOMPARE(view.plots().rangeOf(0).upper, view.plots().rangeOf(1).upper);
    }

    void controlsHaveNames() {
        WindowFixture f;
        f.window->showExperiments();
        for (QWidget* widget : f.window->experiments().findChildren<QWidget*>()) {
            const bool control = qobject_cast<QAbstractButton*>(widget) != nullptr ||
                                 qobject_cast<QComboBox*>(widget) != nullptr ||
                                 qobject_cast<QAbstractItemView*>(widget) != nullptr ||
                                 qobject_cast<QAbstractSpinBox*>(widget) != nullptr;
            if (!control || !widget->isVisible() || widget->focusPolicy() == Qt::NoFocus) {
                continue;
            }
            const auto* button = qobject_cast<QAbstractButton*>(widget);
            const QString name = !widget->accessibleName().isEmpty() || button == nullptr
                                     ? widget->accessibleName()
                                     : button->text();
            QVERIFY2(!name.isEmpty(), widget->metaObject()->className());
        }
    }

    void closesDuringARun() {
        WindowFixture f;
        f.window->showExperiments();
        ExperimentSession& session = f.window->experiments().session();
        ExperimentSetup setup = setupOf({QStringLiteral("anneal")}, 5);
        setup.budgetSeconds = 600;
        QVERIFY(opens(session));
        session.setSetup(setup);
        QVERIFY(opens(session));
        session.start();
        QTRY_VERIFY_WITH_TIMEOUT(session.activity(0, 0).running, 20'000);
        QVERIFY(f.window->close());
        f.window.reset(); // returns although the runs had an hour to go
    }
};

QTEST_MAIN(TestExperiments)
#include "TestExperiments.moc"
