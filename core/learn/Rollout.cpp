#include "core/learn/Rollout.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "core/learn/HeadKernels.h"
#include "core/sim/Simulator.h"

namespace doppler::learn {

namespace {

constexpr int kTimeFeatures = 5; // as z-scores; then as many scale-free ones
// Keeps z-scores of equal times quiet, in units of the work per device.
constexpr double kLeastSpread = 1e-4;

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

/// Signed logarithm of a time, in steps of 1 % of the unit.
float signedLog(double time) {
    if (time == 0) {
        return 0;
    }
    constexpr float kScale = 0.5F;
    constexpr float kSteps = 100;
    const float size = kScale * std::log1p(kSteps * static_cast<float>(std::abs(time)));
    return time < 0 ? -size : size;
}

void zScores(const double* values, int rows, float* out) {
    double mean = 0;
    for (int i = 0; i < rows; ++i) {
        mean += values[i];
    }
    mean /= rows;
    double variance = 0;
    for (int i = 0; i < rows; ++i) {
        variance += (values[i] - mean) * (values[i] - mean);
    }
    const double scale = 1 / (std::sqrt(variance / rows) + kLeastSpread);
    for (int i = 0; i < rows; ++i) {
        out[i * kDeviceFeatures] = static_cast<float>((values[i] - mean) * scale);
    }
}

} // namespace

Rollout::Rollout(std::shared_ptr<const RolloutProblem> problem, int hidden)
    : problem_(std::move(problem)), hidden_(hidden) {
    const std::size_t devices = at(problem_->devices);
    device_.resize(at(problem_->ops));
    finish_.resize(at(problem_->ops));
    for (const int slots : problem_->slots) {
        slotBegin_.push_back(static_cast<int>(slotFree_.size()));
        slotFree_.resize(slotFree_.size() + at(slots));
    }
    slotBegin_.push_back(static_cast<int>(slotFree_.size()));
    for (auto* each : {&load_, &available_, &firstInput_, &lastInput_, &parentWork_, &start_}) {
        each->resize(devices);
    }
    count_.resize(devices);
    sums_.resize(devices * at(hidden_));
    inverse_.resize(devices);
    logits_.resize(devices);
}

void Rollout::begin(const PolicyTables& tables, const Choosing& choosing, Episode& episode) {
    assert(tables.ops == problem_->ops && tables.hidden == hidden_);
    (void)tables;
    choosing_ = choosing;
    episode.reset(problem_->ops);
    missing_ = problem_->inDegree;
    candidates_.clear();
    alikeWait_ = !problem_->alike.empty() &&
                 (choosing.mode == PolicyMode::Dual || choosing.mode == PolicyMode::SelOnly);
    if (alikeWait_) {
        waiting_.resize(at(problem_->ops));
        for (std::vector<OpId>& each : waiting_) {
            each.clear();
        }
        offered_.assign(at(problem_->ops), 0);
    }
    for (OpId op = 0; op < problem_->ops; ++op) {
        if (missing_[at(op)] == 0) {
            makeReady(op, 0, episode);
        }
    }
    used_ = 0;
    for (auto* each : {&load_, &available_, &slotFree_}) {
        std::fill(each->begin(), each->end(), 0.0);
    }
    std::fill(count_.begin(), count_.end(), 0);
    std::fill(sums_.begin(), sums_.end(), 0.0F);
    std::fill(inverse_.begin(), inverse_.end(), 0.0F);
}

void Rollout::run(const PolicyTables& tables, const Choosing& choosing, std::uint64_t seed,
                  Episode& episode) {
    random_ = place::Random(seed);
    begin(tables, choosing, episode);
    for (int i = 0; i < problem_->ops; ++i) {
        step(tables, i, kNoOp, kNoDevice, episode);
    }
}

void Rollout::replay(const PolicyTables& tables, PolicyMode mode, Episode& episode) {
    const std::vector<OpId> order = episode.order;
    const sim::Assignment assignment = episode.assignment;
    const Time makespan = episode.makespan;
    begin(tables, {.greedy = true, .mode = mode}, episode);
    episode.makespan = makespan;
    for (int i = 0; i < problem_->ops; ++i) {
        step(tables, i, order[at(i)], assignment[at(order[at(i)])], episode);
    }
}

void Rollout::makeReady(OpId op, int index, Episode& episode) {
    if (alikeWait_) {
        const std::size_t alike = at(problem_->alike[at(op)]);
        if (offered_[alike] != 0) {
            waiting_[alike].push_back(op);
            return;
        }
        offered_[alike] = 1;
    }
    candidates_.push_back(op);
    episode.enteredAt[at(op)] = index;
}

void Rollout::take(std::size_t candidate, int index, Episode& episode) {
    const OpId op = candidates_[candidate];
    candidates_[candidate] = candidates_.back();
    candidates_.pop_back();
    episode.order[at(index)] = op;
    if (!alikeWait_) {
        return;
    }
    const std::size_t alike = at(problem_->alike[at(op)]);
    offered_[alike] = 0;
    std::vector<OpId>& waiting = waiting_[alike];
    if (!waiting.empty()) {
        const OpId next = waiting.front();
        waiting.erase(waiting.begin());
        makeReady(next, index + 1, episode);
    }
}

std::size_t Rollout::bringForward(OpId op, Episode& episode) {
    const int alike = problem_->alike[at(op)];
    const auto candidate = std::find_if(candidates_.begin(), candidates_.end(), [&](OpId each) {
        return problem_->alike[at(each)] == alike;
    });
    assert(alikeWait_ && candidate != candidates_.end());
    episode.enteredAt[at(op)] = episode.enteredAt[at(*candidate)];
    std::vector<OpId>& waiting = waiting_[at(alike)];
    std::replace(waiting.begin(), waiting.end(), op, *candidate);
    *candidate = op;
    return static_cast<std::size_t>(candidate - candidates_.begin());
}

void Rollout::step(const PolicyTables& tables, int index, OpId forcedOp, DeviceId forcedDevice,
                   Episode& episode) {
    const bool joint = choosing_.mode == PolicyMode::Joint;
    Pair pair;
    if (joint) {
        pair = selectPair(tables, forcedOp, forcedDevice, episode);
    } else {
        pair.candidate = selectOp(tables, forcedOp, index, episode);
    }
    const std::size_t chosen = pair.candidate;
    const OpId op = candidates_[chosen];
    take(chosen, index, episode);

    const auto [first, end] = devicesFor(op);
    episode.firstDevice[at(index)] = first;
    episode.endDevice[at(index)] = end;
    episode.rowBegin[at(index)] =
        joint ? episode.candidates[at(episode.candidateBegin[at(index)]) + chosen].rowBegin
              : static_cast<int>(episode.probability.size());
    arrivals(op, first, end);
    const DeviceId device =
        joint ? pair.device : selectDevice(tables, op, first, end, forcedDevice, index, episode);
    episode.assignment[at(op)] = device;
    commit(tables, op, device);
    for (int i = problem_->childBegin[at(op)]; i < problem_->childBegin[at(op) + 1]; ++i) {
        const OpId child = problem_->child[at(i)];
        if (--missing_[at(child)] == 0) {
            makeReady(child, index + 1, episode);
        }
    }
}

std::pair<int, int> Rollout::devicesFor(OpId op) const {
    const DeviceId pin = problem_->pin[at(op)];
    if (pin != kNoDevice) {
        return {pin, pin + 1};
    }
    return {0, problem_->alikeDevices ? std::min(used_ + 1, problem_->devices) : problem_->devices};
}

float Rollout::ownShare(double probability, std::size_t count) const {
    if (choosing_.greedy || choosing_.epsilon == 0) {
        return 1;
    }
    const double own = (1 - choosing_.epsilon) * probability;
    return static_cast<float>(own / (own + choosing_.epsilon / static_cast<double>(count)));
}

std::size_t Rollout::sampleOp(const PolicyTables& tables, double sum) {
    if (choosing_.temperature == 1) {
        double left = random_.uniform() * sum;
        for (std::size_t i = 0; i + 1 < candidates_.size(); ++i) {
            left -= tables.weight[at(candidates_[i])];
            if (left < 0) {
                return i;
            }
        }
        return candidates_.size() - 1;
    }
    double hotSum = 0;
    for (const OpId op : candidates_) {
        hotSum += std::exp(tables.relative[at(op)] / choosing_.temperature);
    }
    double left = random_.uniform() * hotSum;
    for (std::size_t i = 0; i + 1 < candidates_.size(); ++i) {
        left -= std::exp(tables.relative[at(candidates_[i])] / choosing_.temperature);
        if (left < 0) {
            return i;
        }
    }
    return candidates_.size() - 1;
}

std::size_t Rollout::selectOp(const PolicyTables& tables, OpId forced, int index,
                              Episode& episode) {
    const bool heuristic = choosing_.mode == PolicyMode::PlcOnly;
    const double* rank = heuristic ? problem_->bLevel.data() : tables.relative.data();
    double sum = 0;
    double weighted = 0;
    std::size_t first = 0;
    std::size_t wanted = candidates_.size();
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        const OpId op = candidates_[i];
        const double weight = tables.weight[at(op)];
        sum += weight;
        weighted += weight * tables.relative[at(op)];
        const OpId leader = candidates_[first];
        if (rank[op] > rank[leader] || (rank[op] == rank[leader] && op < leader)) {
            first = i;
        }
        if (op == forced) {
            wanted = i;
        }
    }
    std::size_t chosen = first;
    if (forced != kNoOp) {
        chosen = wanted < candidates_.size() ? wanted : bringForward(forced, episode);
    } else if (!heuristic && !choosing_.greedy && candidates_.size() > 1) {
        const bool blind = choosing_.epsilon > 0 && random_.uniform() < choosing_.epsilon;
        chosen = blind ? random_.below(candidates_.size()) : sampleOp(tables, sum);
    }
    if (heuristic) {
        return chosen;
    }
    episode.scoreSum[at(index)] = sum;
    episode.scoreMean[at(index)] = weighted / sum;
    if (candidates_.size() > 1) {
        const double logSum = std::log(sum);
        const double logProbability = tables.relative[at(candidates_[chosen])] - logSum;
        episode.logProbability += logProbability;
        episode.opShare[at(index)] = ownShare(std::exp(logProbability), candidates_.size());
        episode.entropy += logSum - weighted / sum;
        ++episode.decisions;
        episode.agreed += chosen == first ? 1 : 0;
    }
    return chosen;
}

