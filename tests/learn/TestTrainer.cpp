#include <QTest>

#include <QTemporaryDir>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <thread>

#include "core/graph/InputError.h"
#include "core/io/Formats.h"
#include "core/learn/Checkpoint.h"
#include "core/learn/PolicyPlacer.h"
#include "core/learn/Trainer.h"
#include "core/sim/Bounds.h"
#include "core/sim/Simulator.h"
#include "core/workload/Workload.h"
#include "tests/support/RandomProblem.h"

using namespace doppler;
using namespace doppler::learn;
using namespace doppler::tests;

namespace {

std::shared_ptr<const sim::Problem> smallProblem(int ops = 24, std::uint64_t seed = 2) {
    RandomProblemSpec spec;
    spec.ops = ops;
    spec.options = sim::SimOptions::published();
    return randomProblem(spec, seed);
}

/// A training that takes a moment.
TrainRequest smallRequest(std::int64_t updates = 20) {
    constexpr int kBatch = 8;
    TrainRequest request;
    request.problems = {smallProblem()};
    request.options.hidden = 16;
    request.options.batch = kBatch;
    request.options.elitesPerUpdate = 2;
    request.options.teacherPlacements = 1;
    request.options.stages = {{Stage::Imitation, 5}, {Stage::Simulation, updates * kBatch}};
    request.threads = 1;
    return request;
}

/// Everything of a curve that may not depend on threads or interruptions.
struct Curve {
    std::vector<Time> makespans;
    std::vector<double> losses;
    std::vector<Time> bests;

