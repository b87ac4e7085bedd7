#include "core/learn/AlikeOps.h"

#include <cmath>
#include <cstdint>

#include "core/place/policy/StructuralClasses.h"
#include "core/sim/Noise.h"

namespace doppler::learn {

namespace {

// Features that differ by rounding alone are equal.
constexpr float kSteps = 1e6F;

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

std::uint64_t mix(std::uint64_t value) {
    return sim::splitMix(value);
}

std::uint64_t colourOf(const float* features, int count) {
    std::uint64_t colour = 0;
    for (int i = 0; i < count; ++i) {
        colour = mix(colour ^ static_cast<std::uint64_t>(std::llround(features[i] * kSteps)));
    }
    return colour;
}

} // namespace

std::vector<int> alikeOps(const sim::Problem& problem, const GraphFeatures& graph) {
    std::vector<std::uint64_t> colours;
    for (int op = 0; op < graph.ops; ++op) {
        std::uint64_t colour = colourOf(graph.nodes.data() + op * graph.width, graph.width);
        colour = mix(colour ^ static_cast<std::uint64_t>(problem.pin(op)));
        for (std::size_t cls = 0; cls < problem.costs->deviceClasses(); ++cls) {
            colour =
                mix(colour ^ static_cast<std::uint64_t>(problem.costs->computeOfClass(op, cls)));
        }
        colours.push_back(colour);
    }
    std::vector<std::uint64_t> edges;
    for (int edge = 0; edge < graph.edges; ++edge) {
        edges.push_back(colourOf(graph.edge.data() + edge * kEdgeFeatures, kEdgeFeatures));
    }
    std::vector<std::uint64_t> next(colours.size());
    place::StructuralClasses classes = place::classesOf(colours);
    for (std::size_t before = 0;
         before < classes.sizes.size() && classes.sizes.size() < colours.size();) {
        const auto of = [&](OpId op, std::uint64_t role) {
            return op == kNoOp ? role : mix(colours[at(op)] + role);
        };
        for (OpId op = 0; op < graph.ops; ++op) {
            std::uint64_t colour = of(op, 1);
            // Sums do not depend on the order of the neighbours.
            for (int i = graph.inBegin[at(op)]; i < graph.inBegin[at(op) + 1]; ++i) {
                colour += mix(of(graph.inSource[at(i)], 2) ^ edges[at(graph.inEdge[at(i)])]);
            }
            for (int i = graph.outBegin[at(op)]; i < graph.outBegin[at(op) + 1]; ++i) {
                colour += mix(of(graph.outTarget[at(i)], 3) ^ edges[at(i)]);
            }
            next[at(op)] =
                mix(mix(colour ^ of(graph.bNext[at(op)], 4)) ^ of(graph.tNext[at(op)], 5));
        }
        colours.swap(next);
        before = classes.sizes.size();
        classes = place::classesOf(colours);
    }
    if (classes.sizes.size() == colours.size()) {
        return {};
    }
    return classes.ofOp;
}

} // namespace doppler::learn
