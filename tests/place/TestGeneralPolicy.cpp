#include <QTest>

#include <cmath>
#include <set>

#include "core/graph/InputError.h"
#include "core/place/ListSchedule.h"
#include "core/place/Random.h"
#include "core/place/policy/GeneratedProblems.h"
#include "core/place/policy/PaperRollout.h"
#include "core/place/policy/PolicyPortfolio.h"
#include "core/place/policy/PolicyRollout.h"
#include "core/place/policy/PolicyStarts.h"
#include "core/place/policy/StructuralClasses.h"
#include "core/place/policy/TunedPolicies.h"
#include "core/sim/Simulator.h"
#include "core/workload/Workload.h"
#include "tests/support/RandomProblem.h"

using namespace doppler;
using namespace doppler::place;
using namespace doppler::tests;

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

std::shared_ptr<const sim::Problem> published(const char* workload, int devices) {
    return sim::makeProblem(
        workload::generate(workload),
        std::make_shared<const cluster::Cluster>(cluster::uniformCluster(devices)),
        cost::CostModel::Published, sim::SimOptions::published());
}

LinearPolicy anyPolicy(std::uint64_t seed) {
    LinearPolicy policy;
    place::Random random(seed);
    for (float& weight : policy.weights) {
        weight = static_cast<float>(random.normal());
    }
    return policy;
}

} // namespace