void Rollout::arrivals(OpId op, int first, int end) {
    const RolloutProblem& p = *problem_;
    const int parents = p.parentBegin[at(op) + 1] - p.parentBegin[at(op)];
    for (int d = first; d < end; ++d) {
        firstInput_[at(d)] = parents == 0 ? 0 : std::numeric_limits<double>::max();
        lastInput_[at(d)] = 0;
        parentWork_[at(d)] = 0;
    }
    for (int i = p.parentBegin[at(op)]; i < p.parentBegin[at(op) + 1]; ++i) {
        const OpId parent = p.parent[at(i)];
        const DeviceId from = device_[at(parent)];
        const double done = finish_[at(parent)];
        const double* transfer = p.transfer.data() + i * p.linkClasses;
        const int* links = p.linkClass.data() + from * p.devices;
        for (int d = first; d < end; ++d) {
            const double there = d == from ? done : done + transfer[links[d]];
            firstInput_[at(d)] = std::min(firstInput_[at(d)], there);
            lastInput_[at(d)] = std::max(lastInput_[at(d)], there);
        }
        parentWork_[at(from)] += p.compute[at(parent) * at(p.devices) + at(from)];
    }
    for (int d = first; d < end; ++d) {
        start_[at(d)] = std::max(available_[at(d)], lastInput_[at(d)]);
    }
}

