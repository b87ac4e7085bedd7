#include "core/workload/LstmParts.h"

namespace doppler::workload {

LstmLayer lstmLayer(ProgramWriter& w, const std::string& name, std::int64_t inputWidth,
                    std::int64_t hidden) {
    w.setModule(name);
    return {w.weight(name + " weight from input", {inputWidth, 4 * hidden}),
            w.weight(name + " weight from hidden", {hidden, 4 * hidden}),
            w.weight(name + " bias", {4 * hidden})};
}

LstmState initialState(ProgramWriter& w, const std::string& name, std::int64_t batch,
                       std::int64_t hidden) {
    w.setModule(name);
    return {w.data(name + " initial hidden state", {batch, hidden}),
            w.data(name + " initial cell", {batch, hidden})};
}

LstmState lstmStep(ProgramWriter& w, TensorId x, const LstmState& state, const LstmLayer& layer) {
    const TensorId fromInput = w.product("gates from input", "bi,ig->bg", {x, layer.fromInput});
    const TensorId fromHidden =
        w.product("gates from hidden", "bh,hg->bg", {state.hidden, layer.fromHidden});
    const TensorId gates =
        w.apply(TensorOp::Add, "gates", "bg,bg,g->bg", {fromInput, fromHidden, layer.bias});
    const graph::Shape shape = w.at(state.hidden).fullShape;
    const auto gate = [&](TensorOp activation, const std::string& name, std::int64_t index) {
        const TensorId part = w.shaped(TensorOp::Select, name + ", before activation", shape, 2,
                                       {gates}, {}, {.start = {0, index * shape[1]}});
        return w.map(activation, name, part);
    };
    const TensorId input = gate(TensorOp::Sigmoid, "input gate", 0);
    const TensorId forget = gate(TensorOp::Sigmoid, "forget gate", 1);
    const TensorId candidate = gate(TensorOp::Tanh, "candidate", 2);
    const TensorId output = gate(TensorOp::Sigmoid, "output gate", 3);
    const auto elementwise = [&](TensorOp op, const char* role, TensorId a, TensorId b) {
        return w.apply(op, role, "ab,ab->ab", {a, b});
    };
    const TensorId kept = elementwise(TensorOp::Multiply, "kept cell", forget, state.cell);
    const TensorId added = elementwise(TensorOp::Multiply, "added to cell", input, candidate);
    const TensorId cell = elementwise(TensorOp::Add, "cell", kept, added);
    const TensorId squashed = w.map(TensorOp::Tanh, "tanh of cell", cell);
    return {elementwise(TensorOp::Multiply, "hidden state", output, squashed), cell};
}

TensorId LstmStack::step(ProgramWriter& w, const std::string& module, TensorId x) {
    for (std::size_t k = 0; k < layers.size(); ++k) {
        w.setModule(module + "/LSTM " + std::to_string(k + 1));
        states[k] = lstmStep(w, x, states[k], layers[k]);
        x = states[k].hidden;
    }
    return x;
}

LstmStack lstmStack(ProgramWriter& w, const std::string& name, std::int64_t layers,
                    std::int64_t inputWidth, std::int64_t hidden) {
    LstmStack stack;
    for (std::int64_t k = 1; k <= layers; ++k) {
        stack.layers.push_back(
            lstmLayer(w, name + ' ' + std::to_string(k), k == 1 ? inputWidth : hidden, hidden));
    }
    return stack;
}

void addInitialStates(ProgramWriter& w, const std::string& name, std::int64_t batch,
                      std::int64_t hidden, LstmStack& stack) {
    for (std::size_t k = 1; k <= stack.layers.size(); ++k) {
        stack.states.push_back(initialState(w, name + ' ' + std::to_string(k), batch, hidden));
    }
}

TensorId takeStep(ProgramWriter& w, std::string role, TensorId sequence, std::int64_t step) {
    const graph::Shape& shape = w.at(sequence).fullShape;
    return w.shaped(TensorOp::Take, std::move(role), {shape[0], shape[2]}, 2, {sequence}, {},
                    {.start = {step}, .axis = 1});
}

TensorId stackSteps(ProgramWriter& w, std::string role, const std::vector<TensorId>& steps) {
    const graph::Shape& shape = w.at(steps.front()).fullShape;
    return w.shaped(TensorOp::Stack, std::move(role),
                    {shape[0], static_cast<std::int64_t>(steps.size()), shape[1]}, 3, steps, {},
                    {.axis = 1});
}

TensorId embedWords(ProgramWriter& w, const std::string& name, TensorId words,
                    std::int64_t vocabulary, std::int64_t width) {
    const TensorId table = w.weight(name + " table", {vocabulary, width});
    graph::Shape shape = w.at(words).fullShape;
    shape.push_back(width);
    const int rank = static_cast<int>(shape.size());
    return w.shaped(TensorOp::Embedding, name, std::move(shape), rank, {table, words});
}

NextWords::NextWords(ProgramWriter& w, std::int64_t hidden, std::int64_t vocabulary, bool training)
    : vocabulary_(vocabulary), training_(training) {
    w.setModule("output");
    output_ = linear(w, "output", hidden, vocabulary);
}

void NextWords::add(ProgramWriter& w, const std::string& module, TensorId top) {
    w.setModule(module + "/output");
    const TensorId logits = applyLinear(w, "logits", top, output_);
    if (!training_) {
        w.result(softmax(w, logits));
        return;
    }
    w.setModule(module + "/loss");
    const std::int64_t batch = w.at(top).fullShape.front();
    const TensorId labels = w.integers("next words", {batch}, vocabulary_);
    const CrossEntropy entropy = crossEntropy(w, logits, labels);
    losses_.push_back(entropy.loss);
    seeds_.push_back(entropy.seed);
}

void NextWords::finish(ProgramWriter& w, double learningRate) const {
    if (training_) {
        w.setModule("loss");
        resultSum(w, "loss", losses_);
        backward(w, seeds_, learningRate);
    }
}

} // namespace doppler::workload
