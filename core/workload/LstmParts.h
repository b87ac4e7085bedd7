#pragma once

#include <vector>

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

/// Row `step` of every sequence: (batch, steps, width) -> (batch, width).
TensorId takeStep(ProgramWriter& w, std::string role, TensorId sequence, std::int64_t step);

/// (batch, width) a step -> (batch, steps, width).
TensorId stackSteps(ProgramWriter& w, std::string role, const std::vector<TensorId>& steps);

/// Words (batch, steps) looked up in a table of `vocabulary` rows.
TensorId embedWords(ProgramWriter& w, const std::string& name, TensorId words,
                    std::int64_t vocabulary, std::int64_t width);

} // namespace doppler::workload
