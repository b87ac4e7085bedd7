#include "core/io/ProfileJson.h"

#include <filesystem>
#include <set>

#include "core/io/ClusterJson.h"
#include "core/io/Formats.h"
#include "core/io/JsonText.h"

namespace doppler::io {

using cluster::KernelTime;
using cluster::LinkTime;
using cluster::Profile;

namespace {

constexpr Time kLongestNs = 1'000'000'000'000; // a quarter of an hour

KernelTime readKernel(const JsonField& field, int deviceCount) {
    field.allowOnly({"kernel", "device", "ns", "samples", "spread", "spiky"});
    KernelTime kernel;
    kernel.kernel = field["kernel"].string();
    kernel.device = field["device"].integer32(0, deviceCount - 1);
    kernel.ns = field["ns"].integer(0, kLongestNs);
    kernel.samples = field["samples"].integer32(1);
    kernel.spread = field.numberOr("spread", 0);
    kernel.spiky = field.booleanOr("spiky", false);
    return kernel;
}

LinkTime readLink(const JsonField& field, int deviceCount) {
    field.allowOnly({"pair", "latencyNs", "bytesPerSecond", "samples", "error"});
    LinkTime link;
    const JsonField pair = field["pair"];
    if (pair.size() != 2) {
        pair.fail("a pair of devices");
    }
    link.from = pair[std::size_t{0}].integer32(0, deviceCount - 1);
    link.to = pair[std::size_t{1}].integer32(0, deviceCount - 1);
    if (link.from == link.to) {
        pair.fail("two different devices");
    }
    link.latencyNs = field["latencyNs"].integer(0, kLongestNs);
    const JsonField rate = field["bytesPerSecond"];
    link.bytesPerSecond = rate.number();
    if (link.bytesPerSecond <= 0) {
        rate.fail("a number above 0");
    }
    link.samples = field["samples"].integer32(1);
    link.error = field.numberOr("error", 0);
    return link;
}

/// What openCluster() takes for a preset even where a file is called so.
bool isClusterPreset(const std::string& text) {
    for (const ClusterPreset& preset : clusterPresets()) {
        const std::string prefix = preset.name.substr(0, preset.name.find(':') + 1);
        if (preset.parametric ? text.starts_with(prefix) : text == preset.name) {
            return true;
        }
    }
    return false;
}

} // namespace

// One kernel or link a line.
std::string profileText(const Profile& profile) {
    JsonText text;
    text.member("runtime", profile.runtime);
    text.member("emulated", profile.emulated);
    text.member("processor", profile.processor);
    text.member("blas", profile.blas);
    text.member("blasThreads", profile.blasThreads);
    text.member("date", profile.date);
    text.member("version", profile.version);
    if (profile.runs > 0) {
        text.member("runs", profile.runs);
        text.member("disturbedRuns", profile.disturbed);
    }
    if (!profile.deviceFactors.empty()) {
        OrderedJson factors = OrderedJson::array();
        for (const double factor : profile.deviceFactors) {
            factors.push_back(tidyNumber(factor));
        }
        text.member("deviceFactors", factors);
    }
    text.beginList("kernels");
    for (const KernelTime& kernel : profile.kernels) {
        OrderedJson json = {{"kernel", kernel.kernel},
                            {"device", kernel.device},
                            {"ns", kernel.ns},
                            {"samples", kernel.samples},
                            {"spread", tidyNumber(kernel.spread)}};
        if (kernel.spiky) {
            json["spiky"] = true;
        }
        text.element(json);
    }
    text.endList();
    text.beginList("links");
    for (const LinkTime& link : profile.links) {
        text.element({{"pair", {link.from, link.to}},
                      {"latencyNs", link.latencyNs},
                      {"bytesPerSecond", tidyNumber(link.bytesPerSecond)},
                      {"samples", link.samples},
                      {"error", tidyNumber(link.error)}});
    }
    text.endList();
    std::string result = text.finish();
    result.erase(result.find_last_not_of('\n') + 1);
    return result;
}

Profile readProfile(const JsonField& field, int deviceCount) {
    field.allowOnly({"runtime", "emulated", "processor", "blas", "blasThreads", "date", "version",
                     "runs", "disturbedRuns", "deviceFactors", "kernels", "links"});
    Profile profile;
    profile.runtime = field["runtime"].string();
    const bool emulated = profile.runtime == "emulated";
    profile.emulated = field.booleanOr("emulated", emulated);
    if (profile.emulated != emulated) {
        field["emulated"].fail(profile.emulated ? "true" : "false",
                               std::string(emulated ? "true" : "false") + ", as the runtime is " +
                                   profile.runtime);
    }
    profile.processor = field.stringOr("processor", "");
    profile.blas = field.stringOr("blas", "");
    if (const auto threads = field.find("blasThreads")) {
        profile.blasThreads = threads->integer32();
    }
    profile.date = field.stringOr("date", "");
    profile.version = field.stringOr("version", "");
    if (const auto runs = field.find("runs")) {
        profile.runs = runs->integer32(0);
        profile.disturbed = field["disturbedRuns"].integer32(0, profile.runs);
    }
    if (const auto factors = field.find("deviceFactors")) {
        if (factors->size() != static_cast<std::size_t>(deviceCount)) {
            factors->fail(std::to_string(factors->size()) + " factors",
                          std::to_string(deviceCount) + " (one for each device)");
        }
        for (const JsonField& factor : factors->elements()) {
            constexpr double kSmallest = 0.001;
            constexpr double kLargest = 1e3;
            profile.deviceFactors.push_back(factor.number(kSmallest));
            if (profile.deviceFactors.back() > kLargest) {
                factor.fail("a number from 0.001 to 1000");
            }
        }
    }
    std::set<std::pair<std::string, DeviceId>> known;
    for (const JsonField& entry : field["kernels"].elements()) {
        profile.kernels.push_back(readKernel(entry, deviceCount));
        if (!known.emplace(profile.kernels.back().kernel, profile.kernels.back().device).second) {
            entry.fail("a kernel twice", "one time for each kernel and device");
        }
    }
    for (const JsonField& entry : field["links"].elements()) {
        profile.links.push_back(readLink(entry, deviceCount));
    }
    return profile;
}

std::shared_ptr<const Profile> openProfile(const std::string& cluster) {
    std::error_code unreadable;
    if (isClusterPreset(cluster) || !std::filesystem::is_regular_file(cluster, unreadable)) {
        return nullptr;
    }
    const JsonDocument document = parseJson(readFile(cluster), cluster);
    const JsonField root = requireFormat(document, kClusterJsonFormat);
    const auto field = root.find("profile");
    if (!field) {
        return nullptr;
    }
    const int devices = readClusterJson(root, cluster)->deviceCount();
    return std::make_shared<const Profile>(readProfile(*field, devices));
}

std::string writeClusterJson(const cluster::Cluster& cluster, const Profile& profile) {
    std::string text = writeClusterJson(cluster);
    text.erase(text.find_last_of('}'));
    text.erase(text.find_last_not_of('\n') + 1);
    return text + ",\n  \"profile\": " + profileText(profile) + "\n}\n";
}

} // namespace doppler::io
