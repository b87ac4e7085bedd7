#include <QTest>

#include <cmath>
#include <functional>

#include "core/learn/Checkpoint.h"
#include "core/learn/Encoder.h"
#include "core/learn/HeadGradient.h"
#include "core/learn/Rollout.h"
#include "core/workload/Workload.h"
#include "tests/support/PolicyReplay.h"
#include "tests/support/RandomProblem.h"

using namespace doppler;
using namespace doppler::learn;
using namespace doppler::tests;

namespace {

constexpr double kTolerance = 1e-4; // of a log probability

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

std::shared_ptr<const sim::Problem> workloadProblem(const std::string& workload, int devices) {
    const auto graph = workload::generate(workload);
    return sim::makeProblem(
        graph, std::make_shared<const cluster::Cluster>(cluster::uniformCluster(devices)),
        cost::defaultCostModel(*graph), sim::SimOptions::published());
}

/// A policy of small networks on a problem, with weights that make it choose sharply enough to
/// matter.
struct Policy {
    explicit Policy(const std::shared_ptr<const sim::Problem>& source, bool extended = true,
                    int hidden = 16)
        : problem(source)
        , features(std::make_shared<const GraphFeatures>(*source, extended))
        , shape(hidden, 2, features->width)
        , weights(shape.initial(5))
        , encoder(shape, features)
        , rollout(std::make_shared<const RolloutProblem>(source, *features)) {
        tables.resize(features->ops, hidden);
    }

    void encode(bool train) {
        encoder.forward(0, weights, tables, train);
        encoder.forward(1, weights, tables, train);
        tables.prepare();
    }

    std::shared_ptr<const sim::Problem> problem;
    std::shared_ptr<const GraphFeatures> features;
    NetworkShape shape;
    std::vector<float> weights;
    Encoder encoder;
    std::shared_ptr<const RolloutProblem> rollout;
    PolicyTables tables;
};

std::vector<double> asDoubles(const std::vector<float>& values) {
    return {values.begin(), values.end()};
}

/// Log probabilities of an episode's choices as it recorded them.
ReplayedEpisode recorded(const Policy& policy, const Episode& episode) {
    ReplayedEpisode result;
    for (std::size_t step = 0; step + 1 < episode.candidateBegin.size(); ++step) {
        const OpId op = episode.order[step];
        const int row =
            episode.rowBegin[step] + episode.assignment[at(op)] - episode.firstDevice[step];
        result.pair.push_back(std::log(static_cast<double>(episode.probability[at(row)])));
    }
    if (!result.pair.empty()) {
        return result;
    }
    for (std::size_t step = 0; step < episode.order.size(); ++step) {
        const OpId op = episode.order[step];
        result.op.push_back(policy.tables.relative[at(op)] - std::log(episode.scoreSum[step]));
        const int first = episode.firstDevice[step];
        const bool choice = episode.endDevice[step] - first > 1;
        const int row = episode.rowBegin[step] + episode.assignment[at(op)] - first;
        result.device.push_back(choice ? std::log(static_cast<double>(episode.probability[at(row)]))
                                       : 0.0);
    }
    return result;
}

double largestDifference(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = a.size() == b.size() ? 0 : 1e9;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        largest = std::max(largest, std::abs(a[i] - b[i]));
    }
    return largest;
}

/// Finite differences of minus `objective`, which reads the tables, are the gradient.
void verifySlopes(PolicyTables& tables, const TableGradient& gradient,
                  const std::function<double()>& objective) {
    constexpr float kStep = 1e-2F;
    const auto check = [&](std::vector<float>& values, const std::vector<float>& expected) {
        for (std::size_t i = 0; i < values.size(); i += 7) {
            const float before = values[i];
            values[i] = before + kStep;
            const double up = objective();
            values[i] = before - kStep;
            const double down = objective();
            values[i] = before;
            const double found = (down - up) / (2 * static_cast<double>(kStep));
            QVERIFY(std::abs(found - static_cast<double>(expected[i])) < 2e-2);
        }
    };
    check(tables.score, gradient.score);
    check(tables.own, gradient.own);
    check(tables.placed, gradient.placed);
    check(tables.feature, gradient.feature);
    check(tables.output, gradient.output);
}

} // namespace

