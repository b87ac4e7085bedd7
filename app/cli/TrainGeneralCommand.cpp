#include <iostream>

#include "app/cli/Commands.h"
#include "app/cli/InterruptWatcher.h"
#include "app/cli/Output.h"
#include "app/cli/ProgressBar.h"
#include "core/cost/FormatQuantity.h"
#include "core/io/CheckWritable.h"
#include "core/io/Formats.h"
#include "core/place/policy/GeneralTraining.h"

namespace doppler::cli {

namespace {

struct Options {
    place::GeneralTrainingOptions training;
    std::string out;
    bool json = false;
};

constexpr double kLineEverySeconds = 10;

std::string numberText(double value, int digits) {
    std::ostringstream text;
    text.precision(digits);
    text << std::fixed << value;
    return text.str();
}

int trainGeneral(const Options& options) {
    io::checkWritable(options.out);
    const InterruptWatcher interrupt;
    place::GeneralTrainingOptions training = options.training;
    training.statePath = options.out + ".state";
    ProgressBar bar;
    double told = -kLineEverySeconds;
    place::GeneralTrainingProgress last;
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
    place::PolicyPortfolio portfolio =
        place::trainGeneralPolicies(training, interrupt.token(), progress);
    bar.clear();
    if (portfolio.members.empty()) {
        std::cerr << "stopped before the first policy was made: " << options.out
                  << " is not written; --resume goes on\n";
        return interrupt.exitCode();
    }
    portfolio.description = "Trained on " + std::to_string(training.pool) +
                            " generated problems, seed " + std::to_string(training.seed) + ", in " +
                            cost::formatSeconds(last.seconds);
    io::writeFileAtomically(options.out, place::writePolicies(portfolio));
    if (options.json) {
        std::cout << Json({{"seconds", last.seconds},
                           {"members", portfolio.members.size()},
                           {"ratio", std::exp(last.value)},
                           {"complete", !interrupt.interrupted()}})
                         .dump()
                  << '\n';
    } else {
        std::cout << portfolio.members.size() << " policies in " << options.out << "; "
                  << numberText(std::exp(last.value), 4)
                  << " of critical path on the problems trained on\n";
        if (interrupt.interrupted()) {
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
    command.add_flag("--resume", training.resume, "Go on from FILE.state");
    addJsonFlag(command, options->json);
    command.callback([options, &run] { run = [options] { return trainGeneral(*options); }; });
}

} // namespace doppler::cli
