#include <iostream>

#include "app/cli/Commands.h"
#include "app/cli/InterruptWatcher.h"
#include "app/cli/Output.h"
#include "app/cli/ProgressBar.h"
#include "app/cli/UsageError.h"
#include "core/cost/FormatQuantity.h"
#include "core/io/CheckWritable.h"
#include "core/io/Formats.h"
#include "core/place/policy/TrainingState.h"

namespace doppler::cli {

namespace {

struct Options {
    place::GeneralTrainingOptions training;
    std::string out;
    std::set<std::string> given; ///< names of the options on the command line
    bool json = false;
};

constexpr double kLineEverySeconds = 10;

std::string numberText(double value, int digits) {
    std::ostringstream text;
    text.precision(digits);
    text << std::fixed << value;
    return text.str();
}

/// A training goes on with what it was started with: refuses options that say otherwise. Threads,
/// and a budget that is given, are those of now.
place::GeneralTrainingOptions resumedOptions(const Options& options,
                                             const place::SavedTraining& saved) {
    struct Same {
        const char* name;
        std::uint64_t now;
        std::uint64_t atStart;
    };
    const auto number = [](int value) { return static_cast<std::uint64_t>(value); };
    const place::GeneralTrainingOptions& now = options.training;
    for (const Same& each :
         {Same{"--seed", now.seed, saved.options.seed},
          Same{"--pool", number(now.pool), number(saved.options.pool)},
          Same{"--members", number(now.members), number(saved.options.members)}}) {
        if (options.given.contains(each.name) && each.now != each.atStart) {
            throw UsageError(std::string(each.name) + ": found " + std::to_string(each.now) +
                             ", expected " + std::to_string(each.atStart) +
                             ", with which the training of \"" + saved.options.statePath.string() +
                             "\" was started; --resume goes on with that");
        }
    }
    place::GeneralTrainingOptions resumed = saved.options;
    resumed.resume = true;
    resumed.threads = now.threads;
    if (options.given.contains("--budget")) {
        resumed.budgetSeconds = now.budgetSeconds;
    }
    return resumed;
}

void writePortfolio(const Options& options, const place::GeneralTrainingOptions& training,
                    double seconds, place::PolicyPortfolio portfolio) {
    portfolio.description = "Trained on " + std::to_string(training.pool) +
                            " generated problems, seed " + std::to_string(training.seed) + ", in " +
                            cost::formatSeconds(seconds);
    io::writeFileAtomically(options.out, place::writePolicies(portfolio));
}

/// Nothing is left to train.
int tellFinished(const Options& options, const place::SavedTraining& saved) {
    std::cerr << "train-general: the training was finished already: nothing was trained; another "
                 "one needs another --out\n";
    writePortfolio(options, saved.options, saved.state.seconds, {"", saved.state.members});
    if (options.json) {
        std::cout << Json({{"seconds", saved.state.seconds},
                           {"members", saved.state.members.size()},
                           {"ratio", Json()}, // which the state of a finished one does not keep
                           {"complete", true}})
                         .dump()
                  << '\n';
    } else {
        std::cout << saved.state.members.size() << " policies in " << options.out << '\n';
    }
    return kDone;
}

int trainGeneral(const Options& options) {
    io::checkWritable(options.out);
    place::GeneralTrainingOptions training = options.training;
    training.statePath = options.out + ".state";
    place::GeneralTrainingProgress last;
    if (training.resume) {
        const place::SavedTraining saved = place::readSavedTraining(training.statePath);
        training = resumedOptions(options, saved);
        if (saved.finished()) {
            return tellFinished(options, saved);
        }
        last.seconds = saved.state.seconds;
        last.value = saved.state.value;
    }
    const InterruptWatcher interrupt;
    ProgressBar bar;
    double told = -kLineEverySeconds;
    const auto progress = [&](const place::GeneralTrainingProgress& now) {
        last = now;
        bar.draw(now.fraction,
                 "member " + std::to_string(now.member + 1) + "  " +
                     numberText(std::exp(now.value), 4) + " of critical path  " +
                     cost::formatCount(static_cast<std::int64_t>(now.rolloutsPerSecond)) +
                     " rollouts/s");
        if (options.json && now.seconds - told >= kLineEverySeconds) {
            told = now.seconds;
            std::cout << Json({{"seconds", now.seconds},
                               {"member", now.member + 1},
                               {"generation", now.generation},
                               {"ratio", std::exp(now.value)},
                               {"rollouts_per_second", now.rolloutsPerSecond}})
                             .dump()
                      << std::endl;
        }
    };
    const place::PolicyPortfolio portfolio =
        place::trainGeneralPolicies(training, interrupt.token(), progress);
    bar.clear();
    if (portfolio.members.empty()) {
        std::cerr << "stopped before the first policy was made: " << options.out
                  << " is not written; --resume goes on\n";
        return interrupt.exitCode();
    }
    writePortfolio(options, training, last.seconds, portfolio);
    // A stop during the last generation left nothing to do.
    const bool complete = static_cast<int>(portfolio.members.size()) == training.members;
    if (options.json) {
        std::cout << Json({{"seconds", last.seconds},
                           {"members", portfolio.members.size()},
                           {"ratio", std::exp(last.value)},
                           {"complete", complete}})
                         .dump()
                  << '\n';
    } else {
        std::cout << portfolio.members.size() << " policies in " << options.out << "; "
                  << numberText(std::exp(last.value), 4)
                  << " of critical path on the problems trained on\n";
        if (!complete) {
            std::cout << "stopped early; --resume goes on\n";
        }
    }
    return interrupt.exitCode();
}

} // namespace

void addTrainGeneralCommand(CLI::App& app, CommandRun& run) {
    const auto options = std::make_shared<Options>();
    place::GeneralTrainingOptions& training = options->training;
    CLI::App& command =
        addCommand(app, "train-general",
                   "Train the general policies of the placer instant on generated problems",
                   "doppler train-general --out general.json --budget 3min --seed 1");
    command.add_option("--out", options->out, "File of the policies; FILE.state is kept beside it")
        ->required()
        ->option_text("FILE");
    addBudgetOption(command, training.budgetSeconds, "Time over all runs, resumed ones included");
    command.add_option("--seed", training.seed, "Seed of problems and samples")
        ->transform(seedNumber())
        ->option_text("N=1");
    command.add_option("--pool", training.pool, "Generated problems")
        ->check(CLI::Range(1, 100'000))
        ->capture_default_str();
    command.add_option("--members", training.members, "Policies of the portfolio")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    command.add_option("--threads", training.threads, "Threads")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    command.add_flag("--resume", training.resume,
                     "Go on from FILE.state with the options of the start; others are refused but "
                     "--budget and --threads");
    addJsonFlag(command, options->json);
    command.callback([options, &command, &run] {
        options->given = givenOptions(command);
        run = [options] { return trainGeneral(*options); };
    });
}

} // namespace doppler::cli
