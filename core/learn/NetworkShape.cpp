#include "core/learn/NetworkShape.h"

#include <cmath>

#include "core/learn/Episode.h"
#include "core/learn/GraphFeatures.h"
#include "core/place/Random.h"

namespace doppler::learn {

NetworkShape::NetworkShape(int hiddenSize, int layerCount, int featureCount)
    : hidden(hiddenSize), layers(layerCount), features(featureCount) {
    for (const std::string net : {"sel", "plc"}) {
        if (net == "plc") {
            plcFirst_ = weights.size();
        }
        add(net + ".enter.weight", hidden, features);
        add(net + ".enter.bias", 1, hidden);
        for (int layer = 0; layer < layers; ++layer) {
            const std::string prefix = net + ".layer" + std::to_string(layer);
            // Rows: source and target of edges that enter, then of edges that leave.
            add(prefix + ".ends.weight", 4 * hidden, hidden);
            add(prefix + ".edge.weight", kEdgeFeatures, 2 * hidden);
            add(prefix + ".edge.bias", 1, 2 * hidden);
            add(prefix + ".merge.weight", hidden, 3 * hidden);
            add(prefix + ".merge.bias", 1, hidden);
            add(prefix + ".norm.scale", 1, hidden);
            add(prefix + ".norm.bias", 1, hidden);
        }
        add(net + ".features.weight", hidden, features);
        add(net + ".features.bias", 1, hidden);
        if (net == "sel") {
            add("sel.mlp.weight", hidden, 4 * hidden);
            add("sel.mlp.bias", 1, hidden);
            add("sel.output.weight", 1, hidden);
        } else {
            add("plc.own.weight", hidden, 2 * hidden);
            add("plc.own.bias", 1, hidden);
            add("plc.placed.weight", hidden, hidden);
            add("plc.device.weight", kDeviceFeatures, hidden);
            add("plc.output.weight", 1, hidden);
        }
    }
}

void NetworkShape::add(const std::string& name, int rows, int columns) {
    weights.push_back({name, rows, columns, size});
    size += weights.back().size();
}

std::size_t NetworkShape::firstWeight(int network) const {
    return network == 0 ? 0 : plcFirst_;
}

std::vector<float> NetworkShape::initial(std::uint64_t seed) const {
    place::Random random(seed);
    std::vector<float> values(size, 0.0F);
    for (const Weight& weight : weights) {
        const bool scale = weight.name.ends_with(".scale");
        if (weight.name.ends_with(".bias") || scale) {
            std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(weight.offset), weight.size(),
                        scale ? 1.0F : 0.0F);
            continue;
        }
        // Device and edge weights lie transposed: their inputs are the rows.
        const bool transposed =
            weight.name.ends_with(".device.weight") || weight.name.ends_with(".edge.weight");
        const bool output = weight.name.ends_with(".output.weight");
        constexpr double kSmallOutput = 0.3;
        const double bound =
            (output ? kSmallOutput : 1.0) / std::sqrt(transposed ? weight.rows : weight.columns);
        for (std::size_t i = 0; i < weight.size(); ++i) {
            values[weight.offset + i] = static_cast<float>((2 * random.uniform() - 1) * bound);
        }
    }
    return values;
}

} // namespace doppler::learn
