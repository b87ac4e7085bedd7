#include <set>

#include <QTest>

#include "core/sim/Noise.h"

using namespace doppler;

class TestNoise : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void neighbouringSeedsShareNoRun() {
        std::set<std::uint64_t> seeds;
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            for (std::uint64_t run = 0; run < 200; ++run) {
                seeds.insert(sim::seedOfRun(seed, run));
            }
        }
        QCOMPARE(seeds.size(), std::size_t{40'000});
    }

    void theFirstRunIsThatOfItsSeed() {
        QCOMPARE(sim::seedOfRun(7, 0), std::uint64_t{7});
        QCOMPARE(sim::seedOfRun(7, 3), sim::seedOfRun(7, 3));
    }

    void withoutVariationTimesStay() {
        QCOMPARE(sim::Noise(0, 5).opTime(3, 1000), Time{1000});
        QVERIFY(sim::Noise(0.5, 5).opTime(3, 1'000'000) != sim::Noise(0.5, 6).opTime(3, 1'000'000));
    }
};

QTEST_GUILESS_MAIN(TestNoise)
#include "TestNoise.moc"
