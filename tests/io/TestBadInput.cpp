#include <QTest>

#include "core/graph/GraphBuilder.h"
#include "core/graph/InputError.h"
#include "core/io/Formats.h"
#include "core/io/JsonField.h"
#include "core/io/Session.h"
#include "core/io/SimOptionsJson.h"

using namespace doppler;
using namespace doppler::io;

namespace {

constexpr const char* kWhere = "bad.file";

/// A graph JSON with these ops and edges.
QByteArray graphJson(const QByteArray& ops, const QByteArray& edges) {
    return R"({"format": "doppler-graph/1", "ops": )" + ops + R"(, "edges": )" + edges + "}";
}

QByteArray clusterJson(const QByteArray& devices, const QByteArray& links) {
    return R"({"format": "doppler-cluster/1", "name": "c", "devices": )" + devices +
           R"(, "links": )" + links + "}";
}

void read(const QString& reader, const std::string& text) {
    graph::GraphBuilder builder("three");
    for (const char* name : {"a", "b", "b"}) {
        builder.addOp({.name = name});
    }
    const auto graph = builder.build();
    if (reader == QStringLiteral("graph")) {
        parseGraph(text, kWhere);
    } else if (reader == QStringLiteral("cluster")) {
        parseClusterJson(text, kWhere);
    } else if (reader == QStringLiteral("assignment")) {
        parseAssignment(text, kWhere, *graph, cluster::uniformCluster(2));
    } else if (reader == QStringLiteral("session")) {
        parseSession(text, kWhere);
    } else {
        parseSimOptions(text, kWhere);
    }
}

} // namespace

class TestBadInput : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void messageNamesPlaceAndCause_data() {
        QTest::addColumn<QString>("reader");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("found"); // part of the message that names the fault

        const auto row = [](const char* reader, const char* name, const QByteArray& text,
                            const char* place, const char* found) {
            QTest::addRow("%s: %s", reader, name)
                << QString::fromLatin1(reader) << text << QString::fromUtf8(place)
                << QString::fromUtf8(found);
        };

        row("graph", "empty", "", "bad.file", "an empty file");
        row("graph", "blanks", " \r\n\t", "bad.file", "only blanks");
        row("graph", "binary",
            QByteArray("\x7F"
                       "ELF\0\1\2",
                       7),
            "bad.file", "binary");
        row("graph", "prose", "hello\nworld", "bad.file", "\"hello");
        row("graph", "prose: what is known", "hello\nworld", "bad.file", "Chrome trace");
        row("graph", "stg: negative",
            "2\n0 -5 0\n1 99999999999999999999 1 0\n2 1e400 1 1\n3 0 1 2\n", "bad.file, line 2",
            "processing time \"-5\"");
        row("graph", "stg: too large", "2\n0 5 0\n1 99999999999999999999 1 0\n", "bad.file, line 3",
            "processing time \"99999999999999999999\"");
        row("graph", "stg: no number", "1\n0 1e400 0\n", "bad.file, line 2", "\"1e400\"");
        row("graph", "text: first line", "12 nodes\n", "bad.file, line 1", "\"12 nodes\"");
        row("graph", "text: ends early", "1\n\n", "bad.file, line 2", "end of the text");
        row("graph", "text: no cost lines", "2\n\n0\n1\n", "bad.file, line 4",
            "after 0 cost lines");
        row("graph", "text: missing line", "3\n\n0, 1\n1, 2\n1,1\n1,1\n", "bad.file, line 6",
            "after 2 cost lines");
        row("graph", "text: one line too many", "1\n\n\n\n1,1\n1,1\n", "bad.file, line 6",
            "\"1,1\"");
        row("graph", "text: word for a number", "1\n\n\n\n1,many\n", "bad.file, line 5",
            "transfer cost \"many\"");
        row("graph", "text: fraction", "1\n\n\n\n1.5,1\n", "bad.file, line 5", "\"1.5\"");
        row("graph", "text: negative", "1\n\n\n\n-3,1\n", "bad.file, line 5", "\"-3\"");
        row("graph", "text: 20 digits", "1\n\n\n\n12345678901234567890,1\n", "bad.file, line 5",
            "9223372036854775807");
        row("graph", "text: one number", "1\n\n\n\n1\n", "bad.file, line 5", "\"1\"");
        row("graph", "text: four fields", "1\n\n\n\n1,2,a,b\n", "bad.file, line 5", "\"1,2,a,b\"");
        row("graph", "text: empty field", "1\n\n\n\n,2\n", "bad.file, line 5", "\"\"");
        row("graph", "text: blank cost line", "2\n\n\n\n\n1,1\n", "bad.file, line 5",
            "an empty line");
        row("graph", "text: source too large", "2\n\n2\n0\n1,1\n1,1\n", "bad.file, line 3",
            "source 2");
        row("graph", "text: target too large", "2\n\n0\n99\n1,1\n1,1\n", "bad.file, line 4",
            "target 99");
        row("graph", "text: negative id", "2\n\n-1\n1\n1,1\n1,1\n", "bad.file, line 3", "\"-1\"");
        row("graph", "text: fewer targets", "2\n\n0, 0\n1\n1,1\n1,1\n", "bad.file, line 4",
            "1 targets");
        row("graph", "text: input beyond", "2\n5\n\n\n1,1\n", "bad.file, line 2", "\"5\"");
        row("graph", "text: input twice", "3\n1,1\n\n\n", "bad.file, line 2", "input 1 twice");
        row("graph", "text: self edge", "1\n\n0\n0\n1,1\n", "bad.file, lines 3 and 4", "to itself");
        row("graph", "text: cycle", "2\n\n0,1\n1,0\n1,1\n1,1\n", "bad.file, lines 3 and 4",
            "cycle");

