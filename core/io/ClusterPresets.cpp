#include <algorithm>
#include <charconv>

#include "core/graph/InputError.h"
#include "core/io/EmbeddedClusters.h"
#include "core/io/Formats.h"
#include "core/io/JsonField.h"
#include "core/io/MessageText.h"

namespace doppler::io {

using cluster::Cluster;

namespace {

struct Parametric {
    std::string_view prefix;
    std::string_view description;
    Cluster (*make)(int);
};
constexpr Parametric kParametric[] = {
    {"uniform:", "N identical devices, all pairs alike: the natural cluster for published costs",
     cluster::uniformCluster},
    {"cpu:", "N devices that stand for the processors of this machine", cluster::cpuCluster},
};

std::string presetNames() {
    std::string names;
    for (const ClusterPreset& preset : clusterPresets()) {
        names += (names.empty() ? "" : ", ") + preset.name;
    }
    return names;
}

int deviceCount(std::string_view number, const std::string& text) {
    int count = 0;
    const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), count);
    if (number.empty() || error != std::errc() || stop != number.data() + number.size()) {
        throw InputError("cluster " + quotedText(text), "no number of devices",
                         "a whole number after the colon");
    }
    return count;
}

} // namespace

std::vector<ClusterPreset> clusterPresets() {
    std::vector<ClusterPreset> presets;
    for (const Parametric& parametric : kParametric) {
        presets.push_back(
            {std::string(parametric.prefix) + "N", std::string(parametric.description), true});
    }
    for (const EmbeddedFile& file : embeddedClusters()) {
        const JsonDocument document = parseJson(file.text, std::string(file.name));
        presets.push_back(
            {std::string(file.name), JsonField(document).stringOr("description", ""), false});
    }
    return presets;
}

std::shared_ptr<const Cluster> openCluster(const std::string& text) {
    for (const Parametric& parametric : kParametric) {
        if (text.starts_with(parametric.prefix)) {
            const std::string_view number = std::string_view(text).substr(parametric.prefix.size());
            return std::make_shared<const Cluster>(parametric.make(deviceCount(number, text)));
        }
    }
    for (const EmbeddedFile& file : embeddedClusters()) {
        if (file.name == text) {
            return parseClusterJson(file.text, text);
        }
    }
    std::error_code error;
    if (!std::filesystem::exists(text, error)) {
        throw InputError("cluster", quotedText(text) + ", which is neither a preset nor a file",
                         "one of " + presetNames() + ", or a file");
    }
    return parseClusterJson(readFile(text), text);
}

} // namespace doppler::io
