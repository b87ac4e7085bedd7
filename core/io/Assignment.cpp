#include <algorithm>
#include <unordered_map>

#include "core/graph/InputError.h"
#include "core/io/Formats.h"
#include "core/io/JsonField.h"
#include "core/io/JsonText.h"
#include "core/io/LineScanner.h"
#include "core/io/MessageText.h"
#include "core/io/Onnx.h"
#include "core/io/PlacementFile.h"

namespace doppler::io {

using cluster::Cluster;
using graph::Graph;

namespace {

constexpr const char* kFormat = "doppler-assignment/1";

std::string expectedLength(const Graph& graph) {
    return std::to_string(graph.opCount()) + " (one for each op of graph " +
           quotedText(graph.name()) + ")";
}

DeviceId readDevice(const JsonField& field, const Cluster& cluster) {
    if (!field.isString()) {
        return field.integer32(0, cluster.deviceCount() - 1);
    }
    const DeviceId device = cluster.deviceByName(field.string());
    if (device == kNoDevice) {
        std::string known;
        for (DeviceId id = 0; id < std::min(cluster.deviceCount(), 8); ++id) {
            known += (id == 0 ? "" : ", ") + cluster.device(id).name;
        }
        field.fail("a device of cluster " + quotedText(cluster.name()) + " (" + known +
                   (cluster.deviceCount() > 8 ? ", ...)" : ")"));
    }
    return device;
}

sim::Assignment readArray(const JsonField& list, const Graph& graph, const Cluster& cluster) {
    if (list.size() != static_cast<std::size_t>(graph.opCount())) {
        list.fail(std::to_string(list.size()) + " entries", expectedLength(graph));
    }
    sim::Assignment assignment;
    for (const JsonField& entry : list.elements()) {
        assignment.push_back(readDevice(entry, cluster));
    }
    return assignment;
}

sim::Assignment readDeviceMap(const JsonField& map, const Graph& graph, const Cluster& cluster) {
    std::unordered_map<std::string, OpId> opByName;
    for (OpId op = 0; op < graph.opCount(); ++op) {
        if (!opByName.emplace(graph.opName(op), op).second) {
            map.fail("devices by op name, but two ops are called " + quotedText(graph.opName(op)),
                     "an array of devices by op number");
        }
    }
    sim::Assignment assignment(static_cast<std::size_t>(graph.opCount()), kNoDevice);
    for (const auto& [name, device] : map.members()) {
        const auto op = opByName.find(std::string(name));
        if (op == opByName.end()) {
            map.fail("the op " + quotedText(name),
                     "names of ops of graph " + quotedText(graph.name()));
        }
        assignment[static_cast<std::size_t>(op->second)] = readDevice(device, cluster);
    }
    const auto missing = std::find(assignment.begin(), assignment.end(), kNoDevice);
    if (missing != assignment.end()) {
        const auto op = static_cast<OpId>(missing - assignment.begin());
        map.fail("no device for op " + quotedText(graph.opName(op)),
                 "one for each of the " + std::to_string(graph.opCount()) + " ops");
    }
    return assignment;
}

PlacementRecord readRecord(const JsonField& root) {
    PlacementRecord record;
    record.method = root.stringOr("method", "");
    if (const auto seed = root.find("seed")) {
        record.seed = seed->unsignedInteger();
    }
    if (const auto budget = root.find("budgetSeconds")) {
        record.budgetSeconds = budget->number();
    }
    if (const auto evaluations = root.find("maxEvaluations")) {
        record.maxEvaluations = evaluations->integer(1);
    }
    record.objective = root.stringOr("objective", "");
    if (const auto value = root.find("value")) {
        record.value = value->integer();
    }
    if (const auto noise = root.find("noise")) {
        record.noise = noise->number();
    }
    if (const auto makespan = root.find("makespan")) {
        record.makespan = makespan->integer();
    }
    record.unit = root.stringOr("unit", "");
    if (!record.unit.empty() && record.unit != "ns" && record.unit != "units") {
        root["unit"].fail("\"ns\" or \"units\"");
    }
    return record;
}

PlacementFile readJson(std::string_view text, const std::string& where, const Graph& graph,
                       const Cluster& cluster) {
    const JsonDocument document = parseJson(text, where);
    PlacementFile placement;
    JsonField devices(document);
    if (devices.isObject() && devices.find("format")) {
        const JsonField root = requireFormat(document, kFormat);
        root.allowOnly({"format", "description", "graph", "cluster", "method", "seed",
                        "budgetSeconds", "maxEvaluations", "objective", "value", "noise",
                        "makespan", "unit", "assignment"});
        placement.record = readRecord(root);
        devices = root["assignment"];
    }
    placement.assignment = devices.isObject() ? readDeviceMap(devices, graph, cluster)
                                              : readArray(devices, graph, cluster);
    return placement;
}

sim::Assignment readCommaList(std::string_view text, const std::string& where, const Graph& graph,
                              const Cluster& cluster) {
    sim::Assignment assignment;
    LineScanner lines(text, where);
    while (lines.next()) {
        for (const std::string_view field : lines.fields()) {
            const std::string entry = "entry " + std::to_string(assignment.size()) + ", device";
            assignment.push_back(
                static_cast<DeviceId>(lines.integer(field, entry, cluster.deviceCount() - 1)));
        }
    }
    if (assignment.size() != static_cast<std::size_t>(graph.opCount())) {
        throw InputError(where, std::to_string(assignment.size()) + " entries",
                         expectedLength(graph));
    }
    return assignment;
}

} // namespace

PlacementFile parsePlacement(std::string_view text, const std::string& where, const Graph& graph,
                             const Cluster& cluster) {
    if (looksLikeOnnx(text)) {
        return {readOnnxDevices(text, where, graph, cluster), {}};
    }
    std::string_view words = text;
    if (words.starts_with("\xEF\xBB\xBF")) {
        words.remove_prefix(3);
    }
    const std::size_t begin = words.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos && graph.opCount() > 0) {
        throw InputError(where, "an empty text", "an assignment of " + expectedLength(graph));
    }
    const char first = begin == std::string_view::npos ? ',' : words[begin];
    return first == '{' || first == '['
               ? readJson(text, where, graph, cluster)
               : PlacementFile{readCommaList(text, where, graph, cluster), {}};
}

