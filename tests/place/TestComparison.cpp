#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <set>
#include <thread>

#include "core/graph/InputError.h"
#include "core/io/Csv.h"
#include "core/place/ComparisonTables.h"
#include "core/place/ExperimentRunner.h"
#include "core/sim/Simulator.h"
#include "tests/support/SampleProblems.h"

using namespace doppler;
using namespace doppler::place;

namespace {

SampleMoments momentsOf(const std::vector<double>& values) {
    SampleMoments moments{.count = values.size()};
    for (const double value : values) {
        moments.mean += value / static_cast<double>(values.size());
    }
    for (const double value : values) {
        moments.variance += (value - moments.mean) * (value - moments.mean) /
                            static_cast<double>(values.size() - 1);
    }
    return moments;
}

Experiment experimentOf(std::vector<std::string> methods, int seeds) {
    Experiment experiment;
    experiment.problems.push_back(prepareProblem("chain", tests::chainProblem()));
    experiment.methods = std::move(methods);
    experiment.seeds = seeds;
    experiment.budgetSeconds = 0.05;
    experiment.version = "1";
    return experiment;
}

/// A run with that makespan, as if a placer had made it.
void addRun(RunStore& store, const Experiment& experiment, std::size_t method, std::uint64_t seed,
            Time makespan, bool overflow = false) {
    RunRecord record;
    record.mode = "wc";
    record.unit = "ns";
    record.memoryOverflow = overflow;
    record.peakMemory = overflow ? 2000 : 1000;
    record.key = experiment.key(0, method, seed);
    record.makespan = makespan;
    record.value = makespan;
    record.assignment = tests::roundRobin(*experiment.problems[0].problem);
    store.add(record);
}

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
    static QByteArray contents(const std::filesystem::path& path) {
        QFile file(QString::fromStdString(path.string()));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static void append(const std::filesystem::path& path, const QByteArray& text) {
        QFile file(QString::fromStdString(path.string()));
        QVERIFY(file.open(QIODevice::Append));
        file.write(text);
    }

private Q_SLOTS:
    void incompleteBetaHasItsKnownValues() {
        // Closed forms: I_x(1, b) = 1 - (1 - x)^b, I_x(a, 1) = x^a, and a polynomial.
        for (const double x : {0.0, 0.01, 0.3, 0.5, 0.9, 1.0}) {
            QVERIFY(std::abs(incompleteBeta(1, 3.5, x) - (1 - std::pow(1 - x, 3.5))) < 1e-13);
            QVERIFY(std::abs(incompleteBeta(2.5, 1, x) - std::pow(x, 2.5)) < 1e-13);
            QVERIFY(std::abs(incompleteBeta(2, 2, x) - x * x * (3 - 2 * x)) < 1e-13);
        }
        for (const double x : {0.2, 0.35, 0.6}) {
            QVERIFY(std::abs(incompleteBeta(30, 70, x) + incompleteBeta(70, 30, 1 - x) - 1) <
                    1e-12);
        }
        QVERIFY(std::abs(incompleteBeta(400, 400, 0.5) - 0.5) < 1e-10);
    }

    void studentHasItsKnownValues() {
        QVERIFY(std::abs(studentTwoSided(1, 1) - 0.5) < 1e-13); // Cauchy
        // With two degrees of freedom: 1 - t / sqrt(2 + t^2).
        QVERIFY(std::abs(studentTwoSided(3, 2) - (1 - 3 / std::sqrt(11.0))) < 1e-13);
        // The tables of every textbook: 5 % at these.
        for (const auto& [freedom, t] :
             {std::pair{4.0, 2.776445}, {10.0, 2.228139}, {30.0, 2.042272}}) {
            QVERIFY(std::abs(studentTwoSided(t, freedom) - 0.05) < 1e-6);
            QCOMPARE(studentTwoSided(-t, freedom), studentTwoSided(t, freedom));
        }
        QVERIFY(std::abs(studentTwoSided(1.959964, 1e7) - 0.05) < 1e-6); // the normal limit
    }

    void welchHasItsKnownValues() {
        const SampleMoments a = momentsOf({27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9,
                                           22.6, 23.1, 19.6, 19.0, 21.7, 21.4});
        const SampleMoments b = momentsOf({27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8,
                                           20.2, 21.9, 22.1, 22.9, 30.5, 24.4});
        const TTest test = welchTest(a, b);
        // By numeric integration of the density.
        QVERIFY(std::abs(test.t + 2.852954870) < 1e-8);
        QVERIFY(std::abs(test.degreesOfFreedom - 27.887303988) < 1e-8);
        QVERIFY(std::abs(test.pValue - 0.0080719382) < 1e-9);
        QCOMPARE(welchTest({2, 5, 0}, {3, 5, 0}).pValue, 1.0);
        QCOMPARE(welchTest({2, 5, 0}, {3, 6, 0}).pValue, 0.0);
        // A mean that is known for certain is the limit of a huge sample without variance.
        QVERIFY(std::abs(oneSampleTest(a, 22).pValue - welchTest(a, {1'000'000, 22, 1e-9}).pValue) <
                1e-9);
    }

    void aRunLineReadsBack() {
        RunRecord record;
        record.key = {.problem = "00ff",
                      .method = "anneal",
                      .seed = UINT64_MAX,
                      .budgetMs = 1500,
                      .version = "0.1.0"};
        record.graph = "a \"graph\"\nof two lines";
        record.cluster = "uniform:4";
        record.mode = "bsp";
        record.unit = "units";
        record.makespan = 12'000'700'000'000;
        record.seconds = 1.5;
        record.evaluations = 7;
        record.trafficBytes = 8;
        record.imbalance = 0.25;
        record.peakMemory = 9;
        record.memoryOverflow = true;
        record.notes = {"one", "two"};
        record.assignment = {0, 3, 1};
        const std::string line = writeRunLine(record);
        QVERIFY(line.find('\n') == std::string::npos);
        const RunRecord read = parseRunLine(line, "test");
        QVERIFY(read.key == record.key);
        QCOMPARE(writeRunLine(read), line);
        QCOMPARE(read.assignment, record.assignment);
    }

    void hashesTellProblemsApart() {
        const auto problem = tests::chainProblem();
        QCOMPARE(problemHash(*problem), problemHash(*tests::chainProblem()));
        QCOMPARE(problemHash(*problem).size(), 16U);
        std::set<std::string> hashes = {problemHash(*problem),
                                        problemHash(*tests::chainProblem(5))};
        sim::Problem other = *problem;
        other.options.mode = sim::ExecutionMode::BulkSynchronous;
        hashes.insert(problemHash(other));
        other = *problem;
        other.pins.assign(static_cast<std::size_t>(other.opCount()), kNoDevice);
        other.pins[3] = 1;
        hashes.insert(problemHash(other));
        hashes.insert(problemHash(*sim::makeProblem(problem->graph, problem->cluster,
                                                    cost::CostModel::Physical, problem->options)));
        QCOMPARE(hashes.size(), 5U);
    }

    void runsOfFormerVersionsHadTheMakespanAsObjective() {
        const RunRecord read = parseRunLine(
            R"({"problem":"p","method":"m","seed":1,"budget_ms":0,"version":"1","makespan":7,)"
            R"("assignment":[]})",
            "old");
        QCOMPARE(read.key.objective, std::string("makespan"));
        QCOMPARE(read.compared(), Time{7});
    }

    void anotherObjectiveIsAnotherExperiment() {
        Experiment plain = experimentOf({"heft", "anneal"}, 2);
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
        const Experiment experiment = experimentOf({"single", "critical-path", "random"}, 3);
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
        Experiment experiment = experimentOf({"anneal"}, 2);
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

    void readersDoNotWaitForTheFile() {
        const Experiment experiment = experimentOf({"random"}, 2);
        const std::filesystem::path file = path("slow.jsonl");
        RunStore store(file);
        addRun(store, experiment, 0, 1, 10);
        const int other = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
        QVERIFY(other >= 0 && ::flock(other, LOCK_EX) == 0); // as another program would
        std::jthread writer([&] { addRun(store, experiment, 0, 2, 20); });
        for (int i = 0; i < 50; ++i) {
            QCOMPARE(store.size(), 1U);
            QVERIFY(store.find(experiment.key(0, 0, 1)));
            QTest::qSleep(1);
        }
        ::close(other);
        writer.join();
        QCOMPARE(store.size(), 2U);
    }

    void threadsMakeTheSameRuns() {
        const Experiment experiment = experimentOf({"random", "critical-path", "heft"}, 8);
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

    void aTornLineIsDropped() {
        const Experiment experiment = experimentOf({"heft"}, 1);
        const std::filesystem::path file = path("torn.jsonl");
        {
            RunStore store(file);
            addRun(store, experiment, 0, 1, 100);
            addRun(store, experiment, 0, 2, 90);
        }
        const QByteArray whole = contents(file);
        append(file, "{\"problem\":\"12");
        RunStore store(file);
        QCOMPARE(store.droppedBytes(), 14U);
        QCOMPARE(store.size(), 2U);
        QCOMPARE(contents(file), whole);
        QCOMPARE(store.best(experiment.problems[0].hash).value_or(0), 90);
        // A file that a crash left with half of its first line.
        const std::filesystem::path head = path("head.jsonl");
        append(head, "{\"form");
        QCOMPARE(RunStore(head).size(), 0U);
        QCOMPARE(contents(head), QByteArray("{\"format\":\"doppler-runs/1\"}\n"));
    }

    void otherFilesAreRefused_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("says");
        const QByteArray head = "{\"format\":\"doppler-runs/1\"}\n";
        QTest::newRow("text") << QByteArray("hello\n") << QStringLiteral("line 1");
        QTest::newRow("unfinished text") << QByteArray("hello") << QStringLiteral("line 1");
        QTest::newRow("another format")
            << QByteArray("{\"format\":\"doppler-graph/1\"}\n") << QStringLiteral("doppler-runs/1");
        QTest::newRow("no run") << head + "{}\n" << QStringLiteral("line 2");
        QTest::newRow("negative makespan")
            << head + "{\"problem\":\"1\",\"method\":\"a\",\"seed\":1,\"budget_ms\":0,"
                      "\"version\":\"1\",\"makespan\":-1,\"assignment\":[]}\n"
            << QStringLiteral("makespan");
    }

    void otherFilesAreRefused() {
        QFETCH(QByteArray, text);
        QFETCH(QString, says);
        const std::filesystem::path file = path(QTest::currentDataTag());
        append(file, text);
        try {
            const RunStore store(file);
            QFAIL("it was read");
        } catch (const InputError& error) {
            QVERIFY2(QString::fromUtf8(error.what()).contains(says), error.what());
        }
        QCOMPARE(contents(file), text); // and left alone
    }

    void figuresAreRight() {
        // critical-path and random depend on chance, heft does not.
        const Experiment experiment = experimentOf({"critical-path", "heft", "random"}, 4);
        const Time bound = experiment.problems[0].bound.value;
        RunStore store;
        const Time values[] = {bound * 2, bound * 2 + 400, bound * 2 - 400, bound * 2};
        for (int seed = 1; seed <= 4; ++seed) {
            const auto number = static_cast<std::uint64_t>(seed);
            addRun(store, experiment, 0, number, values[seed - 1]);
            addRun(store, experiment, 2, number, bound * 3 + seed);
        }
        addRun(store, experiment, 1, 1, bound * 2 + 100'000);
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
        Experiment experiment = experimentOf({"min-cut", "random", "heft"}, 2);
        RunStore store;
        const auto add = [&] {
            for (std::uint64_t seed = 1; seed <= 2; ++seed) {
                addRun(store, experiment, 0, seed, 50'000, true);
            }
            addRun(store, experiment, 1, 1, 60'000, true); // overflows in one seed only
            addRun(store, experiment, 1, 2, 100'000);
            addRun(store, experiment, 2, 1, 90'000);
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
            RunRecord record = *store.find(experimentOf({"min-cut"}, 2).key(0, 0, seed));
            record.key = experiment.key(0, 0, seed);
            record.value = record.makespan;
            store.add(record);
        }
        const Comparison ignoring = summarise(experiment, store);
        QCOMPARE(ignoring.bestKnown[0], 50'000);
        QVERIFY(ignoring.cell(0, 0).standing == Standing::Best);
    }

    void whereNothingFitsNothingIsBest() {
        const Experiment experiment = experimentOf({"heft"}, 1);
        RunStore store;
        addRun(store, experiment, 0, 1, 50'000, true);
        const Comparison comparison = summarise(experiment, store);
        QVERIFY(comparison.cell(0, 0).standing == Standing::Unfit);
        QCOMPARE(comparison.bestKnown[0], 0);
        QVERIFY(comparisonRows(experiment, comparison)[0]["over_best_known"].is_null());
    }

    void impossibleRunsAreRefused_data() {
        QTest::addColumn<QString>("what");
        for (const char* what : {"bound", "zero", "less", "more", "another assignment", "length",
                                 "device", "mode", "other mode"}) {
            QTest::newRow(what) << QString::fromLatin1(what);
        }
    }

    void impossibleRunsAreRefused() {
        QFETCH(QString, what);
        const Experiment experiment = experimentOf({"heft"}, 1);
        const std::filesystem::path file = path(qPrintable("impossible " + what));
        RunRecord record;
        {
            RunStore store(file);
            QVERIFY(runExperiment(experiment, store, {}));
            record = *store.find(experiment.key(0, 0, 1));
        }
        const RunStore::Check check = [&](const RunRecord& each, const std::string& where) {
            checkRun(experiment, each, where);
        };
        QCOMPARE(RunStore(file, RunStore::Damaged::Refuse, check).size(), 1U);
        if (what == "bound") {
            record.makespan = experiment.problems[0].bound.value - 1;
        } else if (what == "zero") {
            record.makespan = 0;
        } else if (what == "less" || what == "more") {
            record.makespan += what == "less" ? -1 : 1;
        } else if (what == "another assignment") {
            record.assignment.assign(record.assignment.size(), 2);
        } else if (what == "length") {
            record.assignment.pop_back();
        } else if (what == "device") {
            record.assignment[3] = 4;
        } else {
            record.mode = what == "mode" ? "never" : "bsp";
        }
        record.key.seed = 2;
        append(file, QByteArray::fromStdString(writeRunLine(record)) + "\n");
        try {
            const RunStore store(file, RunStore::Damaged::Refuse, check);
            QFAIL("it was read");
        } catch (const InputError& error) {
            QVERIFY2(std::string(error.what()).find("line 3") != std::string::npos, error.what());
        }
        const QByteArray before = contents(file);
        const RunStore store(file, RunStore::Damaged::SetAside, check);
        QCOMPARE(store.size(), 1U);
        QCOMPARE(store.damagedLines().size(), 1U);
        QCOMPARE(contents(file), before);
    }

    void runsOfAnotherVersionAreNotSimulated() {
        Experiment experiment = experimentOf({"heft"}, 1);
        RunStore store;
        QVERIFY(runExperiment(experiment, store, {}));
        RunRecord record = *store.find(experiment.key(0, 0, 1));
        checkRun(experiment, record, "here");
        record.makespan += 1;
        QVERIFY_EXCEPTION_THROWN(checkRun(experiment, record, "here"), InputError);
        experiment.version = "another";
        checkRun(experiment, record, "here"); // its simulator may be another too
    }

    void joinedFilesAreToldApart() {
        const Experiment experiment = experimentOf({"random"}, 2);
        const std::filesystem::path file = path("joined.jsonl");
        {
            RunStore store(file);
            addRun(store, experiment, 0, 1, 100'000);
        }
        append(file, contents(file));
        try {
            const RunStore store(file);
            QFAIL("it was read");
        } catch (const InputError& error) {
            const QString message = QString::fromUtf8(error.what());
            QVERIFY2(message.contains(QStringLiteral(", line 3: found a second first line")),
                     error.what());
        }
        const RunStore store(file, RunStore::Damaged::SetAside);
        QCOMPARE(store.size(), 1U);
        QCOMPARE(store.damagedLines().size(), 1U);
    }

    void aLineHasOnePosition() {
        const auto message = [](std::string_view line) {
            try {
                parseRunLine(line, "runs.jsonl, line 2");
            } catch (const InputError& error) {
                return std::string(error.what());
            }
            return std::string();
        };
        const std::string told = message("{nonsense}");
        QVERIFY2(told.starts_with("runs.jsonl, line 2, column 3: "), told.c_str());
    }

    void aDamagedLineCanBeSetAside() {
        const Experiment experiment = experimentOf({"random"}, 3);
        const std::filesystem::path file = path("damaged.jsonl");
        {
            RunStore store(file);
            addRun(store, experiment, 0, 1, 100'000);
            append(file, "{\"problem\": oops\n");
            addRun(store, experiment, 0, 2, 90'000);
        }
        QVERIFY_EXCEPTION_THROWN(RunStore{file}, InputError);
        RunStore store(file, RunStore::Damaged::SetAside);
        QCOMPARE(store.size(), 2U);
        QCOMPARE(store.damagedLines().size(), 1U);
        QVERIFY(store.damagedLines()[0].find("line 3") != std::string::npos);
        addRun(store, experiment, 0, 3, 80'000); // and new ones are kept
        QCOMPARE(RunStore(file, RunStore::Damaged::SetAside).size(), 3U);
    }

    void oneRunOfAMethodWithChanceIsNotTested() {
        const Experiment experiment = experimentOf({"random", "single", "heft"}, 1);
        RunStore store;
        addRun(store, experiment, 0, 1, 90'000);
        addRun(store, experiment, 1, 1, 80'000);
        addRun(store, experiment, 2, 1, 81'000);
        const Comparison comparison = summarise(experiment, store);
        QVERIFY(comparison.cell(0, 0).standing == Standing::Untested);
        QCOMPARE(standingText(comparison.cell(0, 0)), std::string("one run"));
        QVERIFY(comparison.cell(0, 1).standing == Standing::Best);
        QVERIFY(comparison.cell(0, 2).standing == Standing::Fixed); // both are certain
        QVERIFY(!comparison.cell(0, 2).test);
    }

    void equalRunsAreNotTested() {
        const Experiment experiment = experimentOf({"random", "critical-path", "heft"}, 2);
        RunStore store;
        for (std::uint64_t seed = 1; seed <= 2; ++seed) {
            addRun(store, experiment, 0, seed, 90'000);
            addRun(store, experiment, 1, seed, seed == 1 ? 91'000 : 95'000);
        }
        addRun(store, experiment, 2, 1, 99'000);
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
        Experiment experiment = experimentOf({"random", "critical-path", "heft"}, 2);
        experiment.objective = parseObjective("makespan,memory=penalty");
        const Time bound = experiment.problems[0].bound.value;
        RunStore store;
        addRun(store, experiment, 0, 1, bound * 9000, true);
        addRun(store, experiment, 0, 2, bound * 9001, true);
        addRun(store, experiment, 1, 1, bound * 9000, true);
        addRun(store, experiment, 1, 2, bound * 3); // its best one fits
        addRun(store, experiment, 2, 1, bound * 2);
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

    void namesLikeFormulasAreQuoted() {
        for (const char* text : {"=1+1", "+a", "-a", "@a", "-", "=2"}) {
            QCOMPARE(io::csvCell(text), '"' + std::string(text) + '"');
        }
        for (const char* text : {"-1", "-1.5e-3", "a=1", "", "7"}) {
            QCOMPARE(io::csvCell(text), std::string(text));
        }
        QCOMPARE(io::csvCell("=\"a\""), std::string("\"=\"\"a\"\"\""));
        Experiment experiment = experimentOf({"heft"}, 1);
        experiment.problems[0].label = "=cmd()";
        RunStore store;
        addRun(store, experiment, 0, 1, 90'000);
        const std::string csv = numberTable(experiment, summarise(experiment, store)).csv();
        QVERIFY2(csv.find("\n\"=cmd()\",") != std::string::npos, csv.c_str());
    }

    void unfinishedExperimentsHaveHoles() {
        const Experiment experiment = experimentOf({"random", "heft"}, 3);
        RunStore store;
        const Comparison nothing = summarise(experiment, store);
        QVERIFY(nothing.cell(0, 0).empty() && nothing.cell(0, 1).empty());
        QCOMPARE(nothing.meanRank, (std::vector<double>{0, 0}));
        QCOMPARE(readableTable(experiment, nothing).rowCount(), 0U);
        addRun(store, experiment, 1, 1, 5);
        const Comparison half = summarise(experiment, store);
        QVERIFY(half.cell(0, 1).standing == Standing::Best);
        QCOMPARE(readableTable(experiment, half).rowCount(), 1U);
        QVERIFY(paperTable(experiment, half).markdown().find("| random | - | - |") !=
                std::string::npos);
    }

    void modesStandSideBySide() {
        Experiment experiment = experimentOf({"heft", "round-robin"}, 1);
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
        const Experiment single = experimentOf({"heft"}, 1);
        QVERIFY(modePairs(single, summarise(single, store)).empty());
        QVERIFY(comparisonRows(single, summarise(single, store))[0]["bsp_over_wc"].is_null());
    }

    void modesOfGraphsOfOneNameDoNotMix() {
        Experiment experiment = experimentOf({"round-robin"}, 1);
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

QTEST_GUILESS_MAIN(TestComparison)
#include "TestComparison.moc"
