#include "core/place/policy/GeneratedPrograms.h"

#include <string>
#include <vector>

#include "core/workload/LlamaParts.h"
#include "core/workload/ProgramParts.h"
#include "core/workload/Splitter.h"

namespace doppler::place {

namespace {

using workload::Partition;
using workload::PortableRandom;
using workload::ProgramWriter;
using workload::TensorId;
using workload::TensorOp;

/// 1, 2, 4, ... up to `most`.
std::int64_t ways(PortableRandom& random, std::int64_t most) {
    std::int64_t result = 1;
    while (result < most && random.chance(0.55)) {
        result *= 2;
    }
    return result;
}

std::int64_t powerOfTwo(PortableRandom& random, int low, int high) {
    return std::int64_t{1} << random.between(low, high);
}

ProgramWriter writer(const char* name, PortableRandom& random) {
    ProgramWriter w(name);
    w.setPublishedCosts(true);
    w.setAlwaysForm(random.chance(0.7));
    return w;
}

workload::TokenWays tokenWays(PortableRandom& random) {
    return {ways(random, 4), ways(random, 4)};
}

workload::ContractionWays contractionWays(PortableRandom& random) {
    return {ways(random, 2), ways(random, 4), ways(random, 4)};
}

workload::LlamaPlan randomPlan(PortableRandom& random) {
    workload::LlamaPlan plan;
    plan.attentionNormStatistics = tokenWays(random);
    plan.attentionNorm = tokenWays(random);
    plan.q = contractionWays(random);
    plan.k = random.chance(0.5) ? plan.q : contractionWays(random);
    plan.v = random.chance(0.5) ? plan.k : contractionWays(random);
    plan.scores = {ways(random, 4), ways(random, 4), ways(random, 2)};
    plan.projection = contractionWays(random);
    plan.residual = tokenWays(random);
    plan.feedForwardNorm = tokenWays(random);
    plan.hidden = contractionWays(random);
    plan.down = contractionWays(random);
    return plan;
}

/// A block of the Llama kind.
TensorId gatedBlock(ProgramWriter& w, PortableRandom& random) {
    workload::LlamaSizes sizes;
    sizes.heads = powerOfTwo(random, 3, 5);
    sizes.headSize = powerOfTwo(random, 5, 7);
    sizes.sequence = powerOfTwo(random, 8, 13);
    sizes.feedForward = sizes.heads * sizes.headSize * random.between(2, 4);
    const workload::LlamaPlan plan = randomPlan(random);
    const workload::LlamaWeights weights = workload::llamaWeights(w, sizes, plan);
    const workload::TokenWays in = plan.attentionNormStatistics;
    const TensorId x = w.data("input", {1, sizes.sequence, sizes.heads, sizes.headSize},
                              {1, in.sequence, in.heads, 1});
    const graph::DType dtype = w.dtype();
    w.setDType(graph::DType::C64);
    const TensorId rotary = w.data("rotary table", {sizes.sequence, sizes.headSize / 2});
    w.setDType(dtype);
    std::optional<TensorId> mask;
    if (random.chance(0.5)) {
        mask = w.shaped(TensorOp::FillMask, "mask", {sizes.sequence, sizes.sequence}, 2, {},
                        {plan.scores.queries, plan.scores.keys});
    }
    return workload::llamaBlock(w, x, weights, rotary, mask, plan);
}

/// Attention and a two-layer network in the plain form, each row cut as chance will.
TensorId plainBlock(ProgramWriter& w, PortableRandom& random) {
    const std::int64_t sequence = powerOfTwo(random, 8, 12);
    const std::int64_t heads = powerOfTwo(random, 3, 5);
    const std::int64_t size = powerOfTwo(random, 5, 7);
    const std::int64_t hidden = heads * size * random.between(2, 4);
    const std::int64_t rows = ways(random, 4);
    const std::int64_t split = ways(random, 4);
    TensorId x = w.data("input", {sequence, heads, size}, {rows, split, 1});
    const auto projection = [&](const char* name) {
        const TensorId weight =
            w.weight(std::string("weight of ") + name, {heads, size, heads, size});
        return w.contraction(name, "aef,cdef->acd", {x, weight},
                             {ways(random, 4), ways(random, 4), 1, ways(random, 2), 1});
    };
    const TensorId q = projection("queries");
    const TensorId k = projection("keys");
    const TensorId v = projection("values");
    const Partition scoreWays{ways(random, 4), ways(random, 2), ways(random, 2)};
    const TensorId scores = w.contraction("scores", "ahe,bhe->hab", {q, k},
                                          {scoreWays[0], scoreWays[1], scoreWays[2], 1});
    const TensorId attention = workload::softmax(w, scores, scoreWays);
    const TensorId mixed = w.contraction("attention", "hab,bhe->ahe", {attention, v},
                                         {scoreWays[1], scoreWays[0], 1, ways(random, 2)});
    const TensorId out = w.weight("weight of the output", {heads, size, heads, size});
    const TensorId projected =
        w.contraction("output", "aef,cdef->acd", {mixed, out},
                      {ways(random, 4), ways(random, 4), 1, ways(random, 2), 1});
    x = w.apply(TensorOp::Add, "residual", "acd,acd->acd", {x, projected}, {rows, split, 1});
    const TensorId up = w.weight("weight of the hidden layer", {heads, size, hidden});
    const Partition hiddenWays{ways(random, 4), ways(random, 4)};
    const TensorId layer = w.contraction("hidden layer", "acd,cdb->ab", {x, up},
                                         {hiddenWays[0], hiddenWays[1], ways(random, 2), 1});
    const TensorId active = w.map(TensorOp::Relu, "relu", layer, hiddenWays);
    const TensorId down = w.weight("weight of the last layer", {hidden, heads, size});
    const TensorId last = w.contraction("last layer", "ab,bcd->acd", {active, down},
                                        {ways(random, 4), ways(random, 4), 1, ways(random, 4)});
    return w.apply(TensorOp::Add, "second residual", "acd,acd->acd", {x, last}, {rows, split, 1});
}

} // namespace

std::shared_ptr<const graph::Graph> randomTransformer(PortableRandom& random) {
    ProgramWriter w = writer("transformer", random);
    w.result(random.chance(0.6) ? gatedBlock(w, random) : plainBlock(w, random));
    return workload::split(w.take())->graph;
}

std::shared_ptr<const graph::Graph> randomMatrixChain(PortableRandom& random) {
    ProgramWriter w = writer("matrix chain", random);
    const bool square = random.chance(0.5);
    const std::int64_t n = powerOfTwo(random, 8, 13);
    const auto side = [&] { return square ? n : powerOfTwo(random, 8, 13); };
    const auto chain = [&](std::int64_t rows, std::int64_t columns) {
        struct Factor {
            TensorId tensor;
            std::int64_t columns;
        };
        std::vector<Factor> factors;
        const std::int64_t count = random.between(2, 5);
        std::int64_t height = rows;
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t width = i + 1 == count ? columns : side();
            factors.push_back(
                {w.data("factor", {height, width}, {ways(random, 4), ways(random, 4)}), width});
            height = width;
        }
        while (factors.size() > 1) { // multiplied in any order
            const auto i = static_cast<std::size_t>(
                random.below(static_cast<std::int64_t>(factors.size()) - 1));
            factors[i] = {w.contraction("product", "ac,cb->ab",
                                        {factors[i].tensor, factors[i + 1].tensor},
                                        {ways(random, 4), ways(random, 4), ways(random, 4)}),
                          factors[i + 1].columns};
            factors.erase(factors.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        }
        return factors.front().tensor;
    };
    const std::int64_t rows = side();
    const std::int64_t columns = side();
    TensorId sum = chain(rows, columns);
    for (std::int64_t terms = random.between(0, 2); terms > 0; --terms) {
        sum = w.apply(TensorOp::Add, "sum", "ab,ab->ab", {sum, chain(rows, columns)},
                      {ways(random, 4), ways(random, 4)});
    }
    w.result(sum);
    return workload::split(w.take())->graph;
}

std::shared_ptr<const graph::Graph> randomFeedForward(PortableRandom& random) {
    ProgramWriter w = writer("feed-forward", random);
    const std::int64_t rows = powerOfTwo(random, 8, 15);
    std::int64_t width = powerOfTwo(random, 5, 12);
    TensorId x = w.data("input", {rows, width}, {ways(random, 8), ways(random, 2)});
    for (std::int64_t layers = random.between(1, 4); layers > 0; --layers) {
        const std::int64_t next = powerOfTwo(random, 5, 14);
        const TensorId weight = w.weight("weight", {width, next}, {1, ways(random, 4)});
        const Partition outWays{ways(random, 8), ways(random, 4)};
        x = w.contraction("layer", "ac,cb->ab", {x, weight},
                          {outWays[0], outWays[1], ways(random, 4)});
        if (random.chance(0.8)) {
            x = w.map(TensorOp::Relu, "relu", x,
                      random.chance(0.7) ? outWays : Partition{ways(random, 8), ways(random, 4)});
        }
        width = next;
    }
    if (random.chance(0.6)) {
        x = workload::softmax(w, x, {powerOfTwo(random, 1, 4), ways(random, 2)});
    }
    w.result(x);
    return workload::split(w.take())->graph;
}

} // namespace doppler::place
