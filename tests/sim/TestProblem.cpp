#include <QTest>

#include "core/graph/GraphBuilder.h"
#include "core/graph/InputError.h"
#include "core/sim/Problem.h"

using namespace doppler;
using namespace doppler::sim;

namespace {

std::shared_ptr<const graph::Graph> alike(int ops, std::int64_t fileCompute) {
    graph::GraphBuilder builder;
    builder.setFileCostUnit(graph::FileCostUnit::Units);
    for (int op = 0; op < ops; ++op) {
        builder.addOp({.fileCompute = fileCompute});
    }
    return builder.build();
}

std::shared_ptr<const Problem> published(const std::shared_ptr<const graph::Graph>& graph) {
    return makeProblem(graph, std::make_shared<cluster::Cluster>(cluster::uniformCluster(2)),
                       cost::CostModel::Published, {});
}

} // namespace

class TestProblem : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void timesThatCannotBeAddedUpAreRefused() {
        constexpr std::int64_t kLong = 4'000'000'000'000'000;
        QCOMPARE(published(alike(200, kLong))->opCount(), 200);
        try {
            published(alike(300, kLong));
            QFAIL("accepted");
        } catch (const InputError& error) {
            QVERIFY(std::string(error.what()).find("one after the other") != std::string::npos);
        }
    }

    void bytesOfOutputsAndInputsAddUpTogether() {
        constexpr std::int64_t kHalf = 5'000'000'000'000'000'000;
        graph::GraphBuilder builder;
        builder.addOp({.outputBytes = kHalf});
        builder.addInput({.name = "in", .bytes = kHalf});
        QVERIFY_EXCEPTION_THROWN(builder.build(), InputError);
    }
};

QTEST_GUILESS_MAIN(TestProblem)
#include "TestProblem.moc"
