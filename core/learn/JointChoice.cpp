// The joint policy's choice of a rollout: op and device in one step.

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "core/learn/HeadKernels.h"
#include "core/learn/Rollout.h"

namespace doppler::learn {

namespace {

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

} // namespace

/// A row of logits_, drawn as the temperature says. `probability`: exp(logit - largest).
std::size_t Rollout::sampleRow(const float* probability, std::size_t count, float largest) {
    const double heat = 1 / choosing_.temperature;
    const auto weight = [&](std::size_t i) {
        return choosing_.temperature == 1
                   ? static_cast<double>(probability[i])
                   : std::exp((static_cast<double>(logits_[i]) - largest) * heat);
    };
    double total = 0;
    for (std::size_t i = 0; i < count; ++i) {
        total += weight(i);
    }
    double left = random_.uniform() * total;
    std::size_t chosen = 0;
    while (chosen + 1 < count && (left -= weight(chosen)) >= 0) {
        ++chosen;
    }
    return chosen;
}

Rollout::Pair Rollout::selectPair(const PolicyTables& tables, OpId forcedOp, DeviceId forcedDevice,
                                  Episode& episode) {
    const std::size_t firstRow = episode.probability.size();
    const std::size_t firstCandidate = episode.candidates.size();
    std::size_t likeliest = 0;
    float largest = -std::numeric_limits<float>::infinity();
    OpId leader = kNoOp;
    std::size_t forced = 0;
    for (const OpId op : candidates_) {
        const auto [first, end] = devicesFor(op);
        const std::size_t row = episode.probability.size();
        const std::size_t endRow = row + at(end - first);
        episode.candidates.push_back({op, first, end, static_cast<std::int32_t>(row)});
        episode.probability.resize(endRow);
        episode.features.resize(endRow * kDeviceFeatures);
        float* rows = episode.features.data() + row * kDeviceFeatures;
        arrivals(op, first, end);
        features(op, first, end, rows);
        const std::size_t block = row - firstRow;
        logits_.resize(std::max(logits_.size(), endRow - firstRow));
        plcForward({.hidden = hidden_,
                    .rows = end - first,
                    .own = tables.own.data() + op * hidden_,
                    .sums = sums_.data() + first * hidden_,
                    .inverse = inverse_.data() + first,
                    .weights = tables.feature.data(),
                    .output = tables.output.data(),
                    .features = rows},
                   logits_.data() + block);
        for (std::size_t i = block; i < endRow - firstRow; ++i) {
            logits_[i] += static_cast<float>(tables.relative[at(op)]);
            // Ties go to the smaller op, then to the smaller device.
            if (logits_[i] > largest || (logits_[i] == largest && op < leader)) {
                largest = logits_[i];
                likeliest = i;
                leader = op;
            }
        }
        if (op == forcedOp) {
            forced = block + at(forcedDevice - first);
        }
    }
    episode.candidateBegin.push_back(static_cast<std::int32_t>(episode.candidates.size()));

    const std::size_t count = episode.probability.size() - firstRow;
    float* probability = episode.probability.data() + firstRow;
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        probability[i] = std::exp(logits_[i] - largest);
        sum += static_cast<double>(probability[i]);
    }
    std::size_t chosen = likeliest;
    if (forcedOp != kNoOp) {
        assert(forced < count);
        chosen = forced;
    } else if (!choosing_.greedy && count > 1) {
        const bool blind = choosing_.epsilon > 0 && random_.uniform() < choosing_.epsilon;
        chosen = blind ? random_.below(count) : sampleRow(probability, count, largest);
    }
    const double logSum = std::log(sum);
    double mean = 0;
    for (std::size_t i = 0; i < count; ++i) {
        probability[i] = static_cast<float>(static_cast<double>(probability[i]) / sum);
        mean += static_cast<double>(probability[i]) * (logits_[i] - largest);
    }
    if (count > 1) {
        episode.logProbability += static_cast<double>(logits_[chosen]) - largest - logSum;
        episode.entropy += logSum - mean;
        episode.opShare[episode.candidateBegin.size() - 2] =
            ownShare(static_cast<double>(probability[chosen]), count);
        ++episode.decisions;
        episode.agreed += chosen == likeliest ? 1 : 0;
    }

    Pair pair;
    for (std::size_t i = firstCandidate; i < episode.candidates.size(); ++i) {
        const CandidateRows& rows = episode.candidates[i];
        const std::size_t block = at(rows.rowBegin) - firstRow;
        const auto devices = at(rows.endDevice - rows.firstDevice);
        if (chosen >= block && chosen < block + devices) {
            pair.candidate = i - firstCandidate;
            pair.device = rows.firstDevice + static_cast<DeviceId>(chosen - block);
        }
    }
    return pair;
}

} // namespace doppler::learn
