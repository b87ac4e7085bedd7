#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <cmath>

#include "core/place/ComparisonTables.h"
#include "core/sim/Simulator.h"
#include "tests/support/SampleExperiments.h"

using namespace doppler;
using namespace doppler::place;

namespace {

int countRuns(const Experiment& experiment, RunStore& store, RunnerOptions options = {}) {
    std::atomic<int> made = 0;
    options.update = [&](const RunUpdate& update) {
        made += update.kind == RunUpdate::Kind::Started ? 1 : 0;
    };
    runExperiment(experiment, store, options);
    return made;
}

} // namespace

class TestComparison : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    std::filesystem::path path(const char* name) const {
        return folder_.filePath(QLatin1String(name)).toStdString();
    }

private Q_SLOTS:
    void anotherObjectiveIsAnotherExperiment() {
        Experiment plain = tests::chainExperiment({"heft", "anneal"}, 2);
        plain.maxEvaluations = 1000; // enough for the search to win
        Experiment noisy = plain;
        noisy.objective = parseObjective("p95:8,traffic=0.5");
        RunStore store;
        QCOMPARE(countRuns(plain, store), 3);
        QCOMPARE(countRuns(noisy, store), 3); // none of them counts for it
        QCOMPARE(countRuns(noisy, store), 0);
        const Comparison makespans = summarise(plain, store);
        const Comparison values = summarise(noisy, store);
        const CellSummary& rule = values.cell(0, 0);
        QCOMPARE(rule.best().assignment, makespans.cell(0, 0).best().assignment);
        QCOMPARE(rule.best().makespan, makespans.cell(0, 0).best().makespan);
        QCOMPARE(rule.mean, double(rule.best().value));
        QVERIFY(rule.best().value > rule.best().makespan); // transfers were added
        QVERIFY(!rule.gap); // a bound of makespans says nothing of noisy runs
        QCOMPARE(values.bestKnown[0], std::min(rule.best().value, values.cell(0, 1).best().value));
        QVERIFY(values.cell(0, 1).mean <= rule.mean); // what the search made small
        QCOMPARE(parseRunLine(writeRunLine(rule.best()), "copy").value, rule.best().value);
        QVERIFY(parseRunLine(writeRunLine(rule.best()), "copy").key == rule.best().key);
        const std::string csv = numberTable(noisy, values).csv();
        QVERIFY(csv.find("p95:8") != std::string::npos);
    }

    void aStoppedExperimentContinues() {
        const Experiment experiment =
            tests::chainExperiment({"single", "critical-path", "random"}, 3);
        QCOMPARE(experiment.totalRuns(), 7);
        const std::filesystem::path file = path("resume.jsonl");
        {
            RunStore store(file);
            std::stop_source stop;
            int done = 0;
            RunnerOptions options;
            options.finish = stop.get_token();
            options.update = [&](const RunUpdate& update) {
                done += update.kind == RunUpdate::Kind::Done ? 1 : 0;
                if (done == 4) {
                    stop.request_stop();
                }
            };
            QVERIFY(!runExperiment(experiment, store, options));
            QCOMPARE(store.size(), 4U);
        }
        RunStore store(file);
        QCOMPARE(store.size(), 4U);
        QCOMPARE(countRuns(experiment, store), 3);
        QCOMPARE(countRuns(experiment, store), 0);
        Experiment longer = experiment;
        longer.budgetSeconds = 1; // rules take no budget: nothing to repeat
        QCOMPARE(countRuns(longer, store), 0);
        longer.version = "2";
        QCOMPARE(countRuns(longer, store), 7);
        QCOMPARE(RunStore(file).size(), 14U);
    }

    void aRunThatWasStoppedIsNotKept() {
        Experiment experiment = tests::chainExperiment({"anneal"}, 2);
        experiment.budgetSeconds = 60;
        RunStore store;
        std::stop_source stop;
        int stopped = 0;
        RunnerOptions options;
        options.stop = stop.get_token();
        options.update = [&](const RunUpdate& update) {
            stopped += update.kind == RunUpdate::Kind::Stopped ? 1 : 0;
            if (update.kind == RunUpdate::Kind::Progress) {
                stop.request_stop();
            }
        };
        QVERIFY(!runExperiment(experiment, store, options));
        QCOMPARE(stopped, 1);
        QCOMPARE(store.size(), 0U);
    }

    void threadsMakeTheSameRuns() {
        const Experiment experiment =
            tests::chainExperiment({"random", "critical-path", "heft"}, 8);
        RunStore one;
        RunStore four;
        QCOMPARE(countRuns(experiment, one), 17);
        QCOMPARE(countRuns(experiment, four, {.threads = 4}), 17);
        for (std::size_t method = 0; method < 3; ++method) {
            for (std::uint64_t seed = 1; seed <= 8; ++seed) {
                const auto a = one.find(experiment.key(0, method, seed));
                const auto b = four.find(experiment.key(0, method, seed));
                QCOMPARE(a == nullptr, b == nullptr);
                QVERIFY(!a || a->assignment == b->assignment);
            }
        }
    }

    void figuresAreRight() {
        // critical-path and random depend on chance, heft does not.
        const Experiment experiment =
            tests::chainExperiment({"critical-path", "heft", "random"}, 4);
        const Time bound = experiment.problems[0].bound.value;
        RunStore store;
        const Time values[] = {bound * 2, bound * 2 + 400, bound * 2 - 400, bound * 2};
        for (int seed = 1; seed <= 4; ++seed) {
            const auto number = static_cast<std::uint64_t>(seed);
            tests::addRun(store, experiment, 0, number, values[seed - 1]);
            tests::addRun(store, experiment, 2, number, bound * 3 + seed);
        }
        tests::addRun(store, experiment, 1, 1, bound * 2 + 100'000);
        const Comparison comparison = summarise(experiment, store, {{"chain", bound * 3 / 2}});
        const CellSummary& best = comparison.cell(0, 0);
        QCOMPARE(best.mean, static_cast<double>(bound * 2));
        QVERIFY(std::abs(best.sd - std::sqrt(320'000.0 / 3)) < 1e-6);
        QCOMPARE(best.best().makespan, bound * 2 - 400);
        QVERIFY(std::abs(*best.gap - 1) < 1e-12);
        QVERIFY(std::abs(best.overBestKnown - 1.0 / 3) < 1e-9);
        QVERIFY(best.standing == Standing::Best);
        QVERIFY(comparison.cell(0, 1).standing == Standing::Worse); // against a known mean
        QVERIFY(comparison.cell(0, 2).standing == Standing::Worse);
        QCOMPARE(comparison.meanRank, (std::vector<double>{1, 2, 3}));
        QCOMPARE(comparison.bestKnown[0], bound * 3 / 2);
        QCOMPARE(summarise(experiment, store).bestKnown[0], bound * 2 - 400);
    }

    void whatDoesNotFitIsNotBest() {
        Experiment experiment = tests::chainExperiment({"min-cut", "random", "heft"}, 2);
        RunStore store;
        const auto add = [&] {
            for (std::uint64_t seed = 1; seed <= 2; ++seed) {
                tests::addRun(store, experiment, 0, seed, 50'000, true);
            }
            tests::addRun(store, experiment, 1, 1, 60'000, true); // overflows in one seed only
            tests::addRun(store, experiment, 1, 2, 100'000);
            tests::addRun(store, experiment, 2, 1, 90'000);
        };
        add();
        const Comparison comparison = summarise(experiment, store);
        QCOMPARE(comparison.bestKnown[0], 90'000);
        QVERIFY(comparison.cell(0, 0).standing == Standing::Unfit);
        QVERIFY(comparison.cell(0, 1).standing == Standing::Unfit);
        QVERIFY(comparison.cell(0, 2).standing == Standing::Best);
        QVERIFY(!comparison.cell(0, 0).test);
        QCOMPARE(comparison.cell(0, 2).overBestKnown, 0.0);
        QCOMPARE(comparison.meanRank, (std::vector<double>{2, 3, 1}));
        const CellSummary& random = comparison.cell(0, 1);
        QCOMPARE(random.best().makespan, 100'000); // the run that fits
        QCOMPARE(random.overflows, 1);
        QCOMPARE(random.peakMemory, 2000);
        const std::string table = readableTable(experiment, comparison).markdown();
        QVERIFY2(table.find("(full 1/2)") != std::string::npos, table.c_str());
        QVERIFY2(table.find("does not fit") != std::string::npos, table.c_str());
        const io::OrderedJson rows = comparisonRows(experiment, comparison);
        QCOMPARE(rows[1]["overflowing_runs"].get<int>(), 1);
        QVERIFY(rows[1]["memory_overflow"].get<bool>());
        QCOMPARE(rows[1]["standing"].get<std::string>(), std::string("unfit"));

        experiment.objective = parseObjective("makespan,memory=ignore"); // then it counts
        for (std::uint64_t seed = 1; seed <= 2; ++seed) {
            RunRecord record = *store.find(tests::chainExperiment({"min-cut"}, 2).key(0, 0, seed));
            record.key = experiment.key(0, 0, seed);
            record.value = record.makespan;
            store.add(record);
        }
        const Comparison ignoring = summarise(experiment, store);
        QCOMPARE(ignoring.bestKnown[0], 50'000);
        QVERIFY(ignoring.cell(0, 0).standing == Standing::Best);
    }

    void whereNothingFitsNothingIsBest() {
        const Experiment experiment = tests::chainExperiment({"heft"}, 1);
        RunStore store;
        tests::addRun(store, experiment, 0, 1, 50'000, true);
        const Comparison comparison = summarise(experiment, store);
        QVERIFY(comparison.cell(0, 0).standing == Standing::Unfit);
        QCOMPARE(comparison.bestKnown[0], 0);
        QVERIFY(comparisonRows(experiment, comparison)[0]["over_best_known"].is_null());
    }

    void oneRunOfAMethodWithChanceIsNotTested() {
        const Experiment experiment = tests::chainExperiment({"random", "single", "heft"}, 1);
        RunStore store;
        tests::addRun(store, experiment, 0, 1, 90'000);
        tests::addRun(store, experiment, 1, 1, 80'000);
        tests::addRun(store, experiment, 2, 1, 81'000);
        const Comparison comparison = summarise(experiment, store);
        QVERIFY(comparison.cell(0, 0).standing == Standing::Untested);
        QCOMPARE(standingText(comparison.cell(0, 0)), std::string("one run"));
        QVERIFY(comparison.cell(0, 1).standing == Standing::Best);
        QVERIFY(comparison.cell(0, 2).standing == Standing::Fixed); // both are certain
        QVERIFY(!comparison.cell(0, 2).test);
    }

    void equalRunsAreNotTested() {
        const Experiment experiment =
            tests::chainExperiment({"random", "critical-path", "heft"}, 2);
        RunStore store;
        for (std::uint64_t seed = 1; seed <= 2; ++seed) {
            tests::addRun(store, experiment, 0, seed, 90'000);
            tests::addRun(store, experiment, 1, seed, seed == 1 ? 91'000 : 95'000);
        }
        tests::addRun(store, experiment, 2, 1, 99'000);
        const Comparison comparison = summarise(experiment, store);
        QVERIFY(comparison.cell(0, 0).standing == Standing::Best);
        QVERIFY(comparison.cell(0, 1).test); // it varies
        QVERIFY(comparison.cell(0, 2).standing == Standing::Fixed);
        QCOMPARE(standingText(comparison.cell(0, 2)), std::string("no spread"));
        const io::OrderedJson rows = comparisonRows(experiment, comparison);
        QCOMPARE(rows[2]["standing"].get<std::string>(), std::string("no-spread"));
        QVERIFY(rows[2]["p_value"].is_null());
        const std::string note = standingFootnote(comparison);
        QVERIFY2(note.find("Welch") != std::string::npos, note.c_str());
        QVERIFY2(note.find("; no spread: ") != std::string::npos, note.c_str());
        QVERIFY2(note.find("one run") == std::string::npos, note.c_str());
        QCOMPARE(standingFootnote(summarise(experiment, RunStore())), std::string());
    }

    void penaltiesHaveNoGap() {
        Experiment experiment = tests::chainExperiment({"random", "critical-path", "heft"}, 2);
        experiment.objective = parseObjective("makespan,memory=penalty");
        const Time bound = experiment.problems[0].bound.value;
        RunStore store;
        tests::addRun(store, experiment, 0, 1, bound * 9000, true);
        tests::addRun(store, experiment, 0, 2, bound * 9001, true);
        tests::addRun(store, experiment, 1, 1, bound * 9000, true);
        tests::addRun(store, experiment, 1, 2, bound * 3); // its best one fits
        tests::addRun(store, experiment, 2, 1, bound * 2);
        const Comparison comparison = summarise(experiment, store);
        QVERIFY(!comparison.cell(0, 0).gap && !comparison.cell(0, 0).bestGap);
        QVERIFY(!comparison.cell(0, 1).gap);
        QCOMPARE(comparison.cell(0, 1).bestGap.value_or(0), 2.0);
        QCOMPARE(comparison.cell(0, 2).gap.value_or(0), 1.0);
        const io::OrderedJson rows = comparisonRows(experiment, comparison);
        QVERIFY(rows[0]["gap"].is_null() && rows[0]["best_gap"].is_null());
        for (const io::TextTable& table :
             {readableTable(experiment, comparison), paperTable(experiment, comparison),
              numberTable(experiment, comparison)}) {
            for (const std::string& text :
                 {table.terminal(), table.markdown(), table.latex(), table.csv()}) {
                // 9000 times the bound, as a percentage or a ratio.
                QVERIFY2(text.find("899900") == std::string::npos, text.c_str());
                QVERIFY2(text.find(",8999") == std::string::npos, text.c_str());
            }
        }
        const std::string table = readableTable(experiment, comparison).markdown();
        QVERIFY2(table.find("100.0 %") != std::string::npos, table.c_str());
    }
};

QTEST_GUILESS_MAIN(TestComparison)
#include "TestComparison.moc"
