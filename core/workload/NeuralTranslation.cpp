#include "core/workload/Generators.h"
#include "core/workload/LstmParts.h"
#include "core/workload/ProgramParts.h"

namespace doppler::workload {

namespace {

constexpr double kLearningRate = 0.1;

/// Additive attention (Bahdanau et al.): weights softmax(v tanh(key + W query)).
struct Attention {
    TensorId keyWeight;   ///< (hidden, hidden)
    TensorId queryWeight; ///< (hidden, hidden)
    TensorId v;           ///< (hidden)
};

/// Context vector (batch, hidden): what the query attends to of the memory.
TensorId attend(ProgramWriter& w, TensorId query, TensorId keys, TensorId memory,
                const Attention& attention) {
    const TensorId projected =
        w.product("query projection", "ac,cb->ab", {query, attention.queryWeight});
    const TensorId sum =
        w.apply(TensorOp::Add, "keys plus query", "abc,ac->abc", {keys, projected});
    const TensorId energy = w.map(TensorOp::Tanh, "tanh of keys plus query", sum);
    const TensorId scores = w.product("attention scores", "abc,c->ab", {energy, attention.v});
    const TensorId weights = softmax(w, scores);
    return w.product("context", "as,ash->ah", {weights, memory});
}

TensorProgram translationProgram(const ParameterReader& parameters) {
    const std::int64_t batch = parameters.integer("batch");
    const std::int64_t sourceSteps = parameters.integer("source");
    const std::int64_t targetSteps = parameters.integer("target");
    const std::int64_t hidden = parameters.integer("hidden");
    const std::int64_t layers = parameters.integer("layers");
    const std::int64_t vocabulary = parameters.integer("vocab");
    ProgramWriter w("nmt");
    w.setAlwaysForm(false);

    w.setModule("encoder/embedding");
    const TensorId sourceWords = w.integers("source words", {batch, sourceSteps}, vocabulary);
    const TensorId sources = embedWords(w, "source embedding", sourceWords, vocabulary, hidden);
    LstmStack encoder = lstmStack(w, "encoder LSTM", layers, hidden, hidden);
    addInitialStates(w, "encoder LSTM", batch, hidden, encoder);
    std::vector<TensorId> tops;
    for (std::int64_t step = 0; step < sourceSteps; ++step) {
        const std::string module = "encoder/step " + std::to_string(step + 1);
        w.setModule(module + "/embedding");
        tops.push_back(encoder.step(w, module, takeStep(w, "source word", sources, step)));
    }

    w.setModule("attention");
    const Attention attention{w.weight("weight of the keys", {hidden, hidden}),
                              w.weight("weight of the query", {hidden, hidden}),
                              w.weight("weight of the scores", {hidden})};
    const TensorId memory = stackSteps(w, "encoder outputs", tops);
    const TensorId keys = w.product("keys", "ash,hk->ask", {memory, attention.keyWeight});

    w.setModule("decoder/embedding");
    const TensorId targetWords = w.integers("target words", {batch, targetSteps}, vocabulary);
    const TensorId targets = embedWords(w, "target embedding", targetWords, vocabulary, hidden);
    LstmStack decoder = lstmStack(w, "decoder LSTM", layers, 2 * hidden, hidden);
    decoder.states = encoder.states;
    NextWords nextWords(w, hidden, vocabulary, parameters.flag("training"));
    for (std::int64_t step = 0; step < targetSteps; ++step) {
        const std::string module = "decoder/step " + std::to_string(step + 1);
        w.setModule(module + "/attention");
        const TensorId context = attend(w, decoder.states.back().hidden, keys, memory, attention);
        w.setModule(module + "/embedding");
        const TensorId word = takeStep(w, "target word", targets, step);
        const TensorId x = w.shaped(TensorOp::Concat, "word and context", {batch, 2 * hidden}, 2,
                                    {word, context}, {}, {.axis = 1});
        nextWords.add(w, module, decoder.step(w, module, x));
    }
    nextWords.finish(w, kLearningRate);
    return w.take();
}

} // namespace

Generator neuralTranslation() {
    return {
        .info = {.name = "nmt",
                 .title = "Neural machine translation",
                 .description = "LSTM encoder, LSTM decoder with additive attention, softmax "
                                "over the vocabulary at each step; op by op",
                 .source = "arXiv 1706.04972 (NMT); Bahdanau et al., arXiv 1409.0473",
                 .parameters =
                     {integerParameter("batch", "sentences", 64, 4, 1, 1 << 14),
                      integerParameter("source", "words per source sentence", 40, 3, 1, 1000),
                      integerParameter("target", "words per target sentence", 40, 3, 1, 1000),
                      integerParameter("layers", "LSTM layers of encoder and decoder", 2, 2, 1, 64),
                      integerParameter("hidden", "width of a layer", 1024, 16, 1, 1 << 15),
                      integerParameter("vocab", "words of each vocabulary", 32000, 20, 2, 1 << 20),
                      flagParameter("training", "with loss, backward pass and weight updates"),
                      sizeParameter()}},
        .program = translationProgram};
}

} // namespace doppler::workload
