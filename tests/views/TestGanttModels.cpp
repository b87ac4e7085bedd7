#include <QTest>
#include <array>
#include <cmath>
#include <random>

#include "core/graph/GraphBuilder.h"
#include "core/sim/Simulator.h"
#include "tests/support/RandomProblem.h"
#include "views/gantt/GanttGeometry.h"
#include "views/gantt/GanttNavigation.h"
#include "views/gantt/LaneModel.h"
#include "views/gantt/PixelSpans.h"
#include "views/gantt/TimeTicks.h"

using namespace doppler;
using namespace doppler::views;

namespace {

sim::Interval execution(OpId op, DeviceId device, Time start, Time end, std::int32_t slot = 0) {
    sim::Interval interval;
    interval.op = op;
    interval.device = device;
    interval.slot = slot;
    interval.start = start;
    interval.end = end;
    return interval;
}

sim::Interval transfer(OpId op, DeviceId from, DeviceId to, Time start, Time end) {
    sim::Interval interval = execution(op, from, start, end);
    interval.to = to;
    return interval;
}

sim::Timeline timelineOf(std::vector<sim::Interval> intervals, int devices, int ops) {
    sim::Timeline timeline;
    timeline.deviceCount = devices;
    timeline.executionOf.assign(static_cast<std::size_t>(ops), -1);
    for (std::size_t i = 0; i < intervals.size(); ++i) {
        timeline.makespan = std::max(timeline.makespan, intervals[i].end);
        if (!intervals[i].isTransfer()) {
            timeline.executionOf[static_cast<std::size_t>(intervals[i].op)] =
                static_cast<std::int32_t>(i);
        }
    }
    timeline.intervals = std::move(intervals);
    return timeline;
}

TimeMap mapOf(double from, double to, double left, double right) {
    return {from, (to - from) / (right - left), left, right};
}

QStringList labels(const std::vector<TimeTick>& ticks) {
    QStringList list;
    for (const TimeTick& tick : ticks) {
        list.append(tick.label);
    }
    return list;
}

} // namespace

