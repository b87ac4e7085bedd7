#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>

#include "core/engine/Calibration.h"
#include "core/engine/Runtimes.h"
#include "core/graph/InputError.h"
#include "core/io/Formats.h"
#include "core/io/ProfileJson.h"
#include "tests/support/WindowFixture.h"
#include "views/running/CalibrateDialog.h"
#include "views/running/CalibrationTables.h"
#include "views/running/FidelityDialog.h"
#include "views/running/RealRuns.h"
#include "views/shell/FieldButton.h"
#include "views/shell/MessageArea.h"

using namespace doppler;
using namespace doppler::views;
using doppler::tests::WindowFixture;

namespace {

void picture(QWidget& widget, const QString& name) {
    const QString folder = qEnvironmentVariable("DOPPLER_TEST_PICTURES");
    if (!folder.isEmpty()) {
        widget.grab().save(folder + QLatin1Char('/') + name);
    }
}

engine::Calibration calibrationOf(const char* runtime, const std::string& cluster) {
    engine::CalibrationRequest request;
    request.cluster = io::openCluster(cluster);
    request.programs = {engine::executableProgram("chainmm:size=tiny")};
    request.runtime = runtime;
    request.rounds = 4;
    return engine::calibrate(request);
}

QString fieldText(WindowFixture& f, const char* name) {
    return f.window->findChild<FieldButton*>(QLatin1String(name))->accessibleName();
}

} // namespace

