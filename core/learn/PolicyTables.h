#pragma once

#include <vector>

namespace doppler::learn {

/// What the encoder tells the rollouts of one problem: all that does not change within an update.
/// Arrays are row-major.
struct PolicyTables {
    int ops = 0;
    int hidden = 0;
    std::vector<float> score;   ///< ops: SEL's score of each op
    std::vector<float> own;     ///< ops x hidden: PLC's first layer, the part of the op itself (A)
    std::vector<float> placed;  ///< ops x hidden: its part in the mean of a device it is on (B)
    std::vector<float> feature; ///< kDeviceFeatures x hidden: weights of the device features (Wf)
    std::vector<float> output;  ///< hidden: PLC's last layer (w2)

    // Made by prepare().
    std::vector<double> relative; ///< score less the largest one (at least -600)
    std::vector<double> weight;   ///< exp(relative)

    void resize(int opCount, int hiddenSize);
    /// Must be called when `score` has changed.
    void prepare();
};

/// Gradient of a loss with respect to the arrays of PolicyTables, of the same shapes.
struct TableGradient {
    std::vector<float> score, own, placed, feature, output;

    void reset(int ops, int hidden);
    void add(const TableGradient& other);
};

} // namespace doppler::learn
