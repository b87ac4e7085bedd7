#include "core/workload/ConvolutionParts.h"
#include "core/workload/Generators.h"
#include "core/workload/ProgramParts.h"

namespace doppler::workload {

namespace {

constexpr double kLearningRate = 0.045;

/// One convolution with batch norm and relu; filters are those of the whole network.
struct Layer {
    std::int64_t filters;
    Window window;
};

// Windows by their names in the paper's figures.
constexpr Window k1x1{1, 1};
constexpr Window k3x3{3, 3};
constexpr Window k5x5{5, 5};
constexpr Window k1x3{1, 3};
constexpr Window k3x1{3, 1};
constexpr Window k1x7{1, 7};
constexpr Window k7x1{7, 1};
constexpr Window k3x3Valid{3, 3, 1, false};
constexpr Window k3x3Half{3, 3, 2, false}; // halves the size

using Branch = std::vector<Layer>;

class Inception {
public:
    Inception(ProgramWriter& w, std::int64_t divisor, bool training)
        : w_(w), divisor_(divisor), training_(training) {}

    TensorId run(TensorId images) {
        module_ = "stem";
        TensorId x = branch("", images, {{32, k3x3Half}, {32, k3x3Valid}, {64, k3x3}});
        x = maxPool(w_, x, k3x3Half);
        x = branch("", x, {{80, k1x1}, {192, k3x3Valid}});
        x = maxPool(w_, x, k3x3Half);
        x = mixed35("mixed 5b", x, 32);
        x = mixed35("mixed 5c", x, 64);
        x = mixed35("mixed 5d", x, 64);
        x = reduceTo17("mixed 6a", x);
        x = mixed17("mixed 6b", x, 128);
        x = mixed17("mixed 6c", x, 160);
        x = mixed17("mixed 6d", x, 160);
        x = mixed17("mixed 6e", x, 192);
        x = reduceTo8("mixed 7a", x);
        x = mixed8("mixed 7b", x);
        return mixed8("mixed 7c", x);
    }

private:
    /// Layers one after the other. Each is a module of its own, named by its place.
    TensorId branch(const std::string& name, TensorId x, const Branch& layers) {
        const std::string place = name.empty() ? module_ : module_ + "/" + name;
        for (const Layer& layer : layers) {
            const auto& [rows, columns, stride, same] = layer.window;
            const int number = ++layers_[place];
            w_.setModule(place + "/conv " + std::to_string(number) + ", " + std::to_string(rows) +
                         "x" + std::to_string(columns));
            x = convolution(w_, x, layer.filters / divisor_, layer.window);
            x = batchNorm(w_, x, training_);
            x = w_.map(TensorOp::Relu, "relu", x);
        }
        w_.setModule(place);
        return x;
    }

    TensorId poolBranch(TensorId x, std::int64_t filters) {
        w_.setModule(module_ + "/pool");
        return branch("pool", averagePool(w_, x, k3x3), {{filters, k1x1}});
    }

    TensorId concat(const std::vector<TensorId>& parts) {
        w_.setModule(module_);
        return concatChannels(w_, parts);
    }

    TensorId mixed35(const char* name, TensorId x, std::int64_t poolFilters) {
        module_ = name;
        return concat({branch("1x1", x, {{64, k1x1}}), branch("5x5", x, {{48, k1x1}, {64, k5x5}}),
                       branch("double 3x3", x, {{64, k1x1}, {96, k3x3}, {96, k3x3}}),
                       poolBranch(x, poolFilters)});
    }

    TensorId reduceTo17(const char* name, TensorId x) {
        module_ = name;
        const TensorId single = branch("3x3", x, {{384, k3x3Half}});
        const TensorId twice = branch("double 3x3", x, {{64, k1x1}, {96, k3x3}, {96, k3x3Half}});
        w_.setModule(module_ + "/pool");
        return concat({single, twice, maxPool(w_, x, k3x3Half)});
    }

