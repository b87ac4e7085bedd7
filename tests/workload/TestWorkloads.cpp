#include <QTest>

#include "core/graph/InputError.h"
#include "core/workload/Splitter.h"
#include "core/workload/Workload.h"

using namespace doppler;
using namespace doppler::workload;

class TestWorkloads : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyDefaultIsValid() {
        for (const WorkloadInfo& info : workloads()) {
            QVERIFY(!info.title.empty() && !info.description.empty());
            for (const Parameter& parameter : info.parameters) {
                QVERIFY(!parameter.description.empty());
                const auto graph =
                    generate(info.name,
                             {{"size", "tiny"},
                              {parameter.name, parameter.tinyValue.empty() ? parameter.defaultValue
                                                                           : parameter.tinyValue}});
                QVERIFY(graph->opCount() > 0);
            }
        }
    }

    void tinyIsSmallAndKeepsTheStructure() {
        const auto full = generate("chainmm");
        const auto tiny = generate("chainmm:size=tiny");
        QCOMPARE(tiny->opCount(), full->opCount());
        QCOMPARE(tiny->edgeCount(), full->edgeCount());
        QVERIFY(tiny->flops(0) < full->flops(0) / 1000);
    }

    void opsSayWhatTheyAre() {
        const auto split = generateProgram("chainmm");
        const graph::Graph& graph = *split->graph;
        QCOMPARE(graph.opName(0), std::string("mm 0"));
        QCOMPARE(graph.opName(16), std::string("sum 16"));
        QCOMPARE(graph.groupNames()[std::size_t(graph.group(20))], std::string("C (D E)"));
        QCOMPARE(std::string(graph.detail(20)), std::string("C (D E), partial sums, block 0,0,0"));
        QCOMPARE(std::string(graph.kindName(16)), std::string("formation"));
        QCOMPARE(graph.inputs()[0].name, std::string("A, block 0,0"));
        QCOMPARE(graph.outputs().size(), std::size_t{8});
    }

    void usesKeepOperandOrder() {
        const auto split = generateProgram("chainmm");
        for (OpId op = 0; op < split->graph->opCount(); ++op) {
            const BlockInfo& block = split->ofOp(op);
            std::vector<TensorId> operands;
            for (const graph::Use& use : split->graph->uses(op)) {
                const BlockInfo& source =
                    use.fromInput ? split->ofInput(use.source) : split->ofOp(use.source);
                QCOMPARE(source.tensor,
                         split->program.at(block.tensor).operands[std::size_t(use.operand)]);
            }
        }
    }

    // Sizes that the partition does not divide are cut as evenly as they can be.
    void unevenSizes() {
        const auto split = generateProgram("chainmm:n=1001");
        std::int64_t flops = 0;
        for (OpId op = 0; op < split->graph->opCount(); ++op) {
            if (split->graph->kind(op) == graph::OpKind::Contraction) {
                flops += split->graph->flops(op);
            }
        }
        QCOMPARE(flops, 2 * split->program.multiplyAdds());
        QCOMPARE(split->graph->edgeCount(), 80);
    }

    void smallestParameters_data() {
        QTest::addColumn<QString>("workload");
        for (const WorkloadInfo& info : workloads()) {
            QTest::newRow(info.name.c_str()) << QString::fromStdString(info.name);
        }
    }

    // Every number at its minimum, with every choice and flag.
    void smallestParameters() {
        QFETCH(QString, workload);
        const auto info =
            std::ranges::find(workloads(), workload.toStdString(), &WorkloadInfo::name);
        Parameters smallest;
        for (const Parameter& parameter : info->parameters) {
            if (parameter.type == Parameter::Type::Integer) {
                smallest[parameter.name] = std::to_string(std::int64_t(parameter.minimum));
            } else if (parameter.type == Parameter::Type::Real) {
                smallest[parameter.name] = std::to_string(parameter.minimum);
            }
        }
        for (const Parameter& parameter : info->parameters) {
            std::vector<std::string> values = parameter.choices;
            if (parameter.type == Parameter::Type::Flag) {
                values = {"false", "true"};
            }
            for (const std::string& value : values) {
                Parameters given = smallest;
                given[parameter.name] = value;
                QVERIFY(generate(info->name, given)->opCount() > 0);
            }
        }
    }

    void onlyTensorProgramsCanBeExecuted() {
        QVERIFY(generateProgram("chainmm:size=tiny"));
        QVERIFY(!generateProgram("random:ops=5"));
        for (const WorkloadInfo& info : workloads()) {
            QCOMPARE(info.executable, info.name != "random");
        }
    }

    void errors_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("workload") << "chainnn"
                                  << "found \"chainnn\", expected one of chainmm, ";
        QTest::newRow("parameter") << "chainmm:m=5"
                                   << "found parameter \"m\", expected one of n, size";
        QTest::newRow("number") << "chainmm:n=5x"
                                << "parameter \"n\": found \"5x\", expected an integer from 4 to";
        QTest::newRow("range") << "chainmm:n=3"
                               << "found \"3\", expected an integer from 4 to";
        QTest::newRow("whole limits")
            << "random:ops=50,seed=-1"
            << "found \"-1\", expected an integer from 0 to 9007199254740992";
        QTest::newRow("short limits") << "moe:capacity=0"
                                      << "expected a number from 0.1 to 100";
        QTest::newRow("choice") << "random:shape=star"
                                << "found \"star\", expected one of layered, fork-join";
        QTest::newRow("real") << "random:ccr=-1"
                              << "found \"-1\", expected a number from 0 to";
        QTest::newRow("no value") << "chainmm:n"
                                  << "found \"n\", expected key=value";
        QTest::newRow("heads") << "llama-block:heads=30"
                               << "parameter \"hidden\": found 4096, expected a multiple of 60";
        QTest::newRow("top") << "moe:top=9"
                             << "parameter \"top\": found 9, expected at most";
        QTest::newRow("devices") << "moe:tokens=3"
                                 << "found 4, expected at most the tokens, 3";
        QTest::newRow("too large") << "llama-layer:layers=1000,seq=100000"
                                   << "found sizes with costs beyond 10^18";
        QTest::newRow("twice") << "chainmm:n=8,n=8"
                               << "found \"n\" twice";
    }

    void errors() {
        QFETCH(QString, text);
        QFETCH(QString, message);
        try {
            generate(text.toStdString());
            QFAIL("accepted");
        } catch (const InputError& error) {
            QVERIFY2(QString(error.what()).contains(message), error.what());
            QVERIFY2(!QString(error.what()).contains(QStringLiteral(".0000")), error.what());
        }
    }

    void recognisesNames() {
        QVERIFY(isWorkload("chainmm"));
        QVERIFY(isWorkload("ffnn:size=tiny"));
        QVERIFY(!isWorkload("chainmm.txt"));
        QVERIFY(!isWorkload(""));
    }
};

QTEST_GUILESS_MAIN(TestWorkloads)
#include "TestWorkloads.moc"
