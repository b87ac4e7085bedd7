#include <QTest>

#include "core/io/Csv.h"
#include "core/place/ComparisonTables.h"
#include "tests/support/SampleExperiments.h"
#include "tests/support/SampleProblems.h"

using namespace doppler;
using namespace doppler::place;

class TestComparisonTables : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesLikeFormulasAreQuoted() {
        for (const char* text : {"=1+1", "+a", "-a", "@a", "-", "=2"}) {
            QCOMPARE(io::csvCell(text), '"' + std::string(text) + '"');
        }
        for (const char* text : {"-1", "-1.5e-3", "a=1", "", "7"}) {
            QCOMPARE(io::csvCell(text), std::string(text));
        }
        QCOMPARE(io::csvCell("=\"a\""), std::string("\"=\"\"a\"\"\""));
        Experiment experiment = tests::chainExperiment({"heft"}, 1);
        experiment.problems[0].label = "=cmd()";
        RunStore store;
        tests::addRun(store, experiment, 0, 1, 90'000);
        const std::string csv = numberTable(experiment, summarise(experiment, store)).csv();
        QVERIFY2(csv.find("\n\"=cmd()\",") != std::string::npos, csv.c_str());
    }

    void unfinishedExperimentsHaveHoles() {
        const Experiment experiment = tests::chainExperiment({"random", "heft"}, 3);
        RunStore store;
        const Comparison nothing = summarise(experiment, store);
        QVERIFY(nothing.cell(0, 0).empty() && nothing.cell(0, 1).empty());
        QCOMPARE(nothing.meanRank, (std::vector<double>{0, 0}));
        QCOMPARE(readableTable(experiment, nothing).rowCount(), 0U);
        tests::addRun(store, experiment, 1, 1, 5);
        const Comparison half = summarise(experiment, store);
        QVERIFY(half.cell(0, 1).standing == Standing::Best);
        QCOMPARE(readableTable(experiment, half).rowCount(), 1U);
        QVERIFY(paperTable(experiment, half).markdown().find("| random | - | - |") !=
                std::string::npos);
    }

    void modesStandSideBySide() {
        Experiment experiment = tests::chainExperiment({"heft", "round-robin"}, 1);
        sim::Problem bsp = *experiment.problems[0].problem;
        bsp.options.mode = sim::ExecutionMode::BulkSynchronous;
        experiment.problems.push_back(
            prepareProblem("chain", std::make_shared<const sim::Problem>(bsp)));
        RunStore store;
        QVERIFY(runExperiment(experiment, store, {}));
        const Comparison comparison = summarise(experiment, store);
        const std::vector<ModePair> pairs = modePairs(experiment, comparison);
        const io::TextTable table = modeTable(experiment, pairs);
        QCOMPARE(table.rowCount(), 2U);
        const double ratio = comparison.cell(1, 1).mean / comparison.cell(0, 1).mean;
        QVERIFY(ratio >= 1); // the same placement, with barriers
        const QString csv = QString::fromStdString(table.csv());
        QVERIFY(csv.contains(QStringLiteral(",%1,").arg(ratio, 0, 'f', 3)));
        // round-robin has one placement, whatever the mode
        QCOMPARE(pairs[1].wcPlacementInBsp, pairs[1].bsp);
        QCOMPARE(pairs[1].bspPlacementInWc, pairs[1].wc);
        const io::OrderedJson rows = modeRows(experiment, pairs);
        QCOMPARE(rows[1]["bsp_over_wc"].get<double>(), ratio);
        QCOMPARE(rows[1]["wc"].get<double>(), comparison.cell(0, 1).mean);
        // The plain table has the same by row.
        const io::OrderedJson plain = comparisonRows(experiment, comparison, pairs);
        QCOMPARE(plain[1]["mean_in_other_mode"].get<double>(), pairs[1].bsp);
        QCOMPARE(plain[3]["mean_in_other_mode"].get<double>(), pairs[1].wc);
        QCOMPARE(plain[3]["bsp_over_wc"].get<double>(), ratio);
        QVERIFY(numberTable(experiment, comparison, pairs).csv().find("bsp_over_wc") !=
                std::string::npos);
        const Experiment single = tests::chainExperiment({"heft"}, 1);
        QVERIFY(modePairs(single, summarise(single, store)).empty());
        QVERIFY(comparisonRows(single, summarise(single, store))[0]["bsp_over_wc"].is_null());
    }

    void modesOfGraphsOfOneNameDoNotMix() {
        Experiment experiment = tests::chainExperiment({"round-robin"}, 1);
        sim::Problem bsp = *tests::chainProblem(7);
        QCOMPARE(bsp.graph->name(), experiment.problems[0].problem->graph->name());
        bsp.options.mode = sim::ExecutionMode::BulkSynchronous;
        experiment.problems.push_back(
            prepareProblem("other", std::make_shared<const sim::Problem>(bsp)));
        RunStore store;
        QVERIFY(runExperiment(experiment, store, {}));
        QVERIFY(modePairs(experiment, summarise(experiment, store)).empty());
    }

    void markdownSurvivesBars() {
        io::TextTable table({{"a|b", false}, {"n"}});
        table.add({"x|y\nz", "1"});
        QCOMPARE(table.markdown(), std::string("| a\\|b | n |\n| --- | ---: |\n"
                                               "| x\\|y z | 1 |\n"));
    }

    void latexSurvivesItsOwnSigns() {
        io::TextTable table({{"a_b", false}, {"100 %"}});
        table.add({"x & y", "1 \u00B1 2 \u00B5s"});
        const std::string text = table.latex();
        for (const char* part : {"\\begin{tabular}{lr}", "a\\_b & 100 \\% \\\\",
                                 "x \\& y & 1 $\\pm$ 2 $\\mu$s \\\\", "\\end{tabular}"}) {
            QVERIFY2(text.find(part) != std::string::npos, part);
        }
        QCOMPARE(io::latexText("[a]|b"), std::string("{[}a]$|$b"));
        QCOMPARE(io::latexText("{^}~\\$#<"),
                 std::string("\\{\\textasciicircum{}\\}\\textasciitilde{}\\textbackslash{}\\$\\#"
                             "$<$"));
    }
};

QTEST_GUILESS_MAIN(TestComparisonTables)
#include "TestComparisonTables.moc"