        row("graph", "json: truncated", "{\"format\": \"doppler-graph/1\",\n\"ops\": [{",
            "bad.file, line 2, column 10", "the end of the text");
        row("graph", "json: syntax", "{\"format\":\n  oops}", "bad.file, line 2, column 3", "\"o");
        row("graph", "json: bad UTF-8", "{\"format\": \"\xFF\"}", "bad.file, line 1, column 13",
            "UTF-8");
        row("graph", "json: NaN", graphJson("[{\"flops\": NaN}]", "[]"), "bad.file, line 1", "N");
        row("graph", "json: beyond double", graphJson("[{\"flops\": 1e999}]", "[]"),
            "bad.file, line 1", "1e999");
        row("graph", "json: no tag", "{\"ops\": []}", "bad.file, top level", "no \"format\"");
        row("graph", "json: wrong tag", "{\"format\": \"doppler-cluster/1\"}", "bad.file, /format",
            "doppler-cluster/1");
        row("graph", "json: later version", "{\"format\": \"doppler-graph/2\"}",
            "bad.file, /format", "expected \"doppler-graph/1\"");
        row("graph", "json: key twice", graphJson("[{\"name\": \"a\", \"name\": \"b\"}]", "[]"),
            "bad.file", "\"name\" twice");
        row("graph", "json: deep nesting",
            graphJson(QByteArray(5000, '[') + QByteArray(5000, ']'), "[]"), "bad.file", "deeper");
        row("graph", "json: unknown key", graphJson("[{}, {\"flop\": 1}]", "[]"),
            "bad.file, /ops/1", "\"flop\"");
        row("graph", "json: unknown kind", graphJson("[{\"kind\": \"matmul\"}]", "[]"),
            "bad.file, /ops/0/kind", "\"matmul\"");
        row("graph", "json: text for a number", graphJson("[{\"flops\": \"7\"}]", "[]"),
            "bad.file, /ops/0/flops", "\"7\"");
        row("graph", "json: negative", graphJson("[{\"flops\": -7}]", "[]"),
            "bad.file, /ops/0/flops", "-7");
        row("graph", "json: 20 digits", graphJson("[{\"flops\": 12345678901234567890}]", "[]"),
            "bad.file, /ops/0/flops", "12345678901234567890");
        row("graph", "json: 30 digits",
            graphJson("[{\"flops\": 123456789012345678901234567890}]", "[]"),
            "bad.file, /ops/0/flops", "1.2345678901234568e+29");
        row("graph", "json: sum beyond 64 bits",
            graphJson("[{\"flops\": 9223372036854775807}, {\"flops\": 1}]", "[]"), "bad.file",
            "add up");
        row("graph", "json: edge of one", graphJson("[{}]", "[[0]]"), "bad.file, /edges/0",
            "array of 1");
        row("graph", "json: id too large", graphJson("[{}, {}]", "[[0, 1], [0, 2]]"),
            "bad.file, /edges/1/1", "2");
        row("graph", "json: unknown name", graphJson("[{\"name\": \"a\"}]", "[[0, \"b\"]]"),
            "bad.file, /edges/0/1", "\"b\"");
        row("graph", "json: no ops for an edge", graphJson("[]", "[[0, 0]]"),
            "bad.file, /edges/0/0", "no op");
        row("graph", "json: no such input", graphJson("[{}]", "[{\"input\": 0, \"to\": 0}]"),
            "bad.file, /edges/0/input", "no graph input");
        row("graph", "json: cycle", graphJson("[{}, {}]", "[[0, 1], [1, 0]]"), "bad.file", "cycle");
        row("graph", "json: cost without unit",
            graphJson("[{\"compute\": 1, \"transfer\": 1}]", "[]"), "bad.file, /ops/0/compute",
            "costUnit");
        row("graph", "json: ops is no list", graphJson("7", "[]"), "bad.file, /ops", "7");

