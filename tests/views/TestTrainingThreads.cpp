#include <QTest>

#include <atomic>
#include <filesystem>
#include <thread>

#include "core/learn/Checkpoint.h"
#include "core/place/Random.h"
#include "tests/support/SmallTraining.h"
#include "views/training/CurveData.h"
#include "views/training/TrainingFeed.h"

using namespace doppler;
using namespace doppler::tests;
using namespace doppler::views;

namespace {

/// A training on a thread of its own with threads of its own, as the window starts it, and what
/// the window does meanwhile from its own thread.
class Watched {
public:
    explicit Watched(TrainRequest request) : request_(std::move(request)) {
        request_.threads = 3;
        request_.pause = pause_;
        request_.stop = stop_.get_token();
        request_.progress = [feed = feed_](const UpdateFacts& facts) { feed->add(facts); };
        request_.activity = [feed = feed_](const std::string& text, double share) {
            feed->setActivity(text, share);
        };
        trainer_ = std::jthread([this] {
            result_ = learn::train(request_);
            over_ = true;
        });
    }
    ~Watched() { stop(); }

    /// Draws the curve and follows the best.
    void look() {
        const TrainingFeed::News news = feed_->take();
        for (const TrainingFeed::Stretch& stretch : news.stretches) {
            curve_.startStage(stretch.stage);
            curve_.add(stretch.makespans);
            curve_.setBest(stretch.best);
        }
        for (const TrainingFeed::NewBest& best : news.bests) {
            wrong_ += simulator_.makespan(*best.assignment) == best.makespan ? 0 : 1;
            ++bests_;
        }
        if (news.latest) {
            sim::checkAssignment(*request_.problems.front(), *news.latest);
        }
    }
    void setPaused(bool paused) { pause_->set(paused); }
    void stop() { stop_.request_stop(); }
    const TrainResult& join() {
        trainer_.join();
        look();
        return result_;
    }

    bool over() const { return over_; }
    const CurveData& curve() const { return curve_; }
    int bests() const { return bests_; }
    int wrong() const { return wrong_; }

private:
    TrainRequest request_;
    std::shared_ptr<TrainingFeed> feed_ = std::make_shared<TrainingFeed>();
    std::shared_ptr<learn::PauseSwitch> pause_ = std::make_shared<learn::PauseSwitch>();
    std::stop_source stop_;
    sim::Simulator simulator_{request_.problems.front()};
    CurveData curve_;
    int bests_ = 0;
    int wrong_ = 0;
    TrainResult result_;
    std::atomic<bool> over_{false};
    std::jthread trainer_;
};

} // namespace

/// Training while another thread watches, pauses and stops it. Also built for the thread sanitizer.
class TestTrainingThreads : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theCurveIsWholeWhoeverLooksOn() {
        TrainRequest request = smallRequest(60);
        Watched watched(request);
        for (int i = 0; !watched.over(); ++i) {
            watched.look();
            watched.setPaused(i % 3 == 0);
            std::this_thread::yield();
        }
        const TrainResult& result = watched.join();
        QCOMPARE(result.reason, EndReason::Finished);
        QCOMPARE(watched.curve().episodeCount(), result.episodes);
        QCOMPARE(watched.curve().best(), result.problems.front().best);
        QVERIFY(watched.bests() > 0);
        QCOMPARE(watched.wrong(), 0);
    }

    void stoppedAtAnyMomentItEndsAndCanBeResumed() {
        const QTemporaryDir dir;
        TrainRequest request = smallRequest(100'000);
        request.directory = pathOf(dir);
        request.options.teacher = learn::Teacher::CriticalPath; // no search before the first update
        request.options.patience = 0;                           // goes on until it is stopped
        request.saveEverySeconds = 0;                           // read while it is written
        place::Random random(5);
        constexpr int kStops = 8;
        std::int64_t updates = 0;
        for (int i = 0; i < kStops; ++i) {
            Watched watched(request);
            const auto looks = static_cast<int>(random.below(40));
            for (int look = 0; look < looks; ++look) {
                watched.look();
                watched.setPaused(random.below(4) == 0);
                const auto file = request.directory / "checkpoint.pt";
                if (std::filesystem::exists(file)) {
                    QVERIFY(learn::readCheckpoint(file).progress.updates >= updates);
                }
                QTest::qSleep(1);
            }
            watched.stop(); // maybe while it pauses, or before its first update
            const TrainResult& result = watched.join();
            QCOMPARE(result.reason, EndReason::Stopped);
            QCOMPARE(watched.wrong(), 0);
            QVERIFY(result.updates >= updates);
            updates = result.updates;
            request.resume = true;
        }
        Watched watched(request);
        while (watched.curve().episodeCount() == 0) {
            watched.look();
        }
        watched.stop();
        QVERIFY(watched.join().updates > updates);
    }

    void measuredEpisodesAreWatchedToo() {
        TrainRequest request = smallRequest();
        request.options.stages = {{Stage::Simulation, 80}, {Stage::System, 80}};
        const auto evaluator = std::make_shared<DoublingEvaluator>(request.problems[0]);
        request.system = {evaluator};
        Watched watched(request);
        while (!watched.over()) {
            watched.setPaused(true);
            watched.look();
            watched.setPaused(false);
            std::this_thread::yield();
        }
        QCOMPARE(watched.join().reason, EndReason::Finished);
        QCOMPARE(watched.curve().stages().back().stage, Stage::System);
        QCOMPARE(watched.curve().episodeCount(), 160);
    }
};

QTEST_GUILESS_MAIN(TestTrainingThreads)
#include "TestTrainingThreads.moc"
