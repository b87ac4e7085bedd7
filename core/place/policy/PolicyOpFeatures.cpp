#include "core/place/policy/PolicyOpFeatures.h"

#include <algorithm>
#include <cmath>

namespace doppler::place {

namespace {

constexpr float kMostLog = 3;

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

float largest(const std::vector<float>& values) {
    return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

float over(float value, float whole) {
    return whole > 0 ? value / whole : 0;
}

/// Powers of e around the mean, at most a few.
float logOver(float value, float mean) {
    if (!(mean > 0)) {
        return 0;
    }
    return std::clamp(std::log(std::max(value / mean, 1e-6F)), -kMostLog, kMostLog) / kMostLog;
}

float mean(const std::vector<float>& values) {
    double sum = 0;
    for (const float value : values) {
        sum += value;
    }
    return values.empty() ? 0 : static_cast<float>(sum / static_cast<double>(values.size()));
}

/// Longest paths through the graph, with a share of the transfers.
struct Levels {
    std::vector<float> fromStart; ///< to the op's start
    std::vector<float> toEnd;     ///< from the op's start
    float length = 0;

    Levels(const PolicyProblem& p, const std::vector<float>& compute, float transferShare)
        : fromStart(at(p.ops), 0), toEnd(at(p.ops), 0) {
        const graph::Graph& graph = *p.problem->graph;
        const auto& order = graph.topologicalOrder();
        for (const OpId op : order) {
            for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
                float& start = fromStart[at(graph.target(edge))];
                start = std::max(start, fromStart[at(op)] + compute[at(op)] +
                                            transferShare * p.transfer[at(edge)]);
            }
        }
        for (auto op = order.rbegin(); op != order.rend(); ++op) {
            float rest = 0;
            for (EdgeId edge = graph.firstOutEdge(*op); edge < graph.endOutEdge(*op); ++edge) {
                rest = std::max(rest, transferShare * p.transfer[at(edge)] +
                                          toEnd[at(graph.target(edge))]);
            }
            toEnd[at(*op)] = compute[at(*op)] + rest;
        }
        length = largest(toEnd);
    }
};

} // namespace

void addOpFeatures(PolicyProblem& p) {
    const graph::Graph& graph = *p.problem->graph;
    const Levels full(p, p.meanCompute, 1);
    const Levels bare(p, p.meanCompute, 0);
    const Levels hops(p, std::vector<float>(at(p.ops), 1), 0);
    p.leastLength = std::max(1.0F, bare.length);

    std::vector<float> out(at(p.ops), 0);
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        out[at(graph.source(edge))] = std::max(out[at(graph.source(edge))], p.transfer[at(edge)]);
    }
    const float meanCompute = mean(p.meanCompute);
    const float meanOut = mean(out);
    const float meanIn = mean(p.inTransfer);
    const float ratio = logOver(meanOut, meanCompute);

    // Where the cluster of middle size begins.
    constexpr std::size_t kMiddle = 2;
    std::vector<float> clusterPlace(p.clusterWork.size(), static_cast<float>(p.ops));
    const auto middleOf = [&](OpId op) { return at(p.clusterOf[at(op) * kClusterings + kMiddle]); };
    for (OpId op = 0; op < p.ops; ++op) {
        float& place = clusterPlace[middleOf(op)];
        place = std::min(place, static_cast<float>(p.placeOf[at(op)]));
    }

    const auto n = static_cast<float>(std::max(1, p.ops));
    p.opFeatures.reserve(at(p.ops) * kOpFeatureCount);
    p.contexts.reserve(at(p.ops) * kContextCount);
    for (OpId op = 0; op < p.ops; ++op) {
        const std::size_t i = at(op);
        const float bLevel = over(full.toEnd[i], full.length);
        const float compute = logOver(p.meanCompute[i], meanCompute);
        const float consumers = std::log2(1.0F + static_cast<float>(graph.outDegree(op))) / 4;
        const float producers = std::log2(1.0F + static_cast<float>(graph.inDegree(op))) / 4;
        const float features[] = {
            bLevel,
            over(full.fromStart[i], full.length),
            over(bare.toEnd[i], bare.length),
            over(bare.fromStart[i], bare.length),
            compute,
            logOver(out[i], meanOut),
            logOver(p.inTransfer[i], meanIn),
            consumers,
            producers,
            static_cast<float>(p.placeOf[i]) / n,
            static_cast<float>(op) / n,
            over(hops.fromStart[i], hops.length),
            over(hops.toEnd[i], hops.length),
            clusterPlace[middleOf(op)] / n,
        };
        static_assert(std::size(features) == kOpFeatureCount);
        p.opFeatures.insert(p.opFeatures.end(), std::begin(features), std::end(features));
        const float contexts[] = {
            1,
            compute,
            logOver(out[i], p.meanCompute[i]),
            bLevel,
            graph.inDegree(op) == 0 ? 1.0F : 0.0F,
            producers,
            ratio,
        };
        static_assert(std::size(contexts) == kContextCount);
        p.contexts.insert(p.contexts.end(), std::begin(contexts), std::end(contexts));
        p.tail.push_back(bare.toEnd[i] - p.meanCompute[i]);
    }
}

} // namespace doppler::place
