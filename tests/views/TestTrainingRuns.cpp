#include <QSignalSpy>
#include <QTest>

#include "views/training/CurveData.h"
#include "views/training/TrainingFeed.h"

using namespace doppler;
using namespace doppler::views;

namespace {

learn::UpdateFacts update(learn::Stage stage, std::span<const Time> makespans, Time best) {
    learn::UpdateFacts facts;
    facts.stage = stage;
    facts.makespans = makespans;
    facts.best = best;
    return facts;
}

} // namespace

class TestTrainingRuns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void meanIsOfTheLastHundred() {
        CurveData curve;
        curve.add(std::vector<Time>(150, 10));
        curve.add(std::vector<Time>(50, 20));
        QCOMPARE(curve.mean(), 15.0); // 50 of 10, 50 of 20
        QCOMPARE(curve.episodeCount(), 200);
    }

    void bestsOnlyFall() {
        CurveData curve;
        curve.setBest(0);
        curve.add(std::vector<Time>{9, 8});
        curve.setBest(8);
        curve.setBest(9);
        curve.add(std::vector<Time>{7});
        curve.setBest(7);
        QCOMPARE(curve.bests().size(), std::size_t(2));
        QCOMPARE(curve.bests()[1].episode, 3.0);
        QCOMPARE(curve.best(), Time(7));
    }

    void manyEpisodesAreThinnedEvenly() {
        CurveData curve;
        std::vector<Time> batch(64);
        for (int i = 0; i < 10'000; ++i) {
            std::fill(batch.begin(), batch.end(), Time(1'000'000 - i));
            curve.add(batch);
        }
        QCOMPARE(curve.episodeCount(), 640'000);
        QVERIFY(curve.episodes().size() <= 8'000);
        QVERIFY(curve.episodes().size() >= 4'000);
        QCOMPARE(curve.means().size(), curve.episodes().size());
        const double step = curve.episodes()[1].episode - curve.episodes()[0].episode;
        for (std::size_t i = 1; i < curve.episodes().size(); ++i) {
            QCOMPARE(curve.episodes()[i].episode - curve.episodes()[i - 1].episode, step);
        }
    }

    void stagesBeginOnce() {
        CurveData curve;
        curve.startStage(learn::Stage::Imitation);
        curve.startStage(learn::Stage::Imitation);
        curve.add(std::vector<Time>{5, 5});
        curve.startStage(learn::Stage::Simulation);
        QCOMPARE(curve.stages().size(), std::size_t(2));
        QCOMPARE(curve.stages()[1].episode, std::int64_t(3));
    }

    void feedGathersBetweenTakes() {
        TrainingFeed feed;
        const std::vector<Time> first{5, 4};
        const std::vector<Time> second{3};
        feed.setActivity("cloning", 0.5);
        feed.add(update(learn::Stage::Imitation, first, 4));
        feed.add(update(learn::Stage::Simulation, second, 3));
        feed.add(update(learn::Stage::Simulation, first, 3));
        const TrainingFeed::News news = feed.take();
        QCOMPARE(news.stretches.size(), std::size_t(2));
        QCOMPARE(news.stretches[1].makespans, (std::vector<Time>{3, 5, 4}));
        QVERIFY(news.updated);
        QVERIFY(news.facts.makespans.empty()); // they are gone with the call
        QVERIFY(news.activity.empty());
        QVERIFY(!feed.take().updated);
    }

    void feedIsOfTheOpenProblem() {
        TrainingFeed feed;
        const std::vector<Time> makespans{5};
        learn::UpdateFacts other = update(learn::Stage::Simulation, makespans, 5);
        other.problem = 1;
        feed.add(other);
        QVERIFY(!feed.take().updated);
    }
};

QTEST_GUILESS_MAIN(TestTrainingRuns)
#include "TestTrainingRuns.moc"
