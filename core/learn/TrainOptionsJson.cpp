#include "core/learn/TrainOptionsJson.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace doppler::learn {

namespace {

/// Calls visit(key, member) for every option but the stages, for writing and reading alike.
template <typename Options, typename Visit>
void eachOption(Options& options, const Visit& visit) {
    visit("preset", options.preset);
    visit("hidden", options.hidden);
    visit("layers", options.layers);
    visit("extendedFeatures", options.extendedFeatures);
    visit("mode", options.mode);
    visit("teacher", options.teacher);
    visit("teacherPlacements", options.teacherPlacements);
    visit("imitationRate", options.imitationRate);
    visit("decayImitationRate", options.decayImitationRate);
    visit("batch", options.batch);
    visit("firstRate", options.firstRate);
    visit("lastRate", options.lastRate);
    visit("rateUpdates", options.rateUpdates);
    visit("firstEpsilon", options.firstEpsilon);
    visit("temperature", options.temperature);
    visit("entropy", options.entropy);
    visit("clipNorm", options.clipNorm);
    visit("runningBaseline", options.runningBaseline);
    visit("elites", options.elites);
    visit("elitesPerUpdate", options.elitesPerUpdate);
    visit("systemRepeats", options.systemRepeats);
    visit("polish", options.polish);
    visit("patience", options.patience);
}

constexpr std::array<std::string_view, 3> kTeachers = {"critical-path", "annealing", "general"};

void read(const io::JsonField& json, std::string& value) {
    value = json.string();
}
void read(const io::JsonField& json, int& value) {
    value = json.integer32();
}
void read(const io::JsonField& json, std::int64_t& value) {
    value = json.integer();
}
void read(const io::JsonField& json, double& value) {
    value = json.number();
}
void read(const io::JsonField& json, bool& value) {
    value = json.boolean();
}
void read(const io::JsonField& json, PolicyMode& value) {
    value = parsePolicyMode(json.string());
}
void read(const io::JsonField& json, Teacher& value) {
    const auto found = std::find(kTeachers.begin(), kTeachers.end(), json.string());
    value = found == kTeachers.end() ? Teacher::Annealing
                                     : static_cast<Teacher>(found - kTeachers.begin());
}

} // namespace

io::OrderedJson toJson(const TrainOptions& options) {
    io::OrderedJson json;
    eachOption(options, [&](const char* key, const auto& value) {
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, PolicyMode>) {
            json[key] = std::string(name(value));
        } else if constexpr (std::is_same_v<Value, Teacher>) {
            json[key] = kTeachers[static_cast<std::size_t>(value)];
        } else {
            json[key] = value;
        }
    });
    for (const StagePlan& plan : options.stages) {
        json["stages"].push_back(
            {{"stage", std::string(name(plan.stage))}, {"episodes", plan.episodes}});
    }
    return json;
}

TrainOptions trainOptionsFromJson(const io::JsonField& json) {
    TrainOptions options;
    eachOption(options, [&](const char* key, auto& value) { read(json[key], value); });
    std::string stages;
    for (const io::JsonField& plan : json["stages"].elements()) {
        stages += (stages.empty() ? "" : ",") + plan["stage"].string() + ":" +
                  std::to_string(plan["episodes"].integer(1));
    }
    options.stages = parseStages(stages);
    return options;
}

} // namespace doppler::learn
