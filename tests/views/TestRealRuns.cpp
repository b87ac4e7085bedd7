#include <QComboBox>
#include <QSignalSpy>
#include <limits>

#include "core/io/ClusterJson.h"
#include "core/io/JsonField.h"
#include "tests/support/WindowFixture.h"
#include "views/docks/InspectorFacts.h"
#include "views/running/FidelityDialog.h"
#include "views/running/LaneDifference.h"
#include "views/running/RealResult.h"
#include "views/running/RealRuns.h"
#include "views/shell/MessageArea.h"

using namespace doppler;
using namespace doppler::views;
using doppler::tests::WindowFixture;

namespace {

bool opened(WindowFixture& f, const QString& graph, const QString& cluster) {
    OpenRequest request;
    request.source = graph;
    request.cluster = cluster;
    request.costs = cost::CostModel::Physical;
    f.window->documents().open(request);
    return f.settle() && f.workspace().current() != nullptr;
}

void picture(WindowFixture& f, const QString& name) {
    const QString folder = qEnvironmentVariable("DOPPLER_TEST_PICTURES");
    if (!folder.isEmpty()) {
        f.window->grab().save(folder + QLatin1Char('/') + name);
    }
}

} // namespace

class TestRealRuns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunIsShownBelowTheSimulatedOne() {
        WindowFixture f;
        QVERIFY(opened(f, QStringLiteral("chainmm:size=tiny"), QStringLiteral("cpu:2")));
        RunChoice choice;
        choice.runs = 3;
        choice.check = true;
        f.window->realRuns().run(choice);
        QVERIFY(f.window->realRuns().isRunning());
        QVERIFY(f.settle());
        const Placement* row = f.workspace().current();
        QVERIFY(row->real != nullptr);
        QCOMPARE(row->real->runs, 3);
        QVERIFY(!row->real->emulated);
        QVERIFY(row->real->mean > 0);
        QVERIFY(row->real->relativeError.value() <= row->real->errorLimit);
        QCOMPARE(f.plot().scene().tracks.size(), std::size_t(2));
        QCOMPARE(f.plot().scene().tracks[1].name, QStringLiteral("Measured on cpu"));
        QVERIFY(!f.workspace().isModified());