sim::Assignment parseAssignment(std::string_view text, const std::string& where, const Graph& graph,
                                const Cluster& cluster) {
    return parsePlacement(text, where, graph, cluster).assignment;
}

std::string writePlacementJson(const PlacementFile& placement, const Graph& graph,
                               const Cluster& cluster) {
    const PlacementRecord& record = placement.record;
    JsonText text;
    const auto known = [&text](const char* key, const auto& value) {
        if (value) {
            text.member(key, *value);
        }
    };
    const auto named = [&text](const char* key, const std::string& value) {
        if (!value.empty()) {
            text.member(key, value);
        }
    };
    text.member("format", kFormat);
    text.member("graph", graph.name());
    text.member("cluster", cluster.name());
    named("method", record.method);
    known("seed", record.seed);
    known("budgetSeconds", record.budgetSeconds);
    known("maxEvaluations", record.maxEvaluations);
    named("objective", record.objective);
    known("value", record.value);
    known("noise", record.noise);
    known("makespan", record.makespan);
    named("unit", record.unit);
    text.member("assignment", placement.assignment);
    return text.finish();
}

std::string writeAssignmentJson(const sim::Assignment& assignment, const Graph& graph,
                                const Cluster& cluster, const std::string& method) {
    PlacementFile placement{assignment, {}};
    placement.record.method = method;
    return writePlacementJson(placement, graph, cluster);
}

std::string writeAssignmentList(const sim::Assignment& assignment) {
    std::string text;
    for (const DeviceId device : assignment) {
        text += (text.empty() ? "" : ",") + std::to_string(device);
    }
    return text + "\n";
}

} // namespace doppler::io
