#include <QTest>

#include <algorithm>
#include <fstream>

#include "core/io/Formats.h"
#include "core/learn/Checkpoint.h"
#include "core/learn/PolicyPlacer.h"
#include "tests/support/SmallTraining.h"

using namespace doppler;
using namespace doppler::learn;
using namespace doppler::tests;

namespace {

/// Cloned well, then ruined by a rate far too high.
TrainRequest ruinedRequest() {
    TrainRequest request = smallRequest(12);
    request.options.stages = {{Stage::Imitation, 300}, {Stage::Simulation, 12 * 8}};
    request.options.polish = false;
    request.options.elites = 0;
    request.options.elitesPerUpdate = 0;
    request.options.firstRate = 0.3;
    request.options.lastRate = 0.3;
    return request;
}

Checkpoint checkpointOf(const TrainRequest& request) {
    return readCheckpoint(request.directory / "checkpoint.pt");
}

/// What the policy makes of it without sampling.
Time greedyOf(const TrainRequest& request, const std::filesystem::path& checkpoint) {
    place::PlaceRequest place;
    place.problem = request.problems.front();
    return sim::Simulator(place.problem).makespan(placeWithPolicy(place, checkpoint, 0).assignment);
}

} // namespace

class TestBestWeights : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatWasLearntIsNotLostAgain() {
        const QTemporaryDir dir;
        TrainRequest request = ruinedRequest();
        request.directory = pathOf(dir);
        Time best = std::numeric_limits<Time>::max();
        Time last = 0;
        request.progress = [&](const UpdateFacts& facts) {
            if (facts.stage == Stage::Simulation) {
                best = std::min(best, facts.greedy);
                last = facts.greedy;
            }
        };
        const TrainResult result = train(request);
        QVERIFY(last > best); // else this shows nothing
        QVERIFY(result.problems[0].greedy <= best);
        const std::filesystem::path file = request.directory / "checkpoint.pt";
        QCOMPARE(greedyOf(request, file), result.problems[0].greedy);
        const Checkpoint checkpoint = checkpointOf(request);
        QVERIFY(checkpoint.best.weights != checkpoint.weights);
        QVERIFY(checkpoint.best.update < checkpoint.progress.updates);

        // Another training starts from them.
        TrainRequest next = smallRequest(1);
        next.options.stages = {{Stage::Simulation, 8}};
        next.options.polish = false;
        next.init = file;
        Time first = 0;
        next.progress = [&](const UpdateFacts& facts) { first = facts.greedy; };
        train(next);
        QCOMPARE(first, result.problems[0].greedy);
    }

    void resumingGoesOnFromTheLatest() {
        TrainRequest request = ruinedRequest();
        const QTemporaryDir whole;
        request.directory = pathOf(whole);
        const Curve curve = curveOf(request);
        const Checkpoint expected = checkpointOf(request);
        const QTemporaryDir parts;
        request.directory = pathOf(parts);
        // The ruin begins with stage II, after 300 updates or when all is learnt.
        std::stop_source stop;
        TrainRequest first = request;
        first.stop = stop.get_token();
        Curve begun;
        first.progress = [&](const UpdateFacts& facts) {
            begun = joined(
                begun,
                {{facts.makespans.begin(), facts.makespans.end()}, {facts.loss}, {facts.best}});
            if (facts.stage == Stage::Simulation && facts.stageEpisodes == 6 * 8) {
                stop.request_stop();
            }
        };
        train(first);
        request.resume = true;
        QVERIFY(joined(begun, curveOf(request)) == curve);
        const Checkpoint found = checkpointOf(request);
        QCOMPARE(found.weights, expected.weights);
        QCOMPARE(found.best.weights, expected.best.weights);
        QCOMPARE(found.best.score, expected.best.score);
    }

    void severalProblemsAreJudgedTogether() {
        const QTemporaryDir dir;
        TrainRequest request = ruinedRequest();
        request.problems.push_back(smallProblem(30, 5));
        request.directory = pathOf(dir);
        const TrainResult result = train(request);
        const std::filesystem::path file = request.directory / "checkpoint.pt";
        for (std::size_t i = 0; i < 2; ++i) {
            TrainRequest each = request;
            each.problems = {request.problems[i]};
            QCOMPARE(greedyOf(each, file), result.problems[i].greedy);
        }
    }

    void measuredWeightsAreCompared() {
        const QTemporaryDir dir;
        TrainRequest request = ruinedRequest();
        request.options.stages.push_back({Stage::System, 5 * 8});
        request.system = {std::make_shared<DoublingEvaluator>(request.problems[0])};
        request.directory = pathOf(dir);
        const TrainResult result = train(request);
        QVERIFY(result.onSystem);
        const Time used = greedyOf(request, request.directory / "checkpoint.pt");
        QCOMPARE(result.problems[0].greedy, 2 * used);
        Checkpoint latest = checkpointOf(request);
        latest.best = {};
        const std::filesystem::path other = request.directory / "latest.pt";
        writeCheckpoint(other, latest);
        QVERIFY(used <= greedyOf(request, other));
    }

    void earlierVersionsAreRead() {
        const QTemporaryDir dir;
        TrainRequest request = ruinedRequest();
        request.directory = pathOf(dir);
        train(request);
        const std::filesystem::path file = request.directory / "checkpoint.pt";
        Checkpoint checkpoint = readCheckpoint(file);
        QVERIFY(!checkpoint.best.weights.empty());
        checkpoint.best = {};
        writeCheckpoint(file, checkpoint);
        std::string bytes = io::readFile(file);
        bytes.replace(bytes.find("/3\n"), 2, "/2");
        std::ofstream(file, std::ios::binary) << bytes;
        const Checkpoint old = readCheckpoint(file);
        QVERIFY(old.best.weights.empty());
        QCOMPARE(old.policyWeights(), checkpoint.weights);
        request.resume = true;
        QCOMPARE(refusal(request), std::string());
    }
};

QTEST_GUILESS_MAIN(TestBestWeights)
#include "TestBestWeights.moc"
