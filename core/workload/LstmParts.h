#pragma once

#include <string>
#include <vector>

#include "core/workload/ProgramParts.h"
#include "core/workload/ProgramWriter.h"

namespace doppler::workload {

/// Weights of one LSTM layer: the four gates (input, forget, candidate, output) side by side.
struct LstmLayer {
    TensorId fromInput;  ///< (input width, 4 hidden)
    TensorId fromHidden; ///< (hidden, 4 hidden)
    TensorId bias;       ///< (4 hidden)
};

struct LstmState {
    TensorId hidden; ///< (batch, hidden)
    TensorId cell;   ///< (batch, hidden)
};

LstmLayer lstmLayer(ProgramWriter& w, const std::string& name, std::int64_t inputWidth,
                    std::int64_t hidden);

/// The state before the first step, as data of the program.
LstmState initialState(ProgramWriter& w, const std::string& name, std::int64_t batch,
                       std::int64_t hidden);

/// One step of one layer, 16 rows: two products and the bias, four gates, the new cell and hidden
/// state.
LstmState lstmStep(ProgramWriter& w, TensorId x, const LstmState& state, const LstmLayer& layer);

/// Layers one above the other, and their states at the latest step.
struct LstmStack {
    std::vector<LstmLayer> layers;
    std::vector<LstmState> states;

    /// One step through all layers, under `module`; returns the top one's hidden state.
    TensorId step(ProgramWriter& w, const std::string& module, TensorId x);
};

/// Named `name` and the layer's number. Without states: these are the caller's.
LstmStack lstmStack(ProgramWriter& w, const std::string& name, std::int64_t layers,
                    std::int64_t inputWidth, std::int64_t hidden);

/// The states of all layers before the first step.
void addInitialStates(ProgramWriter& w, const std::string& name, std::int64_t batch,
                      std::int64_t hidden, LstmStack& stack);

/// Row `step` of every sequence: (batch, steps, width) -> (batch, width).
TensorId takeStep(ProgramWriter& w, std::string role, TensorId sequence, std::int64_t step);

/// (batch, width) a step -> (batch, steps, width).
TensorId stackSteps(ProgramWriter& w, std::string role, const std::vector<TensorId>& steps);

/// Words (batch, steps) looked up in a table of `vocabulary` rows.
TensorId embedWords(ProgramWriter& w, const std::string& name, TensorId words,
                    std::int64_t vocabulary, std::int64_t width);

/// What follows the top layer at each step: logits over the vocabulary, and of these a result, or
/// in training the loss against the words that come next.
class NextWords {
public:
    NextWords(ProgramWriter& w, std::int64_t hidden, std::int64_t vocabulary, bool training);

    /// `top`: (batch, hidden). `module`: the step's.
    void add(ProgramWriter& w, const std::string& module, TensorId top);
    /// In training the sum of the losses as a result, the backward pass and the new weights.
    void finish(ProgramWriter& w, double learningRate) const;

private:
    std::int64_t vocabulary_;
    bool training_;
    Linear output_;
    std::vector<TensorId> losses_;
    std::vector<Seed> seeds_;
};

} // namespace doppler::workload
