#include "core/place/policy/TrainingState.h"

#include "core/io/Formats.h"
#include "core/io/JsonField.h"

namespace doppler::place {

namespace {

using io::Json;
using io::JsonField;

constexpr std::string_view kFormat = "doppler-policy-training/1";

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

/// What must be equal for a state to go on.
Json identity(const GeneralTrainingOptions& options) {
    return {{"seed", options.seed},
            {"pool", options.pool},
            {"members", options.members},
            {"population", options.population},
            {"problemsPerGeneration", options.problemsPerGeneration}};
}

} // namespace

void writeTrainingState(const TrainingState& state, const GeneralTrainingOptions& options) {
    const Json json = {{"format", std::string(kFormat)},
                       {"options", identity(options)},
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
    io::writeFileAtomically(options.statePath, json.dump() + "\n");
}

TrainingState readTrainingState(const GeneralTrainingOptions& options) {
    const std::string where = options.statePath.string();
    const io::JsonDocument document = io::parseJson(io::readFile(options.statePath), where);
    const JsonField root = io::requireFormat(document, kFormat);
    if (root["options"].json() != identity(options)) {
        root["options"].fail("the state of a training with other options",
                             "the same seed, pool, members and population as now");
    }
    TrainingState state;
    state.members = parsePolicies(root["members"].string(), where + ", members").members;
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

} // namespace doppler::place
