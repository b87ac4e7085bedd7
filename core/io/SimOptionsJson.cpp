#include "core/io/SimOptionsJson.h"

#include "core/sim/SimOptionNames.h"

namespace doppler::io {

namespace {

constexpr double kMostVariation = 10;

constexpr const char* kFormat = "doppler-sim/1";

template <typename Value>
void readNamed(const JsonField& root, const char* key,
               std::span<const sim::NamedOption<Value>> options, Value& value) {
    const auto field = root.find(key);
    if (!field) {
        return;
    }
    const auto known = sim::optionFromName(options, field->string());
    if (!known) {
        std::string names;
        for (const auto& option : options) {
            names += (names.empty() ? "" : ", ") + std::string(option.name);
        }
        field->fail("one of " + names);
    }
    value = *known;
}

} // namespace

sim::SimOptions readSimOptions(const JsonField& field) {
    field.allowOnly({"format", "description", "mode", "contention", "sharing", "choice",
                     "durationVariation", "memory", "cores", "seed"});
    sim::SimOptions options;
    readNamed(field, "mode", sim::executionModeNames(), options.mode);
    readNamed(field, "contention", sim::linkContentionNames(), options.contention);
    readNamed(field, "sharing", sim::transferSharingNames(), options.sharing);
    readNamed(field, "choice", sim::readyChoiceNames(), options.choice);
    readNamed(field, "memory", sim::memoryPolicyNames(), options.memory);
    if (const auto variation = field.find("durationVariation")) {
        options.durationVariation = variation->number();
        if (!(options.durationVariation >= 0 && options.durationVariation <= kMostVariation)) {
            variation->fail("a number from 0 to 10");
        }
    }
    if (const auto cores = field.find("cores")) {
        options.cores = cores->integer32();
    }
    if (const auto seed = field.find("seed")) {
        options.seed = seed->unsignedInteger();
    }
    return options;
}

OrderedJson simOptionsJson(const sim::SimOptions& options) {
    OrderedJson json;
    json["mode"] = sim::name(options.mode);
    json["contention"] = sim::name(options.contention);
    json["sharing"] = sim::name(options.sharing);
    json["choice"] = sim::name(options.choice);
    json["durationVariation"] = tidyNumber(options.durationVariation);
    json["memory"] = sim::name(options.memory);
    json["cores"] = options.cores;
    json["seed"] = options.seed;
    return json;
}

sim::SimOptions parseSimOptions(std::string_view text, const std::string& where) {
    const JsonDocument document = parseJson(text, where);
    const JsonField root(document);
    if (root.find("format")) {
        requireFormat(document, kFormat);
    }
    return readSimOptions(root);
}

} // namespace doppler::io
