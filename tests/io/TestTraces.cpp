#include <QTest>

#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "core/graph/GraphBuilder.h"
#include "core/io/ChromeTrace.h"
#include "core/io/Formats.h"
#include "core/sim/Simulator.h"
#include "core/workload/Workload.h"

using namespace doppler;
using namespace doppler::io;
using nlohmann::json;

namespace {

/// Op 0 runs on device 0, its value moves to device 1 twice at once (not shared), ops 1 and 2 run
/// there; op 3 stays on device 0.
std::shared_ptr<const sim::Problem> smallProblem() {
    graph::GraphBuilder builder("small");
    builder.setFileCostUnit(graph::FileCostUnit::Nanoseconds);
    builder.addOp({.name = "make \"it\"", .outputBytes = 64, .fileCompute = 1234567});
    for (int i = 0; i < 3; ++i) {
        builder.addOp({.kind = graph::OpKind::Formation, .fileCompute = 7});
    }
    builder.addEdge(0, 1);
    builder.addEdge(0, 2);
    builder.addEdge(0, 3);
    return sim::makeProblem(builder.build(),
                            std::make_shared<cluster::Cluster>(cluster::uniformCluster(2)),
                            cost::CostModel::Published, sim::SimOptions::published());
}

sim::Timeline smallTimeline() {
    using sim::Cause;
    sim::Timeline timeline;
    timeline.deviceCount = 2;
    timeline.makespan = 1234767;
    timeline.peakMemory = {64, 128};
    timeline.executionOf = {0, 4, 5, 3};
    timeline.intervals = {{.op = 0, .device = 0, .start = 0, .end = 1234567},
                          {.op = 0,
                           .device = 0,
                           .to = 1,
                           .edge = 0,
                           .ready = 1234567,
                           .start = 1234567,
                           .end = 1234667,
                           .cause = Cause::Input,
                           .causeInterval = 0,
                           .lastInput = 0},
                          {.op = 0,
                           .device = 0,
                           .to = 1,
                           .edge = 1,
                           .ready = 1234567,
                           .start = 1234567,
                           .end = 1234667,
                           .cause = Cause::Input,
                           .causeInterval = 0,
                           .lastInput = 0},
                          {.op = 3,
                           .device = 0,
                           .ready = 1234567,
                           .start = 1234567,
                           .end = 1234574,
                           .cause = Cause::Lane,
                           .causeInterval = 0,
                           .lastInput = 0},
                          {.op = 1,
                           .device = 1,
                           .ready = 1234667,
                           .start = 1234667,
                           .end = 1234700,
                           .cause = Cause::Input,
                           .causeInterval = 1,
                           .lastInput = 1},
                          {.op = 2,
                           .device = 1,
                           .ready = 1234667,
                           .start = 1234700,
                           .end = 1234767,
                           .cause = Cause::Lane,
                           .causeInterval = 4,
                           .lastInput = 2}};
    return timeline;
}

} // namespace

class TestTraces : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void chromeTraceHasOneSlicePerInterval() {
        const sim::Timeline timeline = smallTimeline();
        const json trace = json::parse(writeChromeTrace(*smallProblem(), timeline));
        std::map<std::pair<int, int>, double> rowEnd;
        std::map<std::string, int> phases;
        int transfers = 0;
        for (const json& event : trace["traceEvents"]) {
            ++phases[event["ph"]];
            if (event["ph"] != "X") {
                continue;
            }
            transfers += event["cat"] == "transfer" ? 1 : 0;
            // No two slices of one row overlap: viewers would drop or nest them.
            double& end = rowEnd[{event["pid"], event["tid"]}];
            QVERIFY(event["ts"].get<double>() >= end - 1e-6);
            end = event["ts"].get<double>() + event["dur"].get<double>();
        }
        QCOMPARE(phases["X"], static_cast<int>(timeline.intervals.size()));
        QCOMPARE(transfers, 2);
        // Producer to transfer, transfer to its reader, for both transfers.
        QCOMPARE(phases["s"], 4);
        QCOMPARE(phases["f"], 4);
    }

    void chromeTraceOfASimulationIsComplete() {
        const auto problem = sim::makeProblem(workload::generate(std::string_view("llama-block")),
                                              openCluster("v100x8"), cost::CostModel::Physical,
                                              sim::SimOptions::published());
        sim::Assignment assignment;
        for (OpId op = 0; op < problem->opCount(); ++op) {
            assignment.push_back(op % 8);
        }
        const sim::Timeline timeline = sim::simulate(problem, assignment);
        const json trace = json::parse(writeChromeTrace(*problem, timeline));
        const auto slices = std::count_if(trace["traceEvents"].begin(), trace["traceEvents"].end(),
                                          [](const json& event) { return event["ph"] == "X"; });
        QCOMPARE(static_cast<std::size_t>(slices), timeline.intervals.size());
        QVERIFY(timeline.intervals.size() > static_cast<std::size_t>(problem->opCount()));
    }

    void chromeTraceNamesDevicesAndKeepsNanoseconds() {
        const std::string text = writeChromeTrace(*smallProblem(), smallTimeline());
        QVERIFY2(text.find("\"dur\":1234.567") != std::string::npos, text.c_str());
        QVERIFY(text.find("\"Device 1\"") != std::string::npos);
        QVERIFY(text.find("\"to Device 1 (2)\"") != std::string::npos);
        QVERIFY(text.find("make \\\"it\\\"") != std::string::npos);
        const json trace = json::parse(text);
        QVERIFY(trace["otherData"]["time"] == json("nanoseconds"));
    }

    // An emulated run must not look like a real one.
    void filesSayWhatRan() {
        const TimelineSource emulated{.runtime = "emulated", .emulated = true};
        const json timeline =
            json::parse(writeTimelineJson(*smallProblem(), smallTimeline(), emulated));
        QVERIFY(timeline["runtime"] == json("emulated"));
        QVERIFY(timeline["emulated"] == json(true));
        const json trace =
            json::parse(writeChromeTrace(*smallProblem(), smallTimeline(), emulated));
        QVERIFY(trace["otherData"]["runtime"] == json("emulated"));
        QVERIFY(trace["otherData"]["emulated"] == json(true));
        TimelineSource noted;
        noted.notes = {"from hearsay"};
        QVERIFY(json::parse(writeTimelineJson(*smallProblem(), smallTimeline(), noted))["notes"] ==
                json(noted.notes));
        QVERIFY(json::parse(writeChromeTrace(*smallProblem(), smallTimeline(),
                                             noted))["otherData"]["notes"] == json(noted.notes));
        const json simulated = json::parse(writeTimelineJson(*smallProblem(), smallTimeline()));
        QVERIFY(!simulated.contains("runtime"));
    }

    void timelineKeepsEveryField() {
        const json text = json::parse(writeTimelineJson(*smallProblem(), smallTimeline()));
        QVERIFY(text["format"] == json("doppler-timeline/1"));
        QVERIFY(text["unit"] == json("ns"));
        QVERIFY(text["makespan"] == json(1234767));
        QCOMPARE(text["intervals"].size(), std::size_t{6});
        const json last = {{"op", 2},          {"device", 1},        {"slot", 0},
                           {"ready", 1234667}, {"start", 1234700},   {"end", 1234767},
                           {"cause", "lane"},  {"causeInterval", 4}, {"lastInput", 2}};
        QVERIFY(text["intervals"][5] == last);
        QVERIFY(text["intervals"][2]["edge"] == json(1));
        QVERIFY(text["peakMemory"] == json({64, 128}));
    }
};

QTEST_GUILESS_MAIN(TestTraces)
#include "TestTraces.moc"
