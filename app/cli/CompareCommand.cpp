#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>

#include "app/cli/Commands.h"
#include "app/cli/InterruptWatcher.h"
#include "app/cli/Output.h"
#include "app/cli/OutputFile.h"
#include "app/cli/PlacerNames.h"
#include "app/cli/ProblemOptions.h"
#include "app/cli/ProgressBar.h"
#include "app/cli/UsageError.h"
#include "core/cost/FormatQuantity.h"
#include "core/engine/SystemInfo.h"
#include "core/place/ComparisonTables.h"
#include "core/place/ExperimentRunner.h"

namespace doppler::cli {

namespace {

struct Options {
    ProblemOptions problem; ///< its graph is unused
    std::vector<std::string> graphs;
    std::vector<std::string> placers;
    std::vector<std::string> modes;
    std::vector<std::string> bestKnown; ///< "GRAPH=MAKESPAN"
    int seeds = 1;
    int threads = 1;
    double budgetSeconds = 2;
    std::optional<std::int64_t> evaluations;
    std::string objective; ///< empty: the usual one
    std::string resume;
    OutputFile output;
    bool json = false;
};

bool isFile(const std::string& text) {
    std::error_code unreadable;
    return std::filesystem::exists(text, unreadable);
}

/// Where "@CLUSTER" begins, or the end; a file may have an @ in its name.
std::size_t clusterMark(const std::string& text) {
    const std::size_t at = text.rfind('@');
    const std::size_t colon = text.rfind(':');
    const bool partOfName =
        at == std::string::npos || isFile(text) ||
        (colon != std::string::npos && colon > at && isFile(text.substr(0, colon)));
    return partOfName ? text.size() : at;
}

/// "GRAPH" or "GRAPH@CLUSTER".
struct GraphOnCluster {
    std::string graph;
    std::string cluster;
};

GraphOnCluster splitGraph(const std::string& text, const std::string& cluster) {
    const std::size_t mark = clusterMark(text);
    GraphOnCluster split{.graph = text.substr(0, mark),
                         .cluster = mark == text.size() ? cluster : text.substr(mark + 1)};
    if (split.graph.empty() || split.cluster.empty()) {
        throw UsageError("no cluster for \"" + text + "\": expected --cluster CLUSTER, or " +
                         (split.graph.empty() ? "GRAPH" : split.graph) + "@CLUSTER");
    }
    return split;
}

/// "chainmm", or with the cluster where one graph runs on several, or as it was asked for where
/// that says still too little.
std::vector<std::string> labelsOf(const std::vector<OpenedProblem>& opened,
                                  const std::vector<std::string>& texts) {
    std::map<std::string, std::set<std::string>> clusters;
    for (const OpenedProblem& each : opened) {
        clusters[each.problem->graph->name()].insert(each.problem->cluster->name());
    }
    std::vector<std::string> labels;
    std::map<std::string, std::set<std::string>> textsOf;
    for (std::size_t i = 0; i < opened.size(); ++i) {
        const std::string& name = opened[i].problem->graph->name();
        labels.push_back(clusters[name].size() > 1 ? name + '@' + opened[i].problem->cluster->name()
                                                   : name);
        textsOf[labels.back()].insert(texts[i]);
    }
    for (std::size_t i = 0; i < opened.size(); ++i) {
        labels[i] = textsOf[labels[i]].size() > 1 ? texts[i] : labels[i];
    }
    return labels;
}

struct Opened {
    place::Experiment experiment;
    std::vector<std::string> texts; ///< by problem: the graph as it was asked for
    Json reports = Json::object();  ///< by graph: what reading it had to say
};

/// Nobody should take one noisy run for the truth, or a mean for one run.
void tellOfNoise(const place::Objective& objective, const place::Objective& usual,
                 const sim::Problem& problem) {
    if (objective == usual) {
        std::cerr << "durations are random: placements are judged by "
                  << place::nameWithNoise(objective, problem) << ", the mean of " << usual.runs
                  << " noisy runs\n";
    } else if (objective.measure == place::Objective::Measure::Makespan) {
        std::cerr << "durations are random: the makespan is that of one noisy run; --objective "
                  << place::name(usual) << " judges by several\n";
    }
}

Opened openExperiment(const Options& options) {
    Opened result;
    std::vector<OpenedProblem> opened;
    for (const std::string& text : options.graphs) {
        const GraphOnCluster split = splitGraph(text, options.problem.cluster);
        for (const std::string& mode : options.modes) {
            ProblemOptions problem = options.problem;
            problem.graph = split.graph;
            problem.cluster = split.cluster;
            problem.sim.mode = mode;
            opened.push_back(openProblem(problem));
            result.texts.push_back(text);
            result.reports[text] = opened.back().report.notes;
        }
    }
    const std::vector<std::string> labels = labelsOf(opened, result.texts);
    place::Experiment& experiment = result.experiment;
    for (std::size_t i = 0; i < opened.size(); ++i) {
        experiment.problems.push_back(place::prepareProblem(labels[i], opened[i].problem));
    }
    experiment.methods = options.placers;
    experiment.seeds = options.seeds;
    experiment.budgetSeconds = options.budgetSeconds;
    experiment.maxEvaluations = options.evaluations;
    experiment.version = engine::programVersion();
    const sim::Problem& first = *experiment.problems.front().problem; // all have the same noise
    const place::Objective usual = place::usualObjective(first);
    experiment.objective =
        options.objective.empty() ? usual : place::parseObjective(options.objective);
    if (usual != place::Objective()) {
        tellOfNoise(experiment.objective, usual, first);
    }
    return result;
}

/// The problems that `graph` names, as the table does or as the command line did, by label: the
/// least makespan that may be known (a graph that runs in both modes has one label).
std::map<std::string, Time> boundsNamed(const std::string& graph, const Opened& opened) {
    const std::vector<place::ExperimentProblem>& problems = opened.experiment.problems;
    std::map<std::string, Time> bounds;
    for (std::size_t i = 0; i < problems.size(); ++i) {
        if (problems[i].label == graph || opened.texts[i] == graph) {
            const Time bound = problems[i].bound.value;
            Time& least = bounds.try_emplace(problems[i].label, bound).first->second;
            least = std::min(least, bound);
        }
    }
    return bounds;
}

/// Adds one value. Throws UsageError if no placement can have it, or another is there.
void addKnown(const std::string& label, Time value, Time bound,
              std::map<std::string, Time>& known) {
    if (value < bound) {
        throw UsageError("--best-known: found " + std::to_string(value) + " for \"" + label +
                         "\", expected at least its lower bound " + std::to_string(bound));
    }
    const auto [former, added] = known.try_emplace(label, value);
    if (!added) {
        throw UsageError("--best-known: found \"" + label + "\" twice, with " +
                         std::to_string(former->second) + " and " + std::to_string(value) +
                         ", expected each graph once");
    }
}

/// Adds what "GRAPH=N,GRAPH=N" says. A GRAPH may hold commas and equals signs too.
void addKnown(const std::string& text, const Opened& opened, std::map<std::string, Time>& known) {
    std::string part; // of the text, as yet without its end
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t comma = std::min(text.find(',', begin), text.size());
        part += (part.empty() ? "" : ",") + text.substr(begin, comma - begin);
        begin = comma + 1;
        const std::size_t equals = part.rfind('=');
        const std::string digits = equals == std::string::npos ? "" : part.substr(equals + 1);
        constexpr std::size_t kMostDigits = 18;
        const bool number = !digits.empty() && digits.size() <= kMostDigits &&
                            digits.find_first_not_of("0123456789") == std::string::npos;
        const std::map<std::string, Time> named =
            number ? boundsNamed(part.substr(0, equals), opened) : std::map<std::string, Time>();
        for (const auto& [label, bound] : named) {
            addKnown(label, std::stoll(digits), bound, known);
        }
        if (!named.empty()) {
            part.clear();
        } else if (begin > text.size() && number) {
            throw UsageError("--best-known: found the graph \"" + part.substr(0, equals) +
                             "\", expected one as the command line or the table names it, e.g. " +
                             opened.texts.front());
        } else if (begin > text.size()) {
            throw UsageError("--best-known: found \"" + part +
                             "\", expected GRAPH=MAKESPAN with a whole number");
        }
    }
}

std::map<std::string, Time> knownValues(const Options& options, const Opened& opened) {
    std::map<std::string, Time> known;
    for (const std::string& text : options.bestKnown) {
        addKnown(text, opened, known);
    }
    if (!known.empty() && opened.experiment.objective != place::Objective()) {
        std::cerr << "--best-known is ignored: its makespans say nothing of the objective "
                  << place::name(opened.experiment.objective) << '\n';
        known.clear();
    }
    return known;
}

/// Draws how far the experiment is, and what runs.
class Progress {
public:
    Progress(const place::Experiment& experiment, std::size_t made)
        : experiment_(experiment), made_(made), total_(experiment.totalRuns()) {}

