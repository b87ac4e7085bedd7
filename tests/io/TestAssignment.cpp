#include <QTest>

#include "core/graph/GraphBuilder.h"
#include "core/graph/InputError.h"
#include "core/io/Formats.h"

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
