#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/cluster/Cluster.h"
#include "core/learn/AlikeOps.h"
#include "core/learn/Encoder.h"
#include "core/learn/HeadGradient.h"
#include "core/learn/Rollout.h"
#include "core/place/CriticalPath.h"
#include "core/workload/Workload.h"

using namespace doppler;
using namespace doppler::learn;

namespace {

constexpr int kHidden = 16;

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

/// A policy with the paper's features, whose scores are those of random weights.
struct Policy {
    explicit Policy(const char* workload, bool extended = false, std::uint64_t seed = 5) {
        const auto graph = workload::generate(workload);
        problem = sim::makeProblem(
            graph, std::make_shared<const cluster::Cluster>(cluster::uniformCluster(4)),
            cost::defaultCostModel(*graph), sim::SimOptions::published());
        const auto features = std::make_shared<const GraphFeatures>(*problem, extended);
        rollout = std::make_shared<const RolloutProblem>(problem, *features);
        const NetworkShape shape(kHidden, 2, features->width);
        const std::vector<float> weights = shape.initial(seed);
        tables.resize(features->ops, kHidden);
        Encoder encoder(shape, features);
        encoder.forward(0, weights, tables, false);
        encoder.forward(1, weights, tables, false);
        for (float& score : tables.score) {
            score *= 10; // sharp enough to matter
        }
        tables.prepare();
    }

    /// log of SEL's probability of each op of the order: ops that are ready and alike count once.
    double logProbability(const std::vector<OpId>& order) const {
        std::vector<int> missing = rollout->inDegree;
        std::vector<char> taken(order.size(), 0);
        double sum = 0;
        for (const OpId op : order) {
            std::set<int> classes;
            double weights = 0;
            for (OpId other = 0; other < rollout->ops; ++other) {
                if (missing[at(other)] == 0 && taken[at(other)] == 0 &&
                    classes.insert(rollout->alike[at(other)]).second) {
                    weights += tables.weight[at(other)];
                }
            }
            sum += tables.relative[at(op)] - std::log(weights);
            taken[at(op)] = 1;
            for (int i = rollout->childBegin[at(op)]; i < rollout->childBegin[at(op) + 1]; ++i) {
                --missing[at(rollout->child[at(i)])];
            }
        }
        return sum;
    }

    std::shared_ptr<const sim::Problem> problem;
    std::shared_ptr<const RolloutProblem> rollout;
    PolicyTables tables;
};

} // namespace

