#include "core/workload/LlamaParts.h"

#include <cmath>

#include "core/workload/ProgramParts.h"

namespace doppler::workload {

namespace {

using graph::DType;

Partition tokens(TokenWays ways) {
    return {1, ways.sequence, ways.heads, 1};
}

Partition tokens(ContractionWays ways) {
    return {1, ways.rows, ways.columns, 1};
}

/// (batch, sequence, heads, size) x (heads, size, heads, size).
Partition projectionWays(ContractionWays ways) {
    return {1, ways.rows, ways.columns, 1, ways.sum, 1};
}

/// Turns each pair of neighbours of the last dimension by the angle of its position.
TensorId rotate(ProgramWriter& w, const std::string& name, TensorId x, TensorId rotary,
                const Partition& ways) {
    const DType dtype = w.dtype();
    w.setModule("rotary " + name);
    const TensorId real = w.convert(name + " in f32", x, DType::F32, ways);
    graph::Shape shape = w.at(real).fullShape;
    shape.back() /= 2;
    w.setDType(DType::C64);
    const TensorId pairs =
        w.shaped(TensorOp::ComplexFromReal, name + " as complex pairs", shape, 4, {real}, ways);
    const TensorId rotated = w.apply(TensorOp::RotaryMultiply, name + " rotated, complex",
                                     "abcd,bd->abcd", {pairs, rotary}, ways);
    w.setDType(DType::F32);
    shape.back() *= 2;
    const TensorId unpaired =
        w.shaped(TensorOp::RealFromComplex, name + " rotated, real", shape, 4, {rotated}, ways);
    w.setDType(dtype);
    return w.convert(name + " rotated", unpaired, dtype, ways);
}

TensorId attention(ProgramWriter& w, TensorId x, const LlamaWeights& weights, TensorId rotary,
                   std::optional<TensorId> mask, const LlamaPlan& plan) {
    const auto project = [&](const char* name, TensorId weight, ContractionWays ways) {
        w.setModule(std::string(name) + " projection");
        return w.contraction(std::string(name) + " projection", "abef,cdef->abcd", {x, weight},
                             projectionWays(ways));
    };
    const TensorId qRaw = project("Q", weights.q, plan.q);
    const TensorId kRaw = project("K", weights.k, plan.k);
    const TensorId v = project("V", weights.v, plan.v);
    const TensorId q = rotate(w, "Q", qRaw, rotary, tokens(plan.q));
    const TensorId k = rotate(w, "K", kRaw, rotary, tokens(plan.k));

    const auto [heads, queries, keys] = plan.scores;
    const Partition scoreWays{1, heads, queries, keys};
    w.setModule("scores");
    const TensorId raw = w.contraction("scores, Q times K transposed", "acbe,adbe->abcd", {q, k},
                                       {1, heads, queries, keys, 1});
    const auto headSize = static_cast<double>(w.at(q).fullShape.back());
    TensorId scores = w.map(TensorOp::Scale, "scores over sqrt(head size)", raw, scoreWays,
                            {.scale = 1 / std::sqrt(headSize)});
    if (mask) {
        scores =
            w.apply(TensorOp::Add, "scores plus mask", "abcd,cd->abcd", {scores, *mask}, scoreWays);
    }
    const DType dtype = w.dtype();
    w.setModule("softmax");
    const TensorId exact = w.convert("scores in f32", scores, DType::F32, scoreWays);
    w.setDType(DType::F32);
    const TensorId attention32 = softmax(w, exact, scoreWays);
    w.setDType(dtype);
    const TensorId weights16 = w.convert("attention weights", attention32, dtype, scoreWays);

    w.setModule("attention");
    return w.contraction("attention weights times V", "abce,aebd->abcd", {weights16, v},
                         {1, heads, queries, 1, keys});
}

} // namespace

LlamaWeights llamaWeights(ProgramWriter& w, const LlamaSizes& sizes, const LlamaPlan& plan) {
    const auto [batch, sequence, heads, size, feedForward] = sizes;
    const auto square = [&, h = heads, s = size](const char* name, ContractionWays ways) {
        return w.weight(std::string("weight of the ") + name, {h, s, h, s},
                        {ways.columns, 1, ways.sum, 1});
    };
    LlamaWeights weights{};
    weights.q = square("Q projection", plan.q);
    weights.k = square("K projection", plan.k);
    weights.v = square("V projection", plan.v);
    weights.projection = square("attention output projection", plan.projection);
    const Partition hiddenWays{plan.hidden.columns, plan.hidden.sum, 1};
    weights.gate =
        w.weight("weight W1 of the feed-forward gate", {feedForward, heads, size}, hiddenWays);
    weights.down = w.weight("weight W2 of the feed-forward down", {heads, size, feedForward},
                            {plan.down.columns, 1, plan.down.sum});
    weights.up =
        w.weight("weight W3 of the feed-forward up", {feedForward, heads, size}, hiddenWays);
    weights.attentionNorm =
        w.weight("weight of the attention norm", {heads, size}, {plan.attentionNorm.heads, 1});
    weights.feedForwardNorm =
        w.weight("weight of the feed-forward norm", {heads, size}, {plan.feedForwardNorm.heads, 1});
    return weights;
}

TensorId tokenNorm(ProgramWriter& w, TensorId x, TensorId weight, TokenWays statistics,
                   TokenWays output) {
    return rmsNorm(w, x, weight, 2, tokens(statistics), tokens(output));
}

TensorId llamaBlock(ProgramWriter& w, TensorId x, const LlamaWeights& weights, TensorId rotary,
                    std::optional<TensorId> mask, const LlamaPlan& plan) {
    w.setModule("attention norm");
    const TensorId normed =
        tokenNorm(w, x, weights.attentionNorm, plan.attentionNormStatistics, plan.attentionNorm);
    const TensorId attended = attention(w, normed, weights, rotary, mask, plan);
    w.setModule("attention output");
    const TensorId projected =
        w.contraction("attention output projection", "aebf,cdef->abcd",
                      {attended, weights.projection}, projectionWays(plan.projection));
    const TensorId residual = w.apply(TensorOp::Add, "residual after attention", "abcd,abcd->abcd",
                                      {x, projected}, tokens(plan.residual));

    w.setModule("feed-forward norm");
    const TensorId normed2 =
        tokenNorm(w, residual, weights.feedForwardNorm, plan.residual, plan.feedForwardNorm);
    w.setModule("feed-forward");
    const Partition hidden{1, plan.hidden.rows, plan.hidden.columns};
    const Partition hiddenSum{1, plan.hidden.rows, plan.hidden.columns, plan.hidden.sum, 1};
    const TensorId gate =
        w.contraction("gate W1", "abde,cde->abc", {normed2, weights.gate}, hiddenSum);
    const TensorId active = w.map(TensorOp::Silu, "silu of the gate", gate, hidden);
    const TensorId up = w.contraction("up W3", "abde,cde->abc", {normed2, weights.up}, hiddenSum);
    const TensorId gated =
        w.apply(TensorOp::Multiply, "silu(gate) times up", "abc,abc->abc", {active, up}, hidden);
    const TensorId down = w.contraction("down W2", "abe,cde->abcd", {gated, weights.down},
                                        {1, plan.down.rows, plan.down.columns, 1, plan.down.sum});
    return w.apply(TensorOp::Add, "residual after feed-forward", "abcd,abcd->abcd",
                   {residual, down}, tokens(plan.down));
}

} // namespace doppler::workload
