#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cmath>
#include <set>
#include <thread>

#include "core/graph/InputError.h"
#include "tests/support/SampleExperiments.h"
#include "tests/support/SampleProblems.h"

using namespace doppler;
using namespace doppler::place;

class TestRunStore : public QObject {
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

    void readersDoNotWaitForTheFile() {
        const Experiment experiment = tests::chainExperiment({"random"}, 2);
        const std::filesystem::path file = path("slow.jsonl");
        RunStore store(file);
        tests::addRun(store, experiment, 0, 1, 10);
        const int other = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
        QVERIFY(other >= 0 && ::flock(other, LOCK_EX) == 0); // as another program would
        std::jthread writer([&] { tests::addRun(store, experiment, 0, 2, 20); });
        for (int i = 0; i < 50; ++i) {
            QCOMPARE(store.size(), 1U);
            QVERIFY(store.find(experiment.key(0, 0, 1)));
            QTest::qSleep(1);
        }
        ::close(other);
        writer.join();
        QCOMPARE(store.size(), 2U);
    }

    void aTornLineIsDropped() {
        const Experiment experiment = tests::chainExperiment({"heft"}, 1);
        const std::filesystem::path file = path("torn.jsonl");
        {
            RunStore store(file);
            tests::addRun(store, experiment, 0, 1, 100);
            tests::addRun(store, experiment, 0, 2, 90);
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

    void impossibleRunsAreRefused_data() {
        QTest::addColumn<QString>("what");
        for (const char* what : {"bound", "zero", "less", "more", "another assignment", "length",
                                 "device", "mode", "other mode"}) {
            QTest::newRow(what) << QString::fromLatin1(what);
        }
    }

    void impossibleRunsAreRefused() {
        QFETCH(QString, what);
        const Experiment experiment = tests::chainExperiment({"heft"}, 1);
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
        Experiment experiment = tests::chainExperiment({"heft"}, 1);
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
        const Experiment experiment = tests::chainExperiment({"random"}, 2);
        const std::filesystem::path file = path("joined.jsonl");
        {
            RunStore store(file);
            tests::addRun(store, experiment, 0, 1, 100'000);
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
        const Experiment experiment = tests::chainExperiment({"random"}, 3);
        const std::filesystem::path file = path("damaged.jsonl");
        {
            RunStore store(file);
            tests::addRun(store, experiment, 0, 1, 100'000);
            append(file, "{\"problem\": oops\n");
            tests::addRun(store, experiment, 0, 2, 90'000);
        }
        QVERIFY_EXCEPTION_THROWN(RunStore{file}, InputError);
        RunStore store(file, RunStore::Damaged::SetAside);
        QCOMPARE(store.size(), 2U);
        QCOMPARE(store.damagedLines().size(), 1U);
        QVERIFY(store.damagedLines()[0].find("line 3") != std::string::npos);
        tests::addRun(store, experiment, 0, 3, 80'000); // and new ones are kept
        QCOMPARE(RunStore(file, RunStore::Damaged::SetAside).size(), 3U);
    }
};

QTEST_GUILESS_MAIN(TestRunStore)
#include "TestRunStore.moc"
