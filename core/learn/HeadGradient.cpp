#include "core/learn/HeadGradient.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/learn/HeadKernels.h"

namespace doppler::learn {

namespace {

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

constexpr float kLeast = 1e-30F; // probability of which a logarithm is taken

float entropyOf(const float* probability, int count) {
    float entropy = 0;
    for (int i = 0; i < count; ++i) {
        entropy -= probability[i] * std::log(std::max(probability[i], kLeast));
    }
    return entropy;
}

} // namespace

HeadGradient::HeadGradient(const RolloutProblem& problem, int hidden)
    : problem_(problem), hidden_(hidden) {
    const std::size_t devices = at(problem.devices);
    inverse_.resize(at(problem.ops));
    shared_.resize(at(problem.ops));
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
    if (mode == PolicyMode::Joint) {
        addPairs(tables, episode, weight, entropyWeight, gradient);
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
        shared_[at(step)] = inverse_[at(step)] * static_cast<double>(episode.opShare[at(step)]);
    }
    for (int step = 0; step < problem_.ops; ++step) {
        const std::size_t op = at(episode.order[at(step)]);
        double shared = 0;
        for (int i = episode.enteredAt[op]; i <= step; ++i) {
            shared += shared_[at(i)];
        }
        const double taken = static_cast<double>(episode.opShare[at(step)]);
        gradient.score[op] +=
            static_cast<float>(-static_cast<double>(weight) * (taken - tables.weight[op] * shared));
        if (entropyWeight != 0) {
            double inverse = 0;
            double mean = 0;
            for (int i = episode.enteredAt[op]; i <= step; ++i) {
                inverse += inverse_[at(i)];
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
void HeadGradient::beginMeans() {
    std::fill(sums_.begin(), sums_.end(), 0.0F);
    std::fill(share_.begin(), share_.end(), 0.0F);
    std::fill(count_.begin(), count_.end(), 0);
    std::fill(meanGradient_.begin(), meanGradient_.end(), 0.0F);
}

void HeadGradient::place(const PolicyTables& tables, OpId op, DeviceId device,
                         TableGradient& gradient) {
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

void HeadGradient::endMeans(const Episode& episode, TableGradient& gradient) {
    for (OpId op = 0; op < problem_.ops; ++op) {
        const float* running = meanGradient_.data() + episode.assignment[at(op)] * hidden_;
        float* own = gradient.placed.data() + op * hidden_;
        for (int h = 0; h < hidden_; ++h) {
            own[h] += running[h];
        }
    }
}

void HeadGradient::logitGradients(const float* probability, int count, int chosen, float entropy,
                                  float weight, float entropyWeight) {
    for (int i = 0; i < count; ++i) {
        logits_[at(i)] = -weight * ((i == chosen ? 1.0F : 0.0F) - probability[i]);
        if (entropyWeight != 0) {
            logits_[at(i)] += entropyWeight * probability[i] *
                              (std::log(std::max(probability[i], kLeast)) + entropy);
        }
    }
}

void HeadGradient::addRows(const PolicyTables& tables, const CandidateRows& rows,
                           const Episode& episode, TableGradient& gradient) {
    plcBackward({.hidden = hidden_,
                 .rows = rows.endDevice - rows.firstDevice,
                 .own = tables.own.data() + rows.op * hidden_,
                 .sums = sums_.data() + rows.firstDevice * hidden_,
                 .inverse = share_.data() + rows.firstDevice,
                 .weights = tables.feature.data(),
                 .output = tables.output.data(),
                 .features = episode.features.data() + rows.rowBegin * kDeviceFeatures},
                logits_.data(),
                {.own = gradient.own.data() + rows.op * hidden_,
                 .means = meanGradient_.data() + rows.firstDevice * hidden_,
                 .weights = gradient.feature.data(),
                 .output = gradient.output.data()});
}

void HeadGradient::addDevices(const PolicyTables& tables, const Episode& episode, float weight,
                              float entropyWeight, TableGradient& gradient) {
    beginMeans();
    for (int step = 0; step < problem_.ops; ++step) {
        const OpId op = episode.order[at(step)];
        const DeviceId device = episode.assignment[at(op)];
        const int first = episode.firstDevice[at(step)];
        const int count = episode.endDevice[at(step)] - first;
        if (count > 1) {
            const int row = episode.rowBegin[at(step)];
            const float* probability = episode.probability.data() + row;
            logitGradients(probability, count, device - first, entropyOf(probability, count),
                           weight * episode.deviceShare[at(step)], entropyWeight);
            addRows(tables, {op, first, first + count, row}, episode, gradient);
        }
        place(tables, op, device, gradient);
    }
    endMeans(episode, gradient);
}

// A pair's logit is its op's score plus its device's: the op's gradient is the sum over its rows.
void HeadGradient::addPairs(const PolicyTables& tables, const Episode& episode, float weight,
                            float entropyWeight, TableGradient& gradient) {
    beginMeans();
    for (int step = 0; step < problem_.ops; ++step) {
        const OpId op = episode.order[at(step)];
        const DeviceId device = episode.assignment[at(op)];
        const auto candidates = std::span(episode.candidates)
                                    .subspan(at(episode.candidateBegin[at(step)]),
                                             at(episode.candidateBegin[at(step + 1)] -
                                                episode.candidateBegin[at(step)]));
        const CandidateRows& last = candidates.back();
        const int firstRow = candidates.front().rowBegin;
        const int rowCount = last.rowBegin + last.endDevice - last.firstDevice - firstRow;
        if (rowCount > 1) {
            const float entropy = entropyOf(episode.probability.data() + firstRow, rowCount);
            for (const CandidateRows& rows : candidates) {
                const int count = rows.endDevice - rows.firstDevice;
                const int chosen = rows.op == op ? device - rows.firstDevice : -1;
                logitGradients(episode.probability.data() + rows.rowBegin, count, chosen, entropy,
                               weight * episode.opShare[at(step)], entropyWeight);
                for (int i = 0; i < count; ++i) {
                    gradient.score[at(rows.op)] += logits_[at(i)];
                }
                addRows(tables, rows, episode, gradient);
            }
        }
        place(tables, op, device, gradient);
    }
    endMeans(episode, gradient);
}

} // namespace doppler::learn