    void show(const place::RunUpdate& update) {
        using Kind = place::RunUpdate::Kind;
        const place::ExperimentProblem& problem = experiment_.problems[update.problem];
        const std::string& method = experiment_.methods[update.method];
        std::string what = problem.label + "  " + method + "  seed " + std::to_string(update.seed);
        if (update.kind == Kind::Done || update.kind == Kind::Failed) {
            ++made_;
        }
        if (update.kind == Kind::Failed) {
            bar_.clear();
            std::cerr << problem.label << ", " << method << ", seed " << update.seed
                      << " failed: " << update.error << '\n';
        }
        double part = 0;
        if (update.kind == Kind::Progress) {
            part = std::clamp(update.fraction, 0.0, 1.0);
            what += "  " + cost::formatTime(update.best, problem.problem->costs->unit());
        }
        const double total = std::max(total_, 1);
        bar_.draw((static_cast<double>(made_) + part) / total,
                  std::to_string(made_) + " of " + std::to_string(total_) + " runs  " + what);
    }

private:
    const place::Experiment& experiment_;
    ProgressBar bar_;
    std::size_t made_;
    int total_;
};

std::size_t runsMade(const place::Comparison& comparison) {
    std::size_t made = 0;
    for (const place::CellSummary& cell : comparison.cells) {
        made += cell.runs.size();
    }
    return made;
}

/// What the program returns in the end: not kDone if an interrupt cut it short.
int makeRuns(const Options& options, const place::Experiment& experiment, place::RunStore& store) {
    const std::size_t made = runsMade(place::summarise(experiment, store));
    if (made > 0) {
        std::cerr << options.resume << ": " << made << " of " << experiment.totalRuns()
                  << " runs are there already\n";
    }
    const InterruptWatcher interrupt;
    Progress progress(experiment, made);
    place::RunnerOptions runner;
    runner.threads = options.threads;
    runner.stop = interrupt.token();
    runner.update = [&](const place::RunUpdate& update) { progress.show(update); };
    place::runExperiment(experiment, store, runner);
    return interrupt.exitCode();
}

/// What is shown of the runs.
struct Results {
    place::Comparison comparison;
    std::vector<place::ModePair> modes;
};

Json toJson(const Options& options, const Opened& opened, const Results& results) {
    const place::Comparison& comparison = results.comparison;
    const place::Experiment& experiment = opened.experiment;
    const double noise = place::noiseOf(experiment.objective, *experiment.problems.front().problem);
    Json ranks = Json::object();
    for (std::size_t i = 0; i < experiment.methods.size(); ++i) {
        const double rank = comparison.meanRank[i];
        ranks[experiment.methods[i]] = rank > 0 ? Json(rank) : Json();
    }
    return {{"cluster", options.problem.cluster.empty() ? Json() : Json(options.problem.cluster)},
            {"seeds", options.seeds},
            {"budget_seconds", options.evaluations ? Json() : Json(options.budgetSeconds)},
            {"max_evaluations", options.evaluations ? Json(*options.evaluations) : Json()},
            {"threads", options.threads},
            {"objective", place::name(experiment.objective)},
            {"noise", noise > 0 ? Json(noise) : Json()},
            {"version", experiment.version},
            {"unit", cost::name(experiment.problems.front().problem->costs->unit())},
            {"complete", runsMade(comparison) == static_cast<std::size_t>(experiment.totalRuns())},
            {"rows", place::comparisonRows(experiment, comparison, results.modes)},
            {"modes", place::modeRows(experiment, results.modes)},
            {"mean_rank", std::move(ranks)},
            {"report", opened.reports}};
}

std::string render(const Options& options, const Opened& opened, const Results& results,
                   const std::string& format) {
    if (format == "csv") {
        return place::numberTable(opened.experiment, results.comparison, results.modes).csv();
    }
    if (format == "json") {
        return toJson(options, opened, results)
                   .dump(2, ' ', false, Json::error_handler_t::replace) +
               '\n';
    }
    const TextTable table = place::readableTable(opened.experiment, results.comparison);
    const TextTable modes = place::modeTable(opened.experiment, results.modes);
    const bool markdown = format == "md";
    std::string text = markdown ? table.markdown() : table.latex();
    if (const std::string note = place::standingFootnote(results.comparison); !note.empty()) {
        text += markdown ? '\n' + note + '\n'
                         : "\n\\noindent{\\footnotesize " + io::latexText(note) + "}\n";
    }
    if (modes.rowCount() > 0) {
        text += '\n' + (markdown ? modes.markdown() : modes.latex());
    }
    return text;
}

void print(const Opened& opened, const Results& results) {
    std::cout << place::readableTable(opened.experiment, results.comparison).terminal();
    if (const std::string note = place::standingFootnote(results.comparison); !note.empty()) {
        std::cout << '\n' << note << '\n';
    }
    const TextTable modes = place::modeTable(opened.experiment, results.modes);
    if (modes.rowCount() > 0) {
        std::cout << '\n' << modes.terminal();
    }
}

int compare(const Options& options) {
    if (!options.objective.empty()) {
        checkNoise(place::parseObjective(options.objective), options.problem.sim);
    }
    const std::string format = options.output.prepare();
    const Opened opened = openExperiment(options);
    const std::map<std::string, Time> known = knownValues(options, opened);
    place::RunStore store;
    std::unique_ptr<place::RunStore> kept;
    if (!options.resume.empty()) {
        kept = std::make_unique<place::RunStore>(
            options.resume, place::RunStore::Damaged::Refuse,
            [&](const place::RunRecord& record, const std::string& where) {
                place::checkRun(opened.experiment, record, where);
            });
    }
    place::RunStore& runs = kept ? *kept : store;
    const int code = makeRuns(options, opened.experiment, runs);
    if (code != kDone) {
        std::cerr << "stopped early: the table holds the runs that ended until then"
                  << (kept ? "; the same command continues\n" : "\n");
    }
    Results results;
    results.comparison = place::summarise(opened.experiment, runs, known);
    if (code == kDone || opened.experiment.objective == place::Objective()) {
        results.modes = place::modePairs(opened.experiment, results.comparison);
    } // else many noisy runs, and who interrupts does not want to wait for them
    if (options.json) {
        printJson(toJson(options, opened, results));
    } else {
        print(opened, results);
    }
    if (options.output.wanted()) {
        options.output.write(render(options, opened, results, format));
    }
    return code;
}

void addComparedOptions(CLI::App& command, Options& options) {
    command
        .add_option("GRAPH", options.graphs,
                    "Workloads or files; GRAPH@CLUSTER gives one a cluster of its own")
        ->required()
        ->option_text("... REQUIRED");
    addDimensionOption(command, [&options](const std::string& sizes) {
        for (std::string& graph : options.graphs) {
            const std::size_t mark = clusterMark(graph);
            graph = withDimensions(graph.substr(0, mark), sizes) + graph.substr(mark);
        }
    });
    command
        .add_option("--cluster", options.problem.cluster,
                    "A preset, a file, or detect, for each GRAPH that names none itself")
        ->option_text("CLUSTER");
    addCostsOption(command, options.problem);
    command.add_option("--placers", options.placers, "Methods, separated by commas; default: all")
        ->delimiter(',')
        ->check(placerName("all"))
        ->option_text("NAME,...|all");
    command.add_option("--mode", options.modes, "wc, bsp, or wc,bsp for both; default: wc")
        ->delimiter(',')
        ->check(CLI::IsMember({"wc", "bsp"}))
        ->option_text("wc,bsp");
    command.add_option("--seeds", options.seeds, "Runs of each method that depends on chance")
        ->transform(wholeNumber(1, 10'000))
        ->option_text("N=1");
}

} // namespace

void addCompareCommand(CLI::App& app, CommandRun& run) {
    const auto options = std::make_shared<Options>();
    options->placers = placerNames();
    options->modes = {"wc"};
    CLI::App& command =
        addCommand(app, "compare", "The table of methods that researchers publish",
                   "doppler compare chainmm ffnn llama-block:devices=8@uniform:8 --cluster "
                   "uniform:4 \\\n    --placers heft,anneal --seeds 3 --budget 5s --resume "
                   "runs.jsonl -o table.csv");
    addComparedOptions(command, *options);
    addBudgetOption(command, options->budgetSeconds, "Time for each run of a search");
    addObjectiveOption(command, options->objective,
                       "What searches make small and methods are compared by: ",
                       "=makespan, with --noise mean:" + std::to_string(place::kUsualNoisyRuns));
    addEvaluationsOption(command, options->evaluations);
    command
        .add_option("--threads", options->threads,
                    "Runs made at once; more than one takes processors from searches")
        ->transform(wholeNumber(1, 256))
        ->option_text("N=1");
    command
        .add_option("--resume", options->resume,
                    "Keep every run in this file as it ends, and make only those it lacks")
        ->option_text("FILE");
    command
        .add_option("--best-known", options->bestKnown,
                    "Best known makespans from elsewhere, in the unit of the costs")
        ->option_text("GRAPH=N,...");
    addSimOptions(command, options->problem.sim);
    addOutputOption(command, options->output, "Write the table", {"csv", "md", "tex", "json"});
    addJsonFlag(command, options->json);
    command.callback([options, &run] {
        if (std::find(options->placers.begin(), options->placers.end(), "all") !=
            options->placers.end()) {
            options->placers = placerNames();
        }
        mergeRepeated(options->graphs, "GRAPH");
        mergeRepeated(options->placers, "--placers");
        mergeRepeated(options->modes, "--mode");
        run = [options] { return compare(*options); };
    });
}

} // namespace doppler::cli
