#include <QTemporaryDir>
#include <QTest>

#include "core/graph/InputError.h"
#include "core/io/Formats.h"
#include "core/place/policy/EvolutionStrategy.h"
#include "core/place/policy/GeneralTraining.h"

using namespace doppler;
using namespace doppler::place;

namespace {

GeneralTrainingOptions smallTraining() {
    GeneralTrainingOptions options;
    options.pool = 12;
    options.members = 2;
    options.population = 8;
    options.problemsPerGeneration = 4;
    options.generations = 12;
    return options;
}

/// The least value that a strategy finds of an ellipsoid whose axes differ by 100, turned so that
/// the coordinates depend on each other if `turned`.
double minimised(Covariance covariance, bool turned, int generations) {
    constexpr std::size_t kSize = 8;
    EvolutionStrategy strategy(std::vector<double>(kSize, 2), std::vector<double>(kSize, 1), 12,
                               covariance);
    Random random(1);
    double best = 1e300;
    for (int i = 0; i < generations; ++i) {
        std::vector<double> values;
        for (const std::vector<double>& x : strategy.ask(random)) {
            double value = 0;
            for (std::size_t k = 0; k < kSize; ++k) {
                const double y = turned ? x[k] + x[(k + 1) % kSize] * 0.7 : x[k];
                value += y * y * (k % 2 == 0 ? 1 : 1e4);
            }
            values.push_back(value);
            best = std::min(best, value);
        }
        strategy.tell(values);
    }
    return best;
}

} // namespace

class TestGeneralTraining : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void strategiesMinimise() {
        QVERIFY(minimised(Covariance::Diagonal, false, 400) < 1e-10);
        QVERIFY(minimised(Covariance::Full, false, 600) < 1e-10);
        QVERIFY(minimised(Covariance::Full, true, 600) < 1e-10);
        // What the correlations are for.
        QVERIFY(minimised(Covariance::Full, true, 300) <
                minimised(Covariance::Diagonal, true, 300));
    }

    void sameResultWithAnyNumberOfThreads() {
        GeneralTrainingOptions options = smallTraining();
        options.threads = 1;
        const std::string one = writePolicies(trainGeneralPolicies(options, {}, {}));
        options.threads = 3;
        QCOMPARE(writePolicies(trainGeneralPolicies(options, {}, {})), one);
        options.seed = 2;
        QVERIFY(writePolicies(trainGeneralPolicies(options, {}, {})) != one);
    }

    void trainingImproves() {
        GeneralTrainingOptions options = smallTraining();
        options.members = 1;
        options.generations = 60;
        double first = 0;
        double last = 0;
        trainGeneralPolicies(options, {}, [&](const GeneralTrainingProgress& progress) {
            first = progress.generation == 1 ? progress.value : first;
            last = progress.value;
        });
        QVERIFY(last < first - 0.1);
    }

    void resumedRunGoesOnAsItWouldHave() {
        const QTemporaryDir folder;
        GeneralTrainingOptions options = smallTraining();
        options.statePath = folder.filePath("state").toStdString();
        const std::string whole = writePolicies(trainGeneralPolicies(options, {}, {}));

        std::filesystem::remove(options.statePath);
        std::stop_source stop;
        int generations = 0;
        trainGeneralPolicies(options, stop.get_token(), [&](const GeneralTrainingProgress&) {
            if (++generations == 17) {
                stop.request_stop();
            }
        });
        options.resume = true;
        QCOMPARE(writePolicies(trainGeneralPolicies(options, {}, {})), whole);
    }

    void aFinishedTrainingIsLeftAlone() {
        const QTemporaryDir folder;
        GeneralTrainingOptions options = smallTraining();
        options.generations = 1;
        options.statePath = folder.filePath("state").toStdString();
        trainGeneralPolicies(options, {}, {});
        const std::string kept = io::readFile(options.statePath);
        options.generations = 2;
        for (const bool resume : {false, true}) {
            options.resume = resume;
            QVERIFY_EXCEPTION_THROWN(trainGeneralPolicies(options, {}, {}), InputError);
            QCOMPARE(io::readFile(options.statePath), kept);
        }
    }

    void stateOfAnotherTrainingIsRefused() {
        const QTemporaryDir folder;
        GeneralTrainingOptions options = smallTraining();
        options.generations = 1;
        options.statePath = folder.filePath("state").toStdString();
        trainGeneralPolicies(options, {}, {});
        options.resume = true;
        options.seed = 7;
        QVERIFY_EXCEPTION_THROWN(trainGeneralPolicies(options, {}, {}), InputError);
        io::writeFileAtomically(options.statePath, "{}");
        QVERIFY_EXCEPTION_THROWN(trainGeneralPolicies(options, {}, {}), InputError);
    }
};

QTEST_GUILESS_MAIN(TestGeneralTraining)
#include "TestGeneralTraining.moc"
