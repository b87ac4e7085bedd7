#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace doppler::learn {

/// A named matrix (or row, with rows = 1) in the flat array of all weights.
struct Weight {
    std::string name;
    int rows = 0;
    int columns = 0;
    std::size_t offset = 0;

    std::size_t size() const {
        return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
    }
    bool operator==(const Weight&) const = default;
};

/// Sizes and weights of the dual policy's two networks. They do not depend on the graph or on the
/// number of devices.
///
/// Each network: h = LeakyReLU(Lin x); per layer, for both directions, messages
/// LeakyReLU(Ws h_u + Wd h_v + We e), their mean over the edges of v, and
/// h = LayerNorm(h + LeakyReLU(Wo [h, in, out])).
/// SEL: score = MLP [LeakyReLU(Lin x), h, mean h on the b-path, mean h on the t-path].
/// PLC: A = Wa [h, LeakyReLU(Lin x)], B = Wb h, and the weights of device features and output.
struct NetworkShape {
    NetworkShape(int hiddenSize, int layerCount, int featureCount);

    int hidden = 0;
    int layers = 0;
    int features = 0; ///< of an op
    std::vector<Weight> weights;
    std::size_t size = 0; ///< floats of all weights

    /// Index in `weights` of the first one of a network (0: SEL, 1: PLC).
    std::size_t firstWeight(int network) const;

    /// Uniform in +-1 / sqrt(columns), biases 0, scales of LayerNorm 1; the output of SEL and PLC
    /// starts small, so that training starts near uniform choices.
    std::vector<float> initial(std::uint64_t seed) const;

private:
    void add(const std::string& name, int rows, int columns);
    std::size_t plcFirst_ = 0;
};

} // namespace doppler::learn
