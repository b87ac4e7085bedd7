#include <algorithm>
#include <limits>
#include <set>

#include <google/protobuf/unknown_field_set.h>

#include "core/graph/InputError.h"
#include "core/io/MessageText.h"
#include "core/io/OnnxModel.h"
#include "core/io/OnnxNetwork.h"
#include "core/io/TaskGraph.h"

// The library's messages are older than device configurations (IR version 11), so these are read
// and written as fields that it does not know, by their numbers in onnx.proto.

namespace doppler::io {

namespace {

using google::protobuf::UnknownField;
using google::protobuf::UnknownFieldSet;

constexpr int kFirstVersionWithDevices = 11;

// ModelProto
constexpr int kConfigurations = 26;
// DeviceConfigurationProto
constexpr int kName = 1;
constexpr int kDeviceCount = 2;
constexpr int kDeviceNames = 3;
// NodeProto
constexpr int kNodeConfigurations = 10;
// NodeDeviceConfigurationProto
constexpr int kConfigurationId = 1;
constexpr int kShardingSpecs = 2;
// ShardingSpecProto: a tensor that is not cut, on the devices listed
constexpr int kTensorName = 1;
constexpr int kDevices = 2;

std::size_t at(int id) {
    return static_cast<std::size_t>(id);
}

std::string bytesOf(const UnknownFieldSet& fields) {
    std::string bytes;
    fields.SerializeToString(&bytes);
    return bytes;
}

/// Texts and messages of one field, in order.
std::vector<std::string> texts(const UnknownFieldSet& fields, int number) {
    std::vector<std::string> found;
    for (int i = 0; i < fields.field_count(); ++i) {
        const UnknownField& field = fields.field(i);
        if (field.number() == number && field.type() == UnknownField::TYPE_LENGTH_DELIMITED) {
            found.push_back(field.length_delimited());
        }
    }
    return found;
}

/// The fields of a message in bytes; none if they cannot be parsed.
struct Parsed {
    explicit Parsed(const std::string& bytes) {
        if (!fields.ParseFromString(bytes)) {
            fields.Clear();
        }
    }
    UnknownFieldSet fields;
};

std::string firstText(const UnknownFieldSet& fields, int number) {
    const std::vector<std::string> found = texts(fields, number);
    return found.empty() ? std::string() : found.front();
}

/// The first of the numbers in a field, packed or not.
std::optional<std::int64_t> firstNumber(const UnknownFieldSet& fields, int number) {
    for (int i = 0; i < fields.field_count(); ++i) {
        const UnknownField& field = fields.field(i);
        if (field.number() != number) {
            continue;
        }
        if (field.type() == UnknownField::TYPE_VARINT) {
            return static_cast<std::int64_t>(field.varint());
        }
        if (field.type() == UnknownField::TYPE_LENGTH_DELIMITED) {
            std::uint64_t value = 0;
            int shift = 0;
            for (const char c : field.length_delimited()) {
                const auto byte = static_cast<unsigned char>(c);
                value |= std::uint64_t{byte & 0x7FU} << shift;
                shift += 7;
                if ((byte & 0x80U) == 0) {
                    return static_cast<std::int64_t>(value);
                }
                if (shift > 63) {
                    break;
                }
            }
        }
    }
    return std::nullopt;
}

/// Removes messages of a field that are called so by their own first text.
void removeNamed(UnknownFieldSet& fields, int number, int nameField, const std::string& name) {
    UnknownFieldSet kept;
    for (int i = 0; i < fields.field_count(); ++i) {
        const UnknownField& field = fields.field(i);
        const bool named = field.number() == number &&
                           field.type() == UnknownField::TYPE_LENGTH_DELIMITED &&
                           firstText(Parsed(field.length_delimited()).fields, nameField) == name;
        if (!named) {
            kept.AddField(field);
        }
    }
    fields.Swap(&kept);
}

/// By node of the main graph: the devices of its ops. Several only for calls of functions.
std::vector<std::set<DeviceId>> devicesByNode(const OnnxNetwork& network, int nodes,
                                              const sim::Assignment& assignment) {
    std::vector<std::set<DeviceId>> devices(at(nodes));
    for (std::size_t op = 0; op < assignment.size(); ++op) {
        devices[at(network.nodes()[op].topNode)].insert(assignment[op]);
    }
    return devices;
}

/// Names resolved only: nothing here depends on dimensions.
OnnxNetwork networkOf(const onnx::ModelProto& model, const std::string& where,
                      const graph::Graph& graph, OnnxDimensions& dimensions) {
    OnnxNetwork network(model, dimensions);
    if (network.nodes().size() != at(graph.opCount())) {
        throw InputError(where, "a model of " + std::to_string(network.nodes().size()) + " ops",
                         "the model of graph " + quotedText(graph.name()) + " (" +
                             std::to_string(graph.opCount()) + " ops)");
    }
    return network;
}

std::string configurationOf(const cluster::Cluster& cluster) {
    UnknownFieldSet configuration;
    configuration.AddLengthDelimited(kName, cluster.name());
    configuration.AddVarint(kDeviceCount, static_cast<std::uint64_t>(cluster.deviceCount()));
    for (DeviceId device = 0; device < cluster.deviceCount(); ++device) {
        configuration.AddLengthDelimited(kDeviceNames, cluster.device(device).name);
    }
    return bytesOf(configuration);
}

/// All results of the node lie whole on one device.
std::string nodeConfiguration(const onnx::NodeProto& node, const std::string& name,
                              DeviceId device) {
    UnknownFieldSet configuration;
    configuration.AddLengthDelimited(kConfigurationId, name);
    for (const std::string& output : node.output()) {
        if (!output.empty()) {
            UnknownFieldSet spec;
            spec.AddLengthDelimited(kTensorName, output);
            spec.AddVarint(kDevices, static_cast<std::uint64_t>(device));
            configuration.AddLengthDelimited(kShardingSpecs, bytesOf(spec));
        }
    }
    return bytesOf(configuration);
}

/// The device of a node in that configuration, as a number there.
std::optional<std::int64_t> deviceOf(const onnx::NodeProto& node, const std::string& name) {
    for (const std::string& bytes : texts(node.unknown_fields(), kNodeConfigurations)) {
        const Parsed configuration(bytes);
        if (firstText(configuration.fields, kConfigurationId) != name) {
            continue;
        }
        for (const std::string& spec : texts(configuration.fields, kShardingSpecs)) {
            if (const auto device = firstNumber(Parsed(spec).fields, kDevices)) {
                return device;
            }
        }
    }
    return std::nullopt;
}

/// Devices of the cluster by their number in the configuration.
std::vector<DeviceId> devicesOf(const UnknownFieldSet& configuration,
                                const cluster::Cluster& cluster) {
    std::vector<DeviceId> byName;
    for (const std::string& name : texts(configuration, kDeviceNames)) {
        byName.push_back(cluster.deviceByName(name));
    }
    if (!byName.empty() && std::find(byName.begin(), byName.end(), kNoDevice) == byName.end()) {
        return byName;
    }
    std::vector<DeviceId> byNumber;
    for (DeviceId device = 0; device < cluster.deviceCount(); ++device) {
        byNumber.push_back(device);
    }
    return byNumber;
}

} // namespace

std::vector<std::string> deviceConfigurations(const onnx::ModelProto& model) {
    std::vector<std::string> names;
    for (const std::string& each : texts(model.unknown_fields(), kConfigurations)) {
        names.push_back(firstText(Parsed(each).fields, kName));
    }
    return names;
}

std::string writeOnnxDevices(std::string_view bytes, const std::string& where,
                             const graph::Graph& graph, const sim::Assignment& assignment,
                             const cluster::Cluster& cluster, std::vector<std::string>& notes) {
    onnx::ModelProto model = parseOnnxModel(bytes, where);
    const int nodes = model.graph().node_size();
    std::vector<std::set<DeviceId>> devices;
    {
        const GraphDimensions none;
        OnnxDimensions dimensions(none);
        const OnnxNetwork network = networkOf(model, where, graph, dimensions);
        devices = devicesByNode(network, nodes, assignment);
    }
    model.set_ir_version(std::max<std::int64_t>(model.ir_version(), kFirstVersionWithDevices));
    const std::string& name = cluster.name();
    UnknownFieldSet& fields = *model.mutable_unknown_fields();
    removeNamed(fields, kConfigurations, kName, name);
    fields.AddLengthDelimited(kConfigurations, configurationOf(cluster));
    std::size_t split = 0;
    for (int i = 0; i < nodes; ++i) {
        onnx::NodeProto& node = *model.mutable_graph()->mutable_node(i);
        UnknownFieldSet& own = *node.mutable_unknown_fields();
        removeNamed(own, kNodeConfigurations, kConfigurationId, name);
        split += devices[at(i)].size() > 1 ? 1 : 0;
        if (devices[at(i)].size() == 1) {
            own.AddLengthDelimited(kNodeConfigurations,
                                   nodeConfiguration(node, name, *devices[at(i)].begin()));
        }
    }
    if (split > 0) {
        notes.push_back(countNote(split, "call",
                                  "of functions whose ops are on several devices: "
                                  "written without a device"));
    }
    return model.SerializeAsString();
}

sim::Assignment readOnnxDevices(std::string_view bytes, const std::string& where,
                                const graph::Graph& graph, const cluster::Cluster& cluster) {
    const onnx::ModelProto model = parseOnnxModel(bytes, where);
    const std::vector<std::string> configurations = texts(model.unknown_fields(), kConfigurations);
    if (configurations.empty()) {
        throw InputError(where, "a model without a device configuration", "one with an assignment");
    }
    const auto sameName =
        std::find_if(configurations.begin(), configurations.end(), [&](const std::string& each) {
            return firstText(Parsed(each).fields, kName) == cluster.name();
        });
    const Parsed chosen(sameName == configurations.end() ? configurations.front() : *sameName);
    const std::string name = firstText(chosen.fields, kName);
    const std::vector<DeviceId> devices = devicesOf(chosen.fields, cluster);
    const GraphDimensions none;
    OnnxDimensions dimensions(none);
    const OnnxNetwork network = networkOf(model, where, graph, dimensions);
    sim::Assignment assignment;
    for (OpId op = 0; op < graph.opCount(); ++op) {
        const int node = network.nodes()[at(op)].topNode;
        const auto number = deviceOf(model.graph().node(node), name);
        if (!number || *number < 0 || *number >= static_cast<std::int64_t>(devices.size())) {
            throw InputError(where,
                             "configuration " + quotedText(name) + " with " +
                                 (number ? "device " + std::to_string(*number) : "no device") +
                                 " for op " + quotedText(graph.opName(op)),
                             "one of the " + std::to_string(devices.size()) +
                                 " devices of cluster " + quotedText(cluster.name()));
        }
        assignment.push_back(devices[static_cast<std::size_t>(*number)]);
    }
    return assignment;
}

} // namespace doppler::io
