#include "core/learn/Encoder.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

#include "core/learn/MessagePassing.h"
#include "core/learn/Vectorised.h"

namespace doppler::learn {

namespace {

using at::Tensor;
using torch::autograd::AutogradContext;

/// Hands a pointer to the graph through autograd, which stores integers.
std::int64_t handle(const GraphFeatures* graph) {
    return reinterpret_cast<std::int64_t>(graph);
}
const GraphFeatures& graphOf(const AutogradContext& context) {
    return *reinterpret_cast<const GraphFeatures*>(context.saved_data.at("graph").toInt());
}

class Messages : public torch::autograd::Function<Messages> {
public:
    static Tensor forward(AutogradContext* context, const GraphFeatures* graph, const Tensor& ends,
                          const Tensor& edgeWeight, const Tensor& edgeBias) {
        context->saved_data["graph"] = handle(graph);
        context->save_for_backward({ends, edgeWeight, edgeBias});
        Tensor out = at::empty({ends.size(0), ends.size(1) / 2}, ends.options());
        passMessages(*graph, arrays(ends, edgeWeight, edgeBias), out.data_ptr<float>());
        return out;
    }

    static torch::autograd::variable_list backward(AutogradContext* context,
                                                   torch::autograd::variable_list outputs) {
        const auto saved = context->get_saved_variables();
        Tensor ends = at::zeros_like(saved[0]);
        Tensor edgeWeight = at::zeros_like(saved[1]);
        Tensor edgeBias = at::zeros_like(saved[2]);
        const Tensor gradient = outputs[0].contiguous();
        passMessagesBackward(graphOf(*context), arrays(saved[0], saved[1], saved[2]),
                             gradient.data_ptr<float>(), ends.data_ptr<float>(),
                             edgeWeight.data_ptr<float>(), edgeBias.data_ptr<float>());
        return {Tensor(), ends, edgeWeight, edgeBias};
    }

private:
    static MessageArrays arrays(const Tensor& ends, const Tensor& edgeWeight,
                                const Tensor& edgeBias) {
        return {.hidden = static_cast<int>(ends.size(1) / 4),
                .ends = ends.data_ptr<float>(),
                .edgeWeight = edgeWeight.data_ptr<float>(),
                .edgeBias = edgeBias.data_ptr<float>()};
    }
};

class PathMeans : public torch::autograd::Function<PathMeans> {
public:
    static Tensor forward(AutogradContext* context, const GraphFeatures* graph,
                          const Tensor& states) {
        context->saved_data["graph"] = handle(graph);
        const Tensor h = states.contiguous();
        Tensor out = at::empty({h.size(0), h.size(1) * 2}, h.options());
        pathMeans(*graph, static_cast<int>(h.size(1)), h.data_ptr<float>(), out.data_ptr<float>());
        return out;
    }

    static torch::autograd::variable_list backward(AutogradContext* context,
                                                   torch::autograd::variable_list outputs) {
        const Tensor gradient = outputs[0].contiguous();
        Tensor h = at::zeros({gradient.size(0), gradient.size(1) / 2}, gradient.options());
        pathMeansBackward(graphOf(*context), static_cast<int>(h.size(1)),
                          gradient.data_ptr<float>(), h.data_ptr<float>());
        return {Tensor(), h};
    }
};

Tensor leaky(const Tensor& x) {
    return at::leaky_relu(x, kLeakySlope);
}

Tensor matrix(const float* values, std::int64_t rows, std::int64_t columns) {
    // LibTorch has no view of constant memory; nothing here writes to it.
    return at::from_blob(const_cast<float*>(values), {rows, columns}, at::kFloat);
}

void copyTo(const Tensor& tensor, std::vector<float>& target) {
    const Tensor contiguous = tensor.detach().contiguous();
    std::copy_n(contiguous.data_ptr<float>(), target.size(), target.begin());
}

/// One of the two networks: its weights as leaves of autograd, and its latest outputs.
struct Network {
    std::vector<Tensor> weights;
    std::vector<Tensor> outputs; // SEL: score; PLC: own, placed

    std::size_t next = 0;
    Tensor take() { return weights[next++]; }
    Tensor linear(const Tensor& x) {
        const Tensor weight = take();
        return at::linear(x, weight, take().squeeze(0));
    }
};

} // namespace

struct Encoder::State {
    NetworkShape shape;
    std::shared_ptr<const GraphFeatures> graph;
    Tensor nodes;
    std::array<Network, 2> networks;

