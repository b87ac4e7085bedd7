#include <QTest>

#include "views/format/Format.h"

using namespace doppler;
using namespace doppler::views;
using cost::TimeUnit;

class TestFormat : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void times_data() {
        QTest::addColumn<Time>("time");
        QTest::addColumn<bool>("units");
        QTest::addColumn<QString>("text");
        QTest::newRow("zero") << Time{0} << false << "0 ns";
        QTest::newRow("ns") << Time{950} << false << "950 ns";
        QTest::newRow("us") << Time{13'170} << false << QString::fromUtf8("13.17 µs");
        QTest::newRow("ms") << Time{179'234'000} << false << "179.2 ms";
        QTest::newRow("s") << Time{2'000'000'000} << false << "2.000 s";
        QTest::newRow("long") << Time{4'321'000'000'000} << false << "4321 s";
        QTest::newRow("rounds up") << Time{999'999'999} << false << "1.000 s";
        QTest::newRow("below it") << Time{999'900'000} << false << "999.9 ms";
        QTest::newRow("few units") << Time{84} << true << "84 units";
        QTest::newRow("plain units") << Time{999'999} << true << "999,999 units";
        QTest::newRow("units") << Time{12'001'000'000'000} << true
                               << QString::fromUtf8("12.001×10¹²");
        QTest::newRow("million units")
            << Time{1'000'000} << true << QString::fromUtf8("1.0000×10⁶");
        QTest::newRow("negative") << Time{-5'500'000} << false << QString::fromUtf8("−5.500 ms");
    }

    void times() {
        QFETCH(Time, time);
        QFETCH(bool, units);
        QTEST(timeText(time, units ? TimeUnit::Units : TimeUnit::Nanoseconds), "text");
    }

    void scaleIsSharedByAColumn() {
        const TimeScale scale = timeScale(640'100'000, TimeUnit::Nanoseconds);
        QCOMPARE(scale.column, QStringLiteral("ms"));
        QCOMPARE(timeNumber(640'100'000, scale), QStringLiteral("640.1"));
        QCOMPARE(timeNumber(1'000, scale), QStringLiteral("0.0"));
        const TimeScale units = timeScale(12'001'000'000'000, TimeUnit::Units);
        QCOMPARE(units.column, QString::fromUtf8("10¹² units"));
        QCOMPARE(timeNumber(567'000'000'000, units, 3), QStringLiteral("0.567"));
    }

    void differencesCarryASignAndARealMinus() {
        QCOMPARE(signedTimeText(18'800'000, TimeUnit::Nanoseconds), QStringLiteral("+18.80 ms"));
        QCOMPARE(signedTimeText(-5'500'000, TimeUnit::Nanoseconds), QString::fromUtf8("−5.500 ms"));
        QCOMPARE(signedTimeText(0, TimeUnit::Nanoseconds), QStringLiteral("0 ns"));
        const TimeScale scale = timeScale(179'000'000, TimeUnit::Nanoseconds);
        QCOMPARE(signedTimeNumber(-9'100'000, scale), QString::fromUtf8("−9.1"));
        QCOMPARE(signedTimeNumber(-1'000, scale), QStringLiteral("0.0")); // shows as nothing
        QCOMPARE(signedPercentText(0.116), QStringLiteral("+11.6 %"));
        QCOMPARE(signedPercentText(-0.03), QString::fromUtf8("−3.0 %"));
        QCOMPARE(signedCountText(-12), QString::fromUtf8("−12"));
        QCOMPARE(signedCountText(0), QStringLiteral("0"));
    }

    void quantities() {
        QCOMPARE(bytesText(0), QStringLiteral("0 B"));
        QCOMPARE(bytesText(512), QStringLiteral("512 B"));
        QCOMPARE(bytesText(50'000'000), QStringLiteral("50.0 MB"));
        QCOMPARE(bytesText(999'960'000), QStringLiteral("1.00 GB"));
        QCOMPARE(flopsText(125'000'000'000), QStringLiteral("125 GFLOP"));
        QCOMPARE(flopRateText(9.5e12), QStringLiteral("9.50 TFLOP/s"));
        QCOMPARE(byteRateText(5e9), QStringLiteral("5.00 GB/s"));
        QCOMPARE(percentText(0.12), QStringLiteral("12.0 %"));
        QCOMPARE(countText(1'000'000), QStringLiteral("1,000,000"));
        QCOMPARE(countOf(1, QStringLiteral("op")), QStringLiteral("1 op"));
        QCOMPARE(countOf(1200, QStringLiteral("edge")), QStringLiteral("1,200 edges"));
    }

    void byteScaleSuitsTheLargest() {
        QCOMPARE(byteScale(16'000'000'000).unit, QStringLiteral("GB"));
        QCOMPARE(byteScale(300'000'000).unit, QStringLiteral("GB"));
        QCOMPARE(byteScale(2'000'000).unit, QStringLiteral("MB"));
        QCOMPARE(byteScale(0).unit, QStringLiteral("B"));
        QCOMPARE(byteNumber(300'000'000, byteScale(300'000'000), 2), QStringLiteral("0.30"));
    }
};

QTEST_GUILESS_MAIN(TestFormat)
#include "TestFormat.moc"
