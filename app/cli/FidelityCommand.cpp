#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>

#include "app/cli/Commands.h"
#include "app/cli/InterruptWatcher.h"
#include "app/cli/Output.h"
#include "app/cli/OutputFile.h"
#include "app/cli/ProblemOptions.h"
#include "app/cli/ProgressBar.h"
#include "app/cli/RuntimeOptions.h"
#include "core/cost/FormatQuantity.h"
#include "core/engine/Fidelity.h"
#include "core/engine/RunSetup.h"
#include "core/io/ProfileJson.h"

namespace doppler::cli {

namespace {

constexpr double kNsPerMs = 1e6;
constexpr std::int64_t kEvaluations = 4000; // of the search for a good assignment

struct Options {
    ProblemOptions problem;
    std::string runtime = "cpu";
    int assignments = 40;
    int repeats = 9;
    int warmUps = 3;
    std::uint64_t seed = 1;
    OutputFile output;
    bool json = false;
};

/// Profiled where the cluster is, unless the user says otherwise.
OpenedProblem openSimulated(const Options& options) {
    ProblemOptions problem = options.problem;
    if (problem.costs.empty()) {
        const bool profiled = io::openProfile(problem.cluster) != nullptr;
        problem.costs = profiled ? "profiled" : "physical";
        if (!profiled) {
            std::cerr << problem.cluster
                      << ": no measured times; physical costs are compared "
                         "(doppler calibrate measures)\n";
        }
    }
    return openProblem(problem);
}

struct Result {
    OpenedProblem opened;
    engine::RuntimeInfo runtime;
    engine::Fidelity fidelity;
};

Result measure(const Options& options, InterruptWatcher& interrupt) {
    Result result;
    result.opened = openSimulated(options);
    const SimFlags& flags = options.problem.sim;
    const engine::RunSetup setup =
        engine::setUpRun({.problem = result.opened.problem,
                          .graph = options.problem.graph,
                          .runtime = options.runtime,
                          .profile = result.opened.profile,
                          .profileSource = options.problem.cluster,
                          .keepContention = !flags.preset.empty() || flags.contention,
                          .keepCores = flags.cores.has_value(),
                          .seed = options.seed});
    result.runtime = setup.runtime->info();
    result.opened.problem = setup.simulated;
    engine::FidelityRequest request;
    request.problem = setup.simulated;
    request.executed = setup.executed;
    request.runtime = setup.runtime.get();
    request.repeats = options.repeats;
    request.warmUps = options.warmUps;
    request.shared = setup.sharedProcessors > 0;
    request.seed = options.seed;
    request.stop = interrupt.token();
    for (const std::string& note : setup.notes) {
        std::cerr << options.runtime << ": " << note << '\n';
    }
    ProgressBar bar;
    const int planned = options.warmUps + options.repeats;
    request.progress = [&](double share, const std::string& what) {
        if (share * planned >= options.warmUps + 1) {
            interrupt.keep(); // every assignment was measured once
        }
        bar.draw(share, what);
    };
    bar.draw(-1, "looking for assignments");
    request.assignments = engine::assignmentsOfAllQualities(
        result.opened.problem, options.assignments, options.seed, kEvaluations, interrupt.token());
    result.fidelity = engine::measureFidelity(request);
    interrupt.keep();
    return result;
}

Json numberOrNull(double value) {
    return std::isfinite(value) ? Json(value) : Json();
}

/// What nobody measured must not be called so.
std::string ranAs(const engine::RuntimeInfo& runtime) {
    return runtime.emulated ? "emulated" : "measured";
}

Json rowJson(const engine::FidelityRow& row, const engine::RuntimeInfo& runtime) {
    return {{"simulated_ms", static_cast<double>(row.simulated) / kNsPerMs},
            {ranAs(runtime) + "_ms",
             row.measured ? Json(static_cast<double>(*row.measured) / kNsPerMs) : Json()},
            {"error", row.measured ? Json(row.error()) : Json()},
            {"accepted", row.makespans.size()},
            {"rejected", row.rejected}};
}

Json toJson(const Result& result) {
    const engine::Fidelity& fidelity = result.fidelity;
    Json rows = Json::array();
    for (const engine::FidelityRow& row : fidelity.rows) {
        rows.push_back(rowJson(row, result.runtime));
    }
    Json json = problemJson(*result.opened.problem, result.opened.report);
    json["runtime"] = result.runtime.name;
    json["emulated"] = result.runtime.emulated;
    json["assignments"] = fidelity.rows.size();
    json[result.runtime.emulated ? "emulated_assignments" : "measured"] = fidelity.measured;
    json["median_error"] = fidelity.medianError;
    json["worst_error"] = fidelity.worstError;
    json["rank_correlation"] = numberOrNull(fidelity.rankCorrelation);
    json["split_half_correlation"] = numberOrNull(fidelity.splitHalf);
    json["accepted_runs"] = fidelity.accepted;
    json["rejected_runs"] = fidelity.rejected;
    json["stopped_early"] = fidelity.outcome == engine::Outcome::Cancelled;
    json["rows"] = std::move(rows);
    return json;
}

std::string correlationText(double value) {
    if (!std::isfinite(value)) {
        return "not defined (too few or equal values)";
    }
    char text[32];
    std::snprintf(text, sizeof(text), "%.3f", value);
    return text;
}

void print(const Result& result) {
    const engine::Fidelity& fidelity = result.fidelity;
    const auto time = [](Time ns) { return cost::formatTime(ns, cost::TimeUnit::Nanoseconds); };
    TextTable table({{"assignment"}, {"simulated"}, {ranAs(result.runtime)}, {"error"}, {"runs"}});
    for (std::size_t i = 0; i < fidelity.rows.size(); ++i) {
        const engine::FidelityRow& row = fidelity.rows[i];
        table.add({std::to_string(i + 1), time(row.simulated),
                   row.measured ? time(*row.measured) : "-",
                   row.measured ? cost::formatPercent(row.error()) : "-",
                   std::to_string(row.makespans.size())});
    }
    const auto [best, worst] =
        std::minmax_element(fidelity.rows.begin(), fidelity.rows.end(),
                            [](const auto& a, const auto& b) { return a.simulated < b.simulated; });
    std::cout << problemLine(*result.opened.problem) << "\n\n"
              << table.terminal() << "\nqualities         simulated " << time(best->simulated)
              << " to " << time(worst->simulated) << "\nruntime           " << result.runtime.name
              << (result.runtime.emulated ? " (emulated: no measurement)" : "")
              << "\nmedian error      " << cost::formatPercent(fidelity.medianError) << ", worst "
              << cost::formatPercent(fidelity.worstError) << "\nrank correlation  "
              << correlationText(fidelity.rankCorrelation) << " (Spearman; two halves of the "
              << (result.runtime.emulated ? "emulated runs: " : "measurement: ")
              << correlationText(fidelity.splitHalf) << ")\nruns              " << fidelity.accepted
              << " accepted, " << fidelity.rejected << " rejected\n";
}

std::string csvOf(const Result& result) {
    const engine::Fidelity& fidelity = result.fidelity;
    TextTable table({{"assignment"},
                     {"simulated_ns"},
                     {ranAs(result.runtime) + "_ns"},
                     {"error"},
                     {"accepted_runs"},
                     {"rejected_runs"},
                     {"runtime"}});
    for (std::size_t i = 0; i < fidelity.rows.size(); ++i) {
        const engine::FidelityRow& row = fidelity.rows[i];
        table.add({std::to_string(i + 1), std::to_string(row.simulated),
                   row.measured ? std::to_string(*row.measured) : "",
                   row.measured ? std::to_string(row.error()) : "",
                   std::to_string(row.makespans.size()), std::to_string(row.rejected),
                   result.runtime.name});
    }
    return table.csv();
}

int fidelity(const Options& options) {
    const std::string format = options.output.prepare();
    InterruptWatcher interrupt(InterruptWatcher::Until::WorthKeeping);
    const Result result = measure(options, interrupt);
    const engine::Fidelity& found = result.fidelity;
    const bool stopped = found.outcome == engine::Outcome::Cancelled;
    if (found.outcome == engine::Outcome::Failed) {
        throw std::runtime_error(options.runtime + " runtime: " + found.message);
    }
    if (stopped) {
        std::cerr << options.runtime << ": stopped early, after " << found.accepted
                  << " accepted runs\n";
    }
    if (!found.usable()) {
        throw std::runtime_error(
            "machine not quiet: of " + std::to_string(found.accepted + found.rejected) + " runs " +
            std::to_string(found.rejected) +
            " were disturbed by other programs, and too few are left to compare (" +
            std::to_string(found.measured) + " of " + std::to_string(found.rows.size()) +
            " assignments measured); nothing is reported");
    }
    if (options.json) {
        printJson(toJson(result));
    } else {
        print(result);
    }
    if (options.output.wanted()) {
        options.output.write(format == "csv" ? csvOf(result) : toJson(result).dump(2) + '\n');
    }
    return interrupt.exitCode();
}

} // namespace

void addFidelityCommand(CLI::App& app, CommandRun& run) {
    const auto options = std::make_shared<Options>();
    options->problem.timesOnly = true;
    CLI::App& command =
        addCommand(app, "fidelity",
                   "How well the simulator predicts a runtime: assignments simulated and measured",
                   "doppler calibrate chainmm:n=1000 --cluster cpu:2 -o measured.json\n"
                   "  doppler fidelity chainmm:n=1000 --cluster measured.json");
    addProblemOptions(command, options->problem);
    command.get_option("--costs")->description(
        "Default: profiled, those that doppler calibrate measures, where the cluster file holds "
        "them, else physical");
    addRuntimeOption(command, options->runtime);
    command
        .add_option("--assignments", options->assignments,
                    "How many: makespans evenly from an annealed one to all ops on one device")
        ->transform(wholeNumber(2, 100'000))
        ->option_text("K=40");
    command.add_option("--repeat", options->repeats, "Accepted runs of each; their median counts")
        ->transform(wholeNumber(1, 100'000))
        ->option_text("N=9");
    command.add_option("--warm-up", options->warmUps, "Rounds before them that do not count")
        ->transform(wholeNumber(0, 1'000))
        ->option_text("N=3");
    command.add_option("--seed", options->seed, "Seed of assignments, orders and inputs")
        ->transform(seedNumber())
        ->option_text("N=1");
    addOutputOption(command, options->output, "Write the table", {"csv", "json"});
    addJsonFlag(command, options->json);
    command.callback([options, &run] { run = [options] { return fidelity(*options); }; });
}

} // namespace doppler::cli
