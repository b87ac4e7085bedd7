#include <QTemporaryDir>
#include <QTest>

#include <fstream>

#include "core/graph/InputError.h"
#include "core/io/Formats.h"
#include "core/place/policy/EvolutionStrategy.h"
#include "core/place/policy/TrainingState.h"

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
        const std::string policies = writePolicies(trainGeneralPolicies(options, {}, {}));
        const std::string kept = io::readFile(options.statePath);
        options.generations = 2;
        QVERIFY_EXCEPTION_THROWN(trainGeneralPolicies(options, {}, {}), InputError);
        options.resume = true;
        QCOMPARE(writePolicies(trainGeneralPolicies(options, {}, {})), policies);
        QCOMPARE(io::readFile(options.statePath), kept);
    }

    void aStateKnowsHowItWasStarted() {
        const QTemporaryDir folder;
        GeneralTrainingOptions options = smallTraining();
        options.generations = 1;
        options.seed = ~std::uint64_t{0};
        options.budgetSeconds = 77;
        options.statePath = folder.filePath("state").toStdString();
        trainGeneralPolicies(options, {}, {});
        const SavedTraining saved = readSavedTraining(options.statePath);
        QVERIFY(saved.finished());
        QCOMPARE(saved.options.seed, options.seed);
        QCOMPARE(saved.options.pool, options.pool);
        QCOMPARE(saved.options.members, options.members);
        QCOMPARE(saved.options.population, options.population);
        QCOMPARE(saved.options.problemsPerGeneration, options.problemsPerGeneration);
        QCOMPARE(saved.options.budgetSeconds, 77.0);
    }

    void everyFlippedBitIsNoticed() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("state").toStdString();
        GeneralTrainingOptions options = smallTraining();
        options.statePath = path;
        TrainingState state;
        state.members.push_back(handRule());
        writeTrainingState(state, options);
        const std::string good = io::readFile(path);
        const auto refusalOf = [&](const std::string& file) {
            std::ofstream(path, std::ios::binary) << file;
            try {
                readSavedTraining(path);
            } catch (const InputError& error) {
                return std::string(error.what());
            }
            return std::string();
        };
        QCOMPARE(refusalOf(good), std::string());
        const std::size_t magic = good.find('\n') + 1;
        constexpr std::size_t kStep = 7; // so that all parts and all bits have their turn
        for (std::size_t i = 0; i < good.size(); i += i < 2 * magic ? 1 : kStep) {
            std::string damaged = good;
            damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 8)));
            const std::string refusal = refusalOf(damaged);
            QVERIFY2(refusal.find(i < magic ? "another format" : "is damaged: found") !=
                         std::string::npos,
                     qPrintable(QString::number(i) + QString::fromStdString(": " + refusal)));
        }
        QVERIFY(refusalOf(good.substr(0, good.size() - 1)).find("is damaged") != std::string::npos);
        QVERIFY(refusalOf(good.substr(0, magic)).find("is damaged") != std::string::npos);
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
