#include "core/engine/cpu/TorchBlock.h" // before the headers of operators

#include <limits>
#include <stdexcept>

#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/conv_transpose2d.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/max_pool2d_with_indices.h>
#include <ATen/ops/ones.h>

namespace doppler::engine {

namespace {

using namespace workload;
using Box = std::array<Interval, 2>; // rows and columns, indices of the whole tensor

/// The last two dimensions of `values`, which cover `from`, cut or padded to cover `to`.
at::Tensor fitted(const at::Tensor& values, const Box& from, const Box& to, double padding = 0) {
    return at::constant_pad_nd(values,
                               {from[1].begin - to[1].begin, to[1].end - from[1].end,
                                from[0].begin - to[0].begin, to[0].end - from[0].end},
                               padding);
}

Box lastTwo(const Region& region) {
    return {region[region.size() - 2], region[region.size() - 1]};
}

/// Image rows and columns that `windows` touch with their elements `elements`.
Box imagesOf(const OpParameters& p, const Box& windows, const Box& elements) {
    Box box;
    for (std::size_t d = 0; d < 2; ++d) {
        box[d] = {windows[d].begin * p.stride[d] - p.padding[d] + elements[d].begin,
                  (windows[d].end - 1) * p.stride[d] - p.padding[d] + elements[d].end};
    }
    return box;
}

Box wholeWindow(const OpParameters& p) {
    return {Interval{0, p.window[0]}, Interval{0, p.window[1]}};
}

void maxPoolGradient(const OpParameters& p, const BlockInfo& block,
                     const std::vector<BlockOperand>& operands, at::Tensor& out) {
    // The windows that the block's images fall into, and the images of those windows.
    const Box windows = lastTwo(operands[2].region);
    const Box images = imagesOf(p, windows, wholeWindow(p));
    const at::Tensor padded = fitted(operands[0].values, lastTwo(operands[0].region), images,
                                     -std::numeric_limits<double>::infinity());
    const auto [maxima, places] = at::max_pool2d_with_indices(padded, p.window, p.stride);
    at::Tensor sums = padded.new_zeros(padded.sizes());
    sums.flatten(2).scatter_add_(2, places.flatten(2), operands[2].values.flatten(2));
    out.copy_(fitted(sums, images, {block.join[2], block.join[3]}));
}

} // namespace

void computeWindows(const TensorProgram& program, const BlockInfo& block,
                    const std::vector<BlockOperand>& operands, at::Tensor& out) {
    const Tensor& tensor = program.at(block.tensor);
    const OpParameters& p = tensor.parameters;
    const Region& join = block.join;
    const at::Tensor& x = operands[0].values;
    switch (tensor.op) {
    case TensorOp::Conv2d: { // join (n, k, p, q, c, r, s)
        const Box images = imagesOf(p, {join[2], join[3]}, {join[5], join[6]});
        out.copy_(at::conv2d(fitted(x, lastTwo(operands[0].region), images), operands[1].values, {},
                             p.stride));
        return;
    }
    case TensorOp::ConvInputGradient: { // join (n, c, h, w, k, r, s)
        const Box windows = lastTwo(operands[0].region);
        if (windows[0].empty() || windows[1].empty()) {
            out.zero_();
            return;
        }
        const at::Tensor spread = at::conv_transpose2d(x, operands[1].values, {}, p.stride);
        out.copy_(fitted(spread, imagesOf(p, windows, {join[5], join[6]}), {join[2], join[3]}));
        return;
    }
    case TensorOp::ConvFilterGradient: { // join (k, c, r, s, n, p, q)
        // A convolution in which images and channels change places: windows become elements.
        const Box images = imagesOf(p, {join[5], join[6]}, {join[2], join[3]});
        const at::Tensor channels =
            fitted(x, lastTwo(operands[0].region), images).transpose(0, 1).contiguous();
        const at::Tensor gradient = operands[1].values.transpose(0, 1).contiguous();
        out.copy_(
            at::conv2d(channels, gradient, {}, at::IntArrayRef{1}, at::IntArrayRef{0}, p.stride)
                .transpose(0, 1));
        return;
    }
    case TensorOp::MaxPool: { // join (n, c, p, q, r, s)
        const Box images = imagesOf(p, {join[2], join[3]}, {join[4], join[5]});
        const at::Tensor padded = fitted(x, lastTwo(operands[0].region), images,
                                         -std::numeric_limits<double>::infinity());
        out.copy_(at::max_pool2d(padded, {join[4].size(), join[5].size()}, p.stride));
        return;
    }
    case TensorOp::AvgPool: {
        const Box images = imagesOf(p, {join[2], join[3]}, {join[4], join[5]});
        out.copy_(at::avg_pool2d(fitted(x, lastTwo(operands[0].region), images),
                                 {join[4].size(), join[5].size()}, p.stride, 0, false, true,
                                 p.window[0] * p.window[1]));
        return;
    }
    case TensorOp::MaxPoolGradient:
        maxPoolGradient(p, block, operands, out);
        return;
    case TensorOp::AvgPoolGradient: {
        const Box windows = lastTwo(operands[0].region);
        const at::Tensor alone =
            x.reshape({x.size(0) * x.size(1), 1, windows[0].size(), windows[1].size()});
        const at::Tensor share = at::ones({1, 1, p.window[0], p.window[1]}, x.options())
                                     .div_(static_cast<double>(p.window[0] * p.window[1]));
        const at::Tensor spread = fitted(at::conv_transpose2d(alone, share, {}, p.stride),
                                         imagesOf(p, windows, wholeWindow(p)), {join[2], join[3]});
        out.copy_(spread.reshape(out.sizes()));
        return;
    }
    default:
        throw std::logic_error("no windows in " + tensor.opName());
    }
}

} // namespace doppler::engine
