#include <algorithm>
#include <array>
#include <map>

#include "core/cluster/Cluster.h"
#include "core/graph/InputError.h"
#include "core/io/ClusterJson.h"
#include "core/io/Formats.h"
#include "core/io/JsonText.h"
#include "core/io/ProfileJson.h"

namespace doppler::io {

using cluster::Cluster;
using cluster::Device;
using cluster::Link;
using cluster::LinkKind;

namespace {

constexpr int kMostDevices = 1024;
constexpr std::array kLinkKinds{LinkKind::NvLink, LinkKind::Pcie, LinkKind::Network,
                                LinkKind::SharedMemory, LinkKind::Uniform};

Device readDevice(const JsonField& field) {
    field.allowOnly({"name", "count", "model", "flops", "memoryBytesPerSecond", "capacityBytes",
                     "launchOverheadNs", "slots", "relativeSpeed"});
    Device device;
    device.name = field["name"].string();
    device.model = field.stringOr("model", "");
    if (const auto rates = field.find("flops")) {
        for (const auto& [key, rate] : rates->members()) {
            const auto dtype = graph::dtypeFromName(key);
            if (!dtype || *dtype == graph::DType::Unknown) {
                rate.fail("the element type \"" + std::string(key) + "\"",
                          "f16, bf16, f32, f64, c64, i8, i32, i64 or bool");
            }
            device.peakFlops[static_cast<std::size_t>(*dtype)] = rate.number();
        }
    }
    device.memoryBytesPerSecond = field.numberOr("memoryBytesPerSecond", 0);
    device.capacityBytes = field.integerOr("capacityBytes", 0);
    device.launchOverheadNs = field.integerOr("launchOverheadNs", 0);
    if (const auto slots = field.find("slots")) {
        device.slots = slots->integer32(1);
    }
    device.relativeSpeed = field.numberOr("relativeSpeed", 1);
    return device;
}

std::vector<Device> readDevices(const JsonField& list) {
    std::vector<Device> devices;
    std::map<std::string, int> numbered; // next number of each name that has a count
    for (const JsonField& field : list.elements()) {
        Device device = readDevice(field);
        const auto count = field.find("count");
        if (!count) {
            devices.push_back(std::move(device));
        } else {
            const std::string prefix = device.name;
            const std::int32_t copies = count->integer32(1, kMostDevices);
            for (std::int32_t i = 0; i < copies; ++i) {
                device.name = prefix + " " + std::to_string(numbered[prefix]++);
                devices.push_back(device);
            }
        }
        if (devices.size() > static_cast<std::size_t>(kMostDevices)) {
            list.fail("more than " + std::to_string(kMostDevices) + " devices",
                      "at most " + std::to_string(kMostDevices));
        }
    }
    if (devices.empty()) {
        list.fail("at least one device");
    }
    return devices;
}

/// Finds devices by name or number.
class DeviceLookup {
public:
    explicit DeviceLookup(const std::vector<Device>& devices) {
        for (std::size_t i = 0; i < devices.size(); ++i) {
            byName_.emplace(devices[i].name, i);
        }
    }

    std::size_t count() const { return byName_.size(); }

