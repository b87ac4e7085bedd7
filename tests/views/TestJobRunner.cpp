#include <QSignalSpy>
#include <QTest>

#include <stdexcept>

#include "views/jobs/JobRunner.h"

using namespace doppler::views;

class TestJobRunner : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aDeletedOwnerGetsNoResult() {
        JobRunner runner;
        auto owner = std::make_unique<QObject>();
        bool delivered = false;
        JobOptions options{QStringLiteral("short")};
        options.owner = owner.get();
        Job* job = runner.start<int>(
            options, [](JobContext&) { return 1; }, [&](int) { delivered = true; });
        QSignalSpy finished(job, &Job::finished);
        owner.reset();
        QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 60'000);
        QVERIFY(!delivered);
    }

    void failuresAreReported() {
        JobRunner runner;
        QString message;
        runner.start<int>(
            {QStringLiteral("broken")},
            [](JobContext&) -> int { throw std::runtime_error("out of luck"); }, [](int) {},
            [&](const QString& text) { message = text; });
        QTRY_COMPARE_WITH_TIMEOUT(message, QStringLiteral("out of luck"), 60'000);
    }

    void aResultMayDeleteTheRunner() {
        auto runner = std::make_unique<JobRunner>();
        Job* other = runner->start<int>(
            {QStringLiteral("other")},
            [](JobContext& context) {
                while (!context.stopToken().stop_requested()) {
                    std::this_thread::yield();
                }
                return 0;
            },
            [](int) { QFAIL("its runner is gone"); });
        QSignalSpy gone(other, &QObject::destroyed);
        runner->start<int>(
            {QStringLiteral("last")}, [](JobContext&) { return 1; }, [&](int) { runner.reset(); });
        QTRY_VERIFY_WITH_TIMEOUT(runner == nullptr, 60'000);
        QCOMPARE(gone.size(), 1);
        QCoreApplication::processEvents();
    }
};

QTEST_GUILESS_MAIN(TestJobRunner)
#include "TestJobRunner.moc"