    bool operator==(const Curve&) const = default;
};

Curve curveOf(TrainRequest request, TrainResult* result = nullptr) {
    Curve curve;
    request.progress = [&](const UpdateFacts& facts) {
        curve.makespans.insert(curve.makespans.end(), facts.makespans.begin(),
                               facts.makespans.end());
        curve.losses.push_back(facts.loss);
        curve.bests.push_back(facts.best);
    };
    const TrainResult trained = train(request);
    if (result != nullptr) {
        *result = trained;
    }
    return curve;
}

Curve joined(Curve first, const Curve& second) {
    first.makespans.insert(first.makespans.end(), second.makespans.begin(), second.makespans.end());
    first.losses.insert(first.losses.end(), second.losses.begin(), second.losses.end());
    first.bests.insert(first.bests.end(), second.bests.begin(), second.bests.end());
    return first;
}

/// Trains until so many updates are over, then stops as Ctrl-C does.
Curve curveUntil(TrainRequest request, std::int64_t updates) {
    std::stop_source stop;
    request.stop = stop.get_token();
    Curve curve;
    request.progress = [&](const UpdateFacts& facts) {
        curve = joined(
            curve, {{facts.makespans.begin(), facts.makespans.end()}, {facts.loss}, {facts.best}});
        if (facts.update == updates) {
            stop.request_stop();
        }
    };
    if (train(request).reason != EndReason::Stopped) {
        throw std::runtime_error("it ended on its own");
    }
    return curve;
}

struct Killed {};

/// Trains until so many updates are over and the next is reported; what would come after does not.
void trainUntilKilled(TrainRequest request, std::int64_t updates) {
    request.progress = [&](const UpdateFacts& facts) {
        if (facts.update == updates + 1) {
            throw Killed();
        }
    };
    train(request);
}

std::filesystem::path pathOf(const QTemporaryDir& dir) {
    return dir.path().toStdString() + "/run";
}

std::string refusal(const TrainRequest& request) {
    try {
        train(request);
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

/// Twice what the simulator says, by a rule that tests can tell.
class DoublingEvaluator : public Evaluator {
public:
    explicit DoublingEvaluator(std::shared_ptr<const sim::Problem> problem)
        : simulator_(std::move(problem)) {}
    std::string name() const override { return "doubling"; }
    int lanes() const override { return 1; }
    Time evaluate(int lane, std::span<const DeviceId> assignment, std::uint64_t) override {
        if (lane != 0 || busy_.exchange(true)) {
            throw std::logic_error("called twice at once");
        }
        if (before) {
            before();
        }
        const Time makespan = 2 * simulator_.makespan(assignment);
        busy_ = false;
        return makespan;
    }

    std::function<void()> before; ///< each evaluation

private:
    sim::Simulator simulator_;
    std::atomic<bool> busy_{false};
};

/// The simulator's makespan, but one run in 16 takes half of it.
class LuckyEvaluator : public Evaluator {
public:
    explicit LuckyEvaluator(std::shared_ptr<const sim::Problem> problem)
        : simulator_(std::move(problem)) {}
    std::string name() const override { return "lucky"; }
    int lanes() const override { return 1; }
    Time evaluate(int, std::span<const DeviceId> assignment, std::uint64_t seed) override {
        const Time makespan = simulator_.makespan(assignment);
        return seed % 16 == 0 ? makespan / 2 : makespan;
    }

private:
    sim::Simulator simulator_;
};

} // namespace

class TestTrainer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sameCurveWithAnyNumberOfThreads() {
        TrainRequest request = smallRequest();
        const Curve one = curveOf(request);
        request.threads = 3;
        QVERIFY(curveOf(request) == one);
        request.seed = 2;
        QVERIFY(!(curveOf(request) == one));
    }

    void resumedRunContinuesTheSameCurve() {
        const Curve whole = curveOf(smallRequest());
        const QTemporaryDir dir;
        TrainRequest request = smallRequest();
        request.directory = pathOf(dir);
        request.resume = true;
        const Curve first = curveUntil(request, 9);
        const Curve second = curveUntil(request, 17);
        QVERIFY(joined(first, joined(second, curveOf(request))) == whole);
    }

    void paperPresetResumesToo() {
        TrainRequest request = smallRequest();
        request.options = presetOptions("paper");
        request.options.hidden = 16;
        request.options.stages = {{Stage::Imitation, 10}, {Stage::Simulation, 20}};
        const Curve whole = curveOf(request);
        const QTemporaryDir dir;
        request.directory = pathOf(dir);
        request.resume = true;
        const Curve first = curveUntil(request, 15);
        QVERIFY(joined(first, curveOf(request)) == whole);
    }

    // As after kill -9: the checkpoint is older than what was written after it.
    void episodesAfterTheCheckpointAreMadeAgain() {
        const QTemporaryDir dir;
        TrainRequest request = smallRequest();
        request.directory = pathOf(dir);
        request.resume = true;
        curveUntil(request, 9);
        std::ofstream(request.directory / "episodes.csv", std::ios::app) << "half a line";
        train(request);
        const std::string episodes = io::readFile(request.directory / "episodes.csv");
        const QTemporaryDir other;
        request.directory = pathOf(other);
        train(request);
        QCOMPARE(episodes, io::readFile(request.directory / "episodes.csv"));
        QCOMPARE(std::count(episodes.begin(), episodes.end(), '\n'), 1 + 5 + 20 * 8);
    }

    // A checkpoint after each update; any of them must know all that the next update depends on.
    void anyCheckpointContinuesTheSameCurve() {
        TrainRequest request = smallRequest(1000);
        request.options.patience = 30;
        TrainResult wholeResult;
        const Curve whole = curveOf(request, &wholeResult);
        QCOMPARE(wholeResult.reason, EndReason::Plateau);
        for (const std::int64_t killedAt : {0, 3, 7, 25}) {
            const QTemporaryDir dir;
            request.directory = pathOf(dir);
            request.saveEverySeconds = 0;
            request.resume = false;
            QVERIFY_EXCEPTION_THROWN(trainUntilKilled(request, killedAt), Killed);
            request.resume = true;
            TrainResult result;
            const Curve rest = curveOf(request, &result);
            QCOMPARE(result.updates, wholeResult.updates);
            QCOMPARE(rest.losses.size(), whole.losses.size() - static_cast<std::size_t>(killedAt));
            QVERIFY(std::equal(rest.losses.rbegin(), rest.losses.rend(), whole.losses.rbegin()));
            QVERIFY(std::equal(rest.bests.rbegin(), rest.bests.rend(), whole.bests.rbegin()));
        }
    }

    void aRunWithoutCheckpointIsNotOverwritten() {
        const QTemporaryDir dir;
        TrainRequest request = smallRequest();
        request.directory = pathOf(dir);
        train(request);
        std::filesystem::remove(request.directory / "checkpoint.pt");
        const std::string before = io::readFile(request.directory / "run.json");
        request.resume = true;
        request.seed = 7;
        QVERIFY(refusal(request).find("without a checkpoint") != std::string::npos);
        QCOMPARE(io::readFile(request.directory / "run.json"), before);
    }

    void theBestFileNeverGoesBack() {
        TrainRequest request = smallRequest(200);
        request.options.stages = {{Stage::Simulation, 200 * 8}};
        request.options.polish = false;
        const sim::Problem& problem = *request.problems[0];
        sim::Simulator simulator(request.problems[0]);
        const QTemporaryDir dir;
        request.directory = pathOf(dir);
        request.resume = true;
        Time last = std::numeric_limits<Time>::max();
        for (std::int64_t until = 1; until < 20; ++until) {
            curveUntil(request, until);
            const Time kept = simulator.makespan(
                io::parseAssignment(io::readFile(request.directory / "best.assignment.json"),
                                    "best", *problem.graph, *problem.cluster));
            QVERIFY(kept <= last);
            last = kept;
        }
    }

    void trainingImprovesAndReportsTheTruth() {
        TrainRequest request = smallRequest(60);
        request.options.stages = {{Stage::Simulation, 60 * 8}};
        request.options.polish = false;
        double firstMean = 0;
        double lastMean = 0;
        sim::Simulator simulator(request.problems[0]);
        Time best = std::numeric_limits<Time>::max();
        request.progress = [&](const UpdateFacts& facts) {
            firstMean += facts.update <= 5 ? facts.mean : 0;
            lastMean += facts.update > 55 ? facts.mean : 0;
            if (facts.improved) {
                QCOMPARE(simulator.makespan(*facts.improved), facts.best);
                QVERIFY(facts.best < best);
                best = facts.best;
            }
            QCOMPARE(simulator.makespan(*facts.latest), facts.greedy);
        };
        const TrainResult result = train(request);
        QVERIFY(lastMean < firstMean);
        const ProblemResult& problem = result.problems.front();
        QCOMPARE(simulator.makespan(problem.bestAssignment), problem.best);
        QCOMPARE(simulator.makespan(problem.policyAssignment), problem.policy);
        QCOMPARE(simulator.makespan(problem.greedyAssignment), problem.greedy);
        QCOMPARE(problem.best, problem.policy); // no teacher, no polish
        QVERIFY(problem.best >= sim::lowerBound(*request.problems[0]).value);
        QCOMPARE(result.episodes, 60 * 8);
    }

    void imitationLearnsTheTeachersChoices() {
        TrainRequest request = smallRequest();
        request.options.stages = {{Stage::Imitation, 400}};
        double agreement = 0;
        request.progress = [&](const UpdateFacts& facts) { agreement = facts.agreement; };
        const TrainResult result = train(request);
        QVERIFY(agreement > 0.95);
        QCOMPARE(result.problems.front().greedy, result.problems.front().teacher);
    }

    void ablationsLearnTheOtherChoiceOnly_data() {
        QTest::addColumn<int>("mode");
        QTest::newRow("sel-only") << static_cast<int>(PolicyMode::SelOnly);
        QTest::newRow("plc-only") << static_cast<int>(PolicyMode::PlcOnly);
    }

    void ablationsLearnTheOtherChoiceOnly() {
        QFETCH(int, mode);
        TrainRequest request = smallRequest();
        request.options.mode = static_cast<PolicyMode>(mode);
        const QTemporaryDir dir;
        request.directory = pathOf(dir);
        train(request);
        const Checkpoint checkpoint = readCheckpoint(request.directory / "checkpoint.pt");
        const NetworkShape shape = networkShape(checkpoint.options);
        // Adam's mean square of an untrained network's gradient is 0.
        const bool selTrained = request.options.mode == PolicyMode::SelOnly;
        for (std::size_t i = 0; i < shape.weights.size(); ++i) {
            const Weight& weight = shape.weights[i];
            const bool sel = i < shape.firstWeight(1);
            double sum = 0;
            for (std::size_t k = 0; k < weight.size(); ++k) {
                sum += static_cast<double>(checkpoint.adamSquare[weight.offset + k]);
            }
            if (weight.name.ends_with(".output.weight")) {
                QCOMPARE(sum > 0, sel == selTrained);
            }
        }
    }

    void severalProblemsTakeTurns() {
        TrainRequest request = smallRequest();
        request.problems.push_back(smallProblem(30, 5));
        std::vector<int> turns;
        request.progress = [&](const UpdateFacts& facts) { turns.push_back(facts.problem); };
        const TrainResult result = train(request);
        QCOMPARE(result.problems.size(), std::size_t{2});
        QVERIFY(turns[0] == 0 && turns[1] == 1 && turns[2] == 0);
        for (std::size_t i = 0; i < 2; ++i) {
            sim::checkAssignment(*request.problems[i], result.problems[i].bestAssignment);
        }
    }

    void systemStageMeasuresAndPredicts() {
        TrainRequest request = smallRequest();
        request.options.stages = {{Stage::Simulation, 80}, {Stage::System, 80}};
        request.system = {std::make_shared<DoublingEvaluator>(request.problems[0])};
        request.options.systemRepeats = 3;
        request.threads = 3;
        int measured = 0;
        request.progress = [&](const UpdateFacts& facts) {
            for (std::size_t i = 0; i < facts.predicted.size(); ++i) {
                QCOMPARE(facts.makespans[i], 2 * facts.predicted[i]);
                ++measured;
            }
        };
        const TrainResult result = train(request);
        QCOMPARE(measured, 80);
        sim::Simulator simulator(request.problems[0]);
        QCOMPARE(result.problems[0].best,
                 2 * simulator.makespan(result.problems[0].bestAssignment));
    }

    void luckyRunsAreNoRecords() {
        const QTemporaryDir dir;
        TrainRequest request = smallRequest();
        request.options.stages = {{Stage::Simulation, 80}, {Stage::System, 640}};
        request.options.elitesPerUpdate = 8;
        request.system = {std::make_shared<LuckyEvaluator>(request.problems[0])};
        request.directory = pathOf(dir);
        TrainResult trained;
        const Curve curve = curveOf(request, &trained);
        sim::Simulator simulator(request.problems[0]);
        const ProblemResult& result = trained.problems[0];
        QCOMPARE(result.best, simulator.makespan(result.bestAssignment));
        QCOMPARE(result.policy, simulator.makespan(result.policyAssignment));
        QCOMPARE(result.greedy, simulator.makespan(result.greedyAssignment));

        const std::vector<Elite> elites =
            readCheckpoint(request.directory / "checkpoint.pt").problems[0].elites;
        const auto lucky = std::count_if(elites.begin(), elites.end(), [&](const Elite& elite) {
            return elite.makespan != simulator.makespan(elite.assignment);
        });
        QVERIFY(2 * static_cast<std::size_t>(lucky) < elites.size());

        request.directory.clear();
        request.threads = 3;
        QVERIFY(curveOf(request) == curve);
    }

    void systemStageStopsAndPausesBetweenEpisodes() {
        const QTemporaryDir dir;
        TrainRequest request = smallRequest();
        request.options.stages = {{Stage::Simulation, 80}, {Stage::System, 80}};
        const auto evaluator = std::make_shared<DoublingEvaluator>(request.problems[0]);
        request.system = {evaluator};
        const Curve whole = curveOf(request);

        TrainRequest first = request;
        first.directory = pathOf(dir);
        first.pause = std::make_shared<PauseSwitch>();
        std::stop_source stop;
        first.stop = stop.get_token();
        Curve before;
        std::atomic<int> runs{-1}; // of stage III's second update
        first.progress = [&](const UpdateFacts& facts) {
            before = joined(
                before,
                {{facts.makespans.begin(), facts.makespans.end()}, {facts.loss}, {facts.best}});
            runs = facts.update == 11 ? 0 : -1;
        };
        evaluator->before = [&] {
            if (runs >= 0 && ++runs == 3) {
                first.pause->set(true);
            }
        };
        TrainResult result;
        std::jthread trainer([&] { result = train(first); });
        QTRY_COMPARE(runs.load(), 3);
        QTest::qWait(50);
        QCOMPARE(runs.load(), 3);
        stop.request_stop();
        trainer.join();
        QCOMPARE(result.reason, EndReason::Stopped);
        QCOMPARE(result.updates, 11);

        evaluator->before = nullptr;
        request.directory = first.directory;
        request.resume = true;
        QVERIFY(joined(before, curveOf(request)) == whole);
    }

    void systemStageResumesUnderTheSameEvaluatorOnly() {
        const QTemporaryDir dir;
        TrainRequest request = smallRequest();
        request.options.stages = {{Stage::Simulation, 80}, {Stage::System, 80}};
        request.system = {std::make_shared<DoublingEvaluator>(request.problems[0])};
        const Curve whole = curveOf(request);
        request.directory = pathOf(dir);
        request.resume = true;
        // Between the stages all is still simulated.
        const Curve first = curveUntil(request, 10);
        const Checkpoint checkpoint = readCheckpoint(request.directory / "checkpoint.pt");
        QVERIFY(!checkpoint.progress.onSystem);
        QCOMPARE(checkpoint.problems[0].evaluator, std::string("doubling"));
        TrainRequest other = request;
        other.system = {simulatorEvaluator(request.problems[0], 1)};
        QVERIFY(refusal(other).find("\"doubling\"") != std::string::npos);
        const Curve second = curveUntil(request, 15);
        QVERIFY(readCheckpoint(request.directory / "checkpoint.pt").progress.onSystem);
        QVERIFY(joined(first, joined(second, curveOf(request))) == whole);
    }

    void divergenceRightAfterResumingKeepsTheResumedWeights() {
        const QTemporaryDir dir;
        TrainRequest request = smallRequest(200);
        request.directory = pathOf(dir);
        request.resume = true;
        curveUntil(request, 20);
        const std::filesystem::path file = request.directory / "checkpoint.pt";
        Checkpoint checkpoint = readCheckpoint(file);
        checkpoint.options.entropy = 1e12; // gradients explode at once
        writeCheckpoint(file, checkpoint);
        QCOMPARE(train(request).reason, EndReason::Diverged);
        QCOMPARE(readCheckpoint(file).weights, checkpoint.weights);
        QCOMPARE(readCheckpoint(file).adamSteps, checkpoint.adamSteps);
    }

    void stopAndPauseAreHeard() {
        TrainRequest request = smallRequest(1'000'000);
        std::stop_source stop;
        request.stop = stop.get_token();
        request.pause = std::make_shared<PauseSwitch>();
        std::atomic<int> updates{0};
        request.progress = [&](const UpdateFacts&) {
            if (++updates == 4) {
                request.pause->set(true);
            }
        };
        TrainResult result;
        std::jthread trainer([&] { result = train(request); });
        QTRY_COMPARE(updates.load(), 4);
        QTest::qWait(50);
        QCOMPARE(updates.load(), 4);
        request.pause->set(false);
        QTRY_VERIFY(updates.load() > 6);
        request.pause->set(true);
        stop.request_stop(); // also wakes one that pauses
        trainer.join();
        QCOMPARE(result.reason, EndReason::Stopped);
        sim::checkAssignment(*request.problems[0], result.problems[0].bestAssignment);
    }

    void divergenceKeepsTheLastGoodWeights() {
        const QTemporaryDir dir;
        TrainRequest request = smallRequest(200);
        request.directory = pathOf(dir);
        request.options.firstRate = 1e30; // weights run away at once
        request.options.lastRate = 1e30;
        const TrainResult result = train(request);
        QCOMPARE(result.reason, EndReason::Diverged);
        for (const float weight : readCheckpoint(request.directory / "checkpoint.pt").weights) {
            QVERIFY(std::isfinite(weight));
        }
    }

    void plateauEndsAStage() {
        TrainRequest request = smallRequest(100'000);
        request.options.patience = 30;
        const TrainResult result = train(request);
        QCOMPARE(result.reason, EndReason::Plateau);
        QVERIFY(result.updates < 100'000);
    }

    void policiesMoveToOtherGraphsAndDeviceCounts() {
        const QTemporaryDir dir;
        TrainRequest request = smallRequest();
        request.directory = pathOf(dir);
        train(request);
        const std::filesystem::path checkpoint = request.directory / "checkpoint.pt";

        RandomProblemSpec spec;
        spec.ops = 50;
        spec.devices = 6;
        spec.unlikeDevices = true;
        spec.pinned = 0.2;
        place::PlaceRequest place;
        place.problem = randomProblem(spec, 9);
        const place::PlaceResult placed = placeWithPolicy(place, checkpoint);
        sim::checkAssignment(*place.problem, placed.assignment);
        for (OpId op = 0; op < place.problem->opCount(); ++op) {
            if (place.problem->pin(op) != kNoDevice) {
                QCOMPARE(placed.assignment[static_cast<std::size_t>(op)], place.problem->pin(op));
            }
        }
        QCOMPARE(placed.makespan, sim::Simulator(place.problem).makespan(placed.assignment));
        QCOMPARE(placeWithPolicy(place, checkpoint).assignment, placed.assignment);

        TrainRequest more = smallRequest();
        more.problems = {place.problem};
        more.init = checkpoint;
        const Curve started = curveOf(more);
        more.init.clear();
        QVERIFY(!(curveOf(more) == started));
    }

    void mismatchesAreOneClearMessage() {
        const QTemporaryDir dir;
        TrainRequest request = smallRequest(2);
        request.directory = pathOf(dir);
        train(request);
        QVERIFY(refusal(request).find("resume") != std::string::npos); // not overwritten

        TrainRequest other = request;
        other.resume = true;
        other.problems = {smallProblem(25, 4)};
        QVERIFY(refusal(other).find("another problem") != std::string::npos);

        TrainRequest wider = smallRequest(2);
        wider.options.hidden = 32;
        wider.init = request.directory / "checkpoint.pt";
        QVERIFY(refusal(wider).find("hidden size 16") != std::string::npos);

        const std::filesystem::path broken = request.directory / "broken.pt";
        const std::string good = io::readFile(request.directory / "checkpoint.pt");
        for (const std::string& text :
             {std::string("{}"), good.substr(0, 30), good.substr(0, good.size() / 2),
              good.substr(0, good.size() - 4), good + "1234"}) {
            std::ofstream(broken, std::ios::binary) << text;
            TrainRequest from = smallRequest(2);
            from.init = broken;
            QVERIFY(!refusal(from).empty());
        }

        std::string odd = good;
        const std::size_t hidden = odd.find("16", odd.find("\"hidden\""));
        odd.replace(hidden, 2, "99");
        std::ofstream(broken, std::ios::binary) << odd;
        TrainRequest from = smallRequest(2);
        from.init = broken;
        QVERIFY(refusal(from).find("multiple of 8") != std::string::npos);

        TrainRequest empty = smallRequest();
        empty.problems.clear();
        QVERIFY(!refusal(empty).empty());
        TrainRequest system = smallRequest();
        system.options.stages = {{Stage::System, 10}};
        QVERIFY(refusal(system).find("runtime") != std::string::npos);
    }

    void stagesAreRead() {
        const std::vector<StagePlan> plans = parseStages("imitation:5,system:7");
        QCOMPARE(plans.size(), std::size_t{2});
        QVERIFY(plans[1].stage == Stage::System && plans[1].episodes == 7);
        for (const char* text :
             {"", "imitation", "imitation:", "imitation:0", "imitation:-1", "imitation:1x",
              "other:3", "simulation:1,imitation:1", "system:1,system:1", "imitation:1,"}) {
            QVERIFY_EXCEPTION_THROWN(parseStages(text), InputError);
        }
    }

    void extremeProblemsAreTrained() {
        for (const RandomProblemSpec& spec :
             {RandomProblemSpec{.ops = 1}, RandomProblemSpec{.ops = 12, .devices = 1},
              RandomProblemSpec{.ops = 3, .devices = 9},
              RandomProblemSpec{.shape = GraphShape::Independent, .ops = 12},
              RandomProblemSpec{.ops = 12, .zeroCosts = 1},
              RandomProblemSpec{.ops = 12, .pinned = 1}}) {
            TrainRequest request = smallRequest(5);
            request.problems = {randomProblem(spec, 1)};
            const TrainResult result = train(request);
            sim::checkAssignment(*request.problems[0], result.problems[0].greedyAssignment);
            QVERIFY(result.reason != EndReason::Diverged);
        }
    }
};

QTEST_GUILESS_MAIN(TestTrainer)
#include "TestTrainer.moc"
