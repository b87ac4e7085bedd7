#include <algorithm>
#include <iostream>

#include "app/cli/Commands.h"
#include "app/cli/InterruptWatcher.h"
#include "app/cli/Output.h"
#include "app/cli/OutputFile.h"
#include "app/cli/ProblemOptions.h"
#include "app/cli/ProgressBar.h"
#include "app/cli/RuntimeOptions.h"
#include "core/cost/FormatQuantity.h"
#include "core/engine/Calibration.h"
#include "core/engine/Processors.h"
#include "core/engine/Runtimes.h"
#include "core/io/ProfileJson.h"

namespace doppler::cli {

namespace {

struct Options {
    std::vector<std::string> graphs;
    std::string cluster;
    std::string runtime = "cpu";
    int rounds = 12;
    std::uint64_t seed = 1;
    bool keepSpiky = false;
    OutputFile output;
    bool json = false;
};

/// How exact the kernels' times are.
double medianSpread(const cluster::Profile& profile) {
    std::vector<double> spreads;
    for (const cluster::KernelTime& kernel : profile.kernels) {
        spreads.push_back(kernel.spread);
    }
    if (spreads.empty()) {
        return 0;
    }
    const auto middle = spreads.begin() + static_cast<std::ptrdiff_t>(spreads.size() / 2);
    std::nth_element(spreads.begin(), middle, spreads.end());
    return *middle;
}

std::string linkText(const cluster::LinkTime& link) {
    const Time oneMegabyte = static_cast<Time>(1e6 / link.bytesPerSecond * 1e9);
    return cost::formatTime(link.latencyNs, cost::TimeUnit::Nanoseconds) + " + " +
           cost::formatTime(oneMegabyte, cost::TimeUnit::Nanoseconds) + " a MB, within " +
           cost::formatPercent(link.error);
}

Json toJson(const Options& options, const cluster::Cluster& cluster,
            const engine::Calibration& result) {
    Json links = Json::array();
    for (const cluster::LinkTime& link : result.profile.links) {
        links.push_back({{"from", cluster.device(link.from).name},
                         {"to", cluster.device(link.to).name},
                         {"latency_ns", link.latencyNs},
                         {"bytes_per_second", link.bytesPerSecond},
                         {"samples", link.samples},
                         {"error", link.error}});
    }
    return {{"cluster", cluster.name()},
            {"runtime", result.profile.runtime},
            {"emulated", result.profile.emulated},
            {"blas", result.profile.blas},
            {"runs", result.runs},
            {"disturbed_runs", result.disturbed},
            {"kernels", result.profile.kernels.size()},
            {"median_spread", medianSpread(result.profile)},
            {"device_factors", result.profile.deviceFactors},
            {"links", std::move(links)},
            {"spiky", result.spiky},
            {"notes", result.notes},
            {"file", options.output.path}};
}

void print(const cluster::Cluster& cluster, const engine::Calibration& result) {
    const cluster::Profile& profile = result.profile;
    std::cout << cluster.name() << " on the runtime " << profile.runtime
              << (profile.emulated ? " (emulated: no measurement)" : "") << ", "
              << cost::formatCount(result.runs) << " runs\n"
              << "kernels        " << profile.kernels.size() << ", samples of one within "
              << cost::formatPercent(medianSpread(profile))
              << " of their median (the median kernel)" << '\n';
    for (const cluster::LinkTime& link : profile.links) {
        std::cout << "links          like " << cluster.device(link.from).name << " to "
                  << cluster.device(link.to).name << ": " << linkText(link) << '\n';
    }
    for (std::size_t device = 0; device < profile.deviceFactors.size(); ++device) {
        const double more = profile.deviceFactors[device] - 1;
        std::cout << (device == 0 ? "devices        " : "               ")
                  << cluster.devices()[device].name << " takes "
                  << cost::formatPercent(more < 0 ? -more : more) << (more < 0 ? " less" : " more")
                  << " time than its kind\n";
    }
}

engine::Calibration measure(const Options& options,
                            const std::shared_ptr<const cluster::Cluster>& cluster,
                            InterruptWatcher& interrupt) {
    engine::CalibrationRequest request;
    request.cluster = cluster;
    for (const std::string& graph : options.graphs) {
        request.programs.push_back(engine::executableProgram(graph));
    }
    request.runtime = options.runtime;
    request.rounds = options.rounds;
    request.seed = options.seed;
    request.stop = interrupt.token();
    request.devicesAtOnce = engine::sharedProcessors(options.runtime, *cluster);
    ProgressBar bar;
    request.progress = [&](double share, const std::string& what) {
        if (share * options.rounds >= 1) {
            interrupt.keep(); // every kernel was measured
        }
        bar.draw(share, what);
    };
    engine::Calibration result = engine::calibrate(request);
    interrupt.keep();
    bar.clear();
    return result;
}

void tellNotes(const Options& options, const cluster::Cluster& cluster,
               const engine::Calibration& result) {
    for (const std::string& note : result.notes) {
        std::cerr << note << '\n';
    }
    if (result.disturbed > 0) {
        std::cerr << options.runtime << ": the machine was not quiet: other programs ran beside "
                  << result.disturbed << " of " << result.runs
                  << " runs, so times may be too long; better calibrate when nothing else runs\n";
    }
    if (const int shared = engine::sharedProcessors(options.runtime, cluster); shared > 0) {
        const std::string cores = std::to_string(shared);
        std::cerr << options.runtime << ": measured with " << cores
                  << " devices at a time; simulate with --cores " << cores
                  << ", so that devices share the processors there too\n";
    }
}

/// Throws if the figures are not worth keeping.
void checkSpikes(const Options& options, const engine::Calibration& result) {
    if (result.spiky.empty()) {
        return;
    }
    const std::string what = std::to_string(result.spiky.size()) + " of " +
                             std::to_string(result.profile.kernels.size()) +
                             " kernels took one of two times a hundredfold apart, e.g. \"" +
                             result.spiky.front() + "\"";
    if (!options.keepSpiky) {
        throw std::runtime_error("the machine is not quiet: " + what +
                                 ". Nothing was written; calibrate again when nothing else runs, "
                                 "or with --keep-spiky to keep the medians all the same");
    }
    std::cerr << options.runtime << ": " << what << "; marked \"spiky\" in the file\n";
}

int calibrateCluster(const Options& options) {
    options.output.prepare();
    InterruptWatcher interrupt(InterruptWatcher::Until::WorthKeeping);
    const auto cluster = openCluster(options.cluster);
    const engine::Calibration result = measure(options, cluster, interrupt);
    const bool stopped = result.outcome == engine::Outcome::Cancelled && result.rounds > 0;
    if (result.outcome != engine::Outcome::Done && !stopped) {
        throw std::runtime_error(options.runtime + " runtime: " + result.message);
    }
    if (stopped) {
        std::cerr << options.runtime << ": stopped early, after " << result.rounds << " of "
                  << options.rounds << " rounds\n";
    }
    tellNotes(options, *cluster, result);
    checkSpikes(options, result);
    if (options.json) {
        printJson(toJson(options, *cluster, result));
    } else {
        print(*cluster, result);
    }
    options.output.write(io::writeClusterJson(*cluster, result.profile));
    return interrupt.exitCode();
}

} // namespace

void addCalibrateCommand(CLI::App& app, CommandRun& run) {
    const auto options = std::make_shared<Options>();
    CLI::App& command = addCommand(
        app, "calibrate",
        "Measure kernels and links of a runtime, and write a cluster with profiled costs",
        "doppler calibrate chainmm:n=1000 --cluster cpu:2 -o measured.json\n"
        "  doppler simulate chainmm:n=1000 --cluster measured.json --costs profiled --assignment "
        "p.json");
    command
        .add_option("GRAPH", options->graphs,
                    "Workloads whose kernels are measured (name or name:key=value,...)")
        ->required()
        ->option_text("... REQUIRED");
    addClusterOption(command, options->cluster);
    addRuntimeOption(command, options->runtime);
    command
        .add_option("--repeat", options->rounds,
                    "Rounds, each with two runs of each graph under random placements")
        ->transform(wholeNumber(1, 100'000))
        ->option_text("N=12");
    command.add_option("--seed", options->seed, "Seed of placements, orders and inputs")
        ->transform(seedNumber())
        ->option_text("N=1");
    command.add_flag("--keep-spiky", options->keepSpiky,
                     "Keep kernels whose times are two populations a hundredfold apart");
    addOutputOption(command, options->output, "Write the cluster with what was measured", {"json"});
    command.get_option("--output")->required()->option_text("FILE REQUIRED");
    addJsonFlag(command, options->json);
    command.callback([options, &run] { run = [options] { return calibrateCluster(*options); }; });
}

} // namespace doppler::cli