class TestPolicyMath : public QObject {
    Q_OBJECT

private:
    static void compareWithReplay(Policy& policy, int episodes,
                                  PolicyMode mode = PolicyMode::Dual) {
        policy.encode(false);
        const PolicyReplay replay(*policy.problem, policy.shape, true);
        const auto networks = replay.networks(asDoubles(policy.weights));
        Rollout rollout(policy.rollout, policy.shape.hidden);
        Episode episode;
        for (int i = 0; i < episodes; ++i) {
            rollout.run(policy.tables, {.mode = mode}, at(i), episode);
            const ReplayedEpisode expected = replay.run(networks, episode, mode);
            const ReplayedEpisode found = recorded(policy, episode);
            QVERIFY2(largestDifference(found.pair, expected.pair) < kTolerance, "pairs");
            QVERIFY2(largestDifference(found.op, expected.op) < kTolerance, "SEL");
            QVERIFY2(largestDifference(found.device, expected.device) < kTolerance, "PLC");
            QVERIFY(std::abs(episode.logProbability - expected.sum()) <
                    kTolerance * policy.features->ops);
        }
    }

private Q_SLOTS:
    void workloadsMatchTheFormulas_data() {
        QTest::addColumn<QString>("workload");
        QTest::addColumn<int>("devices");
        QTest::addColumn<int>("episodes");
        for (const workload::WorkloadInfo& info : workload::workloads()) {
            QTest::newRow(info.name.c_str())
                << QString::fromStdString(info.name == "random" ? "random:ops=60"
                                                                : info.name + ":size=tiny")
                << 3 << 100;
        }
        QTest::newRow("chainmm, 4 devices") << "chainmm" << 4 << 2;
        QTest::newRow("ffnn, 4 devices") << "ffnn" << 4 << 1;
        QTest::newRow("llama-block, 4 devices") << "llama-block:devices=4" << 4 << 1;
        QTest::newRow("llama-layer, 4 devices") << "llama-layer:devices=4" << 4 << 1;
        QTest::newRow("llama-block, 8 devices") << "llama-block:devices=8" << 8 << 1;
        QTest::newRow("llama-layer, 8 devices") << "llama-layer:devices=8" << 8 << 1;
    }

    void workloadsMatchTheFormulas() {
        QFETCH(QString, workload);
        QFETCH(int, devices);
        QFETCH(int, episodes);
        const auto problem = workloadProblem(workload.toStdString(), devices);
        if (problem->opCount() > 600) {
            QSKIP("the formulas take too long on this one");
        }
        Policy policy(problem);
        compareWithReplay(policy, episodes);
    }

