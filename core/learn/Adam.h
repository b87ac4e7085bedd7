#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace doppler::learn {

/// Adam (Kingma and Ba 2015) over one flat array of weights. Its usual constants, but a shorter
/// memory of squares (0.99): gradients that grow all at once must not make steps that ruin the
/// policy.
class Adam {
public:
    explicit Adam(std::size_t size) : mean_(size, 0.0F), square_(size, 0.0F) {}

    void step(std::span<float> weights, std::span<const float> gradient, double rate);

    // For checkpoints.
    std::int64_t steps() const { return steps_; }
    const std::vector<float>& mean() const { return mean_; }
    const std::vector<float>& square() const { return square_; }
    void restore(std::int64_t steps, std::vector<float> mean, std::vector<float> square);

private:
    std::int64_t steps_ = 0;
    std::vector<float> mean_;
    std::vector<float> square_;
};

/// Scales the gradient down to a norm of at most `most`; returns the norm it had.
double clipNorm(std::span<float> gradient, double most);

} // namespace doppler::learn
