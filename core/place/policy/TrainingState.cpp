#include "core/place/policy/TrainingState.h"

#include "core/graph/InputError.h"
#include "core/io/Checksum.h"
#include "core/io/Formats.h"
#include "core/io/JsonField.h"

namespace doppler::place {

namespace {

using io::Json;
using io::JsonField;

constexpr std::string_view kMagic = "doppler-policy-training/2\n";

std::vector<double> numbers(const JsonField& field, std::size_t count, const char* what) {
    std::vector<double> list;
    for (const JsonField& entry : field.elements()) {
        list.push_back(entry.number(-std::numeric_limits<double>::max()));
    }
    if (!list.empty() && list.size() != count) {
        field.fail(std::to_string(list.size()) + " numbers", std::to_string(count) + " " + what);
    }
    return list;
}

Json optionsJson(const GeneralTrainingOptions& options) {
    return {{"seed", options.seed},
            {"pool", options.pool},
            {"members", options.members},
            {"population", options.population},
            {"problemsPerGeneration", options.problemsPerGeneration},
            {"budgetSeconds", options.budgetSeconds}};
}

GeneralTrainingOptions readOptions(const JsonField& json) {
    GeneralTrainingOptions options;
    options.seed = json["seed"].unsignedInteger();
    options.pool = json["pool"].integer32(1);
    options.members = json["members"].integer32(1);
    options.population = json["population"].integer32(1);
    options.problemsPerGeneration = json["problemsPerGeneration"].integer32(1);
    options.budgetSeconds = json["budgetSeconds"].number();
    return options;
}

TrainingState readState(const JsonField& root) {
    TrainingState state;
    state.members = parsePolicies(root["members"].string(), root["members"].place()).members;
    state.generation = root["generation"].integer();
    state.memberSeconds = root["memberSeconds"].number();
    state.seconds = root["seconds"].number();
    constexpr std::size_t kCount = LinearPolicy::kWeights;
    state.strategy.mean = numbers(root["mean"], kCount, "weights");
    state.strategy.scales = numbers(root["scales"], kCount, "scales");
    state.strategy.stepPath = numbers(root["stepPath"], kCount, "numbers");
    state.strategy.scalePath = numbers(root["scalePath"], kCount, "numbers");
    state.strategy.step = root["step"].number();
    state.meanSum = numbers(root["meanSum"], kCount, "weights");
    state.meanCount = root["meanCount"].integer();
    state.value = root["value"].number(-std::numeric_limits<double>::max());
    return state;
}

} // namespace

void writeTrainingState(const TrainingState& state, const GeneralTrainingOptions& options) {
    const Json json = {{"options", optionsJson(options)},
                       {"members", writePolicies({{}, state.members})},
                       {"generation", state.generation},
                       {"memberSeconds", state.memberSeconds},
                       {"seconds", state.seconds},
                       {"mean", state.strategy.mean},
                       {"scales", state.strategy.scales},
                       {"stepPath", state.strategy.stepPath},
                       {"scalePath", state.strategy.scalePath},
                       {"step", state.strategy.step},
                       {"meanSum", state.meanSum},
                       {"meanCount", state.meanCount},
                       {"value", state.value}};
    io::writeFileAtomically(options.statePath,
                            std::string(kMagic) + io::withChecksum(json.dump() + "\n"));
}

SavedTraining readSavedTraining(const std::filesystem::path& path) {
    const std::string file = io::readFile(path);
    const std::string where = "state of a training \"" + path.string() + "\"";
    std::string_view rest(file);
    if (!rest.starts_with(kMagic)) {
        throw InputError(where, "a file of another format",
                         "one that starts with \"doppler-policy-training/2\", as training "
                         "writes it");
    }
    rest.remove_prefix(kMagic.size());
    io::takeChecksum(rest, where);
    const io::JsonDocument document = io::parseJson(rest, where);
    const JsonField root(document);
    SavedTraining saved{readOptions(root["options"]), readState(root)};
    saved.options.statePath = path;
    return saved;
}

} // namespace doppler::place
