#include "core/engine/cpu/TorchBlock.h" // before the headers of operators

#include <stdexcept>

#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

namespace doppler::engine {

namespace {

using namespace workload;

/// Rows of `values` (token, ...) that a table (expert, slot) names, 0 for empty slots: (expert,
/// slot, ...). The region of the tokens is whole.
at::Tensor rowsOf(const at::Tensor& values, const at::Tensor& table) {
    const at::Tensor tokens = table.reshape({-1}).to(at::kLong);
    std::vector<std::int64_t> shape = table.sizes().vec();
    shape.insert(shape.end(), values.sizes().begin() + 1, values.sizes().end());
    const at::Tensor rows = values.index_select(0, tokens.clamp_min(0)).reshape(shape);
    at::Tensor taken = table.ge(0);
    while (taken.dim() < rows.dim()) {
        taken = taken.unsqueeze(-1);
    }
    return at::where(taken, rows, at::zeros_like(rows));
}

/// Each slot's own gate: gates (token, expert), table (expert, slot) -> (expert, slot).
at::Tensor gatesOf(const at::Tensor& gates, const at::Tensor& table) {
    const at::Tensor all = rowsOf(gates, table); // (expert, slot, expert)
    return all.diagonal(0, 0, 2).transpose(0, 1);
}

void dispatchTable(const BlockInfo& block, const at::Tensor& gates, at::Tensor& out) {
    out.fill_(-1);
    const Interval& slots = block.join[1];
    for (std::int64_t expert = 0; expert < gates.size(1); ++expert) {
        const at::Tensor tokens = gates.select(1, expert).nonzero().reshape({-1});
        const std::int64_t end = std::min(slots.end, tokens.numel());
        if (end > slots.begin) {
            out[expert]
                .narrow(0, 0, end - slots.begin)
                .copy_(tokens.narrow(0, slots.begin, end - slots.begin));
        }
    }
}

/// Adds the rows (expert, slot, ...) to the tokens that the table names, out (token, ...).
void addRows(const at::Tensor& rows, const at::Tensor& table, const Interval& tokens,
             at::Tensor& out) {
    const at::Tensor of = table.reshape({-1}).to(at::kLong);
    const at::Tensor own =
        (of.ge(tokens.begin).logical_and(of.lt(tokens.end))).nonzero().reshape({-1});
    out.index_add_(0, of.index_select(0, own) - tokens.begin,
                   rows.flatten(0, 1).index_select(0, own));
}

} // namespace

void computeRouting(const TensorProgram& program, const BlockInfo& block,
                    const std::vector<BlockOperand>& operands, at::Tensor& out) {
    const Tensor& tensor = program.at(block.tensor);
    const at::Tensor& x = operands[0].values;
    switch (tensor.op) {
    case TensorOp::RouteTop: { // whole rows
        const auto best = std::get<0>(x.topk(tensor.parameters.top, -1));
        const at::Tensor least = best.amin(-1, true);
        const at::Tensor shares = at::where(x.ge(least), x / best.sum(-1, true), at::zeros_like(x));
        out.copy_(shares.narrow(1, block.join[1].begin, block.join[1].size()));
        return;
    }
    case TensorOp::RouteGradient: { // probabilities, gates, gradient: whole rows
        const at::Tensor& gates = operands[1].values;
        const at::Tensor& gradient = operands[2].values;
        const at::Tensor kept = gates.ne(0);
        const at::Tensor sum = at::where(kept, x, at::zeros_like(x)).sum(-1, true);
        const at::Tensor mean = (gates * gradient).sum(-1, true);
        const at::Tensor all = at::where(kept, (gradient - mean) / sum, at::zeros_like(x));
        out.copy_(all.narrow(1, block.join[1].begin, block.join[1].size()));
        return;
    }
    case TensorOp::DispatchTable:
        dispatchTable(block, x, out);
        return;
    case TensorOp::Dispatch: { // rows (token, h), table, gates
        at::Tensor rows = rowsOf(x, operands[1].values);
        if (operands.size() > 2) {
            rows = rows * gatesOf(operands[2].values, operands[1].values).unsqueeze(-1);
        }
        out.copy_(rows);
        return;
    }
    case TensorOp::Undispatch: { // (expert, slot, h), table, gates of the block's tokens
        const Interval& tokens = block.join[0];
        at::Tensor rows = x;
        const at::Tensor& table = operands[1].values;
        if (operands.size() > 2) {
            // Slots of other blocks' tokens count as empty.
            const at::Tensor own = table.ge(tokens.begin).logical_and(table.lt(tokens.end));
            const at::Tensor local =
                at::where(own, table - tokens.begin, at::zeros_like(table) - 1);
            rows = rows * gatesOf(operands[2].values, local).unsqueeze(-1);
        }
        out.zero_();
        addRows(rows, table, tokens, out);
        return;
    }
    case TensorOp::GateGradient: { // (expert, slot, h), table, gradient (token, h); join (t, e, h)
        const Interval& tokens = block.join[0];
        const at::Tensor& table = operands[1].values;
        const at::Tensor own = table.ge(tokens.begin).logical_and(table.lt(tokens.end));
        const at::Tensor local = at::where(own, table - tokens.begin, at::zeros_like(table) - 1);
        const at::Tensor products = (x * rowsOf(operands[2].values, local)).sum(-1);
        out.zero_();
        for (std::int64_t expert = 0; expert < table.size(0); ++expert) {
            at::Tensor column = out.select(1, expert);
            addRows(products[expert].unsqueeze(0), table[expert].unsqueeze(0), tokens, column);
        }
        return;
    }
    default:
        throw std::logic_error("no routing in " + tensor.opName());
    }
}

} // namespace doppler::engine