class TestAlikeOps : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void opsThatAreAlikeScoreAlike_data() {
        QTest::addColumn<QString>("workload");
        for (const char* workload : {"chainmm", "ffnn", "llama-block:devices=4"}) {
            QTest::newRow(workload) << workload;
        }
    }

    void opsThatAreAlikeScoreAlike() {
        QFETCH(QString, workload);
        for (const std::uint64_t seed : {1U, 2U, 3U}) {
            const Policy policy(qPrintable(workload), false, seed);
            const std::vector<int>& alike = policy.rollout->alike;
            QCOMPARE(static_cast<int>(alike.size()), policy.rollout->ops);
            const int classes = *std::max_element(alike.begin(), alike.end()) + 1;
            QVERIFY(classes > 3);
            QVERIFY(classes < policy.rollout->ops / 2);
            std::vector<std::pair<float, float>> range(at(classes), {1e9F, -1e9F});
            for (std::size_t op = 0; op < alike.size(); ++op) {
                auto& [low, high] = range[at(alike[op])];
                low = std::min(low, policy.tables.score[op]);
                high = std::max(high, policy.tables.score[op]);
            }
            for (const auto& [low, high] : range) {
                QVERIFY(high - low < 1e-3F);
            }
        }
    }

    void positionsTellAllOpsApart() { QVERIFY(Policy("chainmm", true).rollout->alike.empty()); }

    void alikeOpsAreOfferedOneByOne() {
        for (const char* workload : {"chainmm", "ffnn"}) {
            const Policy policy(workload);
            Rollout rollout(policy.rollout, kHidden);
            Episode episode;
            for (std::uint64_t seed = 1; seed <= 20; ++seed) {
                rollout.run(policy.tables, {.epsilon = 0.2, .mode = PolicyMode::SelOnly}, seed,
                            episode);
                QVERIFY(std::abs(episode.logProbability - policy.logProbability(episode.order)) <
                        1e-3);
            }
        }
    }

    // Whatever the order in which it took ops that are alike, an episode can be imitated.
    void anyOrderOfAlikeOpsHasTheSameProbability() {
        const Policy policy("chainmm");
        Rollout rollout(policy.rollout, kHidden);
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            Episode episode = imitationEpisode(
                *policy.rollout, place::criticalPathSchedule(*policy.problem, seed).assignment());
            const std::vector<OpId> order = episode.order;
            rollout.replay(policy.tables, PolicyMode::SelOnly, episode);
            QCOMPARE(episode.order, order);
            QVERIFY(std::abs(episode.logProbability - policy.logProbability(order)) < 1e-3);
        }
    }

    void pinsTellOpsApart() {
        const Policy policy("chainmm");
        const std::vector<int>& alike = policy.rollout->alike;
        const auto twin = std::find(alike.begin() + 1, alike.end(), alike.front());
        QVERIFY(twin != alike.end());
        sim::Problem pinned = *policy.problem;
        pinned.pins.assign(alike.size(), kNoDevice);
        pinned.pins.front() = 1;
        const std::vector<int> classes = alikeOps(pinned, GraphFeatures(pinned, false));
        QVERIFY(classes[at(static_cast<int>(twin - alike.begin()))] != classes.front());
    }

    void gradientMatchesFiniteDifferences_data() {
        QTest::addColumn<bool>("imitated");
        QTest::addColumn<float>("weight");
        QTest::addColumn<float>("entropyWeight");
        QTest::newRow("own episode") << false << 1.0F << 0.0F;
        QTest::newRow("imitated episode") << true << 1.0F << 0.0F;
        QTest::newRow("entropy of an own episode") << false << 0.0F << 1.0F;
        QTest::newRow("entropy of an imitated episode") << true << 0.0F << 1.0F;
    }

    void gradientMatchesFiniteDifferences() {
        QFETCH(bool, imitated);
        QFETCH(float, weight);
        QFETCH(float, entropyWeight);
        Policy policy("chainmm");
        Rollout rollout(policy.rollout, kHidden);
        Episode episode;
        rollout.run(policy.tables, {.mode = PolicyMode::SelOnly}, 3, episode);
        if (imitated) { // takes ops that are alike in another order than that in which they got
                        // ready
            const auto schedule = place::criticalPathSchedule(*policy.problem, 4);
            episode = imitationEpisode(*policy.rollout, schedule.assignment());
            rollout.replay(policy.tables, PolicyMode::SelOnly, episode);
        }
        HeadGradient head(*policy.rollout, kHidden);
        TableGradient gradient;
        gradient.reset(policy.rollout->ops, kHidden);
        head.add(policy.tables, PolicyMode::SelOnly, episode, weight, entropyWeight, gradient);
        // A step that all ops of a class take together, as they do whatever the weights.
        const std::vector<int>& alike = policy.rollout->alike;
        const std::vector<float> scores = policy.tables.score;
        const int classes = *std::max_element(alike.begin(), alike.end()) + 1;
        const auto moved = [&](int cls, float step) {
            for (std::size_t op = 0; op < alike.size(); ++op) {
                policy.tables.score[op] = scores[op] + (alike[op] == cls ? step : 0);
            }
            policy.tables.prepare();
            Episode again = episode;
            rollout.replay(policy.tables, PolicyMode::SelOnly, again);
            return static_cast<double>(weight) * again.logProbability +
                   static_cast<double>(entropyWeight) * again.entropy;
        };
        constexpr float kStep = 1e-2F;
        for (int cls = 0; cls < classes; ++cls) {
            double expected = 0;
            for (std::size_t op = 0; op < alike.size(); ++op) {
                expected += alike[op] == cls ? static_cast<double>(gradient.score[op]) : 0;
            }
            const double found =
                (moved(cls, -kStep) - moved(cls, kStep)) / (2 * static_cast<double>(kStep));
            QVERIFY(std::abs(found - expected) < 2e-2);
        }
    }
};

QTEST_GUILESS_MAIN(TestAlikeOps)
#include "TestAlikeOps.moc"
