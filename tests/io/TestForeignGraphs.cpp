#include <QTest>

#include "core/graph/InputError.h"
#include "core/graph/Topology.h"
#include "core/io/Formats.h"
#include "tests/support/SharedData.h"

using namespace doppler;
using namespace doppler::io;

namespace {

std::filesystem::path sharedGraph(const char* file) {
    return tests::sharedPath(QStringLiteral("graphs/") + QString::fromLatin1(file)).toStdString();
}

QString reportOf(const ReadGraph& read) {
    QStringList notes;
    for (const std::string& note : read.report.notes) {
        notes << QString::fromStdString(note);
    }
    return notes.join(QStringLiteral("; "));
}

} // namespace

/// Every public file of a foreign format opens with its true size, or is refused with the reason.
class TestForeignGraphs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void opensPublicFiles_data() {
        QTest::addColumn<QString>("format");
        QTest::addColumn<int>("nodes");
        QTest::addColumn<int>("edges");
        QTest::addColumn<qint64>("compute");
        QTest::addColumn<qint64>("edgeBytes");
        QTest::addColumn<QString>("report"); // part of it; empty: nothing to report

        const auto row = [](const char* file, const char* format, int nodes, int edges,
                            qint64 compute, qint64 edgeBytes, const char* report) {
            QTest::newRow(file) << QString::fromLatin1(format) << nodes << edges << compute
                                << edgeBytes << QString::fromUtf8(report);
        };
        row("stg/made_comm_variant.stg", "STG", 8, 9, 34, 0,
            "read as the variant with communication costs");
        row("stg/made_prototype_form.stg", "STG", 6, 6, 34, 0,
            "2 processors named by the file: not used, the cluster has its own devices; "
            "no communication costs");
        row("stg/made_duplicate_and_self_pred.stg", "STG", 5, 4, 15, 0,
            "1 repeated dependency merged; 1 dependency of a task on itself: dropped; "
            "1 reference to absent tasks (such as \"9\"): dropped");
        row("saga_json/cholesky_6.json", "SAGA JSON", 56, 85, 370000000, 170, "4 nodes");
        row("saga_json/gpt2_tensor_sh12_prefill.json", "SAGA JSON", 327, 614, 1423717300, 378653616,
            "12 nodes");
        row("wfformat/dslab-v1.3-epigenomics-ilmn-2seq-50k.json", "WfFormat", 515, 639,
            8790647000000, 2862704002, "");
        row("wfformat/made_bom_utf8.json", "WfFormat", 1, 0, 1000000000, 0, "");
        row("wfformat/made_spec_only_no_execution.json", "WfFormat", 2, 1, 2000000000, 10,
            "2 tasks without a stated compute cost");
        row("dot/daggen-100-0.25-0.9-0.3-2.dot", "DOT", 102, 130, 0, 525893866000,
            "of less than a byte");
        row("dot/made_tricky_syntax.dot", "DOT", 11, 10, 0, 4500000000, "1 repeated dependency");
        row("dot/nncf_googlenet.dot", "DOT", 166, 194, 0, 52427344, "output shapes read");
        row("dot/nncf_vit_b_16.dot", "DOT", 584, 631, 0, 815891264, "output shapes read");
        row("dot/taskflow_cholesky.dot", "DOT", 20, 30, 0, 0, "20 ops without stated work");
        row("dot/taskflow_opentimer_4.dot", "DOT", 34, 36, 0, 0, "16 repeated dependencies");
        row("dax/dslab_cybershake-100.xml", "Pegasus DAX", 100, 192, 2236610000000, 27390103012,
            "4 files of several sizes");
        row("dax/made_file_dependency_only.dax", "Pegasus DAX", 2, 1, 2000000000, 100,
            "1 dependency added");
        row("dax/pegasus_blackdiamond.dax", "Pegasus DAX", 4, 4, 4000000000, 0,
            "4 tasks without a stated compute cost");
        row("dax/pegasus_genome.dax", "Pegasus DAX", 39, 44, 39000000000, 0, "39 tasks without");
        row("dax/pegasus_dax33_sample.xml", "Pegasus DAX", 1, 0, 1000000000, 0,
            "1 task with the id of an earlier one");
        row("graphml/made_of_saga_gpt2_tensor_sh12_prefill.graphml", "GraphML", 327, 614,
            1423717300, 378653616, "costs taken as milliseconds");
        for (const char* rank :
             {"chakra/astrasim_all_reduce_4npus.0.et", "chakra/astrasim_all_reduce_4npus.1.et",
              "chakra/astrasim_all_reduce_4npus.2.et", "chakra/astrasim_all_reduce_4npus.3.et"}) {
            row(rank, "Chakra trace", 1, 0, 46943, 0, "1 communication without a duration");
        }
        row("chakra/astrasim_custom_allreduce.0.et", "Chakra trace", 35, 34, 335804, 3538944,
            "28 communications without a duration: priced by bytes, at 25 GB/s");
        row("chakra/made_duplicate_id.et", "Chakra trace", 2, 1, 20000, 0,
            "1 task with the id of an earlier one: dropped");
        row("chakra/mlcommons_feeder_chakra.0.et.gz", "Chakra trace", 3664, 181878, 381795000,
            913905818564,
            "3664 control dependencies (383 on the node itself, 1277 on absent nodes)");
        row("chakra/mlcommons_chakra.0.json.gz", "Chakra trace (JSON)", 3664, 181878, 381795000, 0,
            "157 nodes without a duration: kept at 0");
        row("chakra/mlcommons_small_chakra.0.json", "Chakra trace (JSON)", 7, 6, 695000, 0,
            "7 control dependencies (0 on the node itself, 7 on absent nodes)");
    }

    void opensPublicFiles() {
        if (!tests::hasSharedData()) {
            QSKIP(tests::kNoSharedData);
        }
        QFETCH(QString, format);
        QFETCH(int, nodes);
        QFETCH(int, edges);
        QFETCH(qint64, compute);
        QFETCH(qint64, edgeBytes);
        QFETCH(QString, report);
        const ReadGraph read = readGraphFile(sharedGraph(QTest::currentDataTag()));
        const graph::GraphFacts facts = graph::graphFacts(*read.graph);
        QCOMPARE(QString::fromStdString(read.format), format);
        QCOMPARE(facts.nodes, nodes);
        QCOMPARE(facts.edges, edges);
        QCOMPARE(qint64{facts.fileCompute}, compute);
        QCOMPARE(qint64{facts.edgeBytes}, edgeBytes);
        QVERIFY2(reportOf(read).contains(report), qPrintable(reportOf(read)));
        QCOMPARE(report.isEmpty(), read.report.notes.empty());
    }

    void tellsNumbersOutOfRange_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("report");
        const auto job = [](const char* runtime, const char* size) {
            return QByteArray("<adag><job id=\"a\" name=\"p\" runtime=\"") + runtime +
                   "\"><uses file=\"f\" link=\"output\" size=\"" + size + "\"/></job></adag>";
        };
        QTest::newRow("negative time")
            << job("-3", "1") << QStringLiteral("1 time below 0: counted as 0");
        QTest::newRow("long time") << job("1e300", "1") << QStringLiteral("1 time above 100 days");
        QTest::newRow("negative size")
            << job("1", "-5") << QStringLiteral("1 size below 0: counted as 0");
        QTest::newRow("large size")
            << job("1", "1e30") << QStringLiteral("1 size above 10^18 bytes");
        QTest::newRow("large work") << QByteArray("digraph { a [flops=1e300]; a -> b }")
                                    << QStringLiteral("1 number above 9*10^18: cut to that");
        QTest::newRow("unknown cost")
            << QByteArray("digraph { a [compute_ms=8, fontsize=9]; b [compute_ms=2]; a -> b }")
            << QStringLiteral("2 attributes \"compute_ms\", whose meaning is not known");
        QTest::newRow("same edge twice")
            << QByteArray(R"({"format": "doppler-graph/1", "ops": [{"kind": "other"},
                              {"kind": "other"}], "edges": [[0, 1], [0, 1]]})")
            << QStringLiteral("1 duplicate edge merged");
        QTest::newRow("STG with costs") << QByteArray("2\n1 5 0\n2 5 1\n1 7\n")
                                        << QStringLiteral("read as the variant with communication "
                                                          "costs");
        const auto unstated = QStringLiteral("results have no stated size: memory counts 0 B for ");
        QTest::newRow("sizes on edges only")
            << QByteArray("digraph { a -> b [size=9]; a -> c [size=7]; b -> c [size=5] }")
            << unstated + QStringLiteral("2 ops");
        QTest::newRow("sizes on edges of SAGA") << QByteArray(R"({"name": "s", "task_graph": {
                              "tasks": [{"name": "a", "cost": 1}, {"name": "b", "cost": 1}],
                              "dependencies": [{"source": "a", "target": "b", "size": 3}]}})")
                                                << unstated + QStringLiteral("1 op");
        QTest::newRow("processors") << QByteArray("2 4\n1 5 0\n2 5 1 1\n")
                                    << QStringLiteral("4 processors named by the file: not used");
        QTest::newRow("negative time in a trace")
            << QByteArray(R"([{"id": 1, "name": "a", "type": 4, "data_deps": [],
                              "ctrl_deps": [], "runtime": -5}])")
            << QStringLiteral("1 time below 0: counted as 0");
    }

    void tellsNumbersOutOfRange() {
        QFETCH(QByteArray, text);
        QFETCH(QString, report);
        const QString told = reportOf(parseGraph(text.toStdString(), "made"));
        QVERIFY2(told.contains(report), qPrintable(told));
        QVERIFY2(!told.contains(QStringLiteral("fontsize")), qPrintable(told));
    }

    void statedResultsAreNotDoubted() {
        for (const char* text : {"digraph { a [outputBytes=9]; a -> b [size=9] }",
                                 "digraph { a -> b }", "digraph { a -> b [size=0] }"}) {
            const QString told = reportOf(parseGraph(text, "made"));
            QVERIFY2(!told.contains(QStringLiteral("no stated size")), qPrintable(told));
        }
    }

    void xmlIsToldBehindItsDeclarations_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("message"); // empty: it opens
        const QByteArray start = "<?xml version=\"1.0\"?>\n";
        const QByteArray dax = "<adag><job id=\"a\" name=\"p\" runtime=\"1\"/></adag>";
        const QByteArray graphMl = "<graphml><graph edgedefault=\"directed\"><node id=\"a\"/>"
                                   "</graph></graphml>";
        const QByteArray entity = "<!DOCTYPE a [<!ENTITY x \"y\">]>\n";
        const auto refusal = QStringLiteral("entity declarations are not accepted");
        QTest::newRow("DAX, entity") << start + entity + dax << refusal;
        QTest::newRow("GraphML, entity") << start + entity + graphMl << refusal;
        QTest::newRow("entity from a file")
            << start + "<!DOCTYPE a [<!ENTITY x SYSTEM \"file.xml\">]>" + dax << refusal;
        QTest::newRow("elements only")
            << start + "<!DOCTYPE adag [ <!-- ]> ' --> <?note it's?> <!ELEMENT adag (job)> ]>" + dax
            << QString();
        QTest::newRow("no declarations in it")
            << start + "<!DOCTYPE graphml SYSTEM \"a>b.dtd\">" + graphMl << QString();
        QTest::newRow("of another kind") << start + "<!DOCTYPE svg []><svg/>"
                                         << QStringLiteral("found XML whose root is \"svg\"");
    }

    void xmlIsToldBehindItsDeclarations() {
        QFETCH(QByteArray, text);
        QFETCH(QString, message);
        try {
            QCOMPARE(parseGraph(text.toStdString(), "made.xml").graph->opCount(), 1);
            QVERIFY2(message.isEmpty(), "opened");
        } catch (const InputError& error) {
            const auto told = QString::fromUtf8(error.what());
            QVERIFY2(!message.isEmpty() && told.contains(message), error.what());
            QVERIFY2(told.startsWith(QStringLiteral("made.xml")), error.what());
        }
    }

    void refusesBrokenPublicFiles_data() {
        QTest::addColumn<QString>("reason");
        QTest::newRow("stg/made_cycle.stg")
            << QStringLiteral("\"task 1\" -> \"task 2\" -> \"task 3\"");
        QTest::newRow("dax/made_declared_cycle.dax") << QStringLiteral("\"A\" -> \"B\" -> \"C\"");
        QTest::newRow("wfformat/made_cycle.json") << QStringLiteral("\"A\" -> \"B\" -> \"C\"");
        QTest::newRow("chakra/bad_truncated_mid_record.et")
            << QStringLiteral("byte 195855: found a record that needs 275 bytes, expected no more "
                              "than the 238 that are left");
    }

    void refusesBrokenPublicFiles() {
        if (!tests::hasSharedData()) {
            QSKIP(tests::kNoSharedData);
        }
        QFETCH(QString, reason);
        try {
            readGraphFile(sharedGraph(QTest::currentDataTag()));
            QFAIL("a broken file was opened");
        } catch (const InputError& error) {
            QVERIFY2(QString::fromUtf8(error.what()).contains(reason), error.what());
        }
    }
};

QTEST_GUILESS_MAIN(TestForeignGraphs)
#include "TestForeignGraphs.moc"
