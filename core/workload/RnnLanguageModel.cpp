#include "core/workload/Generators.h"
#include "core/workload/LstmParts.h"
#include "core/workload/ProgramParts.h"

namespace doppler::workload {

namespace {

constexpr double kLearningRate = 0.1;

TensorProgram languageModelProgram(const ParameterReader& parameters) {
    const std::int64_t batch = parameters.integer("batch");
    const std::int64_t steps = parameters.integer("steps");
    const std::int64_t hidden = parameters.integer("hidden");
    const std::int64_t layers = parameters.integer("layers");
    const std::int64_t vocabulary = parameters.integer("vocab");
    const bool training = parameters.flag("training");
    ProgramWriter w("rnnlm");
    w.setAlwaysForm(false);

    w.setModule("embedding");
    const TensorId words = w.integers("words", {batch, steps}, vocabulary);
    const TensorId embedded = embedWords(w, "embedding", words, vocabulary, hidden);
    std::vector<LstmLayer> weights;
    std::vector<LstmState> states;
    for (std::int64_t layer = 1; layer <= layers; ++layer) {
        const std::string name = "LSTM " + std::to_string(layer);
        weights.push_back(lstmLayer(w, name, hidden, hidden));
        states.push_back(initialState(w, name, batch, hidden));
    }
    w.setModule("output");
    const Linear output = linear(w, "output", hidden, vocabulary);

    std::vector<TensorId> losses;
    std::vector<Seed> seeds;
    for (std::int64_t step = 0; step < steps; ++step) {
        const std::string stepName = "step " + std::to_string(step + 1);
        w.setModule(stepName + "/embedding");
        TensorId x = takeStep(w, "embedded word", embedded, step);
        for (std::size_t layer = 0; layer < weights.size(); ++layer) {
            w.setModule(stepName + "/LSTM " + std::to_string(layer + 1));
            states[layer] = lstmStep(w, x, states[layer], weights[layer]);
            x = states[layer].hidden;
        }
        w.setModule(stepName + "/output");
        const TensorId logits = applyLinear(w, "logits", x, output);
        if (!training) {
            w.result(softmax(w, logits));
            continue;
        }
        w.setModule(stepName + "/loss");
        const TensorId labels = w.integers("next words", {batch}, vocabulary);
        const CrossEntropy entropy = crossEntropy(w, logits, labels);
        losses.push_back(entropy.loss);
        seeds.push_back(entropy.seed);
    }
    if (training) {
        w.setModule("loss");
        resultSum(w, "loss", losses);
        backward(w, seeds, kLearningRate);
    }
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
