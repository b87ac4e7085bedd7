#include <map>

#include "tests/support/WindowFixture.h"
#include "views/shell/Card.h"

using namespace doppler;
using namespace doppler::views;
using doppler::tests::WindowFixture;

namespace {

/// A diamond with one edge stated twice.
const QByteArray kGraph = "4\n\n0,0,0,1,2\n1,2,1,3,3\n10,1\n20,1\n30,1\n40,1\n";

} // namespace

class TestRecentFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theStartPageListsEachRecentFileOnce() {
        WindowFixture f;
        QStringList names;
        for (int i = 0; i < 7; ++i) {
            names.append(QStringLiteral("recent%1.txt").arg(i));
            RecentEntry entry;
            entry.source = f.write(names.back(), kGraph);
            entry.summary = QStringLiteral("5 ops");
            entry.when = QDateTime::currentDateTime();
            f.window->documents().recent().add(entry);
        }
        // Without a turn of the event loop, as under a dialog.
        std::map<QString, int> seen;
        QList<QRect> places;
        for (const Card* card : f.window->findChildren<Card*>()) {
            if (card->isVisibleTo(f.window.get()) &&
                card->accessibleName().startsWith(QStringLiteral("recent"))) {
                ++seen[card->accessibleName()];
            }
        }
        QCOMPARE(seen.size(), std::size_t(5)); // the newest
        for (const auto& [name, count] : seen) {
            QVERIFY2(count == 1, qPrintable(name));
        }
        QTest::qWait(50);
        for (const Card* card : f.window->findChildren<Card*>()) {
            if (!card->isVisible()) {
                continue;
            }
            for (const QRect& other : places) {
                QVERIFY(!card->geometry().intersects(other));
            }
            places.append(card->geometry());
            QVERIFY(card->height() >= card->minimumSizeHint().height());
        }
        QVERIFY(places.size() >= 5);
    }

    void recentFilesForgetWhatIsGone() {
        WindowFixture f;
        const QString path = f.write(QStringLiteral("old.txt"), kGraph);
        QVERIFY(f.open(path));
        QVERIFY(f.open(QStringLiteral("chainmm")));
        RecentFiles& recent = f.window->documents().recent();
        QCOMPARE(recent.entries().size(), std::size_t(2));
        QCOMPARE(recent.entries().front().source, QStringLiteral("chainmm")); // the latest first
        QCOMPARE(recent.entries().back().source, path);
        QVERIFY(f.open(path));
        QCOMPARE(recent.entries().size(), std::size_t(2)); // moved up, not repeated
        QCOMPARE(recent.entries().front().source, path);
        f.restart();
        QVERIFY(QFile::remove(path));
        const auto entries = f.window->documents().recent().entries();
        QCOMPARE(entries.size(), std::size_t(1));
        QCOMPARE(entries.front().source, QStringLiteral("chainmm"));
    }

    void recentFilesKeepClusterAndCosts() {
        WindowFixture f;
        const auto reopened = [&] {
            f.restart();
            f.window->documents().openRecent(f.window->documents().recent().entries().front());
            return f.settle() && f.workspace().hasProblem();
        };
        OpenRequest request;
        request.source = QStringLiteral("chainmm:size=tiny");
        request.cluster = QStringLiteral("cpu:2");
        request.costs = cost::CostModel::Physical;
        f.window->documents().open(request);
        QVERIFY(f.settle());
        const Time makespan = f.makespan();
        QVERIFY(reopened());
        QCOMPARE(f.workspace().clusterSource(), QStringLiteral("cpu:2"));
        QVERIFY(f.workspace().costModel() == cost::CostModel::Physical);
        QCOMPARE(f.makespan(), makespan);

        // Without its cluster it opens on another.
        request.cluster =
            f.write(QStringLiteral("three.json"),
                    QByteArray::fromStdString(io::writeClusterJson(*io::openCluster("uniform:3"))));
        f.window->documents().open(request);
        QVERIFY(f.settle());
        QVERIFY(reopened());
        QCOMPARE(f.workspace().problem()->deviceCount(), 3);
        QVERIFY(QFile::remove(request.cluster));
        QVERIFY(reopened());
        QCOMPARE(f.workspace().clusterSource(), QStringLiteral("p100x4"));
        QVERIFY(f.workspace().costModel() == cost::CostModel::Physical);
    }
};

QTEST_MAIN(TestRecentFiles)
#include "TestRecentFiles.moc"