    void unlikeDevicesPinsAndSlotsMatchTheFormulas() {
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            RandomProblemSpec spec;
            spec.devices = 4;
            spec.unlikeDevices = seed % 2 == 0;
            spec.pinned = seed % 3 == 0 ? 0.3 : 0;
            spec.slots = seed > 4 ? 2 : 1;
            spec.zeroCosts = 0.1;
            spec.shape = kGraphShapes[seed];
            Policy policy(randomProblem(spec, seed));
            compareWithReplay(policy, 8);
        }
    }

    void jointChoicesMatchTheFormulas() {
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            RandomProblemSpec spec;
            spec.devices = 3;
            spec.unlikeDevices = seed % 2 == 0;
            spec.pinned = seed % 3 == 0 ? 0.3 : 0;
            spec.shape = kGraphShapes[seed];
            Policy policy(randomProblem(spec, seed));
            compareWithReplay(policy, 8, PolicyMode::Joint);
        }
        Policy policy(workloadProblem("ffnn:size=tiny", 4));
        compareWithReplay(policy, 20, PolicyMode::Joint);
    }

    void jointProbabilitiesSumToOne() {
        RandomProblemSpec spec;
        spec.ops = 40;
        spec.unlikeDevices = true;
        spec.pinned = 0.2;
        Policy policy(randomProblem(spec, 4));
        policy.encode(false);
        Rollout rollout(policy.rollout, policy.shape.hidden);
        Episode episode;
        rollout.run(policy.tables, {.temperature = 2, .epsilon = 0.2, .mode = PolicyMode::Joint}, 3,
                    episode);
        QCOMPARE(episode.candidateBegin.size(), episode.order.size() + 1);
        for (std::size_t step = 0; step < episode.order.size(); ++step) {
            double sum = 0;
            bool taken = false;
            for (int i = episode.candidateBegin[step]; i < episode.candidateBegin[step + 1]; ++i) {
                const CandidateRows& rows = episode.candidates[at(i)];
                taken = taken || rows.op == episode.order[step];
                for (int row = 0; row < rows.endDevice - rows.firstDevice; ++row) {
                    sum += static_cast<double>(episode.probability[at(rows.rowBegin + row)]);
                }
            }
            QVERIFY(taken);
            QVERIFY(std::abs(sum - 1) < 1e-5);
        }
        // Greedy takes the likeliest, and a replay makes the same of it.
        rollout.run(policy.tables, {.greedy = true, .mode = PolicyMode::Joint}, 1, episode);
        QCOMPARE(episode.agreed, episode.decisions);
        Episode again = episode;
        rollout.replay(policy.tables, PolicyMode::Joint, again);
        QCOMPARE(again.logProbability, episode.logProbability);
        QCOMPARE(again.probability, episode.probability);
    }

    void gradientMatchesFiniteDifferences_data() {
        QTest::addColumn<bool>("unlike");
        QTest::addColumn<int>("mode");
        QTest::newRow("like devices") << false << static_cast<int>(PolicyMode::Dual);
        QTest::newRow("unlike devices, pins") << true << static_cast<int>(PolicyMode::Dual);
        QTest::newRow("joint") << false << static_cast<int>(PolicyMode::Joint);
        QTest::newRow("joint, unlike devices, pins") << true << static_cast<int>(PolicyMode::Joint);
    }

    // The derivative of the weighted log probability of two episodes along random directions, by
    // the encoder's and the heads' gradients, and by differences of the replay in double precision.
    void gradientMatchesFiniteDifferences() {
        QFETCH(bool, unlike);
        QFETCH(int, mode);
        const auto policyMode = static_cast<PolicyMode>(mode);
        RandomProblemSpec spec;
        spec.ops = 24;
        spec.unlikeDevices = unlike;
        spec.pinned = unlike ? 0.2 : 0;
        Policy policy(randomProblem(spec, 3), true, 8);
        policy.encode(true);
        Rollout rollout(policy.rollout, policy.shape.hidden);
        std::vector<Episode> episodes(2);
        const float weights[] = {0.7F, -0.4F};
        HeadGradient head(*policy.rollout, policy.shape.hidden);
        TableGradient tables;
        tables.reset(policy.features->ops, policy.shape.hidden);
        for (std::size_t i = 0; i < episodes.size(); ++i) {
            rollout.run(policy.tables, {.mode = policyMode}, i + 9, episodes[i]);
            head.add(policy.tables, policyMode, episodes[i], weights[i], 0, tables);
        }
        std::vector<float> gradient(policy.shape.size);
        policy.encoder.backward(0, tables, gradient);
        policy.encoder.backward(1, tables, gradient);

        const PolicyReplay replay(*policy.problem, policy.shape, true);
        const auto loss = [&](const std::vector<double>& at) {
            double sum = 0;
            for (std::size_t i = 0; i < episodes.size(); ++i) {
                sum -=
                    static_cast<double>(weights[i]) * replay.run(at, episodes[i], policyMode).sum();
            }
            return sum;
        };
        place::Random random(17);
        for (const Weight& weight : policy.shape.weights) {
            std::vector<double> up = asDoubles(policy.weights);
            std::vector<double> down = up;
            double expected = 0;
            constexpr double kStep = 1e-5;
            double size = 0;
            for (std::size_t i = weight.offset; i < weight.offset + weight.size(); ++i) {
                const double direction = random.uniform() - 0.5;
                up[i] += kStep * direction;
                down[i] -= kStep * direction;
                expected += direction * static_cast<double>(gradient[i]);
                size += static_cast<double>(gradient[i]) * static_cast<double>(gradient[i]);
            }
            const double found = (loss(up) - loss(down)) / (2 * kStep);
            QVERIFY2(std::abs(found - expected) < 2e-3 * (std::sqrt(size) + 0.05),
                     weight.name.c_str());
        }
    }

    // Sharp policies have scores that lie far apart, in any order of time.
    void gradientHoldsWhereScoresLieFarApart() {
        RandomProblemSpec spec;
        spec.ops = 60;
        Policy policy(randomProblem(spec, 5), true, 8);
        policy.encode(false);
        place::Random random(3);
        for (float& score : policy.tables.score) {
            score = static_cast<float>(120 * (random.uniform() - 0.5));
        }
        policy.tables.prepare();
        Rollout rollout(policy.rollout, policy.shape.hidden);
        Episode episode;
        rollout.run(policy.tables, {.epsilon = 0.5}, 6, episode);
        HeadGradient head(*policy.rollout, policy.shape.hidden);
        TableGradient gradient;
        gradient.reset(policy.features->ops, policy.shape.hidden);
        head.add(policy.tables, PolicyMode::SelOnly, episode, 1, 0, gradient);
        for (std::size_t step = 0; step < episode.order.size(); ++step) {
            const std::size_t op = at(episode.order[step]);
            double expected = -static_cast<double>(episode.opShare[step]);
            for (std::size_t i = at(episode.enteredAt[op]); i <= step; ++i) {
                expected += static_cast<double>(episode.opShare[i]) *
                            std::exp(policy.tables.relative[op] - std::log(episode.scoreSum[i]));
            }
            QVERIFY(std::abs(static_cast<double>(gradient.score[op]) - expected) < 1e-4);
        }
    }

    void entropyGradientMatchesFiniteDifferences_data() {
        QTest::addColumn<int>("mode");
        QTest::newRow("dual") << static_cast<int>(PolicyMode::Dual);
        QTest::newRow("joint") << static_cast<int>(PolicyMode::Joint);
    }

    void entropyGradientMatchesFiniteDifferences() {
        QFETCH(int, mode);
        const auto policyMode = static_cast<PolicyMode>(mode);
        RandomProblemSpec spec;
        spec.ops = 20;
        Policy policy(randomProblem(spec, 8), true, 8);
        policy.encode(false);
        Rollout rollout(policy.rollout, policy.shape.hidden);
        Episode episode;
        rollout.run(policy.tables, {.mode = policyMode}, 4, episode);
        HeadGradient head(*policy.rollout, policy.shape.hidden);
        TableGradient gradient;
        gradient.reset(policy.features->ops, policy.shape.hidden);
        head.add(policy.tables, policyMode, episode, 0, 1, gradient);
        const auto entropy = [&] {
            policy.tables.prepare();
            Episode again = episode;
            rollout.replay(policy.tables, policyMode, again);
            return again.entropy;
        };
        verifySlopes(policy.tables, gradient, entropy);
    }

    void randomChoicesAreNotPutDownToThePolicy_data() {
        QTest::addColumn<int>("mode");
        QTest::newRow("dual") << static_cast<int>(PolicyMode::Dual);
        QTest::newRow("joint") << static_cast<int>(PolicyMode::Joint);
    }

    // The gradient is that of the probability with which epsilon-greedy choosing does what it did.
    void randomChoicesAreNotPutDownToThePolicy() {
        QFETCH(int, mode);
        const auto policyMode = static_cast<PolicyMode>(mode);
        constexpr double kEpsilon = 0.3;
        RandomProblemSpec spec;
        spec.ops = 20;
        Policy policy(randomProblem(spec, 8), true, 8);
        policy.encode(false);
        for (float& score : policy.tables.score) {
            score *= 20; // sharp: some choices are surely random ones
        }
        policy.tables.prepare();
        Rollout rollout(policy.rollout, policy.shape.hidden);
        Episode episode;
        rollout.run(policy.tables, {.epsilon = kEpsilon, .mode = policyMode}, 4, episode);
        HeadGradient head(*policy.rollout, policy.shape.hidden);
        TableGradient gradient;
        gradient.reset(policy.features->ops, policy.shape.hidden);
        head.add(policy.tables, policyMode, episode, 1, 0, gradient);

        const auto logOf = [&](double logProbability, int count) {
            return count > 1
                       ? std::log((1 - kEpsilon) * std::exp(logProbability) + kEpsilon / count)
                       : 0.0;
        };
        std::vector<int> candidates(episode.order.size(), 0);
        for (std::size_t taken = 0; taken < episode.order.size(); ++taken) {
            for (std::size_t i = at(episode.enteredAt[at(episode.order[taken])]); i <= taken; ++i) {
                ++candidates[i];
            }
        }
        const auto done = [&] {
            policy.tables.prepare();
            Episode again = episode;
            rollout.replay(policy.tables, policyMode, again);
            const ReplayedEpisode found = recorded(policy, again);
            double sum = 0;
            for (std::size_t step = 0; step < again.order.size(); ++step) {
                if (policyMode == PolicyMode::Joint) {
                    int rows = 0;
                    for (int i = again.candidateBegin[step]; i < again.candidateBegin[step + 1];
                         ++i) {
                        rows +=
                            again.candidates[at(i)].endDevice - again.candidates[at(i)].firstDevice;
                    }
                    sum += logOf(found.pair[step], rows);
                } else {
                    sum +=
                        logOf(found.op[step], candidates[step]) +
                        logOf(found.device[step], again.endDevice[step] - again.firstDevice[step]);
                }
            }
            return sum;
        };
        verifySlopes(policy.tables, gradient, done);
    }

    void greedyTakesTheLikeliest() {
        Policy policy(workloadProblem("chainmm:size=tiny", 4));
        policy.encode(false);
        Rollout rollout(policy.rollout, policy.shape.hidden);
        Episode episode;
        rollout.run(policy.tables, {.greedy = true}, 1, episode);
        QCOMPARE(episode.agreed, episode.decisions);
        Episode again = episode;
        rollout.replay(policy.tables, PolicyMode::Dual, again);
        QCOMPARE(again.logProbability, episode.logProbability);
        QCOMPARE(again.probability, episode.probability);
    }

    void alikeDevicesAreOpenedInOrder() {
        Policy policy(workloadProblem("ffnn:size=tiny", 4));
        policy.encode(false);
        Rollout rollout(policy.rollout, policy.shape.hidden);
        Episode episode;
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            rollout.run(policy.tables, {.temperature = 3, .epsilon = 0.3}, seed, episode);
            int used = 0;
            for (const OpId op : episode.order) {
                QVERIFY(episode.assignment[at(op)] <= used);
                used = std::max(used, episode.assignment[at(op)] + 1);
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestPolicyMath)
#include "TestPolicyMath.moc"
