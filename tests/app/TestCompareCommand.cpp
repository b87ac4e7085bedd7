#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/RunProgram.h"

using namespace doppler::tests;

namespace {

QJsonObject jsonOf(const ProgramRun& run) {
    return QJsonDocument::fromJson(run.out).object();
}

ProgramRun run(const char* line) {
    return runDoppler(words(QString::fromLatin1(line)));
}

QJsonArray rowsOf(const ProgramRun& run) {
    return jsonOf(run)["rows"].toArray();
}

QJsonObject rowOf(const ProgramRun& run, int index) {
    return rowsOf(run)[index].toObject();
}

} // namespace

/// What `doppler compare` and `doppler place` say of objectives, step budgets and both modes.
class TestCompareCommand : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

private Q_SLOTS:
    void noiseOfAnObjectiveIsTold_data() {
        QTest::addColumn<QString>("options");
        QTest::addColumn<double>("noise");
        QTest::newRow("usual") << QString() << 0.1;
        QTest::newRow("asked") << QStringLiteral(" --noise 0.3") << 0.3;
    }

    void noiseOfAnObjectiveIsTold() {
        QFETCH(QString, options);
        QFETCH(double, noise);
        const QString line = QStringLiteral("place chainmm --cluster uniform:4 --placer heft "
                                            "--objective p95:8") +
                             options;
        const ProgramRun text = runDoppler(words(line));
        const QByteArray told = "(p95:8, noise " + QByteArray::number(noise) + ")";
        QVERIFY2(text.out.contains(told), text.out.constData());
        const QJsonObject json = jsonOf(runDoppler(words(line + QStringLiteral(" --json"))));
        QCOMPARE(json["noise"].toDouble(), noise);
        const QJsonObject table = jsonOf(
            runDoppler(words(QStringLiteral("compare chainmm --cluster uniform:4 --placers heft "
                                            "--json --objective p95:8") +
                             options)));
        QCOMPARE(table["noise"].toDouble(), noise);
        const QJsonObject row = table["rows"].toArray()[0].toObject();
        QCOMPARE(row["noise"].toDouble(), noise);
        QCOMPARE(row["mean"].toDouble(), json["value"].toDouble());
    }

    void noiseThatIsTurnedOffIsRefused_data() {
        QTest::addColumn<QString>("command");
        QTest::newRow("place") << QStringLiteral("place");
        QTest::newRow("compare") << QStringLiteral("compare");
    }

    void noiseThatIsTurnedOffIsRefused() {
        QFETCH(QString, command);
        const ProgramRun refused = runDoppler(words(
            command + QStringLiteral(" chainmm --cluster uniform:4 --objective mean:8 --noise 0")));
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.err.startsWith("doppler: --objective mean:8 judges by noisy runs"),
                 refused.err.constData());
        QCOMPARE(refused.err.count('\n'), 1);
    }

    void wrongObjectivesAreWrongUsage() {
        const ProgramRun zero = run("place chainmm --cluster uniform:4 --objective mean:0");
        QCOMPARE(zero.exitCode, 2);
        QVERIFY2(zero.err.contains("--objective: found \"0\" in \"mean:0\", expected a number of "
                                   "noisy runs from 1 to 10000"),
                 zero.err.constData());
        QCOMPARE(run("compare chainmm --cluster uniform:4 --objective speed").exitCode, 2);
    }

    void noisyComparisonsAreJudgedBySeveralRuns() {
        const ProgramRun usual =
            run("compare chainmm --cluster uniform:4 --placers heft --noise 0.3 --json");
        QCOMPARE(jsonOf(usual)["objective"].toString(), QStringLiteral("mean:16"));
        QCOMPARE(jsonOf(usual)["noise"].toDouble(), 0.3);
        QVERIFY2(usual.err.contains("the mean of 16 noisy runs"), usual.err.constData());
        const ProgramRun plain = run("compare chainmm --cluster uniform:4 --placers heft --noise "
                                     "0.3 --objective makespan --json");
        QCOMPARE(jsonOf(plain)["objective"].toString(), QStringLiteral("makespan"));
        QVERIFY2(plain.err.contains("one noisy run"), plain.err.constData());
        QVERIFY(rowOf(plain, 0)["mean"].toDouble() != rowOf(usual, 0)["mean"].toDouble());
    }

    void bothModesAreInEveryFormat() {
        const QString csv = folder_.filePath(QStringLiteral("modes.csv"));
        const ProgramRun both = runDoppler(
            words(QStringLiteral("compare chainmm --cluster p100x4 --placers heft,single --mode "
                                 "wc,bsp --json -o ")) +
            QStringList{csv});
        QVERIFY2(both.exitCode == 0, both.err.constData());
        const QJsonArray modes = jsonOf(both)["modes"].toArray();
        QCOMPARE(modes.size(), 2);
        const QJsonObject heft = modes[0].toObject();
        QCOMPARE(heft["placer"].toString(), QStringLiteral("heft"));
        QVERIFY(heft["bsp_over_wc"].toDouble() >= 1);
        QCOMPARE(heft["bsp"].toDouble() / heft["wc"].toDouble(), heft["bsp_over_wc"].toDouble());
        QVERIFY(heft["wc_placement_in_bsp"].toDouble() >= heft["wc"].toDouble());
        const QList<QByteArray> lines = contents(csv).split('\n');
        const qsizetype at = lines[0].split(',').indexOf("bsp_over_wc");
        QVERIFY(at > 0);
        QCOMPARE(lines[1].split(',')[at].toDouble(), heft["bsp_over_wc"].toDouble());
        for (const char* ending : {"md", "tex"}) {
            const QString file = folder_.filePath(QStringLiteral("modes.") + QLatin1String(ending));
            QCOMPARE(runDoppler(words(QStringLiteral("compare chainmm --cluster p100x4 --placers "
                                                     "heft --mode wc,bsp -o ")) +
                                QStringList{file})
                         .exitCode,
                     0);
            QVERIFY(contents(file).contains("wc placement in bsp"));
        }
    }

    void whatStandsTwiceIsRunOnce() {
        const ProgramRun twice = run("compare chainmm chainmm --cluster p100x4 --placers "
                                     "heft,single,heft,heft --mode wc,wc --json");
        QCOMPARE(twice.exitCode, 0);
        QCOMPARE(rowsOf(twice).size(), 2);
        for (const char* note : {"--placers: \"heft\" stands there several times",
                                 "--mode: \"wc\" stands", "GRAPH: \"chainmm\" stands"}) {
            QCOMPARE(twice.err.count(note), 1);
        }
    }

    void stepBudgetsRepeat_data() {
        QTest::addColumn<QString>("placer");
        for (const char* placer : {"instant", "mcmc", "tabu", "linear-es", "exact", "anneal"}) {
            QTest::newRow(placer) << QString::fromLatin1(placer);
        }
    }

    void stepBudgetsRepeat() {
        QFETCH(QString, placer);
        const auto place = [&](const QString& more) {
            return jsonOf(runDoppler(words(
                QStringLiteral("place llama-block --cluster uniform:4 --json --evaluations 400 "
                               "--placer %1 --seed %2")
                    .arg(placer, more))));
        };
        const QJsonObject first = place(QStringLiteral("5"));
        QCOMPARE(first["max_evaluations"].toInt(), 400);
        QVERIFY(first["evaluations"].toInt() > 200 && first["evaluations"].toInt() <= 400);
        QCOMPARE(place(QStringLiteral("5"))["assignment"], first["assignment"]);
    }

    void stepBudgetsRepeatInComparisons() {
        const QString runs = folder_.filePath(QStringLiteral("steps.jsonl"));
        const auto compare = [&](const char* budget) {
            return runDoppler(
                words(QStringLiteral("compare chainmm --cluster uniform:4 --placers mcmc,anneal "
                                     "--seeds 2 --json %1 --resume ")
                          .arg(QLatin1String(budget))) +
                QStringList{runs});
        };
        const ProgramRun first = compare("--evaluations 300");
        QCOMPARE(jsonOf(first)["max_evaluations"].toInt(), 300);
        QVERIFY(jsonOf(first)["budget_seconds"].isNull());
        QVERIFY(QFile::remove(runs));
        const ProgramRun second = compare("--evaluations 300 --threads 2");
        for (int row = 0; row < 2; ++row) {
            QCOMPARE(rowOf(second, row)["mean"], rowOf(first, row)["mean"]);
        }
        // Another budget, in steps or in time, is another run.
        QVERIFY(compare("--evaluations 300").err.contains("4 of 4 runs are there already"));
        QVERIFY(!compare("--evaluations 301").err.contains("there already"));
        QVERIFY(!compare("--budget 50ms").err.contains("there already"));
    }

    void wrongStepBudgetsAreWrongUsage_data() {
        QTest::addColumn<QString>("options");
        for (const char* options : {"--evaluations 0", "--evaluations -5", "--evaluations 1.5",
                                    "--evaluations many", "--evaluations 5 --budget 1s"}) {
            QTest::newRow(options) << QString::fromLatin1(options);
        }
    }

    void wrongStepBudgetsAreWrongUsage() {
        QFETCH(QString, options);
        const ProgramRun refused =
            runDoppler(words(QStringLiteral("place chainmm --cluster uniform:4 ") + options));
        QCOMPARE(refused.exitCode, 2);
        QVERIFY(refused.out.isEmpty());
    }

    void bestKnownNamesGraphsWithParameters() {
        const QString line = QStringLiteral("compare llama-layer:devices=8,seq=128 ffnn --cluster "
                                            "uniform:4 --placers single --json");
        const ProgramRun plain = runDoppler(words(line));
        const qint64 layer = rowOf(plain, 0)["bound"].toInteger();
        const qint64 ffnn = rowOf(plain, 1)["bound"].toInteger() + 1;
        const ProgramRun known = runDoppler(
            words(line + QStringLiteral(" --best-known llama-layer:devices=8,seq=128=%1,ffnn=%2")
                             .arg(layer)
                             .arg(ffnn)));
        QVERIFY2(known.exitCode == 0, known.err.constData());
        QCOMPARE(rowOf(known, 0)["best_known"].toInteger(), layer);
        QCOMPARE(rowOf(known, 1)["best_known"].toInteger(), ffnn);
        // As the table names it.
        const QString label = rowOf(known, 0)["graph"].toString();
        const ProgramRun byLabel =
            runDoppler(words(line + QStringLiteral(" --best-known %1=%2").arg(label).arg(layer)));
        QCOMPARE(rowOf(byLabel, 0)["best_known"].toInteger(), layer);
    }

    void bestKnownBelowTheBoundIsWrongUsage() {
        const ProgramRun refused =
            run("compare ffnn --cluster uniform:4 --placers single --best-known ffnn=7");
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.err.contains("--best-known: found 7 for \"ffnn\", expected at least its "
                                      "lower bound "),
                 refused.err.constData());
        QCOMPARE(refused.err.count('\n'), 1);
        QVERIFY(refused.out.isEmpty());
    }

    void bestKnownOfOneGraphIsGivenOnce() {
        const ProgramRun twice = run("compare ffnn --cluster uniform:4 --placers single "
                                     "--best-known ffnn=900000000000,ffnn=900000000001");
        QCOMPARE(twice.exitCode, 2);
        QVERIFY2(twice.err.contains("found \"ffnn\" twice, with 900000000000 and 900000000001"),
                 twice.err.constData());
        // One value for both modes is one.
        QCOMPARE(run("compare ffnn --cluster uniform:4 --placers single --mode wc,bsp "
                     "--best-known ffnn=900000000000")
                     .exitCode,
                 0);
    }

    void bestKnownOfAnotherObjectiveIsIgnoredAloud() {
        const ProgramRun ignored = run("compare ffnn --cluster uniform:4 --placers single --json "
                                       "--objective mean:2 --best-known ffnn=900000000000");
        QCOMPARE(ignored.exitCode, 0);
        QVERIFY2(ignored.err.contains("--best-known is ignored"), ignored.err.constData());
        QVERIFY2(ignored.err.contains("objective mean:2"), ignored.err.constData());
    }

    void tablesExplainTheirMarks() {
        const QString line =
            QStringLiteral("compare chainmm --cluster p100x4 --placers heft,single");
        const ProgramRun text = runDoppler(words(line));
        QVERIFY2(text.out.contains("no spread") && !text.out.contains("p<0.001"),
                 text.out.constData());
        QVERIFY2(text.out.contains("\nto best: no spread: "), text.out.constData());
        for (const char* ending : {"md", "tex"}) {
            const QString file = folder_.filePath(QStringLiteral("marks.") + QLatin1String(ending));
            QCOMPARE(runDoppler(words(line + QStringLiteral(" -o ")) + QStringList{file}).exitCode,
                     0);
            QVERIFY2(contents(file).contains("to best: no spread: "), contents(file).constData());
        }
    }

    void seedsAreAllNumbersOf64Bits() {
        const char* line = "place chainmm --cluster uniform:4 --placer random --json --seed ";
        const auto seeded = [&](const char* seed) {
            return runDoppler(words(QLatin1String(line) + QLatin1String(seed)));
        };
        const ProgramRun largest = seeded("18446744073709551615");
        QVERIFY2(largest.out.contains("\"seed\": 18446744073709551615"), largest.err.constData());
        QVERIFY(seeded("010").out.contains("\"seed\": 10,")); // no octal number
        const ProgramRun above = seeded("18446744073709551616");
        QCOMPARE(above.exitCode, 2);
        QVERIFY2(above.err.contains("from 0 to 18446744073709551615"), above.err.constData());
        QCOMPARE(seeded("1.5").exitCode, 2);
    }

    void wrongBudgetsAreToldTheirRange_data() {
        QTest::addColumn<QString>("budget");
        for (const char* budget :
             {"nan", "inf", "infs", "0", "31h31", "1e30s", "10parsecs", "ms"}) {
            QTest::newRow(budget) << QString::fromLatin1(budget);
        }
    }

    void wrongBudgetsAreToldTheirRange() {
        QFETCH(QString, budget);
        const ProgramRun refused = runDoppler(
            words(QStringLiteral("place chainmm --cluster uniform:4 --budget ") + budget));
        QCOMPARE(refused.exitCode, 2);
        const QString told = QStringLiteral("--budget: found %1, expected a time from 1 ms to 30 "
                                            "days")
                                 .arg(budget);
        QVERIFY2(QString::fromUtf8(refused.err).contains(told), refused.err.constData());
    }

    void budgetsHaveUnits_data() {
        QTest::addColumn<QString>("budget");
        QTest::addColumn<double>("seconds");
        QTest::newRow("plain") << QStringLiteral("0.25") << 0.25;
        QTest::newRow("ms") << QStringLiteral("20ms") << 0.02;
        QTest::newRow("s") << QStringLiteral("0.5s") << 0.5;
        QTest::newRow("h") << QStringLiteral("1h") << 3600.0;
        QTest::newRow("min") << QStringLiteral("1.5min") << 90.0;
    }

    void budgetsHaveUnits() {
        QFETCH(QString, budget);
        QFETCH(double, seconds);
        const ProgramRun made = runDoppler(words(
            QStringLiteral("compare chainmm --cluster uniform:4 --placers heft --json --budget ") +
            budget));
        QCOMPARE(jsonOf(made)["budget_seconds"].toDouble(), seconds);
    }

    void bestKnownOfNothingIsWrongUsage() {
        const ProgramRun other = run("compare ffnn --cluster uniform:4 --placers single "
                                     "--best-known llama-layer:devices=8=7");
        QCOMPARE(other.exitCode, 2);
        QVERIFY2(other.err.contains("found the graph \"llama-layer:devices=8\""),
                 other.err.constData());
        const ProgramRun number =
            run("compare ffnn --cluster uniform:4 --placers single --best-known ffnn=long");
        QCOMPARE(number.exitCode, 2);
        QVERIFY2(number.err.contains("expected GRAPH=MAKESPAN with a whole number"),
                 number.err.constData());
    }

    void damagedRunsAreToldWithTheirLine_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("told");
        QTest::newRow("no JSON") << QByteArray("{nonsense}")
                                 << QByteArray("damaged.jsonl, line 2, column 3: ");
        QTest::newRow("joined") << QByteArray(R"({"format":"doppler-runs/1"})")
                                << QByteArray(", line 2: found a second first line");
        QTest::newRow("objective")
            << QByteArray(R"({"problem":"x","method":"heft","seed":1,"budget_ms":0,"version":"1",)"
                          R"("makespan":5,"objective":"mean:0","assignment":[]})")
            << QByteArray(", line 2, objective: found \"0\" in \"mean:0\"");
        QTest::newRow("missing") << QByteArray(R"({"problem":"x","method":"heft","seed":1})")
                                 << QByteArray(", line 2, top level: found no \"budget_ms\"");
    }

    void damagedRunsAreToldWithTheirLine() {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, told);
        const QString path = folder_.filePath(QStringLiteral("damaged.jsonl"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"format\":\"doppler-runs/1\"}\n" + line + "\n");
        file.close();
        const ProgramRun refused = runDoppler(
            words(QStringLiteral("compare chainmm --cluster uniform:4 --placers heft --resume ")) +
            QStringList{path});
        QCOMPARE(refused.exitCode, 3);
        QVERIFY2(refused.err.contains(told), refused.err.constData());
        QVERIFY(refused.err.contains("damaged.jsonl"));
    }

    void placementsSayWhatTheyWereFoundFor() {
        const QString path = folder_.filePath(QStringLiteral("found.json"));
        const ProgramRun placed = runDoppler(
            words(QStringLiteral("place chainmm --cluster uniform:4 --placer mcmc --evaluations 50 "
                                 "--seed 7 --objective p95:4 --json -o ")) +
            QStringList{path});
        QCOMPARE(placed.exitCode, 0);
        const QJsonObject file = QJsonDocument::fromJson(contents(path)).object();
        QCOMPARE(file["objective"].toString(), QStringLiteral("p95:4"));
        QCOMPARE(file["value"], jsonOf(placed)["value"]);
        QCOMPARE(file["makespan"], jsonOf(placed)["makespan"]);
        QCOMPARE(file["noise"].toDouble(), 0.1);
        QCOMPARE(file["seed"].toInt(), 7);
        QCOMPARE(file["method"].toString(), QStringLiteral("mcmc"));
        QCOMPARE(file["maxEvaluations"].toInt(), 50);
        QVERIFY(!file.contains(QStringLiteral("budgetSeconds")));
        QCOMPARE(runDoppler(words(QStringLiteral("simulate chainmm --cluster uniform:4 "
                                                 "--assignment ")) +
                            QStringList{path})
                     .exitCode,
                 0);
    }
};

QTEST_GUILESS_MAIN(TestCompareCommand)
#include "TestCompareCommand.moc"
