#include "core/learn/Adam.h"

#include <cmath>

namespace doppler::learn {

void Adam::step(std::span<float> weights, std::span<const float> gradient, double rate) {
    constexpr float kMeanDecay = 0.9F;
    constexpr float kSquareDecay = 0.99F;
    constexpr float kLeast = 1e-8F;
    ++steps_;
    const double count = static_cast<double>(steps_);
    const double meanShare = 1 - std::pow(static_cast<double>(kMeanDecay), count);
    const double squareShare = 1 - std::pow(static_cast<double>(kSquareDecay), count);
    const auto scale = static_cast<float>(rate / meanShare);
    const auto root = static_cast<float>(1 / std::sqrt(squareShare));
    for (std::size_t i = 0; i < weights.size(); ++i) {
        mean_[i] = kMeanDecay * mean_[i] + (1 - kMeanDecay) * gradient[i];
        square_[i] = kSquareDecay * square_[i] + (1 - kSquareDecay) * gradient[i] * gradient[i];
        weights[i] -= scale * mean_[i] / (std::sqrt(square_[i]) * root + kLeast);
    }
}

void Adam::restore(std::int64_t steps, std::vector<float> mean, std::vector<float> square) {
    steps_ = steps;
    mean_ = std::move(mean);
    square_ = std::move(square);
}

double clipNorm(std::span<float> gradient, double most) {
    double square = 0;
    for (const float value : gradient) {
        square += static_cast<double>(value) * value;
    }
    const double norm = std::sqrt(square);
    if (norm > most) {
        const auto scale = static_cast<float>(most / norm);
        for (float& value : gradient) {
            value *= scale;
        }
    }
    return norm;
}

} // namespace doppler::learn
