#include <QTest>

#include "core/graph/InputError.h"
#include "core/graph/Topology.h"
#include "core/io/Formats.h"

using namespace doppler;
using namespace doppler::io;

namespace {

std::string varint(std::uint64_t value) {
    std::string bytes;
    while (value >= 0x80) {
        bytes += static_cast<char>((value & 0x7F) | 0x80);
        value >>= 7U;
    }
    return bytes + static_cast<char>(value);
}

std::string number(unsigned field, std::uint64_t value) {
    return varint(field << 3U) + varint(value);
}

std::string bytes(unsigned field, const std::string& content) {
    return varint(field << 3U | 2U) + varint(content.size()) + content;
}

std::string record(const std::string& message) {
    return varint(message.size()) + message;
}

std::string metadata() {
    return record(bytes(1, "0.0.4"));
}

std::string attribute(const std::string& name, std::uint64_t value) {
    return bytes(10, bytes(1, name) + number(9, value));
}

QString reportOf(const ReadGraph& read) {
    QStringList notes;
    for (const std::string& note : read.report.notes) {
        notes << QString::fromStdString(note);
    }
    return notes.join(QStringLiteral("; "));
}

QString refusalOf(const std::string& text) {
    try {
        parseGraph(text, "t.et");
    } catch (const InputError& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

} // namespace

class TestChakra : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsRecords() {
        const std::string text =
            metadata() +
            record(number(1, 7) + bytes(2, "aten::mm(3)") + number(3, 4) + number(7, 12) +
                   bytes(9, bytes(1, "[[4, 5, 0, 6, 4, 'cuda:0']]") + bytes(2, "[[2, 3]]") +
                                bytes(3, "['Tensor(float)']"))) +
            record(number(1, 9) + bytes(2, "aten::relu(1)") + number(3, 4) + number(4, 7) +
                   bytes(5, varint(7)) + number(7, 3)) +
            record(bytes(2, "late") + number(3, 4) + number(5, 9)); // id 0 is left out
        const ReadGraph read = parseGraph(text, "folder/rank.0.et");
        const graph::Graph& graph = *read.graph;
        QCOMPARE(read.format, std::string("Chakra trace"));
        QCOMPARE(graph.name(), std::string("rank.0"));
        QCOMPARE(graph.opCount(), 3);
        QCOMPARE(graph.edgeCount(), 2);
        QCOMPARE(graph.kind(0), graph::OpKind::Contraction);
        QCOMPARE(std::string(graph.kindName(0)), std::string("aten::mm"));
        QCOMPARE(graph.fileCompute(0), 12'000);
        QCOMPARE(graph.outputBytes(0), 24);
        QCOMPARE(graph.dtype(0), graph::DType::F32);
        QCOMPARE(graph.shape(0).size(), std::size_t{2});
        QCOMPARE(graph.source(0), 0);
        QCOMPARE(graph.edgeBytes(0), 24);
        QCOMPARE(std::string(graph.detail(1)), std::string("called by aten::mm(3)"));
        QCOMPARE(reportOf(read),
                 QStringLiteral("1 control dependency: shown as who called whom, not as order; "
                                "1 node without a duration: kept at 0"));
    }

    void repairsAndReports() {
        const std::string text =
            metadata() + record(number(1, 1) + bytes(2, "a") + number(7, 1)) +
            record(number(1, 1) + bytes(2, "again") + number(7, 9)) +
            record(number(1, 2) + bytes(2, "b") + number(7, 1) + number(5, 1) + number(5, 1) +
                   number(5, 2) + number(5, 77) + number(4, 2) + number(4, 78) + number(4, 1));
        const ReadGraph read = parseGraph(text, "t.et");
        QCOMPARE(read.graph->opCount(), 2);
        QCOMPARE(read.graph->edgeCount(), 1);
        QCOMPARE(read.graph->fileCompute(0), 1'000);
        for (const char* note :
             {"1 task with the id of an earlier one: dropped", "1 repeated dependency merged",
              "1 dependency of a task on itself: dropped",
              "1 reference to absent tasks (such as \"77\"): dropped",
              "3 control dependencies (1 on the node itself, 1 on absent nodes)"}) {
            QVERIFY2(reportOf(read).contains(QString::fromUtf8(note)), qPrintable(reportOf(read)));
        }
    }

    void controlDependenciesMayRunAgainstTheData() {
        const std::string text = metadata() + record(number(1, 1) + bytes(2, "a") + number(4, 2)) +
                                 record(number(1, 2) + bytes(2, "b") + number(5, 1));
        QCOMPARE(parseGraph(text, "t.et").graph->edgeCount(), 1);
        QVERIFY(refusalOf(metadata() + record(number(1, 1) + bytes(2, "a") + number(5, 2)) +
                          record(number(1, 2) + bytes(2, "b") + number(5, 1)))
                    .contains(QStringLiteral("\"a\" -> \"b\" -> \"a\"")));
    }

    void pricesCommunicationByItsBytes() {
        const std::string text =
            metadata() +
            record(number(1, 1) + bytes(2, "all_reduce") + number(3, 7) +
                   attribute("comm_type", 0) + attribute("comm_size", 1'000'000)) +
            record(number(1, 2) + bytes(2, "timed") + number(3, 5) + number(7, 4) +
                   attribute("comm_size", 1'000'000));
        const ReadGraph read = parseGraph(text, "t.et");
        QCOMPARE(read.graph->kind(0), graph::OpKind::Communication);
        QCOMPARE(std::string(read.graph->kindName(0)), std::string("all-reduce"));
        QCOMPARE(std::string(read.graph->kindName(1)), std::string("send"));
        QCOMPARE(read.graph->fileCompute(0), 45'000); // 5 us and 1 MB at 25 GB/s
        QVERIFY(read.graph->costEstimated(0));
        QCOMPARE(read.graph->fileCompute(1), 4'000);
        QVERIFY(!read.graph->costEstimated(1));
        QCOMPARE(reportOf(read), QStringLiteral("1 communication without a duration: priced by "
                                                "bytes, at 25 GB/s and 5 µs"));
    }

    void saysAtWhichByteAFileIsBroken() {
        const std::string start = metadata() + record(number(1, 1) + bytes(2, "a"));
        QCOMPARE(start.size(), std::size_t{14});
        QCOMPARE(refusalOf(start + varint(300) + "short"),
                 QStringLiteral("t.et, byte 16: found a record that needs 300 bytes, expected no "
                                "more than the 5 that are left (cut off?)"));
        QCOMPARE(refusalOf(start + "\x80"),
                 QStringLiteral("t.et, byte 14: found a number that the end cuts off, expected the "
                                "rest of it"));
        QCOMPARE(refusalOf(start + record(number(1, 2) + "\x07")),
                 QStringLiteral("t.et, byte 17: found field number 0, expected a protobuf field"));
        QCOMPARE(
            refusalOf(start + record("\x12\x09zz")),
            QStringLiteral("t.et, byte 17: found a record that needs 9 bytes, expected no more "
                           "than the 2 that are left (cut off?)"));
    }

    void readsJsonInAllSpellings_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("workload graph") << QByteArray(R"json({"workload_graph": [
            {"Id": 4, "Name": "aten::mm(0)", "NodeType": 4, "runtime": 2, "data_deps": [],
             "ctrlDeps": [3]},
            {"Id": 5, "Name": "nccl", "NodeType": 7, "data_deps": [4], "comm_size": 1000000}
        ]})json");
        QTest::newRow("protobuf's own, one after another")
            << QByteArray(R"json({"version": "0.0.4"}{
            "id": "4", "name": "aten::mm(0)", "type": "COMP_NODE", "durationMicros": "2",
            "ctrlDeps": ["3"]}
            {"id": "5", "name": "nccl", "type": "COMM_COLL_NODE", "dataDeps": ["4"],
             "attr": [{"name": "comm_size", "int64Val": "1000000"}]})json");
        QTest::newRow("a list") << QByteArray(R"json([
            {"id": 4, "name": "aten::mm(0)", "type": 4, "duration_micros": 2, "ctrl_deps": [3]},
            {"id": 5, "name": "nccl", "type": 7, "data_deps": [4], "commSize": 1000000}])json");
    }

    void readsJsonInAllSpellings() {
        QFETCH(QByteArray, text);
        const ReadGraph read = parseGraph(text.toStdString(), "t.json");
        QCOMPARE(read.format, std::string("Chakra trace (JSON)"));
        QCOMPARE(read.graph->opCount(), 2);
        QCOMPARE(read.graph->edgeCount(), 1);
        QCOMPARE(read.graph->fileCompute(0), 2'000);
        QCOMPARE(read.graph->fileCompute(1), 45'000);
        QCOMPARE(read.graph->kind(1), graph::OpKind::Communication);
        QVERIFY(reportOf(read).startsWith(
            QStringLiteral("1 control dependency (0 on the node itself, 1 on absent nodes)")));
    }

    void refusesBadJson() {
        QVERIFY(refusalOf(R"({"workload_graph": [{"Id": "x"}]})")
                    .contains(QStringLiteral("/workload_graph/0/Id")));
        QVERIFY(refusalOf(R"({"workload_graph": [{"runtime": 2}]})")
                    .contains(QStringLiteral("without id and name")));
    }
};

QTEST_GUILESS_MAIN(TestChakra)
#include "TestChakra.moc"
