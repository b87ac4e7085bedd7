#include "core/learn/PolicyTables.h"

#include <algorithm>
#include <cmath>

#include "core/learn/Episode.h"

namespace doppler::learn {

namespace {

// exp of it is still a normal number.
constexpr double kLowestScore = -600;

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

void addTo(std::vector<float>& sum, const std::vector<float>& other) {
    for (std::size_t i = 0; i < sum.size(); ++i) {
        sum[i] += other[i];
    }
}

} // namespace

void PolicyTables::resize(int opCount, int hiddenSize) {
    ops = opCount;
    hidden = hiddenSize;
    score.resize(at(ops));
    own.resize(at(ops) * at(hidden));
    placed.resize(at(ops) * at(hidden));
    feature.resize(at(kDeviceFeatures) * at(hidden));
    output.resize(at(hidden));
}

void PolicyTables::prepare() {
    relative.resize(score.size());
    weight.resize(score.size());
    const float largest = score.empty() ? 0.0F : *std::max_element(score.begin(), score.end());
    for (std::size_t i = 0; i < score.size(); ++i) {
        relative[i] = std::max(static_cast<double>(score[i]) - largest, kLowestScore);
        weight[i] = std::exp(relative[i]);
    }
}

void TableGradient::reset(int ops, int hidden) {
    score.assign(at(ops), 0.0F);
    own.assign(at(ops) * at(hidden), 0.0F);
    placed.assign(at(ops) * at(hidden), 0.0F);
    feature.assign(at(kDeviceFeatures) * at(hidden), 0.0F);
    output.assign(at(hidden), 0.0F);
}

void TableGradient::add(const TableGradient& other) {
    addTo(score, other.score);
    addTo(own, other.own);
    addTo(placed, other.placed);
    addTo(feature, other.feature);
    addTo(output, other.output);
}

} // namespace doppler::learn
