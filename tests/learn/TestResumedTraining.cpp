#include <QTest>

#include <algorithm>
#include <fstream>
#include <limits>
#include <thread>

#include "core/io/Formats.h"
#include "core/learn/Checkpoint.h"
#include "tests/support/SmallTraining.h"

using namespace doppler;
using namespace doppler::learn;
using namespace doppler::tests;

namespace {

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

} // namespace

class TestResumedTraining : public QObject {
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
};

QTEST_GUILESS_MAIN(TestResumedTraining)
#include "TestResumedTraining.moc"
