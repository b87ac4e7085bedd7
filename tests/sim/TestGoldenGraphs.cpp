#include <QTest>

#include <fstream>
#include <map>

#include <nlohmann/json.hpp>

#include "core/io/Formats.h"
#include "core/sim/Simulator.h"
#include "core/sim/TimelineCheck.h"
#include "tests/support/SharedData.h"

using namespace doppler;
using nlohmann::json;

/// 200 assignments of the paper's published graphs with the exact makespan of its simulator.
class TestGoldenGraphs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void makespanMatches() {
        if (!tests::hasSharedData()) {
            QSKIP(tests::kNoSharedData);
        }
        std::ifstream file(
            tests::sharedPath(QStringLiteral("golden/doppler_graphs_golden.json")).toStdString());
        const json golden = json::parse(file);
        QCOMPARE(golden.at("cases").size(), std::size_t{200});
        std::map<std::string, std::shared_ptr<const graph::Graph>> graphs;
        for (const json& entry : golden.at("cases")) {
            const std::string name = entry.at("graph");
            auto& graph = graphs[name];
            if (graph == nullptr) {
                graph =
                    io::readGraphFile(
                        tests::sharedPath(QStringLiteral("graphs/doppler/")).toStdString() + name)
                        .graph;
            }
            const auto problem =
                sim::makeProblem(graph,
                                 std::make_shared<const cluster::Cluster>(
                                     cluster::uniformCluster(entry.at("devices"))),
                                 cost::CostModel::Published, sim::SimOptions::published());
            const auto assignment = entry.at("assignment").get<sim::Assignment>();
            const sim::Timeline timeline = sim::simulate(problem, assignment);
            QVERIFY2(timeline.makespan == entry.at("makespan").get<Time>(), name.c_str());
            const auto violation = sim::findViolation(*problem, assignment, timeline);
            QVERIFY2(!violation, (name + ": " + violation.value_or("")).c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestGoldenGraphs)
#include "TestGoldenGraphs.moc"
