#include <QApplication>
#include <QClipboard>
#include <QDropEvent>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <algorithm>

#include "core/io/Formats.h"
#include "core/io/PlacementFile.h"
#include "core/io/Session.h"
#include "tests/support/WindowFixture.h"
#include "views/docks/PlacementsView.h"
#include "views/shell/DropOverlay.h"
#include "views/shell/Exporter.h"
#include "views/shell/MessageArea.h"
#include "views/shell/WorkloadDialog.h"
#include "views/shell/WorkloadForm.h"

using namespace doppler;
using namespace doppler::views;
using doppler::tests::WindowFixture;

namespace {

/// A diamond with one edge stated twice.
const QByteArray kGraph = "4\n\n0,0,0,1,2\n1,2,1,3,3\n10,1\n20,1\n30,1\n40,1\n";

const MessageStrip* stripOf(WindowFixture& f, MessageStrip::Kind kind) {
    for (const MessageStrip* strip : f.window->messages().strips()) {
        if (strip->kind() == kind) {
            return strip;
        }
    }
    return nullptr;
}

void press(const MessageStrip* strip, const QString& text) {
    for (QPushButton* button : strip->findChildren<QPushButton*>()) {
        if (button->text() == text) {
            button->click();
            return;
        }
    }
    QFAIL(qPrintable(QStringLiteral("no button ") + text));
}

void edit(WindowFixture& f) {
    f.workspace().assign({0}, f.otherDevice(0));
}

void drop(WindowFixture& f, const QString& path) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(f.window.get(), &enter);
    QVERIFY(enter.isAccepted());
    QVERIFY(f.window->findChild<DropOverlay*>()->isVisible());
    QDropEvent event(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(f.window.get(), &event);
    QVERIFY(!f.window->findChild<DropOverlay*>()->isVisible());
}

} // namespace

class TestMainWindowFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void opensAFileAndReportsWhatWasMerged() {
        WindowFixture f;
        f.prompts->path = f.write(QStringLiteral("diamond.txt"), kGraph);
        f.action("file.open")->trigger();
        QVERIFY(f.settle());
        QCOMPARE(f.workspace().problem()->opCount(), 4);
        QCOMPARE(f.workspace().problem()->graph->edgeCount(), 4);
        const MessageStrip* strip = stripOf(f, MessageStrip::Kind::Warning);
        QVERIFY(strip != nullptr);
        QVERIFY2(strip->text().contains(QStringLiteral("diamond")), qPrintable(strip->text()));
        press(strip, QStringLiteral("Close"));
        QVERIFY(stripOf(f, MessageStrip::Kind::Warning) == nullptr);
    }

    void aMalformedFileLeavesTheOldProblemOpen_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("binary") << QByteArray("\x7f"
                                              "ELF\0\1\2\3",
                                              8);
        QTest::newRow("cycle") << QByteArray("2\n\n0,1\n1,0\n1,1\n1,1\n");
        QTest::newRow("id out of range") << QByteArray("2\n\n0\n7\n1,1\n1,1\n");
        QTest::newRow("text for a number") << QByteArray("2\n\n0\n1\n1,x\n1,1\n");
        QTest::newRow("truncated JSON") << QByteArray("{\"format\": \"doppler-graph/1\", \"ops\"");
        QTest::newRow("wrong tag") << QByteArray("{\"format\": \"doppler-zebra/1\"}");
        QTest::newRow("broken session") << QByteArray("{\"format\": \"doppler-session/1\"}");
        QTest::newRow("assignment of the wrong length")
            << QByteArray("{\"format\": \"doppler-assignment/1\", \"devices\": [0, 1]}");
        QTest::newRow("comma list of the wrong length") << QByteArray("0,1,2\n");
    }

    void aMalformedFileLeavesTheOldProblemOpen() {
        QFETCH(QByteArray, text);
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm")));
        const auto problem = f.workspace().problem();
        const QString path = f.write(QStringLiteral("bad.txt"), text);
        f.window->documents().open(path);
        QVERIFY(f.settle());
        QCOMPARE(f.workspace().problem(), problem);
        QVERIFY(!f.window->isStartPageShown());
        const MessageStrip* strip = stripOf(f, MessageStrip::Kind::Error);
        QVERIFY(strip != nullptr);
        QVERIFY2(strip->text().contains(QStringLiteral("bad.txt")), qPrintable(strip->text()));
        press(strip, QStringLiteral("Copy"));
        QCOMPARE(QApplication::clipboard()->text(), strip->text());
        press(strip, QStringLiteral("Close"));
        // The next thing that opens well clears old messages.
        f.window->documents().open(path);
        QVERIFY(f.settle());
        QVERIFY(f.open(QStringLiteral("ffnn")));
        QVERIFY(stripOf(f, MessageStrip::Kind::Error) == nullptr);
    }

    void aMissingFileIsAMessage() {
        WindowFixture f;
        f.window->documents().open(f.file(QStringLiteral("nowhere.json")));
        QVERIFY(f.settle());
        QVERIFY(!f.workspace().hasProblem());
        QVERIFY(stripOf(f, MessageStrip::Kind::Error) != nullptr);
    }

    void savesAndReadsBackASession() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm")));
        edit(f);
        const Time makespan = f.makespan();
        const std::size_t rows = f.workspace().placements().size();
        f.workspace().viewState().setColourBy(ColourBy::Slack);
        f.workspace().viewState().setShowLinks(false);
        const QString path = f.file(QStringLiteral("mine.doppler"));
        f.prompts->path = path;
        f.action("file.save")->trigger();
        QVERIFY(f.settle());
        QVERIFY(QFileInfo::exists(path));
        QVERIFY(!f.workspace().isModified());
        QCOMPARE(f.window->documents().title(), QStringLiteral("mine"));

        QVERIFY(f.open(QStringLiteral("ffnn")));
        f.workspace().viewState().setColourBy(ColourBy::Device);
        f.workspace().viewState().setShowLinks(true);
        QVERIFY(f.open(path));
        QCOMPARE(f.workspace().viewState().colourBy(), ColourBy::Slack);
        QVERIFY(!f.workspace().viewState().showLinks());
        QCOMPARE(f.workspace().problem()->opCount(), 76);
        QCOMPARE(f.workspace().placements().size(), rows);
        QCOMPARE(f.makespan(), makespan);
        QVERIFY(!f.workspace().isModified());
        // A second save goes to the same file, unasked.
        edit(f);
        f.prompts->path.clear();
        f.action("file.save")->trigger();
        QVERIFY(f.settle());
        QVERIFY(!f.workspace().isModified());
    }

    void aSessionKnowsWhatIsCollapsed() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("llama-layer:layers=2")));
        QVERIFY(f.canvas().hasGroups() && !f.canvas().anyCollapsed());
        const std::int32_t group = 2;
        f.canvas().setCollapsed(group, true);
        QVERIFY(f.settle());
        f.prompts->path = f.file(QStringLiteral("folded.doppler"));
        f.action("file.save")->trigger();
        QVERIFY(f.settle());
        QVERIFY(f.open(QStringLiteral("chainmm")));
        QVERIFY(f.open(f.file(QStringLiteral("folded.doppler"))));
        QVERIFY(f.canvas().groups()->isCollapsed(group));
        QCOMPARE(graph::collapsedPaths(*f.canvas().groups()).size(), std::size_t(1));
        QVERIFY(f.canvas().geometry().folds() != nullptr); // and is drawn so
        // The same graph anew starts as it does.
        QVERIFY(f.open(QStringLiteral("llama-layer:layers=2")));
        QVERIFY(!f.canvas().anyCollapsed());
    }

    void editsDuringTheSaveAreNotSaved() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm")));
        edit(f);
        const QString path = f.file(QStringLiteral("mine.doppler"));
        f.prompts->path = path;
        f.action("file.save")->trigger();
        // As many steps as before, but another one.
        f.workspace().undoStack().undo();
        f.workspace().assign({1}, f.otherDevice(1));
        QVERIFY(f.settle());
        QVERIFY(QFileInfo::exists(path));
        QVERIFY(f.workspace().isModified());
        f.action("file.save")->trigger();
        QVERIFY(f.settle());
        QVERIFY(!f.workspace().isModified());
    }

    void asksBeforeChangesAreLost() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm")));
        edit(f);
        QVERIFY(f.window->isWindowModified());
        // Cancel: nothing happens.
        f.prompts->answer = Prompts::SaveAnswer::Cancel;
        QVERIFY(!f.window->close());
        QCOMPARE(f.prompts->questions, 1);
        f.window->documents().open(QStringLiteral("ffnn"));
        QVERIFY(f.settle());
        QCOMPARE(f.prompts->questions, 2);
        QCOMPARE(f.workspace().problem()->opCount(), 76);
        // Save, but no file is chosen: nothing happens either.
        f.prompts->answer = Prompts::SaveAnswer::Save;
        QVERIFY(!f.window->close());
        QVERIFY(f.window->isVisible());
        // Save to a file: saved, then closed.
        const QString path = f.file(QStringLiteral("kept.doppler"));
        f.prompts->path = path;
        f.window->close();
        QTRY_VERIFY(!f.window->isVisible());
        QVERIFY(QFileInfo::exists(path));
    }

    void discardClosesWithoutSaving() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm")));
        edit(f);
        f.prompts->answer = Prompts::SaveAnswer::Discard;
        f.window->close();
        QTRY_VERIFY(!f.window->isVisible());
    }

    void closingTheProblemInvitesAgain() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm")));
        f.action("file.close")->trigger();
        QVERIFY(!f.workspace().hasProblem());
        QVERIFY(f.window->isStartPageShown());
    }

    void exportsAndReadsBack() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm")));
        const auto problem = f.workspace().problem();
        const sim::Assignment shown = *f.workspace().current()->assignment;
        const auto exported = [&](const char* id, const QString& name) {
            f.prompts->path = f.file(name);
            f.action(id)->trigger();
            f.settle();
            return io::readFile(f.file(name).toStdString());
        };
        const std::string json = exported("file.exportAssignment", QStringLiteral("a.json"));
        QCOMPARE(io::parseAssignment(json, "a.json", *problem->graph, *problem->cluster), shown);
        const std::string list = exported("file.exportList", QStringLiteral("a.txt"));
        QCOMPARE(io::parseAssignment(list, "a.txt", *problem->graph, *problem->cluster), shown);
        const std::string graph = exported("file.exportJson", QStringLiteral("g.json"));
        QCOMPARE(io::parseGraph(graph, "g.json").graph->edgeCount(), 80);
        QVERIFY(exported("file.exportDot", QStringLiteral("g.dot")).find("digraph") !=
                std::string::npos);
        const std::string graphMl = exported("file.exportGraphMl", QStringLiteral("g.graphml"));
        QCOMPARE(io::parseGraph(graphMl, "g.graphml").graph->edgeCount(), 80);
        const auto lines = [](const std::string& text) {
            return std::count(text.begin(), text.end(), '\n');
        };
        QVERIFY(f.window->messages().strips().empty());
        QCOMPARE(lines(exported("file.exportOps", QStringLiteral("ops.csv"))), 77);
        const MessageStrip* losses = stripOf(f, MessageStrip::Kind::Warning);
        QVERIFY(losses != nullptr);
        QCOMPARE(losses->text(), QStringLiteral("ops.csv: csv does not hold the 80 edges (it lists "
                                                "the ops)"));
        press(losses, QStringLiteral("Close"));
        QVERIFY(lines(exported("file.exportIntervals", QStringLiteral("runs.csv"))) > 76);
        const std::string map = exported("file.exportMap", QStringLiteral("map.json"));
        QVERIFY(map.find(problem->graph->opName(75)) != std::string::npos);
        QVERIFY(exported("file.exportTrace", QStringLiteral("t.json")).find("traceEvents") !=
                std::string::npos);
        QVERIFY(exported("file.exportTable", QStringLiteral("p.csv")).find("critical-path") !=
                std::string::npos);
        for (const char* ending : {"png", "svg", "pdf"}) {
            const QString suffix = QLatin1Char('.') + QLatin1String(ending);
            QVERIFY(exported("file.exportGraph", QStringLiteral("graph") + suffix).size() > 1000);
            QVERIFY(exported("file.exportTimelines", QStringLiteral("gantt") + suffix).size() >
                    1000);
        }
        QVERIFY(f.window->messages().strips().empty());

        // The exported assignment comes back as a row.
        const std::size_t rows = f.workspace().placements().size();
        f.prompts->path = f.file(QStringLiteral("a.json"));
        f.action("file.import")->trigger();
        QVERIFY(f.settle());
        QCOMPARE(f.workspace().placements().size(), rows + 1);
        QCOMPARE(*f.workspace().current()->assignment, shown);

        // One that was found for another objective says so, and when it is exported again.
        io::PlacementFile found{shown, {}};
        found.record.method = "anneal";
        found.record.seed = 9;
        found.record.objective = "p95:32";
        found.record.noise = 0.2;
        found.record.value = 1234;
        found.record.unit = cost::name(problem->costs->unit());
        io::writeFileAtomically(f.file(QStringLiteral("found.json")).toStdString(),
                                io::writePlacementJson(found, *problem->graph, *problem->cluster));
        f.prompts->path = f.file(QStringLiteral("found.json"));
        f.action("file.import")->trigger();
        QVERIFY(f.settle());
        QCOMPARE(f.workspace().current()->objective.text(), QStringLiteral("p95:32, noise 0.2"));
        QCOMPARE(f.workspace().current()->seed, std::uint64_t{9});
        const io::PlacementFile again =
            io::parsePlacement(exported("file.exportAssignment", QStringLiteral("b.json")),
                               "b.json", *problem->graph, *problem->cluster);
        QCOMPARE(again.record.objective, std::string("p95:32"));
        QCOMPARE(again.record.noise, std::optional(0.2));
        QCOMPARE(again.record.value, std::optional<Time>(1234));
        QCOMPARE(again.record.makespan, std::optional(f.workspace().current()->makespan()));
    }

    void aChangeOfClusterTellsWhatItDidNotKeep() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm"))); // on four devices
        const auto onDevice = [&](DeviceId device) {
            const sim::Assignment& shown = *f.workspace().current()->assignment;
            return std::count(shown.begin(), shown.end(), device);
        };
        const auto onTwo = onDevice(2);
        QVERIFY(onTwo > 0);
        const auto change = [&](int devices) {
            f.workspace().changeProblem(
                std::make_shared<const cluster::Cluster>(cluster::uniformCluster(devices)),
                QStringLiteral("uniform:%1").arg(devices), cost::CostModel::Published,
                sim::SimOptions::published());
            f.settle();
        };
        change(6);
        QVERIFY(stripOf(f, MessageStrip::Kind::Warning) == nullptr);
        change(2);
        const MessageStrip* strip = stripOf(f, MessageStrip::Kind::Warning);
        QVERIFY(strip != nullptr);
        QVERIFY2(
            strip->text().startsWith(
                QStringLiteral("uniform:2: Device 2 is gone: %1 ops moved to Device 0").arg(onTwo)),
            qPrintable(strip->text()));
        f.workspace().undoStack().undo();
        QVERIFY(stripOf(f, MessageStrip::Kind::Warning) == nullptr);
    }

    void anExportThatCannotBeWrittenIsAMessage() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm")));
        for (const char* id :
             {"file.exportAssignment", "file.exportGraph", "file.exportTimelines"}) {
            f.window->messages().clear(MessageStrip::Kind::Error);
            f.prompts->path = f.file(QStringLiteral("no/such/folder/x.png"));
            f.action(id)->trigger();
            QVERIFY(f.settle());
            QVERIFY2(stripOf(f, MessageStrip::Kind::Error) != nullptr, id);
        }
    }

    void dropsOpen() {
        WindowFixture f;
        drop(f, f.write(QStringLiteral("dropped.txt"), kGraph));
        QVERIFY(f.settle());
        QCOMPARE(f.workspace().problem()->opCount(), 4);
        // An assignment goes into the open problem.
        const std::size_t rows = f.workspace().placements().size();
        drop(f, f.write(QStringLiteral("list.txt"), "0,1,2,3\n"));
        QVERIFY(f.settle());
        QCOMPARE(f.workspace().placements().size(), rows + 1);
        QCOMPARE(*f.workspace().current()->assignment, (sim::Assignment{0, 1, 2, 3}));
        // So does a cluster.
        const auto cluster = io::openCluster("uniform:2");
        drop(f, f.write(QStringLiteral("two.json"),
                        QByteArray::fromStdString(io::writeClusterJson(*cluster))));
        QVERIFY(f.settle());
        QCOMPARE(f.workspace().problem()->deviceCount(), 2);
    }

    void unsavedWorkSurvivesACrash() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm")));
        f.window->recovery().saveNow();
        QVERIFY(f.window->recovery().path().isEmpty()); // nothing has changed yet
        edit(f);
        const Time makespan = f.makespan();
        f.window->recovery().saveNow();
        const QString path = f.window->recovery().path();
        QTRY_VERIFY(QFileInfo::exists(path));
        // A crash leaves the file, and a lock of a process that is gone.
        const QString left = f.file(QStringLiteral("recovery/recovery-crashed.json"));
        QVERIFY(QFile::copy(path, left));
        f.restart();
        QVERIFY(!QFileInfo::exists(path)); // a window that closes leaves nothing
        f.window->offerRecovery(true);
        QVERIFY(f.settle());
        QCOMPARE(f.makespan(), makespan);
        QVERIFY(f.workspace().isModified());
        const MessageStrip* strip = stripOf(f, MessageStrip::Kind::Info);
        QVERIFY(strip != nullptr && strip->text().startsWith(QStringLiteral("Recovered")));
        press(strip, QStringLiteral("Discard"));
        QVERIFY(!f.workspace().hasProblem());
        QVERIFY(!QFileInfo::exists(left));
    }

    void twoWindowsDoNotTakeEachOthersWork() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm")));
        edit(f);
        f.window->recovery().saveNow();
        QTRY_VERIFY(QFileInfo::exists(f.window->recovery().path()));
        Workspace other;
        JobRunner jobs;
        Recovery recovery(other, jobs, f.file(QStringLiteral("recovery")));
        QVERIFY(!recovery.takeOver());
    }

    void workloadDialogCounts() {
        WindowFixture f;
        WorkloadDialog dialog(f.appearance, f.window.get());
        dialog.choose(QStringLiteral("chainmm"));
        QTRY_VERIFY2(dialog.summary().startsWith(QStringLiteral("76 ops, 80 edges")),
                     qPrintable(dialog.summary()));
        QCOMPARE(dialog.source(), QStringLiteral("chainmm"));
        // The size sets what nobody has touched.
        dialog.form()->setValue(QStringLiteral("size"), QStringLiteral("tiny"));
        QCOMPARE(dialog.source(), QStringLiteral("chainmm:size=tiny"));
        const auto* side = dialog.form()->findChild<QSpinBox*>(QStringLiteral("n"));
        QVERIFY(side->value() < 1000);
        QTRY_VERIFY2(dialog.summary().contains(QStringLiteral("FLOP")),
                     qPrintable(dialog.summary()));
        dialog.form()->setValue(QStringLiteral("n"), QStringLiteral("48"));
        dialog.form()->setValue(QStringLiteral("size"), QStringLiteral("full"));
        QCOMPARE(dialog.source(), QStringLiteral("chainmm:n=48"));
        dialog.choose(QStringLiteral("random"));
        dialog.form()->setValue(QStringLiteral("ops"), QStringLiteral("50"));
        QVERIFY2(dialog.source().startsWith(QStringLiteral("random:")),
                 qPrintable(dialog.source()));
        QTRY_VERIFY2(dialog.summary().startsWith(QStringLiteral("50 ops")),
                     qPrintable(dialog.summary()));
    }
};

QTEST_MAIN(TestMainWindowFiles)
#include "TestMainWindowFiles.moc"
