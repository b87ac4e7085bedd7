#include "core/place/policy/StructuralClasses.h"

#include <unordered_map>

#include "core/sim/Noise.h"

namespace doppler::place {

namespace {

constexpr int kHops = 4;

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

std::uint64_t mix(std::uint64_t value) {
    return sim::splitMix(value);
}

std::uint64_t first(const sim::Problem& problem, OpId op) {
    std::uint64_t colour = static_cast<std::uint64_t>(problem.graph->kind(op));
    for (const char letter : problem.graph->kindName(op)) {
        colour = mix(colour ^ static_cast<std::uint64_t>(letter));
    }
    for (std::size_t cls = 0; cls < problem.costs->deviceClasses(); ++cls) {
        colour = mix(colour ^ static_cast<std::uint64_t>(problem.costs->computeOfClass(op, cls)));
    }
    return colour;
}

} // namespace

StructuralClasses structuralClasses(const sim::Problem& problem) {
    const graph::Graph& graph = *problem.graph;
    std::vector<std::uint64_t> colours(at(graph.opCount()));
    for (OpId op = 0; op < graph.opCount(); ++op) {
        colours[at(op)] = first(problem, op);
    }
    std::vector<std::uint64_t> next(colours.size());
    for (int hop = 0; hop < kHops; ++hop) {
        for (OpId op = 0; op < graph.opCount(); ++op) {
            next[at(op)] = mix(colours[at(op)]);
        }
        for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
            // Sums do not depend on the order of the neighbours.
            const OpId source = graph.source(edge);
            const OpId target = graph.target(edge);
            next[at(target)] += mix(colours[at(source)] + 1);
            next[at(source)] += mix(colours[at(target)] + 2);
        }
        colours.swap(next);
    }

    return classesOf(colours);
}

StructuralClasses classesOf(const std::vector<std::uint64_t>& colours) {
    StructuralClasses classes;
    std::unordered_map<std::uint64_t, std::int32_t> numbers;
    for (const std::uint64_t colour : colours) {
        const auto [entry, added] =
            numbers.emplace(colour, static_cast<std::int32_t>(numbers.size()));
        if (added) {
            classes.sizes.push_back(0);
        }
        classes.ofOp.push_back(entry->second);
        ++classes.sizes[at(entry->second)];
    }
    return classes;
}

} // namespace doppler::place
