#include "core/learn/TrainOptions.h"

#include <array>
#include <charconv>

#include "core/graph/InputError.h"

namespace doppler::learn {

namespace {

constexpr std::array<std::string_view, 3> kStages = {"imitation", "simulation", "system"};
constexpr std::array<std::string_view, 4> kModes = {"dual", "sel-only", "plc-only", "joint"};
constexpr std::int64_t kMostEpisodes = 1'000'000'000'000;

const char* const kStagesExpected = "stages in their order, each with its episodes, such as "
                                    "imitation:2000,simulation:4000,system:500";

StagePlan parseStage(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon != std::string_view::npos) {
        const std::string_view count = text.substr(colon + 1);
        StagePlan plan;
        const auto [end, error] =
            std::from_chars(count.data(), count.data() + count.size(), plan.episodes);
        const bool number = error == std::errc() && end == count.data() + count.size() &&
                            plan.episodes >= 1 && plan.episodes <= kMostEpisodes;
        for (std::size_t i = 0; number && i < kStages.size(); ++i) {
            if (text.substr(0, colon) == kStages[i]) {
                plan.stage = static_cast<Stage>(i);
                return plan;
            }
        }
    }
    throw InputError("stages", "\"" + std::string(text) + "\"", kStagesExpected);
}

TrainOptions fast() {
    TrainOptions options;
    // Stage I repeats few placements; its network converges within a few hundred updates.
    options.stages = {{Stage::Imitation, 1'000}, {Stage::Simulation, 160'000}};
    // Cloning at a steady rate comes apart again where the choices have become sharp.
    options.decayImitationRate = true;
    return options;
}

TrainOptions paper() {
    TrainOptions options;
    options.preset = "paper";
    options.hidden = 128;
    options.extendedFeatures = false;
    options.stages = {{Stage::Imitation, 2'000}, {Stage::Simulation, 2'000}};
    options.teacher = Teacher::CriticalPath;
    options.teacherPlacements = 1;
    options.imitationRate = 1e-3;
    options.decayImitationRate = true;
    options.batch = 1;
    // Of the gradient of one episode nearly all is noise: with the paper's 1e-4 some thousand
    // updates leave the policy where imitation had it.
    options.firstRate = 1e-3;
    options.lastRate = 0;
    options.rateUpdates = 0;
    options.firstEpsilon = 0.2;
    options.entropy = 1e-2;
    options.runningBaseline = 0.05;
    options.elites = 0;
    options.elitesPerUpdate = 0;
    options.polish = false;
    options.patience = 0;
    return options;
}

} // namespace

std::string_view name(Stage stage) {
    return kStages[static_cast<std::size_t>(stage)];
}

std::string_view name(PolicyMode mode) {
    return kModes[static_cast<std::size_t>(mode)];
}

std::vector<StagePlan> parseStages(std::string_view text) {
    std::vector<StagePlan> plans;
    for (std::string_view rest = text;;) {
        const std::size_t comma = rest.find(',');
        plans.push_back(parseStage(rest.substr(0, comma)));
        if (plans.size() > 1 && plans.back().stage <= plans[plans.size() - 2].stage) {
            throw InputError("stages", "\"" + std::string(text) + "\"", kStagesExpected);
        }
        if (comma == std::string_view::npos) {
            return plans;
        }
        rest.remove_prefix(comma + 1);
    }
}

PolicyMode parsePolicyMode(std::string_view text) {
    std::string names;
    for (std::size_t i = 0; i < kModes.size(); ++i) {
        if (kModes[i] == text) {
            return static_cast<PolicyMode>(i);
        }
        names += (names.empty() ? "" : ", ") + std::string(kModes[i]);
    }
    throw InputError("policy mode", "\"" + std::string(text) + "\"", "one of: " + names);
}

const std::vector<std::string>& presetNames() {
    static const std::vector<std::string> names = {"fast", "paper"};
    return names;
}

TrainOptions presetOptions(std::string_view name) {
    if (name == "fast") {
        return fast();
    }
    if (name == "paper") {
        return paper();
    }
    throw InputError("preset", "\"" + std::string(name) + "\"", "one of: fast, paper");
}

} // namespace doppler::learn
