#pragma once

namespace doppler::learn {

/// Rows of PLC's first layer for the devices that may be chosen, and where its results go.
/// Arrays hold `hidden` floats a row; hidden is a multiple of 8.
struct PlcRows {
    int hidden = 0;
    int rows = 0;                    ///< devices that may be chosen
    const float* own = nullptr;      ///< hidden: the op's part
    const float* sums = nullptr;     ///< rows x hidden: sum of the parts of the ops on each device
    const float* inverse = nullptr;  ///< rows: 1 / ops on the device, 0 if there is none
    const float* weights = nullptr;  ///< kDeviceFeatures x hidden
    const float* output = nullptr;   ///< hidden
    const float* features = nullptr; ///< rows x kDeviceFeatures
};

/// logits[d] = output . LeakyReLU(own + sums[d] * inverse[d] + sum_k features[d][k] * weights[k]).
void plcForward(const PlcRows& in, float* logits);

/// The gradients of plcForward, added to what is there.
struct PlcGradients {
    float* own = nullptr;     ///< hidden
    float* means = nullptr;   ///< rows x hidden: times inverse[d], that is of each op's part
    float* weights = nullptr; ///< kDeviceFeatures x hidden
    float* output = nullptr;  ///< hidden
};

/// `logits`: dL/dlogit of each row.
void plcBackward(const PlcRows& in, const float* logits, const PlcGradients& out);

} // namespace doppler::learn
