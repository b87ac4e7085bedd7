#include <QTest>

#include <algorithm>
#include <fstream>
#include <limits>
#include <thread>

#include "core/io/Formats.h"
#include "core/learn/Checkpoint.h"
#include "core/learn/RunDirectory.h"
#include "tests/support/SmallTraining.h"

using namespace doppler;
using namespace doppler::learn;
using namespace doppler::tests;

namespace {

constexpr int kLongMs = 60'000;

struct Killed {};

/// A checkpoint as earlier versions wrote it.
std::string withoutChecksum(const std::string& file) {
    const std::size_t first = file.find('\n');
    return "doppler-checkpoint/1\n" + file.substr(file.find('\n', first + 1) + 1);
}

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
        const Curve first = curveUntil(request, 9);
        request.resume = true;
        const Curve second = curveUntil(request, 17);
        QVERIFY(joined(first, joined(second, curveOf(request))) == whole);
    }

    void aBudgetThatIsUsedUpSaysSo() {
        const QTemporaryDir dir;
        TrainRequest request = smallRequest();
        request.directory = pathOf(dir);
        curveUntil(request, 9);
        request.resume = true;
        request.budgetSeconds = 1e-9;
        const TrainResult result = train(request);
        QCOMPARE(result.reason, EndReason::Budget);
        QVERIFY(!result.notes.empty());
        QVERIFY(result.notes.back().find("used up already") != std::string::npos);
    }

    void paperPresetResumesToo() {
        TrainRequest request = smallRequest();
        request.options = presetOptions("paper");
        request.options.hidden = 16;
        // Once before the baseline has settled, once when it learns.
        request.options.stages = {{Stage::Imitation, 10}, {Stage::Simulation, 90}};
        const Curve whole = curveOf(request);
        const QTemporaryDir dir;
        request.directory = pathOf(dir);
        const Curve first = curveUntil(request, 45);
        request.resume = true;
        const Curve second = curveUntil(request, 80);
        QVERIFY(joined(first, joined(second, curveOf(request))) == whole);
    }

    // As after kill -9: the checkpoint is older than what was written after it.
    void episodesAfterTheCheckpointAreMadeAgain() {
        const QTemporaryDir dir;
        TrainRequest request = smallRequest();
        request.directory = pathOf(dir);
        curveUntil(request, 9);
        request.resume = true;
        std::ofstream(request.directory / "episodes.csv", std::ios::app) << "half a line";
        train(request);
        const std::string episodes = io::readFile(request.directory / "episodes.csv");
        const QTemporaryDir other;
        request.directory = pathOf(other);
        request.resume = false;
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

    // Killed before the first update: what the teacher found is not searched for again.
    void theTeachersPlacementsAreKeptAtOnce() {
        const QTemporaryDir dir;
        TrainRequest request = smallRequest();
        request.directory = pathOf(dir);
        request.progress = [](const UpdateFacts&) { throw Killed(); };
        QVERIFY_EXCEPTION_THROWN(train(request), Killed);
        const Checkpoint checkpoint = readCheckpoint(request.directory / "checkpoint.pt");
        QCOMPARE(checkpoint.progress.updates, 0);
        QCOMPARE(checkpoint.problems[0].imitated.size(), std::size_t{1});
        QVERIFY(std::filesystem::exists(request.directory / "best.assignment.json"));

        request.resume = true;
        int searches = 0;
        request.progress = nullptr;
        request.activity = [&](const std::string&, double) { ++searches; };
        const TrainResult result = train(request);
        QCOMPARE(searches, 0);
        request.directory.clear();
        request.resume = false;
        QCOMPARE(result.problems[0].best, train(request).problems[0].best);
    }

    void twoTrainingsNeverShareAFolder() {
        const QTemporaryDir dir;
        TrainRequest request = smallRequest();
        request.directory = pathOf(dir);
        std::string second;
        request.progress = [&](const UpdateFacts& facts) {
            if (facts.update == 3) {
                TrainRequest other = request;
                other.progress = nullptr;
                other.resume = true;
                second = refusal(other);
            }
        };
        train(request);
        QVERIFY2(second.find("in use by another training") != std::string::npos, second.c_str());
        const std::string episodes = io::readFile(request.directory / "episodes.csv");
        QCOMPARE(std::count(episodes.begin(), episodes.end(), '\n'), 1 + 5 + 20 * 8);
        request.resume = true;
        request.progress = nullptr;
        QCOMPARE(refusal(request), std::string()); // free again
    }

    void anythingOfARunIsKept() {
        for (const char* file :
             {"run.json", "episodes.csv", "checkpoint.pt", "best.assignment.json"}) {
            const QTemporaryDir dir;
            TrainRequest request = smallRequest();
            request.directory = dir.path().toStdString();
            std::ofstream(request.directory / file) << "mine";
            QVERIFY2(refusal(request).find(file) != std::string::npos, file);
            QCOMPARE(io::readFile(request.directory / file), std::string("mine"));
        }
    }

    void resumingNeedsARun() {
        const QTemporaryDir dir;
        TrainRequest request = smallRequest();
        request.resume = true;
        request.directory = pathOf(dir);
        QVERIFY(refusal(request).find("found none") != std::string::npos);
        QVERIFY(!std::filesystem::exists(request.directory));
        request.directory = dir.path().toStdString();
        QVERIFY(refusal(request).find("no training run") != std::string::npos);
        request.directory /= "file";
        std::ofstream(request.directory) << "mine";
        QVERIFY(refusal(request).find("found a file, expected a folder") != std::string::npos);
    }

    void damagedCheckpointsAreRefused() {
        const QTemporaryDir dir;
        TrainRequest request = smallRequest(2);
        request.directory = pathOf(dir);
        train(request);
        const std::filesystem::path file = request.directory / "checkpoint.pt";
        const std::string good = io::readFile(file);
        request.resume = true;
        const auto refusalOf = [&](const std::string& bytes) {
            std::ofstream(file, std::ios::binary) << bytes;
            return refusal(request);
        };
        for (std::size_t at = 21; at < good.size(); at += good.size() / 50) {
            std::string damaged = good;
            damaged[at] = static_cast<char>(damaged[at] ^ 1);
            QVERIFY2(refusalOf(damaged).find("is damaged") != std::string::npos,
                     std::to_string(at).c_str());
        }
        std::string old = withoutChecksum(good);
        old.replace(old.size() - 400, 40, std::string(40, '\xff'));
        QVERIFY(refusalOf(old).find("is damaged") != std::string::npos);

        // Work of earlier versions goes on.
        QCOMPARE(refusalOf(withoutChecksum(good)), std::string());
        std::ofstream(file, std::ios::binary) << withoutChecksum(good);
        const TrainResult result = train(request);
        QVERIFY(result.notes.at(0).find("without a checksum") != std::string::npos);
        QVERIFY(readCheckpoint(file).note.empty());
    }

    void runJsonFollowsTheCheckpoint() {
        const QTemporaryDir dir;
        TrainRequest request = smallRequest(2);
        request.directory = pathOf(dir);
        train(request);
        const std::filesystem::path file = request.directory / "run.json";
        const std::string good = io::readFile(file);
        request.resume = true;
        QCOMPARE(train(request).notes.size(), std::size_t{1}); // finished already
        QCOMPARE(io::readFile(file), good);
        std::string edited = good;
        edited.replace(edited.find("\"seed\": 1"), 9, "\"seed\": 7");
        for (const std::string& text :
             {std::string(), std::string("{}"), good.substr(0, 100), edited}) {
            std::ofstream(file) << text;
            QVERIFY(train(request).notes.at(0).find("run.json") != std::string::npos);
            QCOMPARE(io::readFile(file), good);
        }
        std::filesystem::remove(file);
        QVERIFY(train(request).notes.at(0).find("missing") != std::string::npos);
        QCOMPARE(io::readFile(file), good);
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

    void aRunThatNeverBeganMayBeginAgain() {
        const QTemporaryDir dir;
        TrainRequest request = smallRequest();
        request.directory = pathOf(dir);
        RunDirectory(request.directory, false).start(request, {"hash"});
        request.resume = true; // with which options?
        QVERIFY(refusal(request).find("without resuming") != std::string::npos);
        request.resume = false;
        QCOMPARE(train(request).reason, EndReason::Finished);
    }

    void theBestFileNeverGoesBack() {
        TrainRequest request = smallRequest(200);
        request.options.stages = {{Stage::Simulation, 200 * 8}};
        request.options.polish = false;
        const sim::Problem& problem = *request.problems[0];
        sim::Simulator simulator(request.problems[0]);
        const QTemporaryDir dir;
        request.directory = pathOf(dir);
        Time last = std::numeric_limits<Time>::max();
        for (std::int64_t until = 1; until < 20; ++until) {
            curveUntil(request, until);
            request.resume = true;
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
        QTRY_COMPARE_WITH_TIMEOUT(runs.load(), 3, kLongMs);
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
        // Between the stages all is still simulated.
        const Curve first = curveUntil(request, 10);
        request.resume = true;
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
        curveUntil(request, 20);
        request.resume = true;
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
        request.options.patience = 0; // goes on until it is stopped
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
        QTRY_COMPARE_WITH_TIMEOUT(updates.load(), 4, kLongMs);
        QTest::qWait(50);
        QCOMPARE(updates.load(), 4);
        request.pause->set(false);
        QTRY_VERIFY_WITH_TIMEOUT(updates.load() > 6, kLongMs);
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

        // One that is whole, but of no network.
        std::string odd = withoutChecksum(good);
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