void Rollout::features(OpId op, int first, int end, float* rows) {
    const int count = end - first;
    zScores(load_.data() + first, count, rows);
    zScores(parentWork_.data() + first, count, rows + 1);
    zScores(firstInput_.data() + first, count, rows + 2);
    zScores(lastInput_.data() + first, count, rows + 3);
    zScores(start_.data() + first, count, rows + 4);

    const double* compute = problem_->compute.data() + at(op) * at(problem_->devices);
    double leastLoad = std::numeric_limits<double>::max();
    double leastStart = leastLoad;
    double leastFinish = leastLoad;
    double parents = 0;
    for (int d = first; d < end; ++d) {
        leastLoad = std::min(leastLoad, load_[at(d)]);
        leastStart = std::min(leastStart, start_[at(d)]);
        leastFinish = std::min(leastFinish, start_[at(d)] + compute[d]);
        parents += parentWork_[at(d)];
    }
    const double perParent = parents > 0 ? 1 / parents : 0;
    for (int d = first; d < end; ++d) {
        float* row = rows + (d - first) * kDeviceFeatures + kTimeFeatures;
        row[0] = signedLog(load_[at(d)] - leastLoad);
        row[1] = signedLog(start_[at(d)] + compute[d] - leastFinish);
        row[2] = static_cast<float>(parentWork_[at(d)] * perParent);
        row[3] = signedLog(firstInput_[at(d)] - leastStart);
        row[4] = signedLog(lastInput_[at(d)] - leastStart);
    }
}

DeviceId Rollout::heuristicDevice(OpId op, int first, int end) const {
    const double* compute = problem_->compute.data() + at(op) * at(problem_->devices);
    DeviceId best = first;
    double least = std::numeric_limits<double>::max();
    for (int d = first; d < end; ++d) {
        const double rank = problem_->likeSpeeds ? start_[at(d)] : start_[at(d)] + compute[d];
        if (rank < least) {
            least = rank;
            best = d;
        }
    }
    return best;
}

