#include <QTest>

#include "core/graph/GraphBuilder.h"
#include "core/graph/InputError.h"
#include "core/io/Formats.h"
#include "core/io/PlacementFile.h"

using namespace doppler;
using namespace doppler::io;

class TestAssignment : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        graph::GraphBuilder builder("three");
        builder.addOp({.name = "first"});
        builder.addOp({});
        builder.addOp({.name = "last"});
        graph_ = builder.build();
    }

    void readsEveryForm_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("comma list") << "1,0,3\n";
        QTest::newRow("comma list with blanks and lines") << " 1, 0,\r\n3,\n";
        QTest::newRow("array") << "[1, 0, 3]";
        QTest::newRow("names") << R"(["Device 1", "Device 0", 3])";
        QTest::newRow("tagged array")
            << R"({"format": "doppler-assignment/1", "method": "heft", "assignment": [1, 0, 3]})";
        QTest::newRow("tagged map") << R"({"format": "doppler-assignment/1",
                   "assignment": {"last": "Device 3", "first": 1, "other 1": 0}})";
        QTest::newRow("device map") << R"({"last": 3, "first": "Device 1", "other 1": 0})";
    }

    void readsEveryForm() {
        QFETCH(QString, text);
        QCOMPARE(parseAssignment(text.toStdString(), "test", *graph_, cluster_),
                 (sim::Assignment{1, 0, 3}));
    }

    void readsWhatItWrites() {
        const sim::Assignment assignment{3, 3, 0};
        const std::string json = writeAssignmentJson(assignment, *graph_, cluster_, "two-opt");
        QCOMPARE(parseAssignment(json, "copy", *graph_, cluster_), assignment);
        QVERIFY(json.find("\"method\": \"two-opt\"") != std::string::npos);
        QCOMPARE(writeAssignmentList(assignment), std::string("3,3,0\n"));
        QCOMPARE(parseAssignment("3,3,0\n", "copy", *graph_, cluster_), assignment);
    }

    void recordsTravelWithPlacements() {
        PlacementFile placement{{3, 3, 0}, {}};
        placement.record = {.method = "anneal",
                            .seed = 18'000'000'000'000'000'000U,
                            .budgetSeconds = 2.5,
                            .maxEvaluations = {},
                            .objective = "p95:32,traffic=0.1",
                            .value = 1234,
                            .noise = 0.2,
                            .makespan = 1000,
                            .unit = "units"};
        const std::string text = writePlacementJson(placement, *graph_, cluster_);
        PlacementFile read = parsePlacement(text, "copy", *graph_, cluster_);
        QCOMPARE(read.assignment, placement.assignment);
        QVERIFY(read.record == placement.record);
        placement.record.budgetSeconds.reset();
        placement.record.maxEvaluations = 500;
        read = parsePlacement(writePlacementJson(placement, *graph_, cluster_), "copy", *graph_,
                              cluster_);
        QVERIFY(read.record == placement.record);
        // Files that say nothing of it stay readable.
        QVERIFY(parsePlacement("3,3,0", "list", *graph_, cluster_).record == PlacementRecord());
    }

    void recordsThatCannotBeAreRefused_data() {
        QTest::addColumn<QString>("member");
        QTest::newRow("seed") << R"("seed": -1)";
        QTest::newRow("value") << R"("value": "long")";
        QTest::newRow("unit") << R"("unit": "miles")";
        QTest::newRow("evaluations") << R"("maxEvaluations": 0)";
    }

    void recordsThatCannotBeAreRefused() {
        QFETCH(QString, member);
        const std::string text = R"({"format": "doppler-assignment/1", )" + member.toStdString() +
                                 R"(, "assignment": [1, 0, 3]})";
        QVERIFY_EXCEPTION_THROWN(parsePlacement(text, "test", *graph_, cluster_), InputError);
    }

    void emptyGraphHasAnEmptyAssignment() {
        const auto empty = graph::GraphBuilder("empty").build();
        QVERIFY(parseAssignment("", "test", *empty, cluster_).empty());
        QVERIFY(parseAssignment(writeAssignmentList({}), "test", *empty, cluster_).empty());
    }

private:
    std::shared_ptr<const graph::Graph> graph_;
    cluster::Cluster cluster_ = cluster::uniformCluster(4);
};

QTEST_GUILESS_MAIN(TestAssignment)
#include "TestAssignment.moc"
