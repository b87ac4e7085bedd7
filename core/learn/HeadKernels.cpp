#include "core/learn/HeadKernels.h"

#include "core/learn/Episode.h"
#include "core/learn/Vectorised.h"

namespace doppler::learn {

DOPPLER_VECTORISED void plcForward(const PlcRows& in, float* logits) {
    for (int row = 0; row < in.rows; ++row) {
        const float* sums = in.sums + row * in.hidden;
        const float* features = in.features + row * kDeviceFeatures;
        const float inverse = in.inverse[row];
        Floats8 total = {};
        for (int h = 0; h < in.hidden; h += kLanes) {
            Floats8 sum = *reinterpret_cast<const Floats8*>(in.own + h) +
                          *reinterpret_cast<const Floats8*>(sums + h) * inverse;
            for (int k = 0; k < kDeviceFeatures; ++k) {
                sum +=
                    *reinterpret_cast<const Floats8*>(in.weights + k * in.hidden + h) * features[k];
            }
            // LeakyReLU is the larger of both for a slope below 1.
            const Floats8 low = sum * kLeakySlope;
            total += *reinterpret_cast<const Floats8*>(in.output + h) * (sum > low ? sum : low);
        }
        float logit = 0;
        for (int lane = 0; lane < kLanes; ++lane) {
            logit += total[lane];
        }
        logits[row] = logit;
    }
}

DOPPLER_VECTORISED void plcBackward(const PlcRows& in, const float* logits,
                                    const PlcGradients& out) {
    for (int h = 0; h < in.hidden; h += kLanes) {
        const Floats8 own = *reinterpret_cast<const Floats8*>(in.own + h);
        const Floats8 output = *reinterpret_cast<const Floats8*>(in.output + h);
        Floats8 ownGradient = *reinterpret_cast<const Floats8*>(out.own + h);
        Floats8 outputGradient = *reinterpret_cast<const Floats8*>(out.output + h);
        for (int row = 0; row < in.rows; ++row) {
            const float* features = in.features + row * kDeviceFeatures;
            Floats8 sum = own + *reinterpret_cast<const Floats8*>(in.sums + row * in.hidden + h) *
                                    in.inverse[row];
            for (int k = 0; k < kDeviceFeatures; ++k) {
                sum +=
                    *reinterpret_cast<const Floats8*>(in.weights + k * in.hidden + h) * features[k];
            }
            const Floats8 low = sum * kLeakySlope;
            outputGradient += (sum > low ? sum : low) * logits[row];
            const Floats8 full = output * logits[row];
            const Floats8 gradient = sum > low ? full : full * kLeakySlope;
            ownGradient += gradient;
            *reinterpret_cast<Floats8*>(out.means + row * in.hidden + h) +=
                gradient * in.inverse[row];
            for (int k = 0; k < kDeviceFeatures; ++k) {
                *reinterpret_cast<Floats8*>(out.weights + k * in.hidden + h) +=
                    gradient * features[k];
            }
        }
        *reinterpret_cast<Floats8*>(out.own + h) = ownGradient;
        *reinterpret_cast<Floats8*>(out.output + h) = outputGradient;
    }
}

} // namespace doppler::learn
