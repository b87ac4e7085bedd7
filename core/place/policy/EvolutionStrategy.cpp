#include "core/place/policy/EvolutionStrategy.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace doppler::place {

EvolutionStrategy::EvolutionStrategy(std::vector<double> mean, std::vector<double> scales,
                                     int population, Covariance covariance)
    : covariance_(covariance)
    , mean_(std::move(mean))
    , scales_(std::move(scales))
    , stepPath_(mean_.size(), 0)
    , scalePath_(mean_.size(), 0) {
    const auto lambda = static_cast<std::size_t>(std::max(4, population));
    const std::size_t parents = lambda / 2;
    for (std::size_t i = 0; i < parents; ++i) {
        rankWeights_.push_back(std::log(static_cast<double>(parents) + 0.5) -
                               std::log(static_cast<double>(i) + 1));
    }
    const double sum = std::accumulate(rankWeights_.begin(), rankWeights_.end(), 0.0);
    double squares = 0;
    for (double& weight : rankWeights_) {
        weight /= sum;
        squares += weight * weight;
    }
    effective_ = 1 / squares;

    // The tutorial's defaults (its table 1).
    const auto n = static_cast<double>(size());
    stepRate_ = (effective_ + 2) / (n + effective_ + 5);
    stepDamping_ = 1 + stepRate_ + 2 * std::max(0.0, std::sqrt((effective_ - 1) / (n + 1)) - 1);
    pathRate_ = (4 + effective_ / n) / (n + 4 + 2 * effective_ / n);
    rankOneRate_ = 2 / ((n + 1.3) * (n + 1.3) + effective_);
    rankManyRate_ = std::min(1 - rankOneRate_, 2 * (effective_ - 2 + 1 / effective_) /
                                                   ((n + 2) * (n + 2) + effective_));
    if (covariance_ == Covariance::Diagonal) {
        // n numbers are learnt (n + 2) / 3 times as fast as n^2 / 2.
        const double factor = (n + 2) / 3;
        rankOneRate_ = std::min(rankOneRate_ * factor, 0.4);
        rankManyRate_ = std::min(rankManyRate_ * factor, 0.9 - rankOneRate_);
    } else {
        factor_.assign(size() * size(), 0);
        for (std::size_t i = 0; i < size(); ++i) {
            factor_[i * size() + i] = 1;
        }
    }
    expectedNorm_ = std::sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
    normal_.assign(lambda, std::vector<double>(size()));
    moved_ = normal_;
    samples_ = normal_;
}

void EvolutionStrategy::transform(const std::vector<double>& z, std::vector<double>& y) const {
    if (covariance_ == Covariance::Diagonal) {
        for (std::size_t i = 0; i < size(); ++i) {
            y[i] = scales_[i] * z[i];
        }
        return;
    }
    for (std::size_t i = 0; i < size(); ++i) {
        const double* row = factor_.data() + i * size();
        y[i] = std::inner_product(row, row + i + 1, z.begin(), 0.0);
    }
}

const std::vector<std::vector<double>>& EvolutionStrategy::ask(Random& random) {
    for (std::size_t k = 0; k < samples_.size(); ++k) {
        for (double& value : normal_[k]) {
            value = random.normal();
        }
        transform(normal_[k], moved_[k]);
        for (std::size_t i = 0; i < size(); ++i) {
            const double unit = covariance_ == Covariance::Full ? scales_[i] : 1;
            samples_[k][i] = mean_[i] + step_ * unit * moved_[k][i];
        }
    }
    return samples_;
}

void EvolutionStrategy::tell(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });

    std::vector<double> z(size(), 0);
    std::vector<double> y(size(), 0);
    std::vector<std::vector<double>> chosen;
    for (std::size_t rank = 0; rank < rankWeights_.size(); ++rank) {
        const std::size_t k = order[rank];
        chosen.push_back(moved_[k]);
        for (std::size_t i = 0; i < size(); ++i) {
            z[i] += rankWeights_[rank] * normal_[k][i];
            y[i] += rankWeights_[rank] * moved_[k][i];
        }
    }
    const double stepGain = std::sqrt(stepRate_ * (2 - stepRate_) * effective_);
    const double pathGain = std::sqrt(pathRate_ * (2 - pathRate_) * effective_);
    double squares = 0;
    for (std::size_t i = 0; i < size(); ++i) {
        mean_[i] += step_ * (covariance_ == Covariance::Full ? scales_[i] : 1) * y[i];
        stepPath_[i] = (1 - stepRate_) * stepPath_[i] + stepGain * z[i];
        scalePath_[i] = (1 - pathRate_) * scalePath_[i] + pathGain * y[i];
        squares += stepPath_[i] * stepPath_[i];
    }
    if (covariance_ == Covariance::Full) {
        updateFull(chosen);
    } else {
        updateDiagonal(chosen);
    }
    constexpr double kMostGrowth = 1;
    step_ *= std::exp(
        std::min(kMostGrowth, stepRate_ / stepDamping_ * (std::sqrt(squares) / expectedNorm_ - 1)));
}

void EvolutionStrategy::updateDiagonal(const std::vector<std::vector<double>>& chosen) {
    for (std::size_t i = 0; i < size(); ++i) {
        double many = 0;
        for (std::size_t rank = 0; rank < chosen.size(); ++rank) {
            many += rankWeights_[rank] * chosen[rank][i] * chosen[rank][i];
        }
        const double variance = (1 - rankOneRate_ - rankManyRate_) * scales_[i] * scales_[i] +
                                rankOneRate_ * scalePath_[i] * scalePath_[i] + rankManyRate_ * many;
        scales_[i] = std::sqrt(variance);
    }
}

void EvolutionStrategy::updateFull(const std::vector<std::vector<double>>& chosen) {
    const double kept = std::sqrt(1 - rankOneRate_ - rankManyRate_);
    for (double& entry : factor_) {
        entry *= kept;
    }
    addToFactor(scalePath_, rankOneRate_);
    for (std::size_t rank = 0; rank < chosen.size(); ++rank) {
        addToFactor(chosen[rank], rankManyRate_ * rankWeights_[rank]);
    }
}

/// Makes the factor that of A A' + weight * v v', column by column (Golub and Van Loan).
void EvolutionStrategy::addToFactor(std::vector<double> v, double weight) {
    const std::size_t n = size();
    const double scale = std::sqrt(weight);
    for (double& entry : v) {
        entry *= scale;
    }
    for (std::size_t j = 0; j < n; ++j) {
        double& diagonal = factor_[j * n + j];
        const double radius = std::hypot(diagonal, v[j]);
        const double c = radius / diagonal;
        const double s = v[j] / diagonal;
        diagonal = radius;
        for (std::size_t i = j + 1; i < n; ++i) {
            double& entry = factor_[i * n + j];
            entry = (entry + s * v[i]) / c;
            v[i] = c * v[i] - s * entry;
        }
    }
}

EvolutionStrategy::State EvolutionStrategy::state() const {
    return {mean_, scales_, stepPath_, scalePath_, step_};
}

void EvolutionStrategy::restore(const State& state) {
    mean_ = state.mean;
    scales_ = state.scales;
    stepPath_ = state.stepPath;
    scalePath_ = state.scalePath;
    step_ = state.step;
}

} // namespace doppler::place
