#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/io/Formats.h"
#include "core/learn/Checkpoint.h"
#include "core/learn/Learner.h"
#include "core/learn/PolicyPlacer.h"
#include "core/sim/Bounds.h"
#include "tests/support/SmallTraining.h"

using namespace doppler;
using namespace doppler::learn;
using namespace doppler::tests;

namespace {

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

/// The simulator's makespan of placements that put at most so many ops on device 0; no others run.
class CrampedEvaluator : public Evaluator {
public:
    CrampedEvaluator(std::shared_ptr<const sim::Problem> problem, std::ptrdiff_t most)
        : simulator_(std::move(problem)), most_(most) {}
    std::string name() const override { return "cramped"; }
    int lanes() const override { return 1; }
    Time evaluate(int, std::span<const DeviceId> assignment, std::uint64_t) override {
        if (std::count(assignment.begin(), assignment.end(), 0) > most_) {
            throw CannotRun("device 0 lacks 8 bytes");
        }
        return simulator_.makespan(assignment);
    }

private:
    sim::Simulator simulator_;
    std::ptrdiff_t most_;
};

/// After so many runs the next one takes until it is stopped.
class StoppingEvaluator : public Evaluator {
public:
    StoppingEvaluator(std::shared_ptr<const sim::Problem> problem, std::stop_source& stop, int runs)
        : simulator_(std::move(problem)), stop_(stop), left_(runs) {}
    std::string name() const override { return "stopping"; }
    int lanes() const override { return 1; }
    Time evaluate(int, std::span<const DeviceId> assignment, std::uint64_t) override {
        if (--left_ < 0) {
            stop_.request_stop();
            throw EvaluationStopped();
        }
        return simulator_.makespan(assignment);
    }

private:
    sim::Simulator simulator_;
    std::stop_source& stop_;
    int left_;
};

/// Up to half as long again, by the luck of the run and the placement; keeps what it measured.
class NoisyEvaluator : public Evaluator {
public:
    explicit NoisyEvaluator(std::shared_ptr<const sim::Problem> problem)
        : simulator_(std::move(problem)) {}
    std::string name() const override { return "noisy"; }
    int lanes() const override { return 1; }
    Time evaluate(int, std::span<const DeviceId> assignment, std::uint64_t seed) override {
        std::uint64_t luck = seed;
        for (const DeviceId device : assignment) {
            luck = mixSeeds(luck, 1, static_cast<std::uint64_t>(device));
        }
        const Time makespan = simulator_.makespan(assignment);
        const Time measured = makespan + static_cast<Time>(luck % 1000) * makespan / 2000;
        measured_[{assignment.begin(), assignment.end()}].push_back(measured);
        return measured;
    }
    const std::vector<Time>& measured(const sim::Assignment& assignment) const {
        return measured_.at(assignment);
    }

private:
    sim::Simulator simulator_;
    std::map<sim::Assignment, std::vector<Time>> measured_;
};

} // namespace

class TestTrainer : public QObject {
    Q_OBJECT

private Q_SLOTS:
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

    void aStageTooShortToLearnSaysSo() {
        for (const std::int64_t episodes : {50, 51}) {
            TrainRequest request = smallRequest();
            request.options = presetOptions("paper");
            request.options.hidden = 8;
            request.options.stages = {{Stage::Simulation, episodes}};
            const std::vector<std::string> notes = train(request).notes;
            QCOMPARE(std::any_of(notes.begin(), notes.end(),
                                 [](const std::string& note) {
                                     return note.find("had settled") != std::string::npos;
                                 }),
                     episodes == 50);
        }
    }

    void generalPoliciesTeachWithoutAnnealing() {
        TrainRequest request = smallRequest(5);
        request.options.polish = false;
        request.options.teacher = Teacher::General;
        bool told = false;
        request.progress = [&](const UpdateFacts& facts) {
            told = told || (facts.update == 1 && facts.improved != nullptr &&
                            facts.improvedBy == Origin::Teacher);
        };
        train(request);
        QVERIFY(told);
        TrainResult tuned;
        const Curve curve = curveOf(request, &tuned);
        QVERIFY(tuned.problems[0].teacher > 0);
        request.threads = 3;
        QVERIFY(curveOf(request) == curve);
        request.options.teacher = Teacher::Annealing;
        const Time annealed = train(request).problems[0].teacher;
        QVERIFY(annealed > 0 && annealed <= tuned.problems[0].teacher);
    }

    void jointPoliciesImprove() {
        TrainRequest request = smallRequest();
        request.options.mode = PolicyMode::Joint;
        request.options.stages = {{Stage::Simulation, 60 * 8}};
        request.options.polish = false;
        double firstMean = 0;
        double lastMean = 0;
        request.progress = [&](const UpdateFacts& facts) {
            firstMean += facts.update <= 5 ? facts.mean : 0;
            lastMean += facts.update > 55 ? facts.mean : 0;
        };
        train(request);
        QVERIFY(lastMean < firstMean);
    }