        row("cluster", "no devices", clusterJson("[]", "[]"), "bad.file, /devices", "array of 0");
        row("cluster", "repeated name", clusterJson("[{\"name\": \"x\"}, {\"name\": \"x\"}]", "[]"),
            "bad.file, /devices", "name twice");
        row("cluster", "a pair without link",
            clusterJson("[{\"name\": \"x\"}, {\"name\": \"y\"}]", "[]"),
            "bad.file: link from \"x\" to \"y\"", "no usable link");
        row("cluster", "too many", clusterJson("[{\"name\": \"x\", \"count\": 100000}]", "[]"),
            "bad.file, /devices/0/count", "100000");
        row("cluster", "unknown type",
            clusterJson("[{\"name\": \"x\", \"flops\": {\"f8\": 1}}]", "[]"),
            "bad.file, /devices/0/flops/f8", "\"f8\"");
        row("cluster", "negative rate",
            clusterJson("[{\"name\": \"x\", \"flops\": {\"f32\": -1}}]", "[]"),
            "bad.file, /devices/0/flops/f32", "-1");
        row("cluster", "unknown link kind",
            clusterJson("[{\"name\": \"x\"}]", "[{\"kind\": \"rope\", \"bytesPerSecond\": 1}]"),
            "bad.file, /links/0/kind", "\"rope\"");
        row("cluster", "unknown device in a link",
            clusterJson("[{\"name\": \"x\"}]",
                        "[{\"pairs\": [[0, \"z\"]], \"kind\": \"pcie\", \"bytesPerSecond\": 1}]"),
            "bad.file, /links/0/pairs/0/1", "\"z\"");
        row("cluster", "zero bandwidth",
            clusterJson("[{\"name\": \"x\", \"count\": 2}]",
                        "[{\"kind\": \"pcie\", \"bytesPerSecond\": 0}]"),
            "bad.file: link from \"x 0\" to \"x 1\"", "no usable link");

        row("assignment", "empty", "", "bad.file", "an empty text");
        row("assignment", "too short", "0,1\n", "bad.file", "2 entries");
        row("assignment", "too long", "[0, 1, 0, 1]", "bad.file, top level", "4 entries");
        row("assignment", "device beyond", "0,1,2\n", "bad.file, line 1", "\"2\"");
        row("assignment", "word", "0,one,1\n", "bad.file, line 1", "\"one\"");
        row("assignment", "unknown device", "[0, 0, \"Device 9\"]", "bad.file, /2", "Device 9");
        row("assignment", "two ops of that name", "{\"a\": 0, \"b\": 1}", "bad.file, top level",
            "two ops are called \"b\"");
        row("assignment", "wrong tag", "{\"format\": \"doppler-graph/1\", \"ops\": []}",
            "bad.file, /format", "doppler-graph/1");
        row("assignment", "null", "[0, null, 1]", "bad.file, /1", "null");

        row("session", "a graph instead", graphJson("[]", "[]"), "bad.file, /format",
            "doppler-graph/1");
        row("session", "no cluster",
            "{\"format\": \"doppler-session/1\", \"graph\": " + graphJson("[]", "[]") + "}",
            "bad.file, top level", "no \"cluster\"");
        row("session", "broken graph inside",
            "{\"format\": \"doppler-session/1\", \"costs\": \"physical\", \"graph\": " +
                graphJson("[{}]", "[[0, 5]]") +
                ", \"cluster\": " + clusterJson("[{\"name\": \"x\"}]", "[]") + "}",
            "bad.file, /graph/edges/0/1", "5");
        row("session", "placement too short",
            "{\"format\": \"doppler-session/1\", \"costs\": \"physical\", \"graph\": " +
                graphJson("[{}]", "[]") +
                ", \"cluster\": " + clusterJson("[{\"name\": \"x\"}]", "[]") +
                ", \"placements\": [{\"assignment\": []}]}",
            "bad.file, /placements/0/assignment", "0 entries");

        row("options", "unknown word", "{\"choice\": \"best\"}", "bad.file, /choice", "\"best\"");
        row("options", "misspelt key", "{\"chioce\": \"random\"}", "bad.file, top level",
            "\"chioce\"");
    }

    void messageNamesPlaceAndCause() {
        QFETCH(QString, reader);
        QFETCH(QByteArray, text);
        QFETCH(QString, place);
        QFETCH(QString, found);
        try {
            read(reader, text.toStdString());
            QFAIL("bad input was accepted");
        } catch (const InputError& error) {
            const QString message = QString::fromUtf8(error.what());
            QVERIFY2(message.startsWith(place), error.what());
            QVERIFY2(message.contains(found), error.what());
            QVERIFY2(!message.contains(QLatin1Char('\n')), error.what());
            QVERIFY2(message.size() < 600, error.what());
        }
    }
};

QTEST_GUILESS_MAIN(TestBadInput)
#include "TestBadInput.moc"
