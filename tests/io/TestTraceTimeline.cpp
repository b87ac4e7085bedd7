#include <QTest>

#include <algorithm>

#include "core/graph/InputError.h"
#include "core/io/TraceEvents.h"
#include "core/io/TraceTimeline.h"
#include "tests/support/SharedData.h"

using namespace doppler;
using namespace doppler::io;

namespace {

ReadTrace read(const std::string& text) {
    return std::get<ReadTrace>(parseGraphOrTrace(text, "t.json"));
}

QString reportOf(const ReadTrace& trace) {
    QStringList notes;
    for (const std::string& note : trace.report.notes) {
        notes << QString::fromStdString(note);
    }
    return notes.join(QStringLiteral("; "));
}

/// "lane name row start end" of each span.
QStringList spansOf(const TraceTimeline& timeline) {
    QStringList lines;
    for (const TraceSpan& span : timeline.spans) {
        lines << QStringLiteral("%1 %2 %3 %4 %5")
                     .arg(span.lane)
                     .arg(QString::fromStdString(
                         timeline.names[static_cast<std::size_t>(span.name)]))
                     .arg(span.row)
                     .arg(span.start)
                     .arg(span.end);
    }
    return lines;
}

QString refusalOf(const std::string& text) {
    try {
        parseGraphOrTrace(text, "t.json");
    } catch (const InputError& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

} // namespace

class TestTraceTimeline : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void timesAreMicrosecondsWithFractions_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("ns");
        const qint64 none = TraceEvent::kNoTime;
        QTest::newRow("whole") << QByteArray("12") << qint64{12'000};
        QTest::newRow("of today") << QByteArray("1689360788493697.123")
                                  << qint64{1'689'360'788'493'697'123};
        QTest::newRow("rounded") << QByteArray("0.0005") << qint64{1};
        QTest::newRow("negative") << QByteArray("-1.25") << qint64{-1250};
        QTest::newRow("exponent") << QByteArray("1.5e3") << qint64{1'500'000};
        QTest::newRow("huge") << QByteArray("1e300") << none;
        QTest::newRow("word") << QByteArray("soon") << none;
        QTest::newRow("empty") << QByteArray("") << none;
    }

    void timesAreMicrosecondsWithFractions() {
        QFETCH(QByteArray, text);
        QFETCH(qint64, ns);
        QCOMPARE(qint64{traceTime(text.toStdString())}, ns);
    }

    void spansNestInTheirLane() {
        const ReadTrace trace = read(R"json({"displayTimeUnit": "ns", "traceEvents": [
            {"ph": "X", "name": "inner", "pid": 1, "tid": "a", "ts": 101.5, "dur": 2},
            {"ph": "X", "name": "outer", "pid": 1, "tid": "a", "ts": 100, "dur": 10},
            {"ph": "X", "name": "next", "pid": 1, "tid": "a", "ts": 110, "dur": 1},
            {"ph": "X", "name": "other", "pid": 1, "tid": 2, "ts": 105, "dur": 10},
            {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "python"}},
            {"ph": "M", "name": "process_labels", "pid": 1, "args": {"labels": "GPU 0"}},
            {"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "stream 7 "}},
            {"ph": "M", "name": "thread_sort_index", "pid": 1, "tid": 2,
             "args": {"sort_index": -1}}]})json");
        const TraceTimeline& timeline = *trace.timeline;
        QCOMPARE(timeline.name, std::string("t"));
        QCOMPARE(timeline.lanes.size(), std::size_t{2});
        QCOMPARE(timeline.lanes[0].name, std::string("python (GPU 0): stream 7"));
        QCOMPARE(timeline.lanes[1].name, std::string("python (GPU 0): thread a"));
        QCOMPARE(spansOf(timeline), (QStringList{"0 other 0 5000 15000", "1 outer 0 0 10000",
                                                 "1 inner 1 1500 3500", "1 next 0 10000 11000"}));
        QCOMPARE(timeline.lanes[1].rows, 2);
        QCOMPARE(timeline.lanes[1].busy, Time{11'000});
        QCOMPARE(timeline.length, Time{15'000});
        QCOMPARE(timeline.origin, Time{100'000});
        QCOMPARE(timeline.events, std::int64_t{8});
        QVERIFY(trace.report.notes.empty());
    }

    void pairsBeginsWithEnds() {
        const ReadTrace trace = read(R"json([
            {"ph": "B", "name": "a", "pid": 1, "tid": 1, "ts": 0},
            {"ph": "B", "name": "b", "pid": 1, "tid": 1, "ts": 1},
            {"ph": "E", "pid": 1, "tid": 1, "ts": 2},
            {"ph": "E", "pid": 1, "tid": 9, "ts": 3},
            {"ph": "b", "name": "load", "cat": "net", "id": "0x1", "pid": 1, "tid": 1, "ts": 1},
            {"ph": "b", "name": "load", "cat": "net", "id": "0x2", "pid": 1, "tid": 1, "ts": 2},
            {"ph": "e", "name": "load", "cat": "net", "id": "0x1", "pid": 1, "tid": 5, "ts": 4},
            {"ph": "i", "name": "mark", "pid": 1, "tid": 1, "ts": 3},
            {"ph": "C", "name": "memory", "pid": 1, "ts": 3, "args": {"bytes": 7}},
            {"ph": "s", "id": 1, "cat": "f", "name": "flow", "pid": 1, "tid": 1, "ts": 0},
            {"ph": "f", "id": 2, "cat": "f", "name": "flow", "pid": 1, "tid": 1, "ts": 0}
        ])json");
        QCOMPARE(spansOf(*trace.timeline),
                 (QStringList{"0 a 0 0 4000", "0 b 1 1000 2000", "1 load 0 1000 4000",
                              "1 load 1 2000 4000"}));
        QCOMPARE(trace.timeline->lanes[1].name, std::string("process 1: async net"));
        QCOMPARE(trace.timeline->instants, std::int64_t{1});
        QCOMPARE(trace.timeline->counters, std::int64_t{1});
        QCOMPARE(reportOf(trace),
                 QStringLiteral("2 begins without an end: lasts to the end of the trace; "
                                "1 end without a begin: ignored; 1 flow without an end; "
                                "1 flow without a start; 2 flow events counted, not drawn"));
    }

    void aFileMayBreakOff() {
        const ReadTrace trace =
            read(R"json([{"ph": "X", "name": "a", "ts": 1, "dur": 2}, {"ph": "X", "name")json");
        QCOMPARE(trace.timeline->spans.size(), std::size_t{1});
        QVERIFY(reportOf(trace).startsWith(QStringLiteral("the file breaks off")));
    }

    void manySpansAtOnceStayBounded() {
        std::string text = "[";
        for (int i = 0; i < 70; ++i) {
            text += R"({"ph": "X", "name": "s", "ts": )" + std::to_string(i) + R"(, "dur": 1000},)";
        }
        text.back() = ']';
        const ReadTrace trace = read(text);
        QCOMPARE(trace.timeline->lanes[0].rows, kMostTraceRows);
        QCOMPARE(trace.timeline->spans.back().row, kMostTraceRows);
        QVERIFY(reportOf(trace).startsWith(QStringLiteral("6 spans beyond the 64")));
    }

    void refusesBadTraces() {
        QVERIFY(refusalOf(R"([{"ph": "X", "ts": "soon"}])")
                    .contains(QStringLiteral("event 0: found \"ts\" of soon")));
        QVERIFY(refusalOf(R"({"traceEvents": [{"ph": "X"]})").contains(QStringLiteral("bad JSON")));
        QVERIFY(refusalOf(R"([{"ph": "long"}])").contains(QStringLiteral("\"ph\" of 4 letters")));
        QVERIFY_EXCEPTION_THROWN(parseGraph(R"([{"ph": "X", "ts": 1}])", "t"), InputError);
    }

    void graphsAreNoTraces() {
        QVERIFY(std::holds_alternative<ReadGraph>(
            parseGraphOrTrace(R"({"format": "doppler-graph/1", "ops": [{"name": "traceEvents"}],
                                 "edges": []})",
                              "t")));
    }

    void opensPublicFiles_data() {
        QTest::addColumn<int>("events");
        QTest::addColumn<int>("lanes");
        QTest::addColumn<int>("spans");
        QTest::addColumn<QString>("report");
        QTest::newRow("catapult_simple_trace.json") << 37 << 2 << 12 << QString();
        QTest::newRow("hta_simple_add_trace.json.gz")
            << 111 << 3 << 56 << QStringLiteral("5 flows without an end; 6 flows without a start");
        QTest::newRow("made_unbalanced_begin_end.json")
            << 4 << 2 << 2
            << QStringLiteral("1 begin without an end: lasts to the end of the trace; "
                              "1 end without a begin: ignored");
        QTest::newRow("perfetto_flow_events_json_v2.json")
            << 8 << 5 << 6 << QStringLiteral("6 flow events counted");
    }

    void opensPublicFiles() {
        if (!tests::hasSharedData()) {
            QSKIP(tests::kNoSharedData);
        }
        const std::string path = tests::sharedPath(QStringLiteral("graphs/trace/") +
                                                   QString::fromLatin1(QTest::currentDataTag()))
                                     .toStdString();
        const ReadTrace trace = std::get<ReadTrace>(parseGraphOrTrace(readFile(path), path));
        QFETCH(int, events);
        QFETCH(int, lanes);
        QFETCH(int, spans);
        QFETCH(QString, report);
        QCOMPARE(trace.timeline->events, std::int64_t{events});
        QCOMPARE(trace.timeline->lanes.size(), static_cast<std::size_t>(lanes));
        QCOMPARE(trace.timeline->spans.size(), static_cast<std::size_t>(spans));
        QVERIFY2(reportOf(trace).contains(report), qPrintable(reportOf(trace)));
    }
};

QTEST_GUILESS_MAIN(TestTraceTimeline)
#include "TestTraceTimeline.moc"