    std::size_t operator()(const JsonField& field) const {
        if (!field.isString()) {
            return static_cast<std::size_t>(
                field.integer(0, static_cast<std::int64_t>(byName_.size()) - 1));
        }
        const auto found = byName_.find(field.string());
        if (found == byName_.end()) {
            field.fail("a name from \"devices\"");
        }
        return found->second;
    }

private:
    std::map<std::string, std::size_t, std::less<>> byName_;
};

Link readLink(const JsonField& field) {
    field.allowOnly(
        {"among", "pairs", "oneWay", "kind", "bytesPerSecond", "latencyNs", "relativeSpeed"});
    Link link;
    const JsonField kind = field["kind"];
    for (const LinkKind known : kLinkKinds) {
        if (cluster::name(known) == kind.string()) {
            link.kind = known;
        }
    }
    if (link.kind == LinkKind::None) {
        kind.fail("nvlink, pcie, network, shared memory or uniform");
    }
    link.bytesPerSecond = field["bytesPerSecond"].number();
    link.latencyNs = field.integerOr("latencyNs", 0);
    link.relativeSpeed = field.numberOr("relativeSpeed", 1);
    return link;
}

void applyRule(const JsonField& rule, const DeviceLookup& device, std::vector<Link>& links) {
    const Link link = readLink(rule);
    const std::size_t count = device.count();
    if (const auto pairs = rule.find("pairs")) {
        const bool oneWay = rule.booleanOr("oneWay", false);
        for (const JsonField& pair : pairs->elements()) {
            if (pair.size() != 2) {
                pair.fail("a pair of devices");
            }
            const std::size_t from = device(pair[std::size_t{0}]);
            const std::size_t to = device(pair[std::size_t{1}]);
            links[from * count + to] = link;
            if (!oneWay) {
                links[to * count + from] = link;
            }
        }
        return;
    }
    std::vector<std::size_t> among;
    if (const auto list = rule.find("among")) {
        for (const JsonField& entry : list->elements()) {
            among.push_back(device(entry));
        }
    } else {
        for (std::size_t i = 0; i < count; ++i) {
            among.push_back(i);
        }
    }
    for (const std::size_t from : among) {
        for (const std::size_t to : among) {
            links[from * count + to] = link;
        }
    }
}

OrderedJson deviceJson(const Device& device) {
    OrderedJson json;
    json["name"] = device.name;
    json["model"] = device.model;
    OrderedJson rates = OrderedJson::object();
    for (int i = 0; i < graph::kDTypeCount; ++i) {
        const double rate = device.peakFlops[static_cast<std::size_t>(i)];
        if (rate > 0) {
            rates[std::string(graph::name(static_cast<graph::DType>(i)))] = tidyNumber(rate);
        }
    }
    json["flops"] = std::move(rates);
    json["memoryBytesPerSecond"] = tidyNumber(device.memoryBytesPerSecond);
    json["capacityBytes"] = device.capacityBytes;
    json["launchOverheadNs"] = device.launchOverheadNs;
    json["slots"] = device.slots;
    json["relativeSpeed"] = tidyNumber(device.relativeSpeed);
    return json;
}

OrderedJson linkJson(const Link& link) {
    OrderedJson json;
    json["kind"] = cluster::name(link.kind);
    json["bytesPerSecond"] = tidyNumber(link.bytesPerSecond);
    json["latencyNs"] = link.latencyNs;
    json["relativeSpeed"] = tidyNumber(link.relativeSpeed);
    return json;
}

/// One rule for all pairs of the most common link, then one for each other link.
std::vector<OrderedJson> linkRules(const Cluster& cluster) {
    struct Group {
        Link link;
        std::vector<std::pair<DeviceId, DeviceId>> pairs;
    };
    std::vector<Group> groups;
    for (DeviceId from = 0; from < cluster.deviceCount(); ++from) {
        for (DeviceId to = 0; to < cluster.deviceCount(); ++to) {
            if (from == to) {
                continue;
            }
            const Link& link = cluster.link(from, to);
            auto group = std::find_if(groups.begin(), groups.end(),
                                      [&](const Group& known) { return known.link == link; });
            if (group == groups.end()) {
                group = groups.insert(groups.end(), {link, {}});
            }
            group->pairs.emplace_back(from, to);
        }
    }
    std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
        return a.pairs.size() > b.pairs.size();
    });
    std::vector<OrderedJson> rules;
    for (const Group& group : groups) {
        OrderedJson rule;
        if (!rules.empty()) {
            const bool bothWays =
                std::all_of(group.pairs.begin(), group.pairs.end(), [&](const auto& p) {
                    return cluster.link(p.second, p.first) == group.link;
                });
            OrderedJson pairs = OrderedJson::array();
            for (const auto& [from, to] : group.pairs) {
                if (!bothWays || from < to) {
                    pairs.push_back({from, to});
                }
            }
            rule["pairs"] = std::move(pairs);
            if (!bothWays) {
                rule["oneWay"] = true;
            }
        }
        rule.update(linkJson(group.link));
        rules.push_back(std::move(rule));
    }
    return rules;
}

} // namespace

std::shared_ptr<const Cluster> readClusterJson(const JsonField& root, const std::string& where) {
    root.allowOnly({"format", "name", "description", "devices", "links", "profile"});
    const std::string name = root["name"].string();
    std::vector<Device> devices = readDevices(root["devices"]);
    std::vector<Link> links(devices.size() * devices.size());
    const DeviceLookup lookup(devices);
    if (lookup.count() != devices.size()) {
        root["devices"].fail("a device name twice", "a name of its own for each device");
    }
    if (const auto rules = root.find("links")) {
        for (const JsonField& rule : rules->elements()) {
            applyRule(rule, lookup, links);
        }
    }
    if (const auto profile = root.find("profile")) {
        readProfile(*profile, static_cast<int>(devices.size())); // whether it is one
    }
    try {
        return std::make_shared<const Cluster>(name, std::move(devices), std::move(links));
    } catch (const InputError& error) {
        throw InputError(where + ": " + error.what());
    }
}

std::shared_ptr<const Cluster> parseClusterJson(std::string_view text, const std::string& where) {
    const JsonDocument document = parseJson(text, where);
    return readClusterJson(requireFormat(document, kClusterJsonFormat), where);
}

std::string writeClusterJson(const Cluster& cluster) {
    JsonText text;
    text.member("format", kClusterJsonFormat);
    text.member("name", cluster.name());
    text.beginList("devices");
    for (const Device& device : cluster.devices()) {
        text.element(deviceJson(device));
    }
    text.endList();
    text.beginList("links");
    for (const OrderedJson& rule : linkRules(cluster)) {
        text.element(rule);
    }
    text.endList();
    return text.finish();
}

} // namespace doppler::io
