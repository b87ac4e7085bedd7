#include "core/workload/Generators.h"
#include "core/workload/LstmParts.h"

namespace doppler::workload {

namespace {

constexpr double kLearningRate = 0.1;

TensorProgram languageModelProgram(const ParameterReader& parameters) {
    const std::int64_t batch = parameters.integer("batch");
    const std::int64_t steps = parameters.integer("steps");
    const std::int64_t hidden = parameters.integer("hidden");
    const std::int64_t layers = parameters.integer("layers");
    const std::int64_t vocabulary = parameters.integer("vocab");
    ProgramWriter w("rnnlm");
    w.setAlwaysForm(false);

    w.setModule("embedding");
    const TensorId words = w.integers("words", {batch, steps}, vocabulary);
    const TensorId embedded = embedWords(w, "embedding", words, vocabulary, hidden);
    LstmStack stack = lstmStack(w, "LSTM", layers, hidden, hidden);
    addInitialStates(w, "LSTM", batch, hidden, stack);
    NextWords nextWords(w, hidden, vocabulary, parameters.flag("training"));
    for (std::int64_t step = 0; step < steps; ++step) {
        const std::string module = "step " + std::to_string(step + 1);
        w.setModule(module + "/embedding");
        const TensorId word = takeStep(w, "embedded word", embedded, step);
        nextWords.add(w, module, stack.step(w, module, word));
    }
    nextWords.finish(w, kLearningRate);
    return w.take();
}

} // namespace

Generator rnnLanguageModel() {
    return {
        .info = {.name = "rnnlm",
                 .title = "LSTM language model",
                 .description = "word embedding, LSTM layers unrolled over the steps, softmax "
                                "over the vocabulary at each; op by op",
                 .source = "arXiv 1706.04972 (RNNLM); Zaremba et al., arXiv 1409.2329",
                 .parameters =
                     {integerParameter("batch", "sequences", 64, 4, 1, 1 << 14),
                      integerParameter("steps", "words per sequence", 40, 3, 1, 1000),
                      integerParameter("layers", "LSTM layers", 2, 2, 1, 64),
                      integerParameter("hidden", "width of a layer", 2048, 16, 1, 1 << 16),
                      integerParameter("vocab", "words of the vocabulary", 10000, 20, 2, 1 << 20),
                      flagParameter("training", "with loss, backward pass and weight updates"),
                      sizeParameter()}},
        .program = languageModelProgram};
}

} // namespace doppler::workload
