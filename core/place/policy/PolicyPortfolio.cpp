#include "core/place/policy/PolicyPortfolio.h"

#include "core/io/JsonField.h"
#include "core/io/JsonText.h"
#include "core/place/policy/EmbeddedPolicies.h"

namespace doppler::place {

namespace {

using io::Json;
using io::JsonField;

constexpr std::string_view kFormat = "doppler-policy/1";

template <std::size_t N>
Json names(const std::array<std::string_view, N>& list) {
    Json json = Json::array();
    for (const std::string_view name : list) {
        json.push_back(std::string(name));
    }
    return json;
}

void requireSame(const JsonField& field, const Json& ours) {
    if (field.json() != ours) {
        field.fail("the features of another version of this program",
                   "those that this version computes, in its order; train the policy anew");
    }
}

void readWeights(const JsonField& list, float* weights, std::size_t count) {
    if (list.size() != count) {
        list.fail(std::to_string(list.size()) + " weights", std::to_string(count));
    }
    constexpr double kMost = 1e6;
    for (std::size_t i = 0; i < count; ++i) {
        const double weight = list[i].number(-kMost);
        if (weight > kMost) {
            list[i].fail("a weight of at most 1000000");
        }
        weights[i] = static_cast<float>(weight);
    }
}

Json weightsJson(const float* weights, std::size_t count) {
    constexpr double kDigits = 1e5;
    Json json = Json::array();
    for (std::size_t i = 0; i < count; ++i) {
        json.push_back(std::round(static_cast<double>(weights[i]) * kDigits) / kDigits);
    }
    return json;
}

} // namespace

PolicyPortfolio parsePolicies(std::string_view text, const std::string& where) {
    const io::JsonDocument document = io::parseJson(text, where);
    const JsonField root = io::requireFormat(document, kFormat);
    const JsonField features = root["features"];
    requireSame(features["op"], names(kOpFeatures));
    requireSame(features["context"], names(kOpContexts));
    requireSame(features["device"], names(kDeviceFeatures));
    PolicyPortfolio portfolio;
    portfolio.description = root.stringOr("description", "");
    for (const JsonField& member : root["members"].elements()) {
        LinearPolicy policy;
        policy.name = member["name"].string();
        readWeights(member["sel"], policy.weights.data(), kOpFeatureCount);
        const JsonField plc = member["plc"];
        if (plc.size() != kContextCount) {
            plc.fail(std::to_string(plc.size()) + " rows", std::to_string(kContextCount));
        }
        for (std::size_t c = 0; c < kContextCount; ++c) {
            readWeights(plc[c], policy.weights.data() + kOpFeatureCount + c * kDeviceFeatureCount,
                        kDeviceFeatureCount);
        }
        portfolio.members.push_back(std::move(policy));
    }
    return portfolio;
}

std::string writePolicies(const PolicyPortfolio& portfolio) {
    Json root = {{"format", std::string(kFormat)},
                 {"description", portfolio.description},
                 {"features",
                  {{"op", names(kOpFeatures)},
                   {"context", names(kOpContexts)},
                   {"device", names(kDeviceFeatures)}}},
                 {"members", Json::array()}};
    for (const LinearPolicy& policy : portfolio.members) {
        Json plc = Json::array();
        for (std::size_t c = 0; c < kContextCount; ++c) {
            plc.push_back(weightsJson(policy.plc(c), kDeviceFeatureCount));
        }
        root["members"].push_back({{"name", policy.name},
                                   {"sel", weightsJson(policy.sel(), kOpFeatureCount)},
                                   {"plc", std::move(plc)}});
    }
    return root.dump() + "\n";
}

const PolicyPortfolio& shippedPolicies() {
    static const PolicyPortfolio shipped = [] {
        PolicyPortfolio all;
        for (const io::EmbeddedFile& file : embeddedPolicies()) {
            PolicyPortfolio one = parsePolicies(file.text, std::string(file.name) + ".json");
            all.members.insert(all.members.end(), one.members.begin(), one.members.end());
            all.description += (all.description.empty() ? "" : "; ") + one.description;
        }
        return all;
    }();
    return shipped;
}

} // namespace doppler::place