class TestGanttModels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stepsAreOneTwoFive_data() {
        QTest::addColumn<double>("span");
        QTest::addColumn<int>("atMost");
        QTest::addColumn<double>("step");
        QTest::newRow("exact") << 200.0 << 10 << 20.0;
        QTest::newRow("up to 5") << 210.0 << 10 << 50.0;
        QTest::newRow("up to 10") << 510.0 << 10 << 100.0;
        QTest::newRow("up to 2") << 11.0 << 10 << 2.0;
        QTest::newRow("whole") << 5.0 << 10 << 1.0;
        QTest::newRow("large") << 1.2e13 << 8 << 2e12;
    }

    void stepsAreOneTwoFive() {
        QFETCH(double, span);
        QFETCH(int, atMost);
        QTEST(tickStep(span, atMost), "step");
    }

    void unitFollowsTheLastNumberOnly() {
        const auto ns = cost::TimeUnit::Nanoseconds;
        QCOMPARE(labels(timeTicks(0, 41e6, 5, ns)), QStringList({"0", "10", "20", "30", "40 ms"}));
        QCOMPARE(labels(timeTicks(130.1e6, 130.3e6, 4, ns)),
                 QStringList({"130.10", "130.15", "130.20", "130.25", "130.30 ms"}));
        QCOMPARE(labels(timeTicks(0, 900, 2, ns)), QStringList({"0", "500 ns"}));
        QCOMPARE(labels(timeTicks(0, 7e12, 4, cost::TimeUnit::Units)),
                 QStringList({"0", "2", "4", QString::fromUtf8("6×10¹²")}));
        QVERIFY(timeTicks(5, 5, 4, ns).empty());
    }

    void executionsLieInTheRowOfTheirSlot() {
        const sim::Timeline timeline = timelineOf(
            {execution(0, 0, 0, 10, 0), execution(1, 0, 2, 8, 1), execution(2, 1, 3, 9, 0)}, 2, 3);
        const LaneModel lanes(timeline);
        QCOMPARE(lanes.device(0).compute.size(), std::size_t(2));
        QCOMPARE(lanes.device(1).compute.size(), std::size_t(1));
        QCOMPARE(lanes.rowOf(1), 1);
        QCOMPARE(lanes.device(0).executions, (std::vector<std::int32_t>{0, 1}));
    }

    void transfersTakeTheFirstFreeRow() {
        const sim::Timeline timeline =
            timelineOf({transfer(0, 0, 1, 0, 10), transfer(1, 0, 1, 5, 15),
                        transfer(2, 0, 1, 10, 20), transfer(3, 0, 1, 12, 18)},
                       2, 4);
        const LaneModel lanes(timeline);
        QCOMPARE(lanes.device(0).links.size(), std::size_t(3));
        QCOMPARE(lanes.rowOf(0), 0);
        QCOMPARE(lanes.rowOf(1), 1);
        QCOMPARE(lanes.rowOf(2), 0); // starts when the first one ends
        QCOMPARE(lanes.rowOf(3), 2);
        QVERIFY(lanes.device(1).links.empty());
    }

    void beyondThreeRowsTheThirdCounts() {
        const sim::Timeline timeline = timelineOf(
            {transfer(0, 0, 1, 0, 100), transfer(1, 0, 1, 0, 100), transfer(2, 0, 1, 10, 50),
             transfer(3, 0, 1, 20, 60), transfer(4, 0, 1, 30, 40)},
            2, 5);
        const LaneRow row = LaneModel(timeline).device(0).links.back();
        std::vector<std::array<Time, 3>> stretches;
        for (const LaneSpan& span : row) {
            stretches.push_back({span.start, span.end, span.count});
        }
        const std::vector<std::array<Time, 3>> expected{
            {10, 20, 1}, {20, 30, 2}, {30, 40, 3}, {40, 50, 2}, {50, 60, 1}};
        QCOMPARE(stretches, expected);
    }

    void everyIntervalIsDrawnOnceWithoutOverlap() {
        tests::RandomProblemSpec spec;
        spec.ops = 200;
        spec.devices = 5;
        spec.slots = 2;
        const auto problem = tests::randomProblem(spec, 3);
        const sim::Timeline timeline = sim::simulate(problem, tests::randomAssignment(*problem, 4));
        const LaneModel lanes(timeline);
        int executions = 0;
        for (DeviceId device = 0; device < 5; ++device) {
            for (const LaneRow& row : lanes.device(device).compute) {
                executions += static_cast<int>(row.size());
                for (std::size_t i = 1; i < row.size(); ++i) {
                    QVERIFY(row[i].start >= row[i - 1].end);
                }
            }
            for (const LaneRow& row : lanes.device(device).links) {
                for (std::size_t i = 1; i < row.size(); ++i) {
                    QVERIFY(row[i].start >= row[i - 1].end);
                }
            }
        }
        QCOMPARE(executions, 200);
    }

    void nearestEdgeLooksAtLinksToo() {
        const sim::Timeline timeline = timelineOf(
            {execution(0, 0, 0, 10), transfer(0, 0, 1, 10, 24), execution(1, 0, 30, 40)}, 2, 2);
        const LaneModel lanes(timeline);
        QCOMPARE(*lanes.nearestEdge(0, 12), Time(10));
        QCOMPARE(*lanes.nearestEdge(0, 22), Time(24));
        QCOMPARE(*lanes.nearestEdge(0, 36), Time(40));
        QCOMPARE(*lanes.nearestEdge(0, 1000), Time(40));
        QVERIFY(!lanes.nearestEdge(1, 5).has_value());
    }

    void wideSpansStayNarrowOnesMerge() {
        LaneRow row{{0, 100, 0, 1}}; // 10 px
        for (std::int32_t i = 0; i < 20; ++i) {
            row.push_back({200 + i, 200 + i + 1, i + 1, 1}); // 0.1 px each, 2 px in all
        }
        row.push_back({500, 501, 21, 1}); // alone
        std::vector<PixelSpan> spans;
        pixelSpans(row, mapOf(0, 1000, 0, 100), spans);
        QCOMPARE(spans.size(), std::size_t(3));
        QCOMPARE(spans[0].span, 0);
        QCOMPARE(spans[0].right, 10.0);
        QCOMPARE(spans[1].span, -1);
        QCOMPARE(spans[1].left, 20.0);
        QCOMPARE(spans[1].right, 22.0);
        QCOMPARE(spans[1].quarters, 4); // the lane was busy all the time
        QCOMPARE(spans[2].left, 50.0);
        QCOMPARE(spans[2].right, 51.0); // a lone one can be seen
        QCOMPARE(spans[2].quarters, 2);
    }

    void barsNeverOutnumberPixels() {
        std::mt19937 random(1);
        LaneRow row;
        Time time = 0;
        for (std::int32_t i = 0; i < 100'000; ++i) {
            time += random() % 50;
            const Time end = time + static_cast<Time>(random() % 200);
            row.push_back({time, end, i, 1});
            time = end;
        }
        std::vector<PixelSpan> spans;
        pixelSpans(row, mapOf(0, static_cast<double>(time), 40, 940), spans);
        QVERIFY(spans.size() <= 2 * 900);
        for (std::size_t i = 1; i < spans.size(); ++i) {
            QVERIFY(spans[i].left >= spans[i - 1].right - 1e-9);
        }
        // Zoomed in, only what is in sight is looked at.
        pixelSpans(row, mapOf(1000, 3000, 40, 940), spans);
        QVERIFY(!spans.empty());
        QVERIFY(spans.front().right >= 40 && spans.back().left <= 941);
    }

    void timeAndPixelsAgree() {
        GanttGeometry geometry;
        geometry.setSize(800, 400);
        geometry.setRange(1000, 5000);
        QCOMPARE(geometry.x(1000), geometry.lanesLeft());
        QCOMPARE(geometry.x(5000), geometry.lanesRight());
        QVERIFY(std::fabs(geometry.time(geometry.x(2345)) - 2345) < 1e-6);
        // Fitted, a makespan leaves room for its value on the right.
        geometry.setRange(0, geometry.fittedEnd(5000));
        QVERIFY(geometry.x(5000) < geometry.lanesRight() - 50);
    }

    void pointsFindLanes() {
        const sim::Timeline timeline =
            timelineOf({execution(0, 0, 0, 10, 0), execution(1, 0, 2, 8, 1),
                        execution(2, 1, 3, 9, 0), transfer(2, 1, 0, 9, 10)},
                       2, 3);
        const LaneModel lanes(timeline);
        GanttGeometry geometry;
        geometry.setSize(800, 400);
        geometry.setTracks({&lanes, &lanes});
        using Part = GanttHit::Part;
        for (int track = 0; track < 2; ++track) {
            for (DeviceId device = 0; device < 2; ++device) {
                const int slots = device == 0 ? 2 : 1;
                for (int slot = 0; slot < slots; ++slot) {
                    const GanttHit hit =
                        geometry.hit(geometry.computeRow(track, device, slot).center());
                    QCOMPARE(hit.part, Part::Compute);
                    QCOMPARE(hit.track, track);
                    QCOMPARE(hit.device, device);
                    QCOMPARE(hit.row, slot);
                }
                const GanttHit link = geometry.hit(geometry.linkRow(track, device, 0).center());
                QCOMPARE(link.part, Part::Link);
                QCOMPARE(link.row, 0);
                const GanttHit chip = geometry.hit(geometry.chipRect(track, device).center());
                QCOMPARE(chip.part, Part::Chip);
                QCOMPARE(chip.device, device);
            }
            QCOMPARE(geometry.hit(geometry.titleRect(track).center()).part, Part::Title);
        }
        QCOMPARE(geometry.hit(geometry.axisRect().center()).part, Part::Axis);
        QCOMPARE(geometry.hit(QPointF(10, 399)).part, Part::Nothing);

        geometry.setSize(800, 120); // now it must be scrolled
        QVERIFY(geometry.maxScroll() > 0);
        geometry.setScroll(geometry.maxScroll());
        QCOMPARE(geometry.hit(geometry.computeRow(1, 1, 0).center()).track, 1);
        QVERIFY(geometry.trackBottom(1) <= geometry.lanesHeight());
    }

    void keysFollowWhatMattered() {
        // 0 on A; its value moves to B, where 2 waits for it behind 1.
        graph::GraphBuilder builder;
        for (int i = 0; i < 4; ++i) {
            builder.addOp({.kind = graph::OpKind::Contraction});
        }
        builder.addEdge(0, 2);
        builder.addEdge(1, 2);
        builder.addEdge(0, 3);
        const auto graph = builder.build();
        std::vector<sim::Interval> intervals{execution(0, 0, 0, 10), execution(1, 1, 0, 30),
                                             transfer(0, 0, 1, 10, 20), execution(3, 0, 10, 15),
                                             execution(2, 1, 30, 40)};
        intervals[4].lastInput = 1;
        intervals[4].cause = sim::Cause::Input;
        intervals[4].causeInterval = 1;
        intervals[3].lastInput = 0;
        intervals[3].causeInterval = 0;
        const sim::Timeline timeline = timelineOf(intervals, 2, 4);
        const LaneModel lanes(timeline);
        QCOMPARE(neighbourOnLane(timeline, lanes, 0, 1), OpId(3));
        QCOMPARE(neighbourOnLane(timeline, lanes, 3, -1), OpId(0));
        QCOMPARE(neighbourOnLane(timeline, lanes, 3, 1), kNoOp);
        QCOMPARE(producerThatMattered(timeline, 2), OpId(1));
        QCOMPARE(producerThatMattered(timeline, 0), kNoOp);
        QCOMPARE(consumerThatMattered(timeline, *graph, 0), OpId(3)); // it waited for 0 alone
        QCOMPARE(consumerThatMattered(timeline, *graph, 1), OpId(2));
        QCOMPARE(consumerThatMattered(timeline, *graph, 2), kNoOp);
        QCOMPARE(waitedFor(timeline, 2), OpId(1));
        QCOMPARE(endsOfTransfer(timeline, *graph, timeline.intervals[2]), (std::set<OpId>{0, 2}));
    }
};

QTEST_GUILESS_MAIN(TestGanttModels)
#include "TestGanttModels.moc"