DeviceId Rollout::selectDevice(const PolicyTables& tables, OpId op, int low, int high,
                               DeviceId forced, int index, Episode& episode) {
    if (choosing_.mode == PolicyMode::SelOnly) {
        return forced != kNoDevice ? forced : heuristicDevice(op, low, high);
    }
    const int count = high - low;
    if (count == 1) {
        return low;
    }
    const int begin = static_cast<int>(episode.probability.size());
    episode.features.resize(episode.features.size() + at(count * kDeviceFeatures));
    episode.probability.resize(episode.probability.size() + at(count));
    float* rows = episode.features.data() + begin * kDeviceFeatures;
    float* probability = episode.probability.data() + begin;
    features(op, low, high, rows);
    plcForward({.hidden = hidden_,
                .rows = count,
                .own = tables.own.data() + op * hidden_,
                .sums = sums_.data() + low * hidden_,
                .inverse = inverse_.data() + low,
                .weights = tables.feature.data(),
                .output = tables.output.data(),
                .features = rows},
               logits_.data());

    int likeliest = 0;
    for (int i = 1; i < count; ++i) {
        likeliest = logits_[at(i)] > logits_[at(likeliest)] ? i : likeliest;
    }
    const float largest = logits_[at(likeliest)];
    float sum = 0;
    for (int i = 0; i < count; ++i) {
        probability[i] = std::exp(logits_[at(i)] - largest);
        sum += probability[i];
    }
    int chosen = likeliest;
    if (forced != kNoDevice) {
        chosen = forced - low;
    } else if (!choosing_.greedy) {
        if (choosing_.epsilon > 0 && random_.uniform() < choosing_.epsilon) {
            chosen = static_cast<int>(random_.below(count));
        } else {
            const double heat = 1 / choosing_.temperature;
            const auto weight = [&](int i) {
                return choosing_.temperature == 1
                           ? static_cast<double>(probability[i])
                           : std::exp((static_cast<double>(logits_[at(i)]) - largest) * heat);
            };
            double total = 0;
            for (int i = 0; i < count; ++i) {
                total += weight(i);
            }
            double left = random_.uniform() * total;
            chosen = 0;
            while (chosen + 1 < count && (left -= weight(chosen)) >= 0) {
                ++chosen;
            }
        }
    }
    const double logSum = std::log(static_cast<double>(sum));
    double mean = 0;
    for (int i = 0; i < count; ++i) {
        probability[i] /= sum;
        mean += static_cast<double>(probability[i]) * (logits_[at(i)] - largest);
    }
    episode.logProbability += static_cast<double>(logits_[at(chosen)]) - largest - logSum;
    episode.entropy += logSum - mean;
    episode.deviceShare[at(index)] =
        ownShare(static_cast<double>(probability[chosen]), static_cast<std::size_t>(count));
    ++episode.decisions;
    episode.agreed += chosen == likeliest ? 1 : 0;
    return low + chosen;
}

void Rollout::commit(const PolicyTables& tables, OpId op, DeviceId device) {
    const double duration = problem_->compute[at(op) * at(problem_->devices) + at(device)];
    const double finish = start_[at(device)] + duration;
    device_[at(op)] = device;
    finish_[at(op)] = finish;
    load_[at(device)] += duration;
    used_ = std::max(used_, device + 1);
    const auto slots = slotFree_.begin() + slotBegin_[at(device)];
    const auto end = slotFree_.begin() + slotBegin_[at(device) + 1];
    *std::min_element(slots, end) = finish;
    available_[at(device)] = *std::min_element(slots, end);

    inverse_[at(device)] = 1.0F / static_cast<float>(++count_[at(device)]);
    const float* placed = tables.placed.data() + op * hidden_;
    float* sum = sums_.data() + device * hidden_;
    for (int h = 0; h < hidden_; ++h) {
        sum[h] += placed[h];
    }
}

void renameDevices(const RolloutProblem& problem, Episode& episode) {
    if (!problem.alikeDevices) {
        return;
    }
    std::vector<DeviceId> renamed(at(problem.devices), kNoDevice);
    DeviceId next = 0;
    for (const OpId op : episode.order) {
        DeviceId& device = episode.assignment[at(op)];
        DeviceId& name = renamed[at(device)];
        if (name == kNoDevice) {
            name = next++;
        }
        device = name;
    }
}

Episode imitationEpisode(const RolloutProblem& problem, const sim::Assignment& assignment) {
    sim::Simulator simulator(problem.problem);
    const sim::Timeline timeline = simulator.run(assignment);
    Episode episode;
    episode.reset(problem.ops);
    episode.order.clear();
    for (const sim::Interval& interval : timeline.intervals) {
        if (!interval.isTransfer()) {
            episode.order.push_back(interval.op);
        }
    }
    episode.assignment = assignment;
    episode.makespan = timeline.makespan;
    renameDevices(problem, episode);
    return episode;
}

} // namespace doppler::learn