    void ablationsLearnTheirChoicesOnly_data() {
        QTest::addColumn<int>("mode");
        QTest::newRow("sel-only") << static_cast<int>(PolicyMode::SelOnly);
        QTest::newRow("plc-only") << static_cast<int>(PolicyMode::PlcOnly);
        QTest::newRow("joint") << static_cast<int>(PolicyMode::Joint);
    }

    void ablationsLearnTheirChoicesOnly() {
        QFETCH(int, mode);
        TrainRequest request = smallRequest();
        request.options.mode = static_cast<PolicyMode>(mode);
        const QTemporaryDir dir;
        request.directory = pathOf(dir);
        train(request);
        const Checkpoint checkpoint = readCheckpoint(request.directory / "checkpoint.pt");
        const NetworkShape shape = networkShape(checkpoint.options);
        // Adam's mean square of an untrained network's gradient is 0.
        const bool selTrained = request.options.mode != PolicyMode::PlcOnly;
        const bool plcTrained = request.options.mode != PolicyMode::SelOnly;
        for (std::size_t i = 0; i < shape.weights.size(); ++i) {
            const Weight& weight = shape.weights[i];
            const bool sel = i < shape.firstWeight(1);
            double sum = 0;
            for (std::size_t k = 0; k < weight.size(); ++k) {
                sum += static_cast<double>(checkpoint.adamSquare[weight.offset + k]);
            }
            if (weight.name.ends_with(".output.weight")) {
                QCOMPARE(sum > 0, sel ? selTrained : plcTrained);
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

    void whatCannotRunHasNoMakespan() {
        const QTemporaryDir dir;
        TrainRequest request = smallRequest();
        request.options.stages = {{Stage::Simulation, 8}, {Stage::System, 80}};
        request.directory = pathOf(dir);
        constexpr std::ptrdiff_t kMost = 8; // of 24 ops on three devices
        request.system = {std::make_shared<CrampedEvaluator>(request.problems[0], kMost)};
        std::ptrdiff_t failed = 0;
        request.progress = [&](const UpdateFacts& facts) {
            double sum = 0;
            std::ptrdiff_t ran = 0;
            for (std::size_t i = 0; i < facts.predicted.size(); ++i) {
                QVERIFY(facts.makespans[i] == 0 || facts.makespans[i] == facts.predicted[i]);
                sum += static_cast<double>(facts.makespans[i]);
                ran += facts.makespans[i] > 0 ? 1 : 0;
            }
            if (facts.stage == Stage::System) {
                failed += static_cast<std::ptrdiff_t>(facts.makespans.size()) - ran;
                QCOMPARE(facts.mean, ran == 0 ? 0 : sum / static_cast<double>(ran));
            }
        };
        const TrainResult result = train(request);
        QVERIFY(failed > 0 && failed < 80);
        const sim::Assignment& best = result.problems[0].bestAssignment;
        QVERIFY(std::count(best.begin(), best.end(), 0) <= kMost);
        QCOMPARE(result.problems[0].best, sim::Simulator(request.problems[0]).makespan(best));
        QVERIFY2(result.notes.at(0).find("could not run: device 0 lacks 8 bytes") !=
                     std::string::npos,
                 result.notes.at(0).c_str());
        const std::string episodes = io::readFile(request.directory / "episodes.csv");
        std::ptrdiff_t empty = 0;
        for (std::size_t at = 0; (at = episodes.find("system,0,,", at)) != std::string::npos;
             ++at) {
            ++empty;
        }
        QCOMPARE(empty, failed);
        const Checkpoint checkpoint = readCheckpoint(request.directory / "checkpoint.pt");
        for (const Elite& elite : checkpoint.problems[0].elites) {
            QVERIFY(std::count(elite.assignment.begin(), elite.assignment.end(), 0) <= kMost);
        }
    }

    void nothingThatRunsIsAnError() {
        TrainRequest request = smallRequest();
        request.options.stages = {{Stage::Simulation, 8}, {Stage::System, 100'000}};
        request.system = {std::make_shared<CrampedEvaluator>(request.problems[0], -1)};
        std::int64_t episodes = 0;
        request.progress = [&](const UpdateFacts& facts) { episodes = facts.episodes; };
        try {
            train(request);
            QFAIL("it found something that runs");
        } catch (const std::runtime_error& error) {
            QVERIFY2(std::string(error.what()).find("device 0 lacks 8 bytes") != std::string::npos,
                     error.what());
        }
        QVERIFY(episodes < 1'000); // it does not go on for nothing
    }

    void whatDoesNotFitTheMemoryIsSaid() {
        const QTemporaryDir dir;
        RandomProblemSpec spec;
        spec.ops = 24;
        spec.capacity = 0.01;
        TrainRequest request = smallRequest(2);
        request.problems = {randomProblem(spec, 2)};
        request.directory = pathOf(dir);
        const TrainResult result = train(request);
        QVERIFY(result.notes.back().find("does not fit the memory of") != std::string::npos);
        place::PlaceRequest place;
        place.problem = request.problems[0];
        const auto notes = placeWithPolicy(place, request.directory / "checkpoint.pt").notes;
        QVERIFY(std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
            return note.find("does not fit the memory of") != std::string::npos;
        }));
    }

    void aStopEndsAMeasurementThatTakesLong() {
        // In episodes, in records, in the choice at the end, in the last greedy episode.
        bool finished = false;
        for (int before = 0; !finished; before += before < 60 ? 1 : 13) { // runs that end
            std::stop_source stop;
            TrainRequest request = smallRequest();
            request.options.stages = {{Stage::Simulation, 8}, {Stage::System, 32}};
            request.system = {
                std::make_shared<StoppingEvaluator>(request.problems[0], stop, before)};
            request.stop = stop.get_token();
            std::int64_t told = 0;
            request.progress = [&](const UpdateFacts& facts) {
                told += static_cast<std::int64_t>(facts.makespans.size());
                QCOMPARE(facts.episodes, told);
            };
            const TrainResult result = train(request);
            QCOMPARE(result.episodes, told);
            QVERIFY(result.reason == EndReason::Stopped || result.reason == EndReason::Finished);
            const ProblemResult& found = result.problems[0];
            sim::checkAssignment(*request.problems[0], found.bestAssignment);
            QVERIFY(found.greedyAssignment.empty() || found.policyAssignment.empty() ||
                    found.greedy >= found.policy);
            finished = !stop.stop_requested();
        }
    }

    // At any moment, in rollouts and gradients: nothing has changed, and it can be made again.
    void anUpdateThatIsCutShortChangesNothing() {
        TrainRequest request = smallRequest();
        const NetworkShape shape = networkShape(request.options);
        for (const int threads : {1, 2}) {
            Learner learner(request.options, shape, threads, 0);
            learner.weights() = shape.initial(1);
            ProblemState state(request.problems[0], request.options, shape, threads, nullptr);
            const std::vector<float> before = learner.weights();
            Learner::Reinforcement how;
            how.rate = 1e-3;
            for (int asked = 0; asked < 8 + 1 + 8; ++asked) {
                std::atomic<int> left = asked;
                how.isOver = [&left] { return --left < 0; };
                QVERIFY(learner.reinforce(state, how).cut);
                QVERIFY(learner.weights() == before);
                QVERIFY(state.elites.all().empty());
                QVERIFY(state.greedy.assignment == nullptr);
                QCOMPARE(state.baseline.episodes, std::int64_t(0));
            }
            how.isOver = [] { return false; };
            QVERIFY(!learner.reinforce(state, how).cut);
            QVERIFY(learner.weights() != before);

            // What was measured is not thrown away.
            state.system = std::make_shared<DoublingEvaluator>(request.problems[0]);
            how.onSystem = true;
            const std::vector<Elite> elites = state.elites.all();
            std::atomic<int> left = 8;
            how.isOver = [&left] { return --left < 0; };
            QVERIFY(learner.reinforce(state, how).cut);
            QVERIFY(state.elites.all() == elites);
            left = 8 + request.options.elitesPerUpdate + 1;
            QVERIFY(!learner.reinforce(state, how).cut);
        }
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

    void stageThreeEndsWithAChoiceByManyMeasurements() {
        constexpr std::ptrdiff_t kTimes = 31;
        TrainRequest request = smallRequest();
        request.options.stages = {{Stage::Simulation, 80}, {Stage::System, 320}};
        const auto evaluator = std::make_shared<NoisyEvaluator>(request.problems[0]);
        request.system = {evaluator};
        const TrainResult trained = train(request);
        const ProblemResult& result = trained.problems[0];
        const std::vector<Time>& all = evaluator->measured(result.bestAssignment);
        QVERIFY(std::ssize(all) > kTimes);
        // If it is the greedy one, a few more came after those.
        bool median = false;
        for (std::ptrdiff_t skipped = 0; skipped <= 10 && std::ssize(all) - skipped >= kTimes;
             ++skipped) {
            std::vector<Time> last(all.end() - skipped - kTimes, all.end() - skipped);
            std::sort(last.begin(), last.end());
            median = median || last[kTimes / 2] == result.best;
        }
        QVERIFY(median);
        QVERIFY(result.best <= result.policy);
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
              RandomProblemSpec{.shape = GraphShape::Independent, .ops = 12, .zeroCosts = 1},
              RandomProblemSpec{.ops = 12, .pinned = 1}}) {
            const QTemporaryDir dir;
            TrainRequest request = smallRequest(5);
            request.problems = {randomProblem(spec, 1)};
            request.directory = pathOf(dir);
            const TrainResult result = train(request);
            sim::checkAssignment(*request.problems[0], result.problems[0].greedyAssignment);
            QVERIFY(std::filesystem::exists(request.directory / "best.assignment.json"));
            QVERIFY(result.reason != EndReason::Diverged);
        }
    }
};

QTEST_GUILESS_MAIN(TestTrainer)
#include "TestTrainer.moc"
