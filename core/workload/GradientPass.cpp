#include "core/workload/GradientPass.h"

#include <algorithm>
#include <stdexcept>

namespace doppler::workload {

namespace {

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

bool contains(const std::string& text, char letter) {
    return text.find(letter) != std::string::npos;
}

/// "layer 3/norm" -> "layer 3 backward/norm": beside the forward group, not in it, so that each of
/// the two is a stretch of the computation.
std::string backwardGroup(const std::string& group) {
    const std::size_t slash = std::min(group.find('/'), group.size());
    return group.substr(0, slash) + " backward" + group.substr(slash);
}

} // namespace

Indices::Indices(const std::string& text) {
    const std::size_t arrow = text.find("->");
    output = text.substr(arrow + 2);
    for (const char c : text.substr(0, arrow)) {
        if (c == ',') {
            operands.emplace_back();
        } else {
            operands.back() += c;
        }
    }
}

std::string dimensionLetters(int rank) {
    std::string text;
    for (int d = 0; d < rank; ++d) {
        text += static_cast<char>('a' + d);
    }
    return text;
}

GradientPass::GradientPass(ProgramWriter& w, double learningRate)
    : w_(w)
    , rate_(learningRate)
    , forwardRows_(w.size())
    , shares_(w.size())
    , needed_(w.size(), false) {
    for (std::size_t row = 0; row < forwardRows_; ++row) {
        const Tensor& tensor = w_.at(static_cast<TensorId>(row));
        const bool reached = std::any_of(tensor.operands.begin(), tensor.operands.end(),
                                         [&](TensorId operand) { return needed_[at(operand)]; });
        needed_[row] = tensor.weight || (reached && tensor.op != TensorOp::ReduceMax);
    }
}

void GradientPass::fail(const Tensor& tensor, const char* what) {
    throw std::logic_error("gradient of \"" + tensor.role + "\" (" + tensor.opName() +
                           "): " + what);
}

TensorId GradientPass::whole(const Tensor& tensor, const Gradient& gradient) {
    if (gradient.dims.size() != at(tensor.outputRank)) {
        fail(tensor, "it only broadcasts, and a whole one is needed");
    }
    return gradient.id;
}

Partition GradientPass::waysOf(const Tensor& tensor, std::size_t more) {
    Partition partition(tensor.partition.begin(), tensor.partition.begin() + tensor.outputRank);
    partition.insert(partition.end(), more, 1);
    return partition;
}

void GradientPass::addShare(TensorId tensor, Gradient gradient) {
    if (isNeeded(tensor)) {
        shares_[at(tensor)].push_back({std::move(gradient), std::nullopt, 0, 0});
    }
}

void GradientPass::addPart(TensorId tensor, const Gradient& gradient, TensorOp part, int axis,
                           std::int64_t begin) {
    if (isNeeded(tensor)) {
        shares_[at(tensor)].push_back({gradient, part, axis, begin});
    }
}

void GradientPass::run(const std::vector<Seed>& seeds) {
    w_.setAlwaysForm(false);
    for (const Seed& seed : seeds) {
        addShare(seed.tensor, {seed.gradient, dimensionLetters(w_.at(seed.tensor).outputRank)});
    }
    for (auto row = static_cast<TensorId>(forwardRows_) - 1; row >= 0; --row) {
        if (shares_[at(row)].empty() || !needed_[at(row)]) {
            continue;
        }
        const Tensor tensor = w_.at(row); // a copy: rows are added meanwhile
        w_.setDType(tensor.dtype);
        ways_ = tensor.partition;
        w_.setModule(backwardGroup(tensor.group));
        const Gradient gradient = accumulated(row, tensor);
        if (tensor.weight) {
            w_.setModule(backwardGroup(tensor.group) + "/update");
            update(row, tensor, gradient);
        } else {
            distribute(row, tensor, gradient);
        }
    }
    w_.setModule({});
}

TensorId GradientPass::apply(TensorOp op, const std::string& role, const std::string& indices,
                             const std::vector<TensorId>& operands,
                             const OpParameters& parameters) {
    const Indices parts(indices);
    std::string order = parts.output;
    for (const std::string& operand : parts.operands) {
        for (const char letter : operand) {
            if (!contains(order, letter)) {
                order += letter;
            }
        }
    }
    Partition partition;
    for (const char letter : order) {
        partition.push_back(ways_[at(letter - 'a')]);
    }
    const TensorId partials =
        w_.apply(op, role, indices, operands, std::move(partition), parameters);
    if (w_.at(partials).partialCount() == 1) {
        return partials;
    }
    w_.setRole(partials, role + ", partial sums");
    return w_.form(role, partials);
}

Gradient GradientPass::accumulated(TensorId id, const Tensor& tensor) {
    std::vector<Share>& shares = shares_[at(id)];
    if (shares.front().part) {
        return joined(tensor, shares);
    }
    if (shares.size() == 1) {
        return shares.front().gradient;
    }
    std::string dims;
    std::string indices;
    std::vector<TensorId> operands;
    for (const Share& share : shares) {
        if (share.part) {
            fail(tensor, "both whole and in parts");
        }
        dims = share.gradient.dims.size() > dims.size() ? share.gradient.dims : dims;
        indices += (indices.empty() ? "" : ",") + share.gradient.dims;
        operands.push_back(share.gradient.id);
    }
    return {apply(TensorOp::Add, roleOf(tensor), indices + "->" + dims, operands), dims};
}

Gradient GradientPass::joined(const Tensor& tensor, std::vector<Share>& shares) {
    std::sort(shares.begin(), shares.end(),
              [](const Share& a, const Share& b) { return a.begin < b.begin; });
    const TensorOp part = *shares.front().part;
    const int axis = shares.front().axis;
    std::vector<TensorId> operands;
    std::int64_t end = 0;
    for (const Share& share : shares) {
        const Tensor& value = w_.at(share.gradient.id);
        const int rank = tensor.outputRank - (part == TensorOp::Take ? 1 : 0);
        if (share.part != part || share.axis != axis || share.begin != end ||
            value.outputRank != rank) {
            fail(tensor, "its parts do not cover it once");
        }
        operands.push_back(share.gradient.id);
        end += part == TensorOp::Take ? 1 : value.fullShape[at(axis)];
    }
    if (end != tensor.fullShape[at(axis)]) {
        fail(tensor, "its parts do not cover it");
    }
    const TensorOp op = part == TensorOp::Take ? TensorOp::Stack : TensorOp::Concat;
    return {w_.shaped(op, roleOf(tensor), tensor.outputShape(), tensor.outputRank, operands,
                      waysOf(tensor), {.axis = axis}),
            dimensionLetters(tensor.outputRank)};
}

void GradientPass::update(TensorId weight, const Tensor& tensor, const Gradient& gradient) {
    const std::string all = dimensionLetters(tensor.outputRank);
    w_.result(apply(TensorOp::Update, tensor.role + ", updated",
                    all + "," + gradient.dims + "->" + all, {weight, gradient.id},
                    {.scale = rate_}));
}

void backward(ProgramWriter& w, const std::vector<Seed>& seeds, double learningRate) {
    GradientPass(w, learningRate).run(seeds);
}

} // namespace doppler::workload