    /// States of all ops after the layers.
    Tensor encode(Network& net) const {
        Tensor h = leaky(net.linear(nodes));
        for (int layer = 0; layer < shape.layers; ++layer) {
            const Tensor ends = at::linear(h, net.take());
            const Tensor edgeWeight = net.take();
            const Tensor edgeBias = net.take();
            const Tensor messages = Messages::apply(graph.get(), ends, edgeWeight, edgeBias);
            const Tensor merged = leaky(net.linear(at::cat({h, messages}, 1)));
            const Tensor scale = net.take().squeeze(0);
            h = at::layer_norm(h + merged, {shape.hidden}, scale, net.take().squeeze(0));
        }
        return h;
    }

    void run(int index) {
        Network& net = networks[static_cast<std::size_t>(index)];
        net.next = 0;
        const Tensor h = encode(net);
        const Tensor own = leaky(net.linear(nodes));
        if (index == 0) {
            const Tensor paths = PathMeans::apply(graph.get(), h);
            const Tensor inner = leaky(net.linear(at::cat({own, h, paths}, 1)));
            net.outputs = {at::linear(inner, net.take()).squeeze(1)};
        } else {
            const Tensor first = net.linear(at::cat({h, own}, 1));
            net.outputs = {first, at::linear(h, net.take())};
        }
    }
};

Encoder::Encoder(const NetworkShape& shape, std::shared_ptr<const GraphFeatures> graph)
    : state_(new State{.shape = shape, .graph = std::move(graph), .nodes = {}, .networks = {}}) {
    state_->nodes = matrix(state_->graph->nodes.data(), state_->graph->ops, state_->graph->width);
}

Encoder::~Encoder() = default;
Encoder::Encoder(Encoder&&) noexcept = default;
Encoder& Encoder::operator=(Encoder&&) noexcept = default;

void Encoder::forward(int network, std::span<const float> weights, PolicyTables& tables,
                      bool train) {
    const c10::AutoGradMode mode(train);
    Network& net = state_->networks[static_cast<std::size_t>(network)];
    net.weights.clear();
    const NetworkShape& shape = state_->shape;
    const std::size_t first = shape.firstWeight(network);
    const std::size_t end = network == 0 ? shape.firstWeight(1) : shape.weights.size();
    for (std::size_t i = first; i < end; ++i) {
        const Weight& weight = shape.weights[i];
        Tensor tensor = matrix(weights.data() + weight.offset, weight.rows, weight.columns);
        net.weights.push_back(tensor.set_requires_grad(train));
    }
    state_->run(network);
    if (network == 0) {
        copyTo(net.outputs[0], tables.score);
    } else {
        copyTo(net.outputs[0], tables.own);
        copyTo(net.outputs[1], tables.placed);
        copyTo(net.weights[net.weights.size() - 2], tables.feature);
        copyTo(net.weights.back(), tables.output);
    }
    if (!train) {
        net.outputs.clear();
    }
}

void Encoder::backward(int network, const TableGradient& gradient, std::span<float> out) {
    Network& net = state_->networks[static_cast<std::size_t>(network)];
    const int ops = state_->graph->ops;
    const int hidden = state_->shape.hidden;
    if (network == 0) {
        torch::autograd::backward({net.outputs[0]}, {matrix(gradient.score.data(), 1, ops)[0]});
    } else {
        torch::autograd::backward({net.outputs[0], net.outputs[1]},
                                  {matrix(gradient.own.data(), ops, hidden),
                                   matrix(gradient.placed.data(), ops, hidden)});
    }
    const std::size_t first = state_->shape.firstWeight(network);
    for (std::size_t i = 0; i < net.weights.size(); ++i) {
        const Weight& weight = state_->shape.weights[first + i];
        float* target = out.data() + weight.offset;
        const Tensor& leaf = net.weights[i].grad();
        if (leaf.defined()) {
            const Tensor values = leaf.contiguous();
            std::copy_n(values.data_ptr<float>(), weight.size(), target);
        } else if (weight.name == "plc.device.weight") {
            std::copy(gradient.feature.begin(), gradient.feature.end(), target);
        } else if (weight.name == "plc.output.weight") {
            std::copy(gradient.output.begin(), gradient.output.end(), target);
        } else {
            std::fill_n(target, weight.size(), 0.0F);
        }
    }
    net.outputs.clear();
    net.weights.clear();
}

void useOneLibTorchThread() {
    at::set_num_threads(1);
    // The BLAS below has threads of its own; only OpenBLAS can be told.
    using SetThreads = void (*)(int);
    if (auto* set = reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))) {
        set(1);
    }
}

} // namespace doppler::learn
