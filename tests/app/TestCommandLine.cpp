#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

#include "tests/support/RunProgram.h"

using namespace doppler::tests;

namespace {

/// The one object that `doppler` printed, or an empty one if there was anything else.
QJsonObject jsonOf(const ProgramRun& run) {
    return QJsonDocument::fromJson(run.out).object();
}

} // namespace

class TestCommandLine : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    QString path(const QString& name) const { return folder_.filePath(name); }

    /// A placement file of the small problem that the tests share.
    QString placement() const {
        const QString file = path(QStringLiteral("placement.json"));
        if (!QFile::exists(file)) {
            runDoppler(
                words(QStringLiteral("place chainmm:n=2000 --cluster p100x4 --placer heft")) +
                QStringList{QStringLiteral("-o"), file});
        }
        return file;
    }

    /// `line` with FILE standing for the placement file.
    QStringList argumentsOf(QString line) const {
        return words(line.replace(QLatin1String("FILE"), placement()));
    }

private Q_SLOTS:
    void initTestCase() { QVERIFY(folder_.isValid()); }

    void everyCommandHasHelpWithAnExample_data() {
        QTest::addColumn<QString>("command");
        for (const char* name : {"info", "workloads", "clusters", "placers", "graph", "place",
                                 "simulate", "compare", "render", "bench"}) {
            QTest::newRow(name) << QString::fromLatin1(name);
        }
    }

    void everyCommandHasHelpWithAnExample() {
        QFETCH(QString, command);
        const ProgramRun run = runDoppler({command, QStringLiteral("--help")});
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.out.contains("Example:\n  doppler " + command.toUtf8()), run.out.constData());
        QVERIFY(run.out.contains("--json"));
        QVERIFY(run.err.isEmpty());
    }

    void helpListsTheCommands() {
        const ProgramRun run = runDoppler({QStringLiteral("--help")});
        QCOMPARE(run.exitCode, 0);
        for (const char* name :
             {"info", "simulate", "compare", "bench", "Exit codes", "130", "143"}) {
            QVERIFY2(run.out.contains(name), name);
        }
    }

    void jsonIsOneObjectAndNothingElse_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QStringList>("keys");
        const auto row = [](const char* line, const QStringList& keys) {
            QTest::newRow(line) << QString::fromLatin1(line) << keys;
        };
        row("info --json", {QStringLiteral("version"), QStringLiteral("cuda")});
        row("workloads --json", {QStringLiteral("workloads")});
        row("workloads chainmm --json", {QStringLiteral("parameters")});
        row("clusters --json", {QStringLiteral("clusters")});
        row("clusters v100x8 --json", {QStringLiteral("devices"), QStringLiteral("format")});
        row("placers --json", {QStringLiteral("placers")});
        row("graph chainmm --json", {QStringLiteral("nodes"), QStringLiteral("edges"),
                                     QStringLiteral("inputs"), QStringLiteral("depth")});
        row("place chainmm --cluster p100x4 --placer heft --json",
            {QStringLiteral("makespan"), QStringLiteral("unit"), QStringLiteral("bound"),
             QStringLiteral("gap"), QStringLiteral("seconds")});
        row("simulate chainmm:n=2000 --cluster p100x4 --assignment FILE --json",
            {QStringLiteral("makespan"), QStringLiteral("unit"), QStringLiteral("utilisation"),
             QStringLiteral("traffic"), QStringLiteral("per_device")});
        row("compare chainmm --cluster p100x4 --placers heft,random --seeds 2 --json",
            {QStringLiteral("rows"), QStringLiteral("unit")});
    }

    void jsonIsOneObjectAndNothingElse() {
        QFETCH(QString, line);
        QFETCH(QStringList, keys);
        const ProgramRun run = runDoppler(argumentsOf(line));
        QVERIFY2(run.exitCode == 0, run.err.constData());
        const QJsonObject json = jsonOf(run);
        for (const QString& key : keys) {
            QVERIFY2(json.contains(key), qPrintable(key + QStringLiteral(" is missing in ") +
                                                    QString::fromUtf8(run.out)));
        }
    }

    void limitsOfWorkloadsAreNumbers() {
        const QJsonArray parameters =
            jsonOf(runDoppler({QStringLiteral("workloads"), QStringLiteral("moe"),
                               QStringLiteral("--json")}))["parameters"]
                .toArray();
        QSet<QString> seen;
        for (const QJsonValue& value : parameters) {
            const QJsonObject parameter = value.toObject();
            const QString type = parameter["type"].toString();
            seen.insert(type);
            QCOMPARE(parameter["default"].type(),
                     type == QStringLiteral("choice") ? QJsonValue::String
                     : type == QStringLiteral("flag") ? QJsonValue::Bool
                                                      : QJsonValue::Double);
        }
        QVERIFY(seen.contains(QStringLiteral("integer")) && seen.contains(QStringLiteral("real")) &&
                seen.contains(QStringLiteral("choice")) && seen.contains(QStringLiteral("flag")));
        const ProgramRun random = runDoppler(
            {QStringLiteral("workloads"), QStringLiteral("random"), QStringLiteral("--json")});
        QVERIFY2(random.out.contains("\"maximum\": 9007199254740992\n"), random.out.constData());
    }

    void exitCodesTellWhoseFaultItWas_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<int>("code");
        const auto row = [](const char* line, int code) {
            QTest::newRow(line) << QString::fromLatin1(line) << code;
        };
        row("", 2);
        row("fly", 2);
        row("place", 2);
        row("place chainmm --cluster p100x4 --placer nobody", 2);
        row("place chainmm --cluster p100x4 --budget soon", 2);
        row("place chainmm --cluster p100x4 --budget -1s", 2);
        row("place chainmm --cluster p100x4 --budget 0", 2);
        row("place chainmm --cluster p100x4 --budget nan", 2);
        row("place chainmm --cluster p100x4 --budget 1e30s", 2);
        row("place chainmm --cluster p100x4 --placer heft --noise nan", 2);
        row("place chainmm --cluster p100x4 --placer heft --seed -1", 2);
        row("place chainmm --cluster p100x4 --placer heft --seed 99999999999999999999", 2);
        row("place chainmm --cluster p100x4 --costs free", 2);
        row("place chainmm --cluster p100x4 --placer heft -o nowhere.xyz", 2);
        row("simulate chainmm --cluster p100x4", 2);
        row("simulate chainmm --cluster p100x4 --assignment FILE --runs 0", 2);
        row("render chainmm --cluster p100x4 -o picture.gif", 2);
        row("render chainmm --cluster p100x4 --view gantt -o picture.svg", 2);
        row("render chainmm --cluster p100x4 --size huge -o picture.svg", 2);
        row("render chainmm --cluster p100x4 --size 60000x60000 -o picture.png", 2);
        row("render chainmm --cluster p100x4 -o /no/such/folder/picture.svg", 4);
        row("graph --json", 2);
        row("graph chainmm --dim n", 2);
        row("graph chainmm --dim n=0", 2);
        row("graph chainmm --dim n=5 --dim n=6", 2);
        row("compare chainmm --cluster p100x4 --dim n=-3", 2);
        row("graph no-such-file.txt", 3);
        row("place chainmm --cluster p100x4 --placer doppler --policy no-such-file.pt", 3);
        row("simulate chainmm --cluster p100x4 --assignment no-such-file.json", 3);
        row("execute chainmm:size=tiny --cluster cpu:2 --assignment no-such-file.json", 3);
        row("graph chainmm:n=many", 3);
        row("graph chainmm:size_of_n=5", 3);
        row("place chainmm --cluster no-such-cluster --placer heft", 3);
        row("place chainmm --cluster uniform:0 --placer heft", 3);
        row("place chainmm --cluster p100x4 --placer heft --sim no-such-file.json", 3);
        row("place chainmm --cluster p100x4 --placer heft --costs profiled", 3);
        row("place chainmm --cluster p100x4 --placer heft -o /no/such/folder/x.json", 4);
    }

    void exitCodesTellWhoseFaultItWas() {
        QFETCH(QString, line);
        QFETCH(int, code);
        const ProgramRun run = runDoppler(argumentsOf(line));
        QVERIFY2(run.exitCode == code, (run.out + run.err).constData());
        QVERIFY(run.out.isEmpty());
        QVERIFY(run.err.startsWith("doppler: "));
    }

    void theTrainedPlacerIsToldFromUnknownOnes_data() {
        QTest::addColumn<QString>("line");
        for (const char* line : {"compare chainmm --cluster p100x4 --placers",
                                 "execute chainmm:size=tiny --cluster cpu:2 --placer",
                                 "render chainmm --cluster p100x4 -o never.svg --placer"}) {
            QTest::newRow(line) << QString::fromLatin1(line);
        }
    }

    void theTrainedPlacerIsToldFromUnknownOnes() {
        QFETCH(QString, line);
        const ProgramRun trained = runDoppler(words(line) + QStringList{QStringLiteral("doppler")});
        QCOMPARE(trained.exitCode, 2);
        QVERIFY2(trained.err.contains("found \"doppler\", which needs a trained policy") &&
                     trained.err.contains("`doppler place --placer doppler --policy CHECKPOINT`"),
                 trained.err.constData());
        const ProgramRun unknown = runDoppler(words(line) + QStringList{QStringLiteral("nobody")});
        QCOMPARE(unknown.exitCode, 2);
        QVERIFY2(unknown.err.contains("found \"nobody\", expected one of: instant, "),
                 unknown.err.constData());
    }

    void budgetsWithoutEffectAreTold_data() {
        QTest::addColumn<QString>("options");
        QTest::addColumn<QByteArray>("told");
        QTest::newRow("none") << "--placer heft" << QByteArray();
        QTest::newRow("time") << "--placer heft --budget 5s"
                              << QByteArray("heft: --budget: of no effect; this placer takes no "
                                            "budget\n");
        QTest::newRow("evaluations") << "--placer single --evaluations 9"
                                     << QByteArray("single: --evaluations: of no effect; this "
                                                   "placer takes no budget\n");
        QTest::newRow("a search") << "--placer anneal --evaluations 9" << QByteArray();
    }

    void budgetsWithoutEffectAreTold() {
        QFETCH(QString, options);
        QFETCH(QByteArray, told);
        const ProgramRun run =
            runDoppler(words(QStringLiteral("place chainmm --cluster uniform:4 ") + options));
        QCOMPARE(run.exitCode, 0);
        QCOMPARE(run.err, told);
    }

    void aTrainedPolicyTakesNoBudget() {
        const QString folder = path(QStringLiteral("run"));
        const QString problem = QStringLiteral("ffnn:size=tiny --cluster uniform:2 ");
        const ProgramRun trained =
            runDoppler(words(QStringLiteral("train ") + problem +
                             QStringLiteral("--init general --no-polish --stages imitation:2 "
                                            "--out")) +
                       QStringList{folder});
        QVERIFY2(trained.exitCode == 0, trained.err.constData());
        const ProgramRun run =
            runDoppler(words(QStringLiteral("place ") + problem +
                             QStringLiteral("--placer doppler --budget 5s --policy")) +
                       QStringList{folder + QStringLiteral("/checkpoint.pt")});
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.err.startsWith("doppler: --budget: of no effect"), run.err.constData());
    }

    void whatPlaceFindsSimulateConfirms() {
        const QString file = path(QStringLiteral("found.json"));
        const QString problem = QStringLiteral("chainmm:n=3000 --cluster v100x8 --costs physical");
        const ProgramRun placed = runDoppler(
            words(QStringLiteral("place %1 --placer critical-path --json").arg(problem)) +
            QStringList{QStringLiteral("-o"), file});
        QCOMPARE(placed.exitCode, 0);
        const ProgramRun simulated =
            runDoppler(words(QStringLiteral("simulate %1 --json --assignment").arg(problem)) +
                       QStringList{file});
        QCOMPARE(simulated.exitCode, 0);
        QVERIFY(jsonOf(placed)["makespan"].toInteger() > 0);
        QCOMPARE(jsonOf(simulated)["makespan"], jsonOf(placed)["makespan"]);
        QVERIFY(jsonOf(placed)["bound"].toInteger() <= jsonOf(placed)["makespan"].toInteger());
        QCOMPARE(jsonOf(placed)["unit"].toString(), QStringLiteral("ns"));
    }

    void theCommaListIsAPlacementToo() {
        const QString list = path(QStringLiteral("found.txt"));
        const ProgramRun placed = runDoppler(
            words(QStringLiteral("place chainmm --cluster p100x4 --placer round-robin --json")) +
            QStringList{QStringLiteral("-o"), list});
        QCOMPARE(placed.exitCode, 0);
        QCOMPARE(contents(list).count(','), 75);
        const ProgramRun simulated = runDoppler(
            words(QStringLiteral("simulate chainmm --cluster p100x4 --json --assignment")) +
            QStringList{list});
        QCOMPARE(jsonOf(simulated)["makespan"], jsonOf(placed)["makespan"]);
    }

    void publishedCostsComeInUnitsWithThePublishedSimulator() {
        const QJsonObject json = jsonOf(runDoppler(words(QStringLiteral(
            "place chainmm --costs published --cluster uniform:4 --placer single --json"))));
        QCOMPARE(json["unit"].toString(), QStringLiteral("units"));
        // All on one device: the sum of all work.
        const QJsonObject facts = jsonOf(runDoppler(words(QStringLiteral("graph chainmm --json"))));
        QCOMPARE(json["makespan"], facts["published_compute"]);
    }

    void simulatorOptionsComeFromPresetFileAndFlags() {
        const QString file = path(QStringLiteral("sim.json"));
        QFile options(file);
        QVERIFY(options.open(QIODevice::WriteOnly));
        options.write(R"({"contention": "shared-bus"})");
        options.close();
        const auto makespan = [&](const QString& more) {
            const ProgramRun run = runDoppler(
                argumentsOf(QStringLiteral("simulate chainmm:n=2000 --cluster p100x4 --json "
                                           "--costs physical --assignment FILE ") +
                            more));
            return jsonOf(run)["makespan"].toInteger(-1);
        };
        const qint64 plain = makespan({});
        const qint64 bus = makespan(QStringLiteral("--sim ") + file);
        QVERIFY(plain > 0);
        QVERIFY(bus >= plain);
        QCOMPARE(makespan(QStringLiteral("--contention shared-bus")), bus);
        QCOMPARE(makespan(QStringLiteral("--contention per-pair --sim ") + file), plain);
        QVERIFY(makespan(QStringLiteral("--mode bsp")) >= plain);
    }

    void noisyRunsSpreadAndRepeat() {
        const auto runs = [&](const QString& seed) {
            const ProgramRun run = runDoppler(argumentsOf(
                QStringLiteral("simulate chainmm:n=2000 --cluster p100x4 --assignment FILE "
                               "--noise 0.2 --runs 20 --json --seed ") +
                seed));
            return jsonOf(run)["runs"].toObject();
        };
        const QJsonObject first = runs(QStringLiteral("1"));
        QCOMPARE(first["makespans"].toArray().size(), 20);
        QVERIFY(first["sd"].toDouble() > 0);
        QVERIFY(first["p95"].toDouble() >= first["median"].toDouble());
        QCOMPARE(runs(QStringLiteral("1")), first);
        const QJsonArray others = runs(QStringLiteral("2"))["makespans"].toArray();
        for (const QJsonValue& makespan : first["makespans"].toArray()) {
            QVERIFY(!others.contains(makespan)); // neighbouring seeds share nothing
        }
    }

    void tracesAreWritten() {
        const QString trace = path(QStringLiteral("trace.json"));
        const QString timeline = path(QStringLiteral("timeline.json"));
        const ProgramRun run =
            runDoppler(argumentsOf(QStringLiteral("simulate chainmm:n=2000 --cluster p100x4 "
                                                  "--assignment FILE --trace %1 -o %2")
                                       .arg(trace, timeline)));
        QCOMPARE(run.exitCode, 0);
        QVERIFY(QJsonDocument::fromJson(contents(trace))
                    .object()
                    .contains(QStringLiteral("traceEvents")));
        QCOMPARE(QJsonDocument::fromJson(contents(timeline)).object()["format"].toString(),
                 QStringLiteral("doppler-timeline/1"));
    }

    void graphsConvertAndComeBack_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("own JSON") << QStringLiteral("chain.json");
        QTest::newRow("the paper's text") << QStringLiteral("chain.txt");
    }

    void graphsConvertAndComeBack() {
        QFETCH(QString, name);
        const QString file = path(name);
        QCOMPARE(runDoppler({QStringLiteral("graph"), QStringLiteral("chainmm"),
                             QStringLiteral("-o"), file})
                     .exitCode,
                 0);
        const QJsonObject before =
            jsonOf(runDoppler(words(QStringLiteral("graph chainmm --json"))));
        const QJsonObject after =
            jsonOf(runDoppler({QStringLiteral("graph"), file, QStringLiteral("--json")}));
        for (const char* key : {"nodes", "edges", "inputs", "depth", "published_compute"}) {
            QCOMPARE(after[QLatin1String(key)], before[QLatin1String(key)]);
        }
        QCOMPARE(after["nodes"].toInt(), 76);
    }

    void graphsAreWrittenForOtherTools() {
        const QString graphMl = path(QStringLiteral("chain.graphml"));
        const QString csv = path(QStringLiteral("chain.csv"));
        for (const QString& file : {graphMl, csv}) {
            QCOMPARE(runDoppler({QStringLiteral("graph"), QStringLiteral("chainmm"),
                                 QStringLiteral("-o"), file})
                         .exitCode,
                     0);
        }
        const QJsonObject copy =
            jsonOf(runDoppler({QStringLiteral("graph"), graphMl, QStringLiteral("--json")}));
        QCOMPARE(copy["format"].toString(), QStringLiteral("GraphML"));
        QCOMPARE(copy["nodes"].toInt(), 76);
        QCOMPARE(copy["edges"].toInt(), 80);
        QCOMPARE(contents(csv).count('\n'), 77);
    }

    void importReportIsShown() {
        const QString file = path(QStringLiteral("repeated.dot"));
        QFile dot(file);
        QVERIFY(dot.open(QIODevice::WriteOnly));
        dot.write("digraph { a -> b [bytes=3]; a -> b [bytes=4]; }");
        dot.close();
        const ProgramRun run =
            runDoppler({QStringLiteral("graph"), file, QStringLiteral("--json")});
        const QString merged = QStringLiteral("1 repeated dependency merged, payloads added up");
        QVERIFY(jsonOf(run)["report"].toArray().contains(merged));
        QVERIFY2(QString::fromUtf8(run.err).contains(merged), run.err.constData());
    }

    void tablesFollowTheEnding_data() {
        QTest::addColumn<QString>("ending");
        QTest::addColumn<QString>("start");
        QTest::newRow("csv") << QStringLiteral("csv") << QStringLiteral("graph,nodes,mode,");
        QTest::newRow("md") << QStringLiteral("md") << QStringLiteral("| graph | mode |");
        QTest::newRow("tex") << QStringLiteral("tex") << QStringLiteral("% needs");
        QTest::newRow("json") << QStringLiteral("json") << QStringLiteral("{");
    }

    void tablesFollowTheEnding() {
        QFETCH(QString, ending);
        QFETCH(QString, start);
        const QString file = path(QStringLiteral("table.") + ending);
        const ProgramRun run = runDoppler(
            words(QStringLiteral("compare chainmm --cluster p100x4 --placers heft,single "
                                 "--mode wc,bsp -o ")) +
            QStringList{file});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QVERIFY(contents(file).startsWith(start.toUtf8()));
        // titles, 2 modes x 2 placers; a footnote: neither varies; both modes of each placer on one
        // line
        QCOMPARE(run.out.count('\n'), 5 + 2 + 1 + 3);
    }

    void aComparisonContinuesWhereItWas() {
        const QString file = path(QStringLiteral("runs.jsonl"));
        const auto compare = [&](const QString& seeds) {
            return runDoppler({QStringLiteral("compare"), QStringLiteral("chainmm"),
                               QStringLiteral("chainmm@uniform:8"), QStringLiteral("--cluster"),
                               QStringLiteral("uniform:4"), QStringLiteral("--placers"),
                               QStringLiteral("heft,random"), QStringLiteral("--seeds"), seeds,
                               QStringLiteral("--resume"), file, QStringLiteral("--json")});
        };
        QCOMPARE(jsonOf(compare(QStringLiteral("2")))["rows"].toArray().size(), 4);
        const QByteArray before = contents(file);
        QCOMPARE(before.count('\n'), 1 + 2 * (1 + 2));
        const ProgramRun again = compare(QStringLiteral("3"));
        QVERIFY2(again.err.contains("6 of 8 runs are there already"), again.err.constData());
        QCOMPARE(contents(file).count('\n'), before.count('\n') + 2);
        QVERIFY(contents(file).startsWith(before));
        const QJsonObject row = jsonOf(again)["rows"].toArray()[2].toObject();
        QCOMPARE(row["graph"].toString(), QStringLiteral("chainmm@uniform:8"));
        QCOMPARE(row["devices"].toInt(), 8);
    }

    void sizesOfDimensionsStandBeforeTheCluster() {
        const ProgramRun run =
            runDoppler(words(QStringLiteral("compare ffnn:batch=1024@uniform:2 --dim hidden=512 "
                                            "--placers heft --json")));
        QVERIFY2(run.exitCode == 0, run.err.constData());
        const QJsonObject row = jsonOf(run)["rows"].toArray()[0].toObject();
        QCOMPARE(row["devices"].toInt(), 2);
    }

    void aSizeOfNothingIsExplained() {
        const ProgramRun run = runDoppler(words(QStringLiteral("graph chainmm --dim batch=0")));
        QCOMPARE(run.exitCode, 2);
        QVERIFY2(run.err.contains("\"batch=0\", which leaves nothing to compute"),
                 run.err.constData());
    }

    void aGraphWithoutAClusterIsWrongUsage() {
        const ProgramRun run = runDoppler(words(QStringLiteral("compare chainmm@uniform:4 ffnn")));
        QCOMPARE(run.exitCode, 2);
        QVERIFY2(run.err.contains("ffnn@CLUSTER"), run.err.constData());
    }

    void picturesComeInEveryFormat_data() {
        QTest::addColumn<QString>("view");
        QTest::addColumn<QString>("ending");
        QTest::addColumn<QByteArray>("start");
        for (const char* view : {"graph", "gantt"}) {
            const QString name = QString::fromLatin1(view);
            QTest::addRow("%s png", view) << name << QStringLiteral("png") << QByteArray("\x89PNG");
            QTest::addRow("%s svg", view) << name << QStringLiteral("svg") << QByteArray("<?xml");
            QTest::addRow("%s pdf", view) << name << QStringLiteral("pdf") << QByteArray("%PDF");
        }
    }

    void picturesComeInEveryFormat() {
        QFETCH(QString, view);
        QFETCH(QString, ending);
        QFETCH(QByteArray, start);
        const QString file = path(view + QLatin1Char('.') + ending);
        const ProgramRun run = runDoppler(
            argumentsOf(QStringLiteral("render chainmm:n=2000 --cluster p100x4 --assignment FILE "
                                       "--json --view %1 -o %2")
                            .arg(view, file)));
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QVERIFY(contents(file).startsWith(start));
        QCOMPARE(jsonOf(run)["bytes"].toInteger(), QFile(file).size());
    }

    void aTraceIsShownAsATimeline() {
        const QString trace = folder_.filePath(QStringLiteral("run.json"));
        QFile file(trace);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"([{"ph": "X", "name": "a", "pid": 1, "tid": 2, "ts": 1, "dur": 2},
                       {"ph": "X", "name": "b", "pid": 1, "tid": 3, "ts": 2, "dur": 3}])");
        file.close();
        const ProgramRun facts = runDoppler({QStringLiteral("graph"), trace});
        QCOMPARE(facts.exitCode, 0);
        QVERIFY2(facts.out.contains("a timeline"), facts.out.constData());
        QVERIFY2(facts.out.contains("process 1: thread 3"), facts.out.constData());
        const ProgramRun json =
            runDoppler({QStringLiteral("graph"), trace, QStringLiteral("--json")});
        const QJsonObject object = QJsonDocument::fromJson(json.out).object();
        QCOMPARE(object[QStringLiteral("length_ns")].toInt(), 4000);
        QCOMPARE(object[QStringLiteral("lanes")].toArray().size(), 2);
        // The help promises no more than that.
        const ProgramRun converted =
            runDoppler({QStringLiteral("graph"), trace, QStringLiteral("-o"),
                        folder_.filePath(QStringLiteral("run.csv"))});
        QCOMPARE(converted.exitCode, 2);
        QVERIFY2(converted.err.contains("it has no graph to write"), converted.err.constData());
        QVERIFY(runDoppler({QStringLiteral("graph"), QStringLiteral("--help")})
                    .out.contains("a recorded trace; convert a graph"));
        const QString picture = folder_.filePath(QStringLiteral("run.svg"));
        const ProgramRun drawn =
            runDoppler({QStringLiteral("render"), trace, QStringLiteral("--view"),
                        QStringLiteral("gantt"), QStringLiteral("-o"), picture});
        QVERIFY2(drawn.exitCode == 0, drawn.err.constData());
        QVERIFY(QFileInfo(picture).size() > 1000);
        QCOMPARE(
            runDoppler({QStringLiteral("render"), trace, QStringLiteral("-o"), picture}).exitCode,
            2);
    }

    void aSavedClusterIsTheSameCluster() {
        const QString file = path(QStringLiteral("cluster.json"));
        QCOMPARE(runDoppler({QStringLiteral("clusters"), QStringLiteral("v100x8"),
                             QStringLiteral("-o"), file})
                     .exitCode,
                 0);
        const auto makespan = [](const QString& cluster) {
            return jsonOf(
                       runDoppler({QStringLiteral("place"), QStringLiteral("chainmm"),
                                   QStringLiteral("--cluster"), cluster, QStringLiteral("--placer"),
                                   QStringLiteral("heft"), QStringLiteral("--json")}))["makespan"]
                .toInteger(-1);
        };
        QVERIFY(makespan(file) > 0);
        QCOMPARE(makespan(file), makespan(QStringLiteral("v100x8")));
    }

    void aCancelledSearchHandsOverItsBest_data() {
        QTest::addColumn<int>("signal");
        QTest::addColumn<int>("code");
        QTest::newRow("Ctrl-C") << SIGINT << 130;
        QTest::newRow("SIGTERM") << SIGTERM << 143;
    }

    void aCancelledSearchHandsOverItsBest() {
        QFETCH(int, signal);
        QFETCH(int, code);
        QProcess search;
        search.start(QStringLiteral(DOPPLER_BINARY_DIR "/app/doppler"),
                     words(QStringLiteral("place llama-block --cluster uniform:4 --placer anneal "
                                          "--budget 10min --json")));
        QVERIFY(catchesSignals(search));
        QCOMPARE(::kill(static_cast<pid_t>(search.processId()), signal), 0);
        QVERIFY(search.waitForFinished(60'000));
        QCOMPARE(search.exitCode(), code);
        const QJsonObject json = QJsonDocument::fromJson(search.readAllStandardOutput()).object();
        QCOMPARE(json["assignment"].toArray().size(), json["nodes"].toInt());
        QVERIFY(
            json["notes"].toArray().last().toString().startsWith(QStringLiteral("stopped early")));
    }

    void infoNamesWhatIsMissing() {
        const QJsonObject json = jsonOf(runDoppler(words(QStringLiteral("info --json"))));
        const QJsonObject cuda = json["cuda"].toObject();
        QCOMPARE(cuda["devices"].toArray().isEmpty(), !cuda["message"].toString().isEmpty());
        QVERIFY(json["processors"].toInt() >= 1);
    }
};

QTEST_GUILESS_MAIN(TestCommandLine)
#include "TestCommandLine.moc"
