#include "core/io/Session.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/graph/GroupTree.h"
#include "core/graph/InputError.h"
#include "core/io/ClusterJson.h"
#include "core/io/Formats.h"
#include "core/io/GraphJson.h"
#include "core/io/JsonText.h"
#include "core/io/MessageText.h"
#include "core/io/ProfileJson.h"
#include "core/io/SimOptionsJson.h"

namespace doppler::io {

namespace {

constexpr const char* kFormat = "doppler-session/1";
constexpr std::array kCostModels{cost::CostModel::Published, cost::CostModel::Physical,
                                 cost::CostModel::Profiled};

cost::CostModel readCosts(const JsonField& field) {
    for (const cost::CostModel model : kCostModels) {
        if (cost::name(model) == field.string()) {
            return model;
        }
    }
    field.fail("published, physical or profiled");
}

/// A device number for every op; `least` is kNoDevice where an op may have none.
std::vector<DeviceId> readDevices(const JsonField& list, const Session& session, DeviceId least) {
    if (list.size() != static_cast<std::size_t>(session.graph->opCount())) {
        list.fail(std::to_string(list.size()) + " entries",
                  std::to_string(session.graph->opCount()) + " (one for each op)");
    }
    std::vector<DeviceId> devices;
    for (const JsonField& entry : list.elements()) {
        devices.push_back(entry.integer32(least, session.cluster->deviceCount() - 1));
    }
    return devices;
}

SessionPlacement readPlacement(const JsonField& field, const Session& session) {
    field.allowOnly({"label", "method", "seed", "seconds", "edits", "objective", "noise", "value",
                     "assignment"});
    SessionPlacement placement;
    placement.label = field.stringOr("label", "");
    placement.method = field.stringOr("method", "");
    if (const auto seed = field.find("seed")) {
        placement.seed = seed->unsignedInteger();
    }
    placement.seconds = field.numberOr("seconds", 0);
    if (const auto edits = field.find("edits")) {
        placement.edits = edits->integer32();
    }
    placement.objective = field.stringOr("objective", "");
    placement.noise = field.numberOr("noise", 0);
    placement.value = field.integerOr("value", 0);
    placement.assignment = readDevices(field["assignment"], session, 0);
    return placement;
}

/// Every entry is the path of another group of the graph.
std::vector<std::string> readGroups(const JsonField& list, const graph::Graph& graph) {
    const graph::GroupTree tree(graph);
    std::set<std::string> unused;
    for (std::int32_t group = 1; group < tree.size(); ++group) {
        unused.insert(tree.path(group));
    }
    std::vector<std::string> groups;
    for (const JsonField& entry : list.elements()) {
        if (unused.erase(entry.string()) == 0) {
            entry.fail(quotedText(entry.string()), "a group of the graph, each once");
        }
        groups.push_back(entry.string());
    }
    return groups;
}

OrderedJson placementJson(const SessionPlacement& placement) {
    OrderedJson json;
    json["label"] = placement.label;
    json["method"] = placement.method;
    json["seed"] = placement.seed;
    json["seconds"] = tidyNumber(placement.seconds);
    json["edits"] = placement.edits;
    if (!placement.objective.empty()) {
        json["objective"] = placement.objective;
        json["noise"] = tidyNumber(placement.noise);
        json["value"] = placement.value;
    }
    json["assignment"] = placement.assignment;
    return json;
}

std::string_view withoutLastBreak(std::string_view text) {
    return text.substr(0, text.size() - (text.ends_with('\n') ? 1 : 0));
}

} // namespace

Session parseSession(std::string_view text, const std::string& where) {
    const JsonDocument document = parseJson(text, where);
    const JsonField root = requireFormat(document, kFormat);
    root.allowOnly({"format", "description", "graphSource", "clusterSource", "costs", "options",
                    "graph", "cluster", "profile", "pins", "placements", "current", "collapsed",
                    "view"});
    for (const auto& [key, format] :
         {std::pair{"graph", kGraphJsonFormat}, std::pair{"cluster", kClusterJsonFormat}}) {
        const JsonField tag = root[key]["format"];
        if (tag.string() != format) {
            tag.fail("\"" + std::string(format) + "\"");
        }
    }
    Session session;
    session.graph = readGraphJson(root["graph"], where + ", /graph").graph;
    session.cluster = readClusterJson(root["cluster"], where + ", /cluster");
    session.graphSource = root.stringOr("graphSource", "");
    session.clusterSource = root.stringOr("clusterSource", "");
    if (const auto profile = root.find("profile")) {
        session.profile = std::make_shared<const cluster::Profile>(
            readProfile(*profile, session.cluster->deviceCount()));
    }
    session.costs = readCosts(root["costs"]);
    if (session.costs == cost::CostModel::Profiled && !session.profile) {
        root["costs"].fail("physical or published, as the session holds no measured times");
    }
    if (const auto options = root.find("options")) {
        session.options = readSimOptions(*options);
    }
    if (const auto pins = root.find("pins")) {
        session.pins = readDevices(*pins, session, kNoDevice);
    }
    if (const auto placements = root.find("placements")) {
        for (const JsonField& placement : placements->elements()) {
            session.placements.push_back(readPlacement(placement, session));
        }
    }
    if (const auto current = root.find("current")) {
        session.current =
            current->integer32(-1, static_cast<std::int32_t>(session.placements.size()) - 1);
    }
    if (const auto collapsed = root.find("collapsed")) {
        session.collapsed = readGroups(*collapsed, *session.graph);
    }
    session.view = root.stringOr("view", "");
    return session;
}

std::string writeSession(const Session& session) {
    JsonText text;
    text.member("format", kFormat);
    text.member("graphSource", session.graphSource);
    text.member("clusterSource", session.clusterSource);
    text.member("costs", cost::name(session.costs));
    text.member("options", simOptionsJson(session.options));
    text.rawMember("cluster", withoutLastBreak(writeClusterJson(*session.cluster)));
    if (session.profile) {
        text.rawMember("profile", profileText(*session.profile));
    }
    text.rawMember("graph", withoutLastBreak(writeGraphJson(*session.graph)));
    if (!session.pins.empty()) {
        text.member("pins", session.pins);
    }
    text.beginList("placements");
    for (const SessionPlacement& placement : session.placements) {
        text.element(placementJson(placement));
    }
    text.endList();
    text.member("current", session.current);
    if (session.collapsed) {
        text.member("collapsed", *session.collapsed);
    }
    text.member("view", session.view);
    return text.finish();
}

bool looksLikeSession(std::string_view text) {
    // Any version of the tag: a wrong one is then refused with the right message.
    return text.find('{') != std::string_view::npos &&
           text.find("\"doppler-session/") != std::string_view::npos;
}

} // namespace doppler::io
