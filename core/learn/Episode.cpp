#include "core/learn/Episode.h"

#include <cmath>

namespace doppler::learn {

void Episode::reset(int ops) {
    const auto count = static_cast<std::size_t>(ops);
    order.assign(count, kNoOp);
    assignment.assign(count, kNoDevice);
    scoreSum.assign(count, 1.0);
    scoreMean.assign(count, 0.0);
    enteredAt.assign(count, 0);
    firstDevice.assign(count, 0);
    endDevice.assign(count, 0);
    rowBegin.assign(count, 0);
    opShare.assign(count, 1.0F);
    deviceShare.assign(count, 1.0F);
    candidates.clear();
    candidateBegin.assign(1, 0);
    features.clear();
    probability.clear();
    logProbability = 0;
    entropy = 0;
    decisions = 0;
    agreed = 0;
    makespan = 0;
    lackingMemory = 0;
}

Time Episode::judged() const {
    if (fits()) {
        return makespan;
    }
    const double graver = lackingMemory / (1 + lackingMemory); // however much lacks, below 1
    return makespan + std::llround(static_cast<double>(makespan) * (1 + graver));
}

} // namespace doppler::learn
