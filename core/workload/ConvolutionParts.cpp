#include "core/workload/ConvolutionParts.h"

namespace doppler::workload {

namespace {

OpParameters windowParameters(const Window& window) {
    OpParameters parameters;
    parameters.window = {window.rows, window.columns};
    parameters.stride = {window.stride, window.stride};
    if (window.same) {
        parameters.padding = {window.rows / 2, window.columns / 2};
    }
    return parameters;
}

std::int64_t outputSize(std::int64_t size, const OpParameters& parameters, std::size_t d) {
    return (size + 2 * parameters.padding[d] - parameters.window[d]) / parameters.stride[d] + 1;
}

TensorId pool(ProgramWriter& w, TensorOp op, std::string role, TensorId images,
              const Window& window) {
    const OpParameters parameters = windowParameters(window);
    const graph::Shape in = w.at(images).outputShape();
    return w.shaped(op, std::move(role),
                    {in[0], in[1], outputSize(in[2], parameters, 0),
                     outputSize(in[3], parameters, 1), window.rows, window.columns},
                    4, {images}, {}, parameters);
}

} // namespace

TensorId convolution(ProgramWriter& w, TensorId images, std::int64_t filters,
                     const Window& window) {
    const OpParameters parameters = windowParameters(window);
    const graph::Shape in = w.at(images).outputShape();
    const TensorId weight = w.weight("filters", {filters, in[1], window.rows, window.columns});
    return w.shaped(TensorOp::Conv2d, "convolution",
                    {in[0], filters, outputSize(in[2], parameters, 0),
                     outputSize(in[3], parameters, 1), in[1], window.rows, window.columns},
                    4, {images, weight}, {}, parameters);
}

TensorId batchNorm(ProgramWriter& w, TensorId images, bool training) {
    constexpr double kEps = 1e-3;
    const graph::Shape shape = w.at(images).outputShape();
    const TensorId scale = w.weight("batch norm scale", {shape[1]});
    const TensorId shift = w.weight("batch norm shift", {shape[1]});
    std::vector<TensorId> rows;
    const auto row = [&](TensorId id) {
        rows.push_back(id);
        return id;
    };
    TensorId x = images;
    if (training) {
        const double perChannel = 1 / static_cast<double>(shape[0] * shape[2] * shape[3]);
        const TensorId sum =
            w.reduction(TensorOp::ReduceSum, "sum of each channel", "nchw->c", images, {});
        const TensorId mean =
            row(w.map(TensorOp::Scale, "mean of each channel", sum, {}, {.scale = perChannel}));
        const TensorId centred =
            row(w.apply(TensorOp::Subtract, "less the mean", "nchw,c->nchw", {images, mean}));
        const TensorId squares = row(w.map(TensorOp::Square, "squares", centred));
        const TensorId squareSum =
            w.reduction(TensorOp::ReduceSum, "sum of squares", "nchw->c", squares, {});
        const TensorId variance = row(w.map(TensorOp::ScaleAddEps, "variance plus eps", squareSum,
                                            {}, {.scale = perChannel, .eps = kEps}));
        const TensorId root = row(w.map(TensorOp::Rsqrt, "reciprocal deviation", variance));
        x = row(w.apply(TensorOp::Multiply, "normalised", "nchw,c->nchw", {centred, root}));
    }
    const TensorId scaled = row(w.apply(TensorOp::Multiply, "scaled", "nchw,c->nchw", {x, scale}));
    const TensorId shifted =
        row(w.apply(TensorOp::Add, "shifted", "nchw,c->nchw", {scaled, shift}));
    for (const TensorId id : rows) {
        w.setKind(id, graph::OpKind::Normalization);
    }
    return shifted;
}

TensorId maxPool(ProgramWriter& w, TensorId images, const Window& window) {
    return pool(w, TensorOp::MaxPool, "max-pool", images, window);
}

TensorId averagePool(ProgramWriter& w, TensorId images, const Window& window) {
    return pool(w, TensorOp::AvgPool, "average-pool", images, window);
}

TensorId globalAverage(ProgramWriter& w, TensorId images) {
    const graph::Shape shape = w.at(images).outputShape();
    const TensorId sum =
        w.reduction(TensorOp::ReduceSum, "sum over pixels", "nchw->nc", images, {});
    return w.map(TensorOp::Scale, "mean over pixels", sum, {},
                 {.scale = 1 / static_cast<double>(shape[2] * shape[3])});
}

TensorId concatChannels(ProgramWriter& w, const std::vector<TensorId>& parts) {
    graph::Shape shape = w.at(parts.front()).outputShape();
    shape[1] = 0;
    for (const TensorId part : parts) {
        shape[1] += w.at(part).fullShape[1];
    }
    return w.shaped(TensorOp::Concat, "concatenation", std::move(shape), 4, parts, {}, {.axis = 1});
}

} // namespace doppler::workload
