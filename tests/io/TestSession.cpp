#include <QTest>

#include <limits>

#include "core/graph/GroupTree.h"
#include "core/graph/InputError.h"
#include "core/io/Formats.h"
#include "core/io/Session.h"
#include "core/workload/Workload.h"
#include "tests/support/SameGraph.h"

using namespace doppler;
using namespace doppler::io;

namespace {

Session fullSession() {
    Session session;
    session.graph = workload::generate(std::string_view("ffnn"));
    session.cluster = openCluster("v100-2x4");
    session.graphSource = "ffnn";
    session.clusterSource = "v100-2x4";
    session.costs = cost::CostModel::Published;
    session.options.mode = sim::ExecutionMode::BulkSynchronous;
    session.options.contention = sim::LinkContention::SharedBus;
    session.options.sharing = sim::TransferSharing::PerEdge;
    session.options.choice = sim::ReadyChoice::Random;
    session.options.durationVariation = 0.125;
    session.options.memory = sim::MemoryPolicy::Hold;
    session.options.cores = 2;
    session.options.seed = std::numeric_limits<std::uint64_t>::max();
    const auto ops = static_cast<std::size_t>(session.graph->opCount());
    session.pins.assign(ops, kNoDevice);
    session.pins[3] = 7;
    session.placements.push_back(
        {"m-etf, 2 edits", "m-etf", 42, 0.25, 2, "p95:32", 0.2, 77, sim::Assignment(ops, 5)});
    session.placements.push_back(
        {"anneal", "anneal", std::uint64_t{1} << 63, 10, 0, "", 0, 0, sim::Assignment(ops, 0)});
    session.current = 1;
    const graph::GroupTree groups(*session.graph);
    session.collapsed.emplace();
    for (std::int32_t group = groups.size() - 1; group > graph::GroupTree::kRoot; group -= 2) {
        session.collapsed->push_back(groups.path(group));
    }
    session.view = "{\"zoom\": 1.5, \"quotes\": \"\\\"\"}";
    return session;
}

} // namespace

class TestSession : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsEverything() {
        const Session session = fullSession();
        const std::string text = writeSession(session);
        QVERIFY(looksLikeSession(text));
        const Session again = parseSession(text, "copy");
        QCOMPARE(tests::firstDifference(*again.graph, *session.graph), std::string());
        QVERIFY(*again.cluster == *session.cluster);
        QCOMPARE(again.graphSource, session.graphSource);
        QCOMPARE(again.clusterSource, session.clusterSource);
        QCOMPARE(again.costs, session.costs);
        QVERIFY(again.options == session.options);
        QCOMPARE(again.pins, session.pins);
        QVERIFY(again.placements == session.placements);
        QCOMPARE(again.current, session.current);
        QVERIFY(!session.collapsed->empty());
        QCOMPARE(again.collapsed, session.collapsed);
        QCOMPARE(again.view, session.view);
        QCOMPARE(writeSession(again), text);
    }

    void keepsAnEmptyProblem() {
        Session session;
        session.graph = workload::generate(std::string_view("chainmm"));
        session.cluster = openCluster("uniform:1");
        const Session again = parseSession(writeSession(session), "copy");
        QVERIFY(again.pins.empty());
        QVERIFY(again.placements.empty());
        QCOMPARE(again.current, -1);
        QVERIFY(!again.collapsed); // as in files from before it was kept
        QVERIFY(again.options == sim::SimOptions());
    }

    void refusesGroupsThatTheGraphLacks_data() {
        QTest::addColumn<QString>("collapsed");
        QTest::addColumn<QString>("message");
        QTest::newRow("another group") << R"(["a/b", "c"])"
                                       << R"(/collapsed/1: found "c")";
        QTest::newRow("a path through nothing") << R"(["b"])"
                                                << R"(/collapsed/0: found "b")";
        QTest::newRow("twice") << R"(["a", "a"])"
                               << R"(/collapsed/1: found "a")";
        QTest::newRow("a number") << "[1]"
                                  << "/collapsed/0";
        QTest::newRow("no list") << "true"
                                 << "/collapsed";
    }

    void refusesGroupsThatTheGraphLacks() {
        QFETCH(QString, collapsed);
        QFETCH(QString, message);
        const QString session = QStringLiteral(R"({"format": "doppler-session/1",
            "costs": "published",
            "graph": {"format": "doppler-graph/1", "costUnit": "units", "ops": [
                {"compute": 1, "transfer": 2, "group": "a/b"},
                {"compute": 1, "transfer": 2, "group": "a/b"},
                {"compute": 1, "transfer": 2, "group": "a"}], "edges": []},
            "cluster": {"format": "doppler-cluster/1", "name": "c",
                "devices": [{"name": "d"}], "links": []},
            "placements": [], "current": -1, "collapsed": %1, "view": ""})");
        const auto read = [&](const QString& groups) {
            return parseSession(session.arg(groups).toStdString(), "s");
        };
        QCOMPARE(read(R"(["a/b", "a"])").collapsed->size(), std::size_t{2});
        try {
            read(collapsed);
            QFAIL("was read");
        } catch (const InputError& error) {
            QVERIFY2(QString::fromUtf8(error.what()).contains(message), error.what());
        }
    }

    void tellsSessionsFromGraphs() {
        QVERIFY(!looksLikeSession(writeGraphJson(*fullSession().graph)));
        QVERIFY(!looksLikeSession("4\n\n\n\n"));
        // A later version is still a session, refused with a message of its own.
        const std::string later = R"({"format": "doppler-session/9"})";
        QVERIFY(looksLikeSession(later));
        QVERIFY_EXCEPTION_THROWN(parseSession(later, "later"), InputError);
    }
};

QTEST_GUILESS_MAIN(TestSession)
#include "TestSession.moc"
