#include <QTest>

#include <limits>

#include "core/cost/FormatQuantity.h"

using namespace doppler;
using namespace doppler::cost;

class TestFormatQuantity : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void writesTimesAsPeopleReadThem_data() {
        QTest::addColumn<qint64>("time");
        QTest::addColumn<bool>("units");
        QTest::addColumn<QString>("text");
        QTest::newRow("zero") << qint64{0} << false << "0 ns";
        QTest::newRow("ns") << qint64{950} << false << "950 ns";
        QTest::newRow("us") << qint64{13'170} << false << "13.17 µs";
        QTest::newRow("rounds into ms") << qint64{999'999} << false << "1.000 ms";
        QTest::newRow("ms") << qint64{179'200'000} << false << "179.2 ms";
        QTest::newRow("s") << qint64{2'500'000'000} << false << "2.500 s";
        QTest::newRow("many s") << qint64{1'234'500'000'000} << false << "1234.5 s";
        QTest::newRow("negative") << qint64{-5'500'000} << false << "-5.500 ms";
        QTest::newRow("few units") << qint64{84} << true << "84 units";
        QTest::newRow("many units") << qint64{12'001'000'000'000} << true << "1.2001e13 units";
        QTest::newRow("most units")
            << std::numeric_limits<qint64>::max() << true << "9.2234e18 units";
    }

    void writesTimesAsPeopleReadThem() {
        QFETCH(qint64, time);
        QFETCH(bool, units);
        QFETCH(QString, text);
        const TimeUnit unit = units ? TimeUnit::Units : TimeUnit::Nanoseconds;
        QCOMPARE(QString::fromStdString(formatTime(time, unit)), text);
    }

    void writesSizes() {
        QCOMPARE(formatBytes(512), std::string("512 B"));
        QCOMPARE(formatBytes(50'000'000), std::string("50.00 MB"));
        QCOMPARE(formatBytes(3'100'000'000), std::string("3.100 GB"));
        QCOMPARE(formatFlops(0), std::string("0 FLOP"));
        QCOMPARE(formatFlops(125'000'000'000), std::string("125.0 GFLOP"));
        QCOMPARE(formatPercent(0.12), std::string("12.0 %"));
        QCOMPARE(formatSeconds(0.0004), std::string("0.40 ms"));
        QCOMPARE(formatSeconds(0.0123), std::string("0.012 s"));
        QCOMPARE(formatSeconds(125), std::string("2 min 5 s"));
        QCOMPARE(formatSeconds(7199), std::string("119 min 59 s"));
        QCOMPARE(formatSeconds(7200), std::string("2 h 0 min"));
        QCOMPARE(formatSeconds(675'630), std::string("7 d 19 h"));
        QCOMPARE(formatCount(7), std::string("7"));
        QCOMPARE(formatCount(-1'234), std::string("-1,234"));
        QCOMPARE(formatCount(1'000'000), std::string("1,000,000"));
    }
};

QTEST_GUILESS_MAIN(TestFormatQuantity)
#include "TestFormatQuantity.moc"
