#include "core/learn/HeadGradient.h"

#include <algorithm>
#include <cmath>

#include "core/learn/HeadKernels.h"

namespace doppler::learn {

namespace {

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

} // namespace

HeadGradient::HeadGradient(const RolloutProblem& problem, int hidden)
    : problem_(problem), hidden_(hidden) {
    const std::size_t devices = at(problem.devices);
    inverse_.resize(at(problem.ops));
    sums_.resize(devices * at(hidden));
    share_.resize(devices);
    count_.resize(devices);
    meanGradient_.resize(devices * at(hidden));
    logits_.resize(devices);
}

void HeadGradient::add(const PolicyTables& tables, PolicyMode mode, const Episode& episode,
                       float weight, float entropyWeight, TableGradient& gradient) {
    if (weight == 0 && entropyWeight == 0) {
        return;
    }
    if (mode != PolicyMode::PlcOnly) {
        addScores(tables, episode, weight, entropyWeight, gradient);
    }
    if (mode != PolicyMode::SelOnly) {
        addDevices(tables, episode, weight, entropyWeight, gradient);
    }
}

// An op was a candidate from the step it entered to the step it was taken, each time with
// probability exp(score) / sum of that step. The sums are taken over those steps only: as
// differences of running sums they would drown where scores lie far apart.
void HeadGradient::addScores(const PolicyTables& tables, const Episode& episode, float weight,
                             float entropyWeight, TableGradient& gradient) {
    for (int step = 0; step < problem_.ops; ++step) {
        inverse_[at(step)] = 1 / episode.scoreSum[at(step)];
    }
    for (int step = 0; step < problem_.ops; ++step) {
        const std::size_t op = at(episode.order[at(step)]);
        double inverse = 0;
        for (int i = episode.enteredAt[op]; i <= step; ++i) {
            inverse += inverse_[at(i)];
        }
        const double probability = tables.weight[op] * inverse;
        gradient.score[op] += static_cast<float>(-static_cast<double>(weight) * (1 - probability));
        if (entropyWeight != 0) {
            double mean = 0;
            for (int i = episode.enteredAt[op]; i <= step; ++i) {
                mean += inverse_[at(i)] * episode.scoreMean[at(i)];
            }
            const double entropy = // -dH / dscore
                tables.weight[op] * (tables.relative[op] * inverse - mean);
            gradient.score[op] += static_cast<float>(static_cast<double>(entropyWeight) * entropy);
        }
    }
}

// The mean of a device changes with every op that goes there. What a step adds to the gradient of
// that mean belongs to each op that was there: one running sum a device, subtracted when an op
// comes and added at the end.
void HeadGradient::addDevices(const PolicyTables& tables, const Episode& episode, float weight,
                              float entropyWeight, TableGradient& gradient) {
    std::fill(sums_.begin(), sums_.end(), 0.0F);
    std::fill(share_.begin(), share_.end(), 0.0F);
    std::fill(count_.begin(), count_.end(), 0);
    std::fill(meanGradient_.begin(), meanGradient_.end(), 0.0F);
    for (int step = 0; step < problem_.ops; ++step) {
        const OpId op = episode.order[at(step)];
        const DeviceId device = episode.assignment[at(op)];
        const int first = episode.firstDevice[at(step)];
        const int count = episode.endDevice[at(step)] - first;
        if (count > 1) {
            const int row = episode.rowBegin[at(step)];
            const float* probability = episode.probability.data() + row;
            float entropy = 0;
            for (int i = 0; i < count; ++i) {
                entropy -= probability[i] * std::log(std::max(probability[i], 1e-30F));
            }
            for (int i = 0; i < count; ++i) {
                const float chosen = first + i == device ? 1.0F : 0.0F;
                logits_[at(i)] = -weight * (chosen - probability[i]);
                if (entropyWeight != 0) {
                    logits_[at(i)] += entropyWeight * probability[i] *
                                      (std::log(std::max(probability[i], 1e-30F)) + entropy);
                }
            }
            plcBackward({.hidden = hidden_,
                         .rows = count,
                         .own = tables.own.data() + op * hidden_,
                         .sums = sums_.data() + first * hidden_,
                         .inverse = share_.data() + first,
                         .weights = tables.feature.data(),
                         .output = tables.output.data(),
                         .features = episode.features.data() + row * kDeviceFeatures},
                        logits_.data(),
                        {.own = gradient.own.data() + op * hidden_,
                         .means = meanGradient_.data() + first * hidden_,
                         .weights = gradient.feature.data(),
                         .output = gradient.output.data()});
        }
        share_[at(device)] = 1.0F / static_cast<float>(++count_[at(device)]);
        const float* placed = tables.placed.data() + op * hidden_;
        const float* running = meanGradient_.data() + device * hidden_;
        float* sum = sums_.data() + device * hidden_;
        float* own = gradient.placed.data() + op * hidden_;
        for (int h = 0; h < hidden_; ++h) {
            sum[h] += placed[h];
            own[h] -= running[h];
        }
    }
    for (OpId op = 0; op < problem_.ops; ++op) {
        const float* running = meanGradient_.data() + episode.assignment[at(op)] * hidden_;
        float* own = gradient.placed.data() + op * hidden_;
        for (int h = 0; h < hidden_; ++h) {
            own[h] += running[h];
        }
    }
}

} // namespace doppler::learn