/// Measured times in the window: the dialog that measures, and the problem that uses them.
class TestCalibrateDialog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsMeasuredIsUsed() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm:size=tiny")));
        QVERIFY(f.action("run.calibrate")->isEnabled());
        CalibrateDialog dialog(f.workspace(), f.appearance, *f.prompts);
        dialog.findChild<QComboBox*>()->setCurrentText(QStringLiteral("emulated"));
        dialog.show();
        picture(dialog, QStringLiteral("calibrate-start.png"));
        QVERIFY(!dialog.canUse());
        dialog.start();
        QVERIFY(dialog.isRunning());
        QVERIFY(QTest::qWaitFor([&] { return !dialog.isRunning(); }, 60'000));
        QVERIFY(dialog.canUse());
        QVERIFY2(dialog.verdict().startsWith(QStringLiteral("Emulated: nothing was measured")),
                 qPrintable(dialog.verdict()));
        auto* tables = dialog.findChild<CalibrationTables*>();
        QVERIFY(tables->kernels().rowCount() > 3);
        QCOMPARE(tables->links().rowCount(), 1);
        dialog.resize(680, 560);
        picture(dialog, QStringLiteral("calibrate-done.png"));

        const Time before = f.makespan();
        f.prompts->path = f.file(QStringLiteral("measured.json"));
        dialog.saveAs();
        QVERIFY(f.settle());
        QVERIFY(f.workspace().costModel() == cost::CostModel::Profiled);
        QVERIFY(f.makespan() != before);
        QVERIFY(f.workspace().profile() != nullptr);
        QCOMPARE(f.workspace().clusterSource(), f.prompts->path);
        QVERIFY(io::openProfile(f.prompts->path.toStdString()) != nullptr);
        QVERIFY(fieldText(f, "field.costs").contains(QStringLiteral("profiled")));
        picture(*f.window, QStringLiteral("profiled.png"));
        f.workspace().undoStack().undo();
        QVERIFY(f.settle());
        QVERIFY(f.workspace().profile() == nullptr);
        QCOMPARE(f.makespan(), before);
        f.workspace().undoStack().redo();
        QVERIFY(f.settle());
        QVERIFY(f.workspace().costModel() == cost::CostModel::Profiled);
    }

    void thisMachineIsMeasured() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm:size=tiny")));
        CalibrateDialog dialog(f.workspace(), f.appearance, *f.prompts);
        dialog.findChild<QComboBox*>()->setCurrentText(QStringLiteral("cpu"));
        dialog.start();
        QVERIFY(QTest::qWaitFor([&] { return !dialog.isRunning(); }, 120'000));
        QVERIFY2(dialog.canUse(), qPrintable(dialog.verdict()));
        QVERIFY(dialog.verdict().contains(QStringLiteral("runtime cpu")));
        dialog.show();
        dialog.resize(680, 560);
        f.appearance.setDark(true);
        picture(dialog, QStringLiteral("calibrate-cpu-dark.png"));
        dialog.use(QStringLiteral("cpu:2"));
        QVERIFY(f.settle());
        QCOMPARE(f.workspace().problem()->deviceCount(), 2);
        QVERIFY(f.workspace().costModel() == cost::CostModel::Profiled);
    }

    void cancelledOrImpossible() {
        WindowFixture f;
        QVERIFY(f.open(f.write(QStringLiteral("two.txt"), "digraph { a -> b }")));
        CalibrateDialog dialog(f.workspace(), f.appearance, *f.prompts);
        dialog.findChild<QComboBox*>()->setCurrentText(QStringLiteral("emulated"));
        QVERIFY(dialog.verdict().contains(QStringLiteral("name a workload")));
        dialog.findChild<QLineEdit*>()->setText(QStringLiteral("nonsense"));
        dialog.start();
        QVERIFY(QTest::qWaitFor([&] { return !dialog.isRunning(); }, 60'000));
        QVERIFY(!dialog.canUse());
        QVERIFY(dialog.verdict().contains(QStringLiteral("nonsense")));
        dialog.findChild<QLineEdit*>()->setText(QStringLiteral("llama-layer"));
        dialog.start();
        QVERIFY(dialog.isRunning());
        f.workspace().jobs().cancelAll();
        QVERIFY(QTest::qWaitFor([&] { return !dialog.isRunning(); }, 60'000));
        QVERIFY(!dialog.canUse());
    }

    void timesOfAnotherMachineAreTold_data() {
        QTest::addColumn<bool>("intoOpenProblem");
        QTest::newRow("with the graph") << false;
        QTest::newRow("into an open problem") << true;
    }

    void timesOfAnotherMachineAreTold() {
        QFETCH(bool, intoOpenProblem);
        WindowFixture f;
        cluster::Profile profile = calibrationOf("emulated", "p100x4").profile;
        profile.runtime = "cpu";
        profile.emulated = false;
        profile.processor = "abacus";
        profile.blas = "Slide rule";
        profile.blasThreads = 7;
        profile.disturbed = 2;
        OpenRequest request;
        request.source = QStringLiteral("chainmm:size=tiny");
        request.cluster = f.write(
            QStringLiteral("there.json"),
            QByteArray::fromStdString(io::writeClusterJson(*io::openCluster("p100x4"), profile)));
        if (intoOpenProblem) {
            QVERIFY(f.open(request.source));
            request.source = request.cluster;
            request.cluster.clear();
        }
        f.window->documents().open(request);
        QVERIFY(f.settle());
        QVERIFY(f.workspace().costModel() == cost::CostModel::Profiled);
        QCOMPARE(f.window->messages().strips().size(), 1);
        const MessageStrip& strip = *f.window->messages().strips().front();
        QVERIFY(strip.kind() == MessageStrip::Kind::Warning);
        QVERIFY2(strip.text().contains("7 BLAS threads"), qPrintable(strip.text()));
        QVERIFY2(strip.text().contains("while other programs ran"), qPrintable(strip.text()));
    }

    void aClusterFileBringsItsTimes() {
        WindowFixture f;
        const engine::Calibration calibration = calibrationOf("emulated", "p100x4");
        const QString path = f.write(QStringLiteral("measured.json"),
                                     QByteArray::fromStdString(io::writeClusterJson(
                                         *io::openCluster("p100x4"), calibration.profile)));
        QVERIFY(f.open(QStringLiteral("chainmm:size=tiny")));
        f.window->documents().open(path);
        QVERIFY(f.settle());
        QVERIFY(f.workspace().costModel() == cost::CostModel::Profiled);
        QVERIFY(*f.workspace().profile() == calibration.profile);

        // Another graph on the same cluster keeps them; so does a session.
        QVERIFY(f.open(QStringLiteral("ffnn:size=tiny")));
        QVERIFY(f.workspace().costModel() == cost::CostModel::Profiled);
        const Time makespan = f.makespan();
        const io::Session session =
            io::parseSession(io::writeSession(f.workspace().toSession()), "session");
        QVERIFY(session.profile != nullptr && *session.profile == calibration.profile);
        f.workspace().close();
        f.workspace().openSession(session);
        QVERIFY(f.settle());
        QVERIFY(f.workspace().costModel() == cost::CostModel::Profiled);
        QCOMPARE(f.makespan(), makespan);

        // Physical and back; a cluster of which nothing is known makes them physical.
        const auto& problem = f.workspace().problem();
        f.workspace().changeProblem(problem->cluster, path, cost::CostModel::Physical,
                                    problem->options);
        QVERIFY(f.workspace().profile() != nullptr);
        f.workspace().changeProblem(f.workspace().problem()->cluster, path,
                                    cost::CostModel::Profiled, problem->options);
        QCOMPARE(f.makespan(), makespan);
        f.workspace().changeProblem(io::openCluster("v100x8"), QStringLiteral("v100x8"),
                                    cost::CostModel::Profiled, problem->options);
        QVERIFY(f.workspace().costModel() == cost::CostModel::Physical);
        QVERIFY(f.workspace().profile() == nullptr);
    }

    void aSessionWithoutItsTimesIsRefused() {
        WindowFixture f;
        QVERIFY(f.open(QStringLiteral("chainmm:size=tiny")));
        io::Session session = f.workspace().toSession();
        session.costs = cost::CostModel::Profiled;
        QVERIFY_EXCEPTION_THROWN(io::parseSession(io::writeSession(session), "session"),
                                 InputError);
    }

    void timesOfAnotherRuntimeAreNotComparedWithRuns() {
        WindowFixture f;
        const engine::Calibration calibration = calibrationOf("emulated", "cpu:2");
        QVERIFY(f.open(QStringLiteral("chainmm:size=tiny")));
        f.workspace().changeProblem(io::openCluster("cpu:2"), QStringLiteral("cpu:2"),
                                    cost::CostModel::Profiled, {},
                                    std::make_shared<cluster::Profile>(calibration.profile));
        FidelityDialog dialog(f.workspace(), f.window->realRuns(), f.appearance);
        dialog.findChild<QComboBox*>()->setCurrentText(QStringLiteral("cpu"));
        dialog.start();
        QVERIFY(QTest::qWaitFor([&] { return !dialog.isRunning(); }, 60'000));
        QVERIFY2(dialog.verdict().contains(QStringLiteral("measured on the runtime emulated")),
                 qPrintable(dialog.verdict()));
    }
};

QTEST_MAIN(TestCalibrateDialog)
#include "TestCalibrateDialog.moc"