    TensorId mixed17(const char* name, TensorId x, std::int64_t inner) {
        module_ = name;
        return concat(
            {branch("1x1", x, {{192, k1x1}}),
             branch("7x7", x, {{inner, k1x1}, {inner, k1x7}, {192, k7x1}}),
             branch("double 7x7", x,
                    {{inner, k1x1}, {inner, k7x1}, {inner, k1x7}, {inner, k7x1}, {192, k1x7}}),
             poolBranch(x, 192)});
    }

    TensorId reduceTo8(const char* name, TensorId x) {
        module_ = name;
        const TensorId single = branch("3x3", x, {{192, k1x1}, {320, k3x3Half}});
        const TensorId seven =
            branch("7x7 3x3", x, {{192, k1x1}, {192, k1x7}, {192, k7x1}, {192, k3x3Half}});
        w_.setModule(module_ + "/pool");
        return concat({single, seven, maxPool(w_, x, k3x3Half)});
    }

    TensorId mixed8(const char* name, TensorId x) {
        module_ = name;
        const TensorId one = branch("1x1", x, {{320, k1x1}});
        const TensorId single = branch("3x3", x, {{384, k1x1}});
        const TensorId singleWide = branch("3x3/1x3", single, {{384, k1x3}});
        const TensorId singleHigh = branch("3x3/3x1", single, {{384, k3x1}});
        const TensorId twice = branch("double 3x3", x, {{448, k1x1}, {384, k3x3}});
        const TensorId twiceWide = branch("double 3x3/1x3", twice, {{384, k1x3}});
        const TensorId twiceHigh = branch("double 3x3/3x1", twice, {{384, k3x1}});
        return concat({one, singleWide, singleHigh, twiceWide, twiceHigh, poolBranch(x, 192)});
    }

    ProgramWriter& w_;
    std::int64_t divisor_;
    bool training_;
    std::string module_;
    std::map<std::string, int> layers_; // so far, by place
};

TensorProgram inceptionProgram(const ParameterReader& parameters) {
    constexpr std::int64_t kColours = 3;
    const std::int64_t batch = parameters.integer("batch");
    const std::int64_t size = parameters.integer("image");
    const std::int64_t classes = parameters.integer("classes");
    const bool training = parameters.flag("training");
    ProgramWriter w("inception-v3");
    w.setAlwaysForm(false);

    w.setModule("input");
    const TensorId images = w.data("images", {batch, kColours, size, size});
    const std::int64_t divisor = std::stoll(parameters.choice("divisor"));
    const TensorId features = Inception(w, divisor, training).run(images);
    w.setModule("classifier");
    const TensorId pooled = globalAverage(w, features);
    const Linear layer = linear(w, "classifier", w.at(pooled).fullShape[1], classes);
    const TensorId logits = applyLinear(w, "logits", pooled, layer);
    if (!training) {
        w.result(softmax(w, logits));
        return w.take();
    }
    w.setModule("loss");
    const TensorId labels = w.integers("labels", {batch}, classes);
    const CrossEntropy entropy = crossEntropy(w, logits, labels);
    w.result(entropy.loss);
    backward(w, {entropy.seed}, kLearningRate);
    return w.take();
}

} // namespace

Generator inceptionV3() {
    return {.info = {.name = "inception-v3",
                     .title = "Inception-V3",
                     .description = "image classifier of 94 convolutions in parallel branches, "
                                    "without the auxiliary classifier; op by op",
                     .source = "arXiv 1706.04972; Szegedy et al., arXiv 1512.00567",
                     .parameters = {integerParameter("batch", "images", 32, 2, 1, 1 << 12),
                                    integerParameter("image", "rows and columns of an image", 299,
                                                     75, 75, 4096),
                                    integerParameter("classes", "classes", 1000, 10, 2, 1 << 20),
                                    choiceParameter("divisor", "channels are divided by this",
                                                    {"1", "2", "4", "8", "16"}, "8"),
                                    flagParameter("training",
                                                  "with loss, backward pass and weight updates"),
                                    sizeParameter()}},
            .program = inceptionProgram};
}

} // namespace doppler::workload