class TestGeneralPolicy : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tuningIsRepeatableAndNeverWorse() {
        const auto problem = published("llama-block:size=tiny", 3);
        const auto prepared = std::make_shared<const PolicyProblem>(problem);
        const LinearPolicy start = handRule();
        const TunedPolicy before = tunePolicy(prepared, start, 1, 5, {});
        QCOMPARE(before.rollouts, 1);
        QCOMPARE(before.assignment, PolicyRollout(prepared).run(start));
        double share = 0;
        const TunedPolicy tuned =
            tunePolicy(prepared, start, 1000, 5, {}, [&](double done) { share = done; });
        QVERIFY(tuned.value < before.value);
        QVERIFY(tuned.rollouts <= 1000 && share > 0.9 && share <= 1);
        QCOMPARE(tuned.value, sim::Simulator(problem).makespan(tuned.assignment));
        QCOMPARE(tuned.assignment, PolicyRollout(prepared).run(tuned.policy));
        QCOMPARE(tunePolicy(prepared, start, 1000, 5, {}).assignment, tuned.assignment);
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(tunePolicy(prepared, start, 1000, 5, stop.get_token()).rollouts, 1);
    }

    void rolloutsAreValidOnEveryProblem() {
        std::vector<RandomProblemSpec> specs = {
            {.devices = 1},
            {.ops = 1},
            {.ops = 0},
            {.ops = 4, .devices = 9},
            {.ops = 60, .devices = 17, .unlikeDevices = true},
            {.devices = 4, .slots = 3, .unlikeDevices = true, .pinned = 0.3},
            {.zeroCosts = 1},
            {.edgeTransferCosts = true},
        };
        for (const GraphShape shape : kGraphShapes) {
            specs.push_back({.shape = shape, .ops = 50, .devices = 5});
        }
        for (const RandomProblemSpec& spec : specs) {
            for (std::uint64_t seed = 1; seed <= 5; ++seed) {
                const auto problem = randomProblem(spec, seed);
                PolicyRollout rollout(std::make_shared<const PolicyProblem>(problem));
                const sim::Assignment first = rollout.run(anyPolicy(seed));
                sim::checkAssignment(*problem, first);
                for (OpId op = 0; op < problem->opCount(); ++op) {
                    if (problem->pin(op) != kNoDevice) {
                        QCOMPARE(first[at(op)], problem->pin(op));
                    }
                }
                rollout.run(handRule()); // leaves nothing behind
                QCOMPARE(rollout.run(anyPolicy(seed)), first);
            }
        }
    }

    void paperRolloutsAreValidAndRepeat() {
        const std::vector<RandomProblemSpec> specs = {
            {.devices = 1},
            {.ops = 1},
            {.ops = 4, .devices = 9},
            {.devices = 4, .slots = 3, .unlikeDevices = true, .pinned = 0.3},
            {.zeroCosts = 1},
        };
        for (const RandomProblemSpec& spec : specs) {
            const auto problem = randomProblem(spec, 1);
            PaperRollout rollout(std::make_shared<const PolicyProblem>(problem));
            std::vector<double> weights(PaperRollout::kWeights);
            place::Random random(1);
            for (double& weight : weights) {
                weight = random.normal();
            }
            const sim::Assignment first = rollout.run(weights);
            sim::checkAssignment(*problem, first);
            for (OpId op = 0; op < problem->opCount(); ++op) {
                if (problem->pin(op) != kNoDevice) {
                    QCOMPARE(first[at(op)], problem->pin(op));
                }
            }
            rollout.run(PaperRollout::startWeights()); // leaves nothing behind
            QCOMPARE(rollout.run(weights), first);
        }
    }

    void likeDevicesAreOpenedInOrder() {
        const auto problem = published("llama-layer:devices=8", 8);
        PolicyRollout rollout(std::make_shared<const PolicyProblem>(problem));
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            const sim::Assignment found = rollout.run(anyPolicy(seed));
            std::set<DeviceId> devices(found.begin(), found.end());
            QCOMPARE(*devices.rbegin() + 1, static_cast<DeviceId>(devices.size()));
        }
    }

    void stateKeepsTheTimesOfAListSchedule() {
        for (const bool unlike : {false, true}) {
            RandomProblemSpec spec;
            spec.ops = 60;
            spec.devices = 5;
            spec.unlikeDevices = unlike;
            const auto problem = randomProblem(spec, 3);
            const PolicyProblem prepared(problem);
            double work = 0;
            for (OpId op = 0; op < problem->opCount(); ++op) {
                work += problem->costs->meanCompute(op);
            }
            const double unit = work / problem->deviceCount();
            PolicyRolloutState state(prepared);
            state.reset();
            ListSchedule schedule(*problem, Insertion::Append);
            place::Random random(1);
            for (const OpId op : problem->graph->topologicalOrder()) {
                for (DeviceId d = 0; d < problem->deviceCount(); ++d) {
                    const auto there = static_cast<double>(schedule.inputsThere(op, d));
                    QVERIFY(std::abs(double{state.row(state.arrive, op)[d]} * unit - there) <
                            1e-4 * unit);
                    const Slot slot = schedule.earliest(op, d);
                    const float start = std::max(state.row(state.arrive, op)[d], state.free[at(d)]);
                    QVERIFY(std::abs(double{start} * unit - static_cast<double>(slot.start)) <
                            1e-4 * unit);
                }
                const auto device = static_cast<DeviceId>(random.below(problem->deviceCount()));
                schedule.commit(op, schedule.earliest(op, device));
                state.commit<8>(op, device);
            }
        }
    }

    void handRuleBeatsRoundRobinOnPublishedGraphs() {
        for (const char* workload : {"ffnn", "llama-block", "llama-layer"}) {
            const auto problem = published(workload, 4);
            PolicyRollout rollout(std::make_shared<const PolicyProblem>(problem));
            sim::Assignment byTurns;
            for (OpId op = 0; op < problem->opCount(); ++op) {
                byTurns.push_back(op % 4);
            }
            sim::Simulator simulator(problem);
            QVERIFY(simulator.makespan(rollout.run(handRule())) < simulator.makespan(byTurns));
        }
    }

    void startsAreDistinctAndRanked() {
        const auto problem = published("llama-block", 4);
        SearchLimit limit = SearchLimit::forEvaluations(kPolicyRollouts, {});
        int calls = 0;
        const auto starts =
            policyStarts(problem, {}, 1, 8, limit, [&](const RankedStart&) { ++calls; });
        QCOMPARE(calls, static_cast<int>(kPolicyRollouts));
        QVERIFY(starts.size() > 1 && starts.size() <= 8);
        sim::Simulator simulator(problem);
        std::set<sim::Assignment> distinct;
        for (std::size_t i = 0; i < starts.size(); ++i) {
            QCOMPARE(simulator.makespan(starts[i].assignment), starts[i].value);
            QVERIFY(i == 0 || starts[i - 1].value <= starts[i].value);
            QVERIFY(distinct.insert(starts[i].assignment).second);
        }
    }

    void blocksOfOneOperationShareAClass() {
        const auto problem = published("chainmm", 4);
        const StructuralClasses classes = structuralClasses(*problem);
        // The graph has 76 ops of few kinds; products of one matrix are alike.
        QVERIFY(classes.sizes.size() < 20);
        int sum = 0;
        for (const std::int32_t size : classes.sizes) {
            sum += size;
        }
        QCOMPARE(sum, problem->opCount());
        for (OpId op = 0; op < problem->opCount(); ++op) {
            for (OpId other = 0; other < op; ++other) {
                if (classes.ofOp[at(op)] == classes.ofOp[at(other)]) {
                    QCOMPARE(problem->graph->kind(op), problem->graph->kind(other));
                    QCOMPARE(problem->graph->inDegree(op), problem->graph->inDegree(other));
                }
            }
        }
    }

    void generatedProblemsRepeatAndStayWithinTheirSizes() {
        std::set<std::string> names;
        std::set<int> devices;
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            const auto problem = generatedProblem(seed);
            QVERIFY(problem->opCount() >= 24 && problem->opCount() <= 420);
            names.insert(problem->graph->name());
            devices.insert(problem->deviceCount());
            const auto again = generatedProblem(seed);
            QCOMPARE(again->graph->edgeCount(), problem->graph->edgeCount());
            const sim::Assignment all(at(problem->opCount()), 0);
            QCOMPARE(sim::Simulator(again).makespan(all), sim::Simulator(problem).makespan(all));
        }
        QVERIFY(names.size() >= 5);
        QVERIFY(devices.size() >= 4);
    }

    void policiesSurviveTheirFile() {
        PolicyPortfolio portfolio;
        portfolio.description = "two";
        portfolio.members = {handRule(), anyPolicy(1)};
        const PolicyPortfolio read = parsePolicies(writePolicies(portfolio), "test");
        QCOMPARE(read.description, portfolio.description);
        QCOMPARE(read.members.size(), std::size_t{2});
        QCOMPARE(read.members[0].name, portfolio.members[0].name);
        for (std::size_t i = 0; i < LinearPolicy::kWeights; ++i) {
            QVERIFY(std::abs(read.members[1].weights[i] - portfolio.members[1].weights[i]) < 1e-4F);
        }
    }

    void policiesOfOtherFeaturesAreOneClearMessage() {
        std::string text = writePolicies({"", {handRule()}});
        const std::string feature = "co-parents";
        text.replace(text.find(feature), feature.size(), "phase of the moon");
        try {
            parsePolicies(text, "old.json");
            QFAIL("accepted");
        } catch (const InputError& error) {
            const std::string message = error.what();
            QVERIFY(message.find("old.json") != std::string::npos);
            QVERIFY(message.find("another version") != std::string::npos);
        }
    }

    void shippedPoliciesAreOfThisVersion() {
        for (const LinearPolicy& policy : shippedPolicies().members) {
            for (const float weight : policy.weights) {
                QVERIFY(std::isfinite(weight));
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestGeneralPolicy)
#include "TestGeneralPolicy.moc"