        f.selection().select({OpId(3)});
        bool told = false;
        for (const Fact& fact : opFacts(f.workspace(), 3)) {
            told = told || fact.first == QStringLiteral("Measured, cpu");
        }
        QVERIFY(told);
        f.workspace().viewState().setColourBy(ColourBy::MeasuredError);
        picture(f, QStringLiteral("real.png"));
        f.workspace().assign({OpId(3)}, f.otherDevice(3));
        QVERIFY(f.workspace().current()->real == nullptr); // another placement now
        QCOMPARE(f.plot().scene().tracks.size(), std::size_t(1));
    }

    void emulatedIsNeverCalledMeasured() {
        WindowFixture f;
        QVERIFY(opened(f, QStringLiteral("ffnn"), QStringLiteral("p100x4")));
        RunChoice choice;
        choice.runtime = QStringLiteral("emulated");
        f.window->realRuns().run(choice);
        QVERIFY(f.settle());
        const Placement* row = f.workspace().current();
        QVERIFY(row->real != nullptr);
        QVERIFY(row->real->emulated);
        QCOMPARE(f.plot().scene().tracks[1].name, QStringLiteral("Emulated"));
        QVERIFY(!row->real->description().contains(QStringLiteral("easured")));
        picture(f, QStringLiteral("emulated.png"));
    }

    void runsAreComparedLaneByLane() {
        sim::Timeline timeline;
        timeline.intervals = {{.op = 0, .device = 0, .end = 10},
                              {.op = 0, .device = 0, .to = 1, .start = 10, .end = 14},
                              {.op = 1, .device = 1, .start = 14, .end = 20}};
        sim::Report report;
        report.devices = {{.busy = 10}, {.busy = 6, .waitingForInput = 13, .heldForMemory = 1}};
        const std::vector<LaneFacts> facts = laneFacts(timeline, report);
        QCOMPARE(facts[0].busy, Time(10));
        QCOMPARE(facts[0].sending, Time(4));
        QCOMPARE(facts[0].end, Time(14));
        QCOMPARE(facts[1].waiting, Time(14));
        QCOMPARE(facts[1].end, Time(20));

        WindowFixture f;
        QVERIFY(opened(f, QStringLiteral("ffnn"), QStringLiteral("p100x4")));
        auto* lanes = f.window->findChild<LaneDifference*>();
        QVERIFY(lanes->isHidden());
        RunChoice choice;
        choice.runtime = QStringLiteral("emulated");
        f.window->realRuns().run(choice);
        QVERIFY(f.settle());
        QVERIFY(!lanes->isHidden());
        QVERIFY2(lanes->accessibleDescription().contains(QStringLiteral("A ends +")),
                 qPrintable(lanes->accessibleDescription()));
        f.window->resize(1600, 1300);
        QCoreApplication::processEvents();
        picture(f, QStringLiteral("lanes.png"));
        f.appearance.setDark(true);
        QCoreApplication::processEvents();
        picture(f, QStringLiteral("lanes-dark.png"));
        f.workspace().assign({OpId(3)}, f.otherDevice(3));
        QVERIFY(f.settle());
        QVERIFY(lanes->isHidden());
    }

    void graphsFromFilesSayWhyNot() {
        WindowFixture f;
        const QString path = f.write(QStringLiteral("two.txt"), "digraph { a -> b }");
        QVERIFY(f.open(path));
        QVERIFY(!f.window->realRuns().obstacle(QStringLiteral("cpu")).isEmpty());
        QVERIFY(f.window->realRuns().obstacle(QStringLiteral("emulated")).isEmpty());
    }

    void runsCanBeStopped() {
        WindowFixture f;
        QVERIFY(opened(f, QStringLiteral("chainmm:size=tiny"), QStringLiteral("cpu:2")));
        RunChoice choice;
        choice.warmUps = std::numeric_limits<int>::max(); // never ends by itself
        f.window->realRuns().run(choice);
        // Warm-ups are drawn as they run: sooner or later a look falls into one.
        QVERIFY(QTest::qWaitFor([&] { return f.plot().scene().tracks.size() == 2; }, 60'000));
        QCOMPARE(f.plot().scene().tracks[1].name, QStringLiteral("Running"));
        picture(f, QStringLiteral("live.png"));
        f.window->realRuns().stop();
        QVERIFY(f.settle());
        QVERIFY(!f.window->realRuns().isRunning());
        QVERIFY(f.workspace().current()->real == nullptr);
        QCOMPARE(f.plot().scene().tracks.size(), std::size_t(1));
    }

    void predictionsAreComparedWithRuns() {
        WindowFixture f;
        QVERIFY(opened(f, QStringLiteral("ffnn"), QStringLiteral("p100x4")));
        FidelityDialog dialog(f.workspace(), f.window->realRuns(), f.appearance);
        dialog.findChild<QComboBox*>()->setCurrentText(QStringLiteral("emulated"));
        dialog.show();
        dialog.start();
        QVERIFY(dialog.isRunning());
        QVERIFY(f.settle());
        QVERIFY(!dialog.isRunning());
        QVERIFY2(dialog.verdict().contains(QStringLiteral("Emulated")),
                 qPrintable(dialog.verdict()));
        QVERIFY(dialog.verdict().contains(QStringLiteral("Median error")));
        const QString folder = qEnvironmentVariable("DOPPLER_TEST_PICTURES");
        if (!folder.isEmpty()) {
            dialog.grab().save(folder + QStringLiteral("/fidelity.png"));
        }
    }

    void aRunThatFailsSaysWhyAndTheWindowGoesOn() {
        WindowFixture f;
        // Room for no block at all.
        io::Json cluster = io::Json::parse(io::writeClusterJson(*io::openCluster("cpu:2")));
        for (io::Json& device : cluster["devices"]) {
            device["capacityBytes"] = 1000;
        }
        const QString file =
            f.write(QStringLiteral("small.json"), QByteArray::fromStdString(cluster.dump()));
        QVERIFY(opened(f, QStringLiteral("chainmm:size=tiny"), file));
        f.window->realRuns().run({});
        QVERIFY(f.settle());
        QVERIFY(!f.window->realRuns().isRunning());
        QVERIFY(f.workspace().current()->real == nullptr);
        QCOMPARE(f.plot().scene().tracks.size(), std::size_t(1));
        QStringList told;
        for (const MessageStrip* strip : f.window->findChild<MessageArea*>()->strips()) {
            told.append(strip->text());
        }
        QVERIFY2(told.join(QLatin1Char('|')).contains(QStringLiteral("device \"CPU 0\" lacks")),
                 qPrintable(told.join(QLatin1Char('|'))));
        picture(f, QStringLiteral("failed.png"));

        // With room it runs.
        f.workspace().changeProblem(io::openCluster("cpu:2"), QStringLiteral("cpu:2"),
                                    cost::CostModel::Physical, f.workspace().problem()->options);
        QVERIFY(f.settle());
        f.window->realRuns().run({});
        QVERIFY(f.settle());
        QVERIFY(f.workspace().current()->real != nullptr);
    }

    void closingDuringARunIsSafe() {
        WindowFixture f;
        QVERIFY(opened(f, QStringLiteral("chainmm:size=tiny"), QStringLiteral("cpu:2")));
        RunChoice choice;
        choice.warmUps = std::numeric_limits<int>::max(); // never ends by itself
        f.window->realRuns().run(choice);
        QVERIFY(QTest::qWaitFor([&] { return f.plot().scene().tracks.size() == 2; }, 60'000));
        f.window.reset();
    }
};

QTEST_MAIN(TestRealRuns)
#include "TestRealRuns.moc"
