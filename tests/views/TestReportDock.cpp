#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "core/graph/GraphBuilder.h"
#include "views/docks/ReportCsv.h"
#include "views/docks/ReportDock.h"
#include "views/docks/ReportTraffic.h"

using namespace doppler;
using namespace doppler::views;

namespace {

/// 0 and 1 feed 2; 2 feeds 3. Outputs of 1 GB, devices that hold `capacity` bytes.
std::shared_ptr<const sim::Problem> smallProblem(std::int64_t capacity) {
    graph::GraphBuilder builder("small");
    for (int i = 0; i < 4; ++i) {
        builder.addOp({.kind = graph::OpKind::Contraction,
                       .outputBytes = 1'000'000'000,
                       .flops = 1'000'000'000});
    }
    builder.addEdge(0, 2);
    builder.addEdge(1, 2);
    builder.addEdge(2, 3);
    std::vector<cluster::Device> devices;
    for (int i = 0; i < 3; ++i) {
        cluster::Device device = cluster::uniformCluster(1).device(0);
        device.name = i == 1 ? "GPU, \"one\"" : "GPU " + std::to_string(i);
        device.capacityBytes = capacity;
        devices.push_back(device);
    }
    cluster::Link link;
    link.bytesPerSecond = 1e9;
    link.kind = cluster::LinkKind::Uniform;
    return sim::makeProblem(
        builder.build(),
        std::make_shared<const cluster::Cluster>("three", devices, std::vector(9, link)),
        cost::CostModel::Physical, {});
}

struct Fixture {
    Workspace workspace;
    Appearance appearance;
    ReportDock dock{workspace, appearance};

    explicit Fixture(std::int64_t capacity = 0) {
        workspace.open(smallProblem(capacity), QStringLiteral("small"), QStringLiteral("three"),
                       cost::CostModel::Physical);
        dock.resize(328, 400);
        dock.show();
    }
    void place(const sim::Assignment& assignment) {
        workspace.addPlacement(assignment, QStringLiteral("hand"), 0, 0);
        QCoreApplication::processEvents();
    }
};

} // namespace

class TestReportDock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void titleFollowsThePlacement() {
        Fixture f;
        QVERIFY(f.dock.subtitle().isEmpty());
        QVERIFY(!f.dock.canExport());
        QSignalSpy changed(&f.dock, &ReportDock::subtitleChanged);
        f.place({0, 1, 0, 2});
        QCOMPARE(f.dock.subtitle(), QStringLiteral("hand"));
        QVERIFY(changed.count() >= 1);
        QVERIFY(f.dock.canExport());
        f.workspace.assign({3}, 0);
        QVERIFY(f.dock.subtitle().contains(QStringLiteral("1 edit")));
        f.workspace.close();
        QVERIFY(f.dock.subtitle().isEmpty());
    }

    void cellSelectsWhatCrosses() {
        Fixture f;
        f.place({0, 1, 0, 2});
        auto* traffic = f.dock.findChild<ReportTraffic*>();
        QTest::mouseClick(traffic, Qt::LeftButton, {}, traffic->cellRect(1, 0).center().toPoint());
        QCOMPARE(f.workspace.selection().ops(), std::set<OpId>{1});
        QTest::mouseClick(traffic, Qt::LeftButton, {}, traffic->cellRect(0, 2).center().toPoint());
        QCOMPARE(f.workspace.selection().ops(), std::set<OpId>{2});
        // Where nothing crosses, the selection stays.
        QTest::mouseClick(traffic, Qt::LeftButton, {}, traffic->cellRect(2, 1).center().toPoint());
        QCOMPARE(f.workspace.selection().ops(), std::set<OpId>{2});
    }

    void cellsCanBeReachedByKey() {
        Fixture f;
        f.place({0, 1, 0, 2});
        auto* traffic = f.dock.findChild<ReportTraffic*>();
        QTest::keyClick(traffic, Qt::Key_Down);
        QVERIFY(traffic->accessibleDescription().contains(QStringLiteral("1.00 GB from B")));
        QTest::keyClick(traffic, Qt::Key_Return);
        QCOMPARE(f.workspace.selection().ops(), std::set<OpId>{1});
        QTest::keyClick(traffic, Qt::Key_Right); // the diagonal has nothing to select
        QTest::keyClick(traffic, Qt::Key_Return);
        QCOMPARE(f.workspace.selection().ops(), std::set<OpId>{1});
    }

    void overflowMakesRoomForItsWords() {
        Fixture roomy(100'000'000'000);
        roomy.place({0, 0, 0, 0});
        Fixture tight(1'000'000'000);
        tight.place({0, 0, 0, 0});
        QVERIFY(tight.workspace.current()->report->memoryOverflow);
        const auto heightOf = [](Fixture& f) {
            for (QWidget* each : f.dock.findChildren<QWidget*>()) {
                if (each->accessibleName().startsWith(QStringLiteral("Peak memory"))) {
                    return each->height();
                }
            }
            return 0;
        };
        QVERIFY(heightOf(roomy) > 0);
        QVERIFY(heightOf(tight) > heightOf(roomy));
    }

    void csvHasARowADevice() {
        Fixture f(5'000'000'000);
        f.place({0, 1, 0, 2});
        QTemporaryDir folder;
        QString error;
        const QString path = folder.filePath(QStringLiteral("report.csv"));
        QVERIFY2(f.dock.exportCsv(path, &error), qPrintable(error));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QStringList lines =
            QString::fromUtf8(file.readAll()).trimmed().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 4);
        QCOMPARE(lines[0].section(QLatin1Char(','), 0, 2),
                 QStringLiteral("device,ops,computing_ns"));
        QVERIFY(lines[0].contains(QStringLiteral("\"bytes_to_GPU, \"\"one\"\"\"")));
        QVERIFY(lines[1].startsWith(QStringLiteral("GPU 0,2,")));
        QVERIFY(lines[1].endsWith(QStringLiteral(",5000000000,0,0,1000000000")));
        QVERIFY(lines[2].startsWith(QStringLiteral("\"GPU, \"\"one\"\"\",1,")));
        QVERIFY(lines[2].endsWith(QStringLiteral(",1000000000,0,0")));
        QVERIFY(!f.dock.exportCsv(QStringLiteral("/no/such/folder/report.csv"), &error));
        QVERIFY(error.contains(QStringLiteral("/no/such/folder/report.csv")));
    }
};

QTEST_MAIN(TestReportDock)
#include "TestReportDock.moc"
