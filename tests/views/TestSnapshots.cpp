#include <QImage>

#include "core/workload/Workload.h"
#include "tests/support/SampleProblems.h"
#include "tests/support/WindowFixture.h"
#include "views/docks/PlacementsModel.h"
#include "views/docks/PlacementsView.h"
#include "views/shell/Snapshots.h"

using namespace doppler;
using namespace doppler::views;
using doppler::tests::roundRobin;
using doppler::tests::WindowFixture;

class TestSnapshots : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void snapshotsDoTheWholeJob() {
        WindowFixture f;
        OpenRequest request;
        request.source = QStringLiteral("chainmm");
        const SnapshotResult result =
            writeSnapshots(*f.window, f.appearance, request, f.file(QStringLiteral("out")));
        QVERIFY2(result.error.isEmpty(), qPrintable(result.error));
        // Window and experiments in both themes, graph and timelines as three kinds of file, the
        // experiments as a drawing, the table.
        QCOMPARE(result.files.size(), 11);
        for (const QString& file : result.files) {
            QVERIFY2(QFileInfo(file).size() > 100, qPrintable(file));
        }
        const QString table = placementsAsText(*f.window);
        QVERIFY2(table.contains(QStringLiteral("critical-path")), qPrintable(table));
        QVERIFY2(table.contains(QStringLiteral("lower bound")), qPrintable(table));
        QVERIFY(f.window->documents().recent().entries().empty());
    }

    void placementsThatDoNotFitAreMarked() {
        WindowFixture f;
        Workspace& workspace = f.window->workspace();
        const auto open = [&workspace](std::int64_t capacity) {
            const cluster::Cluster two = cluster::uniformCluster(2);
            std::vector<cluster::Device> devices = two.devices();
            for (cluster::Device& device : devices) {
                device.capacityBytes = capacity;
            }
            workspace.open(
                sim::makeProblem(workload::generate("chainmm"),
                                 std::make_shared<const cluster::Cluster>(
                                     "two", devices, std::vector(4, two.link(0, 1))),
                                 cost::CostModel::Published, sim::SimOptions::published()),
                QStringLiteral("chainmm"), QStringLiteral("two"), cost::CostModel::Published);
            workspace.addPlacement(roundRobin(*workspace.problem()), QStringLiteral("hand"), 0, 0);
        };
        open(0);
        QTRY_VERIFY(workspace.current()->report);
        QVERIFY(!placementsAsText(*f.window).contains(QStringLiteral("does not fit")));
        QVERIFY(f.window->placementsView().toCsv().endsWith(QStringLiteral(",false\n")));
        open(1000);
        QTRY_VERIFY(workspace.current()->report);
        const QString table = placementsAsText(*f.window);
        QVERIFY2(table.contains(QStringLiteral("  does not fit\n")), qPrintable(table));
        const PlacementsModel model(workspace, f.appearance);
        const QModelIndex makespan = model.index(0, PlacementsModel::Makespan);
        QCOMPARE(makespan.data(Qt::ForegroundRole).value<QColor>(), f.appearance.theme().worse);
        QVERIFY(makespan.data(Qt::ToolTipRole).toString().contains(QStringLiteral("does not fit")));
        const QString csv = f.window->placementsView().toCsv();
        QVERIFY2(csv.contains(QStringLiteral(",memory_overflow\n")) &&
                     csv.endsWith(QStringLiteral(",true\n")),
                 qPrintable(csv));
    }

    void snapshotsAreInTheChosenTheme() {
        WindowFixture f;
        f.window->themeChoice().setMode(ThemeChoice::Mode::Dark, false);
        OpenRequest request;
        request.source = QStringLiteral("chainmm:size=tiny");
        const SnapshotResult result =
            writeSnapshots(*f.window, f.appearance, request, f.file(QStringLiteral("out")));
        QVERIFY2(result.error.isEmpty(), qPrintable(result.error));
        const QImage graph(f.file(QStringLiteral("out/graph.png")));
        QCOMPARE(graph.pixelColor(0, 0), Theme::darkTheme().canvas);
        QCOMPARE(f.window->themeChoice().mode(), ThemeChoice::Mode::Dark);
    }

    void snapshotsOfATrace() {
        WindowFixture f;
        OpenRequest request;
        request.source =
            f.write(QStringLiteral("trace.json"),
                    R"([{"ph": "X", "name": "step", "pid": 1, "tid": 1, "ts": 0, "dur": 100}])");
        const SnapshotResult result =
            writeSnapshots(*f.window, f.appearance, request, f.file(QStringLiteral("out")));
        QVERIFY2(result.error.isEmpty(), qPrintable(result.error));
        QCOMPARE(result.files.size(), 4); // the window in both themes, the timeline as two kinds
    }

    void snapshotsSayWhatIsWrong() {
        WindowFixture f;
        OpenRequest request;
        request.source = f.write(QStringLiteral("bad.txt"), "nonsense");
        const SnapshotResult result =
            writeSnapshots(*f.window, f.appearance, request, f.file(QStringLiteral("out")));
        QVERIFY2(result.error.contains(QStringLiteral("bad.txt")), qPrintable(result.error));
        QVERIFY(result.files.isEmpty());
        QVERIFY(result.badInput);
    }
};

QTEST_MAIN(TestSnapshots)
#include "TestSnapshots.moc"
