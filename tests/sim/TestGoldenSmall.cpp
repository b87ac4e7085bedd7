#include <QTest>

#include <fstream>

#include <nlohmann/json.hpp>

#include "core/graph/GraphBuilder.h"
#include "core/sim/Simulator.h"

using namespace doppler;
using nlohmann::json;

namespace {

std::shared_ptr<const sim::Problem> problemOf(const json& entry, const sim::SimOptions& options) {
    graph::GraphBuilder builder;
    builder.setFileCostUnit(graph::FileCostUnit::Units);
    for (std::size_t op = 0; op < entry.at("compute").size(); ++op) {
        graph::OpSpec spec;
        spec.fileCompute = entry.at("compute")[op];
        spec.fileTransfer = entry.at("transfer")[op];
        builder.addOp(spec);
    }
    for (const json& edge : entry.at("edges")) {
        builder.addEdge(edge.at(0), edge.at(1));
    }
    auto cluster =
        std::make_shared<const cluster::Cluster>(cluster::uniformCluster(entry.at("devices")));
    return sim::makeProblem(builder.build(), std::move(cluster), cost::CostModel::Published,
                            options);
}

} // namespace

/// 221 small problems with the exact makespan of the simulator published with the paper.
class TestGoldenSmall : public QObject {
    Q_OBJECT

private:
    json golden_;

private Q_SLOTS:
    void initTestCase() {
        std::ifstream file(DOPPLER_SOURCE_DIR "/tests/data/wc_golden.json");
        QVERIFY(file.is_open());
        golden_ = json::parse(file);
        QCOMPARE(golden_.at("cases").size(), std::size_t{221});
    }

    void makespanMatches_data() {
        QTest::addColumn<bool>("general");
        QTest::newRow("published loop") << false;
        // So many processors limit nobody, but need the loop that knows every option.
        QTest::newRow("general loop") << true;
    }

    void makespanMatches() {
        QFETCH(bool, general);
        sim::SimOptions options = sim::SimOptions::published();
        options.cores = general ? 1'000'000 : 0;
        for (const json& entry : golden_.at("cases")) {
            sim::Simulator simulator(problemOf(entry, options));
            const auto assignment = entry.at("assignment").get<sim::Assignment>();
            const Time expected = entry.at("makespan");
            const std::string name = entry.at("name");
            QVERIFY2(simulator.makespan(assignment) == expected, name.c_str());
            QVERIFY2(simulator.run(assignment).makespan == expected, name.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestGoldenSmall)
#include "TestGoldenSmall.moc"
