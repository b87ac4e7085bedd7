#include <algorithm>
#include <iostream>

#include "app/cli/Commands.h"
#include "app/cli/InterruptWatcher.h"
#include "app/cli/Output.h"
#include "app/cli/ProblemOptions.h"
#include "app/cli/ProgressBar.h"
#include "app/cli/RuntimeOptions.h"
#include "app/cli/TrainOutput.h"
#include "app/cli/UsageError.h"
#include "core/engine/RuntimeEvaluator.h"
#include "core/graph/InputError.h"
#include "core/learn/Checkpoint.h"
#include "core/learn/Trainer.h"
#include "core/sim/Bounds.h"

namespace doppler::cli {

namespace {

constexpr const char* kGeneralPolicy = "general"; // what --init calls it

struct Options {
    ProblemOptions problem;
    std::vector<std::string> also; ///< further graphs
    std::string method = "doppler";
    std::string preset = "fast";
    std::vector<learn::StagePlan> stages; ///< empty: the preset's
    std::string mode = "dual";
    std::optional<double> budgetSeconds;
    std::uint64_t seed = 1;
    int threads = 0;
    int batch = 0;
    std::optional<double> rate;
    std::int64_t patience = -1;
    bool noPolish = false;
    std::string runtime; ///< what stage III runs on
    int repeats = 1;
    std::set<std::string> given; ///< names of the options on the command line
    std::string out;
    bool resume = false;
    std::string init;
    bool json = false;
};

/// What judges stage III on one graph.
std::shared_ptr<learn::Evaluator> systemEvaluator(const Options& options, const std::string& graph,
                                                  const OpenedProblem& opened) {
    if (!isEmulated(options.runtime) &&
        opened.problem->costs->unit() != cost::TimeUnit::Nanoseconds) {
        throw UsageError("stage system measures time: use --costs physical or profiled");
    }
    return engine::systemEvaluator({.problem = opened.problem,
                                    .graph = graph,
                                    .runtime = options.runtime,
                                    .profile = opened.profile,
                                    .profileSource = options.problem.cluster,
                                    .seed = options.seed},
                                   1);
}

bool plans(const std::vector<learn::StagePlan>& stages, learn::Stage stage) {
    return std::any_of(stages.begin(), stages.end(),
                       [stage](const learn::StagePlan& plan) { return plan.stage == stage; });
}

bool plansSystem(const std::vector<learn::StagePlan>& stages) {
    return plans(stages, learn::Stage::System);
}

learn::TrainOptions trainOptions(const Options& options) {
    learn::TrainOptions result = learn::presetOptions(options.preset);
    if (!options.stages.empty()) {
        result.stages = options.stages;
    }
    result.systemRepeats = options.repeats;
    result.mode = learn::parsePolicyMode(options.mode);
    if (options.batch > 0) {
        result.batch = options.batch;
    }
    if (options.rate) {
        result.lastRate *= *options.rate / result.firstRate;
        result.firstRate = *options.rate;
    }
    if (options.patience >= 0) {
        result.patience = options.patience;
    }
    result.polish = result.polish && !options.noPolish;
    if (options.budgetSeconds && options.stages.empty() && options.preset == "fast") {
        // The time alone decides how long it learns.
        constexpr std::int64_t kEndless = 1'000'000'000;
        result.stages.back().episodes = kEndless;
    }
    if (options.init == kGeneralPolicy) {
        result.teacher = learn::Teacher::General;
    }
    return result;
}

/// Refuses options of stages that are not planned.
void checkStages(const Options& options, const std::vector<learn::StagePlan>& stages) {
    const bool system = plansSystem(stages);
    if (system && options.runtime.empty()) {
        throw UsageError("stage system needs --runtime: what its episodes run on");
    }
    constexpr const char* kExample = ", such as imitation:1000,simulation:4000,system:500";
    for (const auto& [name, means] :
         {std::pair("--runtime", "is what stage system runs on"),
          std::pair("--repeats", "is how often stage system runs an episode")}) {
        if (!system && options.given.contains(name)) {
            throw UsageError(std::string(name) + ' ' + means + "; --stages has none" + kExample);
        }
    }
    if (options.init == kGeneralPolicy && !plans(stages, learn::Stage::Imitation)) {
        throw UsageError(std::string("--init general is what stage imitation learns from; --stages "
                                     "has none") +
                         kExample);
    }
    if (options.rate && !system && !plans(stages, learn::Stage::Simulation)) {
        throw UsageError(std::string("--rate is of stages simulation and system; --stages has "
                                     "neither") +
                         kExample);
    }
}

/// A run goes on with what it was started with: refuses options that say otherwise. Returns what
/// its stage system runs on; empty: it has none.
std::string checkResumed(const Options& options, const learn::Checkpoint& run) {
    const learn::TrainOptions asked = trainOptions(options);
    const std::string runtime =
        plansSystem(run.options.stages) ? run.problems.front().evaluator : std::string();
    const std::vector<std::pair<std::string, bool>> same = {
        {"--preset", asked.preset == run.options.preset},
        {"--stages", asked.stages == run.options.stages},
        {"--policy-mode", asked.mode == run.options.mode},
        {"--repeats", asked.systemRepeats == run.options.systemRepeats},
        {"--batch", asked.batch == run.options.batch},
        {"--rate", asked.firstRate == run.options.firstRate},
        {"--patience", asked.patience == run.options.patience},
        {"--no-polish", asked.polish == run.options.polish},
        {"--seed", options.seed == run.seed},
        {"--runtime", options.runtime == runtime},
        {"--init", options.init != kGeneralPolicy || asked.teacher == run.options.teacher},
    };
    for (const auto& [name, agrees] : same) {
        if (options.given.contains(name) && !agrees) {
            throw UsageError(name + " is not what the run in \"" + options.out +
                             "\" was started with; --resume goes on with that");
        }
    }
    return runtime;
}

void openProblems(const Options& options, std::vector<OpenedProblem>& opened,
                  learn::TrainRequest& request) {
    ProblemOptions problem = options.problem;
    opened.push_back(openProblem(problem));
    for (const std::string& graph : options.also) {
        problem.graph = graph;
        opened.push_back(openProblem(problem));
    }
    for (const OpenedProblem& each : opened) {
        request.problems.push_back(each.problem);
    }
}

/// Fills in `options` what a resumed run remembers.
learn::TrainRequest makeRequest(Options& options, std::vector<OpenedProblem>& opened) {
    learn::TrainRequest request;
    request.options = trainOptions(options);
    const std::filesystem::path checkpoint = std::filesystem::path(options.out) / "checkpoint.pt";
    const bool resumes = options.resume && std::filesystem::exists(checkpoint);
    if (!resumes) {
        checkStages(options, request.options.stages);
    }
    openProblems(options, opened, request);
    if (resumes) {
        const learn::Checkpoint run = learn::readCheckpoint(checkpoint);
        learn::checkProblems(run, options.out, request.problems);
        options.runtime = checkResumed(options, run);
        options.seed = run.seed;
    }
    if (!options.runtime.empty()) {
        request.system.push_back(systemEvaluator(options, options.problem.graph, opened.front()));
        for (std::size_t i = 0; i < options.also.size(); ++i) {
            request.system.push_back(systemEvaluator(options, options.also[i], opened[i + 1]));
        }
    }
    request.budgetSeconds = options.budgetSeconds;
    request.seed = options.seed;
    request.threads = options.threads;
    request.directory = options.out;
    request.resume = options.resume;
    if (options.init != kGeneralPolicy) {
        request.init = options.init;
    }
    return request;
}

double fractionOf(const learn::UpdateFacts& facts, const Options& options) {
    const double episodes = static_cast<double>(facts.stageEpisodes) /
                            static_cast<double>(std::max<std::int64_t>(facts.stagePlanned, 1));
    return options.budgetSeconds ? std::max(episodes, facts.seconds / *options.budgetSeconds)
                                 : episodes;
}

int trainPolicy(Options& options) {
    std::vector<OpenedProblem> opened;
    learn::TrainRequest request = makeRequest(options, opened);
    std::vector<sim::Bound> bounds;
    for (const OpenedProblem& each : opened) {
        bounds.push_back(sim::lowerBound(*each.problem));
    }
    const InterruptWatcher interrupt;
    ProgressBar bar;
    request.stop = interrupt.token();
    request.activity = [&](const std::string& what, double share) { bar.draw(share, what); };
    request.progress = [&](const learn::UpdateFacts& facts) {
        const auto index = static_cast<std::size_t>(facts.problem);
        if (options.json) {
            printLine(updateJson(facts, *opened[index].problem, options.runtime));
        }
        constexpr std::int64_t kDrawEvery = 8;
        if (facts.update % kDrawEvery == 0) {
            bar.draw(
                fractionOf(facts, options),
                progressText(facts, *opened[index].problem, bounds[index].value, options.runtime));
        }
    };
    learn::TrainResult result;
    try {
        result = learn::train(request);
    } catch (const learn::EvaluationStopped& error) {
        bar.clear();
        std::cerr << "train: " << error.what() << "; --resume goes on\n";
        return interrupt.exitCode();
    }
    bar.clear();
    for (const std::string& note : result.notes) {
        std::cerr << "train: " << note << '\n';
    }
    if (options.json) {
        printLine(resultJson(result, opened, bounds, options.runtime));
    } else {
        printResult(result, opened, bounds, options.runtime);
    }
    return result.reason == learn::EndReason::Diverged ? kFailed : interrupt.exitCode();
}

} // namespace

void addTrainCommand(CLI::App& app, CommandRun& run) {
    const auto options = std::make_shared<Options>();
    CLI::App& command = addCommand(
        app, "train", "Train a policy that places the graph",
        "doppler train llama-layer:devices=4 --cluster uniform:4 --budget 60s --out run1\n\n"
        "`doppler train --general --out FILE` trains the policies of the placer instant: it is\n"
        "another name of `doppler train-general`.");
    addProblemOptions(command, options->problem);
    command
        .add_option("--also", options->also,
                    "Further graphs that the same policy is trained on, in turn")
        ->option_text("GRAPH...");
    command.add_option("--method", options->method, "What is trained")
        ->check(CLI::IsMember({"doppler"}))
        ->capture_default_str();
    command
        .add_option("--preset", options->preset,
                    "fast: batched, imitates annealed placements and its own best; paper: the "
                    "settings of the DOPPLER paper")
        ->check(CLI::IsMember(learn::presetNames()))
        ->capture_default_str();
    command
        .add_option_function<std::string>(
            "--stages",
            [options](const std::string& text) {
                try {
                    options->stages = learn::parseStages(text);
                } catch (const InputError& error) {
                    throw CLI::ValidationError("--stages", error.what());
                }
            },
            "Stages and their episodes, e.g. imitation:2000,simulation:4000; any of "
            "imitation, simulation, system, in this order. Default: those of the preset")
        ->option_text("STAGE:N,...");
    command
        .add_option("--policy-mode", options->mode,
                    "Which choices are learnt: op and device by two policies (dual), the op only "
                    "(sel-only), the device only (plc-only; the rest is the critical-path "
                    "heuristic), or both in one step by one policy over pairs (joint)")
        ->check(CLI::IsMember({"dual", "sel-only", "plc-only", "joint"}))
        ->capture_default_str();
    command
        .add_option(
            "--runtime", options->runtime,
            "What stage system runs on; emulated: the testbed of the cluster, in the unit of "
            "the costs, no measurement")
        ->check(CLI::IsMember(runtimeNames()))
        ->option_text(joined(runtimeNames(), "|"));
    command
        .add_option("--repeats", options->repeats,
                    "Runs an episode of stage system; their median counts")
        ->check(CLI::Range(1, 1000))
        ->option_text("N=1");
    addOptionalBudgetOption(command, options->budgetSeconds,
                            "Time for all of it; without one, until the stages are done");
    command.add_option("--batch", options->batch, "Episodes an update. Default: the preset's")
        ->check(CLI::Range(1, 65536))
        ->option_text("N");
    command
        .add_option("--rate", options->rate,
                    "Learning rate at the start of stages simulation and system; it falls as the "
                    "preset's does. Default: 1e-3 (the DOPPLER paper has 1e-4)")
        ->check(numberWithin(1e-9, 1, "a number from 1e-9 to 1"))
        ->option_text("R");
    command
        .add_option("--patience", options->patience,
                    "End a stage after so many updates without improvement; 0: never")
        ->check(CLI::Range(0, 1'000'000'000))
        ->option_text("N");
    command.add_flag("--no-polish", options->noPolish,
                     "No local search from the best placement now and then");
    command.add_option("--seed", options->seed, "Seed of the training")
        ->transform(seedNumber())
        ->option_text("N=1");
    command.add_option("--threads", options->threads, "Working threads. Default: all cores")
        ->check(CLI::Range(1, 1024))
        ->option_text("N");
    command.add_option("--out", options->out, "Folder of the run: checkpoint, episodes, best")
        ->check([](const std::string& text) {
            return text.empty() ? std::string("a folder needs a name") : std::string();
        })
        ->required()
        ->option_text("DIR REQUIRED");
    command.add_flag("--resume", options->resume,
                     "Continue the run in that folder with the options it was started with; others "
                     "are refused");
    command
        .add_option("--init", options->init,
                    "Start from the weights of this checkpoint; general: from the general policies "
                    "of the placer instant, tuned on the graph and imitated, without annealing")
        ->option_text("CHECKPOINT|general");
    command.add_flag("--json", options->json,
                     "Print one JSON object an update on stdout, and a last one with the result");
    command.callback([options, &command, &run] {
        options->given = givenOptions(command);
        run = [options] { return trainPolicy(*options); };
    });
}

} // namespace doppler::cli
