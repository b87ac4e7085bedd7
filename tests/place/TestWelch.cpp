#include <QTest>

#include <cmath>

#include "core/place/WelchTest.h"

using namespace doppler;
using namespace doppler::place;

namespace {

SampleMoments momentsOf(const std::vector<double>& values) {
    SampleMoments moments{.count = values.size()};
    for (const double value : values) {
        moments.mean += value / static_cast<double>(values.size());
    }
    for (const double value : values) {
        moments.variance += (value - moments.mean) * (value - moments.mean) /
                            static_cast<double>(values.size() - 1);
    }
    return moments;
}

} // namespace

class TestWelch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void incompleteBetaHasItsKnownValues() {
        // Closed forms: I_x(1, b) = 1 - (1 - x)^b, I_x(a, 1) = x^a, and a polynomial.
        for (const double x : {0.0, 0.01, 0.3, 0.5, 0.9, 1.0}) {
            QVERIFY(std::abs(incompleteBeta(1, 3.5, x) - (1 - std::pow(1 - x, 3.5))) < 1e-13);
            QVERIFY(std::abs(incompleteBeta(2.5, 1, x) - std::pow(x, 2.5)) < 1e-13);
            QVERIFY(std::abs(incompleteBeta(2, 2, x) - x * x * (3 - 2 * x)) < 1e-13);
        }
        for (const double x : {0.2, 0.35, 0.6}) {
            QVERIFY(std::abs(incompleteBeta(30, 70, x) + incompleteBeta(70, 30, 1 - x) - 1) <
                    1e-12);
        }
        QVERIFY(std::abs(incompleteBeta(400, 400, 0.5) - 0.5) < 1e-10);
    }

    void studentHasItsKnownValues() {
        QVERIFY(std::abs(studentTwoSided(1, 1) - 0.5) < 1e-13); // Cauchy
        // With two degrees of freedom: 1 - t / sqrt(2 + t^2).
        QVERIFY(std::abs(studentTwoSided(3, 2) - (1 - 3 / std::sqrt(11.0))) < 1e-13);
        // The tables of every textbook: 5 % at these.
        for (const auto& [freedom, t] :
             {std::pair{4.0, 2.776445}, {10.0, 2.228139}, {30.0, 2.042272}}) {
            QVERIFY(std::abs(studentTwoSided(t, freedom) - 0.05) < 1e-6);
            QCOMPARE(studentTwoSided(-t, freedom), studentTwoSided(t, freedom));
        }
        QVERIFY(std::abs(studentTwoSided(1.959964, 1e7) - 0.05) < 1e-6); // the normal limit
    }

    void welchHasItsKnownValues() {
        const SampleMoments a = momentsOf({27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9,
                                           22.6, 23.1, 19.6, 19.0, 21.7, 21.4});
        const SampleMoments b = momentsOf({27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8,
                                           20.2, 21.9, 22.1, 22.9, 30.5, 24.4});
        const TTest test = welchTest(a, b);
        // By numeric integration of the density.
        QVERIFY(std::abs(test.t + 2.852954870) < 1e-8);
        QVERIFY(std::abs(test.degreesOfFreedom - 27.887303988) < 1e-8);
        QVERIFY(std::abs(test.pValue - 0.0080719382) < 1e-9);
        QCOMPARE(welchTest({2, 5, 0}, {3, 5, 0}).pValue, 1.0);
        QCOMPARE(welchTest({2, 5, 0}, {3, 6, 0}).pValue, 0.0);
        // A mean that is known for certain is the limit of a huge sample without variance.
        QVERIFY(std::abs(oneSampleTest(a, 22).pValue - welchTest(a, {1'000'000, 22, 1e-9}).pValue) <
                1e-9);
    }
};

QTEST_GUILESS_MAIN(TestWelch)
#include "TestWelch.moc"
