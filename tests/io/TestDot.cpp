#include <algorithm>

#include <QTest>

#include "core/graph/GraphBuilder.h"
#include "core/io/ForeignFormats.h"
#include "core/io/Formats.h"

using namespace doppler;
using namespace doppler::io;

class TestDot : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void escapesNames() {
        graph::GraphBuilder builder("a \"graph\"");
        builder.addOp({.name = "quote \" slash \\ break \n end"});
        const std::string dot = writeDot(*builder.build());
        QVERIFY2(dot.find("\"quote \\\" slash \\\\ break \\n end\"") != std::string::npos,
                 dot.c_str());
        QVERIFY(dot.find("digraph \"a \\\"graph\\\"\" {") == 0);
    }

    void namesThatAreNotUtf8StayApart() {
        const ReadGraph read = parseDotGraph("digraph { gr\xFC\xDF -> gr\xFC\xDF"
                                             "e }",
                                             "latin.dot");
        QCOMPARE(read.graph->opCount(), 2);
        QCOMPARE(read.graph->edgeCount(), 1);
        QCOMPARE(read.graph->opName(1), std::string("gr\uFFFD\uFFFDe"));
        const auto told = [](const std::string& note) {
            return note.find("2 tasks named in bytes that are not UTF-8") != std::string::npos;
        };
        QVERIFY(std::any_of(read.report.notes.begin(), read.report.notes.end(), told));
    }

    void showsDevicesAndCrossings() {
        graph::GraphBuilder builder("g");
        builder.addOp({.kind = graph::OpKind::Contraction});
        builder.addOp({.kind = graph::OpKind::Formation});
        builder.addOp({.kind = graph::OpKind::Fill});
        builder.addEdge(0, 1);
        builder.addEdge(1, 2);
        const sim::Assignment assignment{0, 0, 26};
        const std::string dot = writeDot(*builder.build(), &assignment);
        QVERIFY(dot.find("0 [label=\"contraction 0\\nA\", shape=box") != std::string::npos);
        QVERIFY(dot.find("fillcolor=\"#0072B2\", fontcolor=\"white\"") != std::string::npos);
        QVERIFY(dot.find("fill 2\\nAA") != std::string::npos);
        QVERIFY(dot.find("0 -> 1;") != std::string::npos);
        QVERIFY(dot.find("1 -> 2 [style=dashed, color=\"#0072B2\"];") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestDot)
#include "TestDot.moc"
