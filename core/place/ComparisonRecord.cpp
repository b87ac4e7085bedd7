#include "core/place/ComparisonRecord.h"

#include <array>
#include <cstdio>

#include "core/graph/InputError.h"
#include "core/io/Formats.h"
#include "core/io/JsonText.h"
#include "core/io/SimOptionsJson.h"
#include "core/place/Objective.h"

namespace doppler::place {

namespace {

void mix(std::uint64_t& hash, std::string_view text) {
    constexpr std::uint64_t kPrime = 0x100000001b3;
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
    }
    hash = (hash ^ 0xFFU) * kPrime; // ends a text: no byte of UTF-8
}

/// The member, `first` if it is not there.
std::string oneOf(const io::JsonField& root, const char* member, const char* first,
                  const char* second) {
    std::string text = root.stringOr(member, first);
    if (text != first && text != second) {
        root[member].fail('"' + text + '"', '"' + std::string(first) + "\" or \"" + second + '"');
    }
    return text;
}

} // namespace

std::string problemHash(const sim::Problem& problem) {
    std::uint64_t hash = 0xcbf29ce484222325;
    mix(hash, io::writeGraphJson(*problem.graph));
    mix(hash, io::writeClusterJson(*problem.cluster));
    mix(hash, cost::name(problem.costs->model()));
    mix(hash, io::jsonRow(io::simOptionsJson(problem.options)));
    std::string pins;
    for (const DeviceId pin : problem.pins) {
        pins += std::to_string(pin) + ',';
    }
    mix(hash, pins);
    std::array<char, 17> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash));
    return digits.data();
}

std::string writeRunLine(const RunRecord& record) {
    io::OrderedJson json = {
        {"problem", record.key.problem},
        {"graph", record.graph},
        {"cluster", record.cluster},
        {"mode", record.mode},
        {"method", record.key.method},
        {"seed", record.key.seed},
        {"budget_ms", record.key.budgetMs},
        {"version", record.key.version},
        {"objective", record.key.objective},
        {"makespan", record.makespan},
        {"value", record.value},
        {"unit", record.unit},
        {"seconds", record.seconds},
        {"evaluations", record.evaluations},
        {"traffic_bytes", record.trafficBytes},
        {"imbalance", record.imbalance},
        {"peak_memory_bytes", record.peakMemory},
        {"memory_overflow", record.memoryOverflow},
        {"notes", record.notes},
        {"assignment", record.assignment},
    };
    if (record.key.maxEvaluations > 0) {
        json["max_evaluations"] = record.key.maxEvaluations;
    }
    // In one line without spaces: a file holds thousands of them.
    return json.dump(-1, ' ', false, io::OrderedJson::error_handler_t::replace);
}

io::JsonDocument parseJsonLine(std::string_view line, const std::string& where) {
    try {
        return io::parseJson(line, where);
    } catch (const InputError& error) {
        const std::string message = error.what();
        const std::string lineOfItself = where + ", line 1, ";
        if (message.starts_with(lineOfItself)) {
            throw InputError(where + ", " + message.substr(lineOfItself.size()));
        }
        throw;
    }
}

RunRecord parseRunLine(std::string_view line, const std::string& where) {
    const io::JsonDocument document = parseJsonLine(line, where);
    const io::JsonField root(document);
    RunRecord record;
    record.key.problem = root["problem"].string();
    record.key.method = root["method"].string();
    record.key.seed = root["seed"].unsignedInteger();
    record.key.budgetMs = root["budget_ms"].integer();
    record.key.maxEvaluations = root.integerOr("max_evaluations", 0);
    record.key.version = root["version"].string();
    record.graph = root.stringOr("graph", "");
    record.cluster = root.stringOr("cluster", "");
    record.mode = oneOf(root, "mode", "wc", "bsp");
    record.unit = oneOf(root, "unit", "ns", "units");
    record.makespan = root["makespan"].integer();
    record.key.objective =
        name(parseObjective(root.stringOr("objective", "makespan"), where + ", objective"));
    record.value = root.integerOr("value", record.makespan);
    record.seconds = root.numberOr("seconds", 0);
    record.evaluations = root.integerOr("evaluations", 0);
    record.trafficBytes = root.integerOr("traffic_bytes", 0);
    record.imbalance = root.numberOr("imbalance", 0);
    record.peakMemory = root.integerOr("peak_memory_bytes", 0);
    record.memoryOverflow = root.booleanOr("memory_overflow", false);
    if (const auto notes = root.find("notes")) {
        for (const io::JsonField& note : notes->elements()) {
            record.notes.push_back(note.string());
        }
    }
    for (const io::JsonField& device : root["assignment"].elements()) {
        record.assignment.push_back(device.integer32());
    }
    return record;
}

} // namespace doppler::place
