#include <QTest>

#include <random>

#include "core/workload/Backward.h"
#include "core/workload/ConvolutionParts.h"
#include "core/workload/ProgramParts.h"
#include "core/workload/Splitter.h"
#include "tests/support/ReferenceRun.h"

using namespace doppler;
using namespace doppler::workload;
using tests::ReferenceRun;

namespace {

/// A small image classifier that has every part of the large one.
TensorProgram smallClassifier() {
    ProgramWriter w("small classifier");
    w.setAlwaysForm(false);
    const TensorId images = w.data("images", {3, 2, 9, 8});
    TensorId x = convolution(w, images, 3, {3, 3, 2, false});
    x = w.map(TensorOp::Tanh, "tanh", batchNorm(w, x, true));
    const TensorId wide = w.map(TensorOp::Relu, "relu", convolution(w, x, 2, {1, 3}));
    const TensorId pooled = convolution(w, averagePool(w, x, {3, 3}), 2, {1, 1});
    const TensorId largest = maxPool(w, x, {3, 3, 1, true});
    x = concatChannels(w, {wide, pooled, largest});
    x = w.map(TensorOp::Sigmoid, "sigmoid", maxPool(w, x, {2, 2, 2, false}));
    x = globalAverage(w, x);
    const TensorId logits = applyLinear(w, "logits", x, linear(w, "classifier", 7, 4));
    const CrossEntropy entropy = crossEntropy(w, logits, w.integers("labels", {3}, 4));
    w.result(entropy.loss);
    backward(w, {entropy.seed}, 0.1);
    return w.take();
}

TensorId lossOf(const TensorProgram& program) {
    TensorId id = 0;
    while (!program.at(id).result) {
        ++id;
    }
    return id;
}

/// Dimensions that may be cut: all of the output, and of sums those that only add up.
int cuttableRank(const Tensor& tensor) {
    switch (tensor.op) {
    case TensorOp::Matmul:
    case TensorOp::ReduceSum:
    case TensorOp::ReduceMax:
    case TensorOp::Conv2d:
    case TensorOp::ConvInputGradient:
    case TensorOp::ConvFilterGradient:
        return int(tensor.fullShape.size());
    default:
        return tensor.outputRank;
    }
}

} // namespace

class TestBackward : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void gradientsAreSlopesOfTheLoss() {
        const auto blocks = split(smallClassifier());
        const TensorProgram& program = blocks->program;
        const TensorId loss = lossOf(program);
        auto inputs = ReferenceRun::randomInputs(program, 5);
        const ReferenceRun run(*blocks, inputs);
        int checked = 0;
        for (TensorId id = 0; std::size_t(id) < program.tensors.size(); ++id) {
            const Tensor& tensor = program.at(id);
            if (tensor.op != TensorOp::Update) {
                continue;
            }
            auto& weight = inputs[tensor.operands[0]];
            const auto updated = run.whole(id);
            for (std::size_t i = 0; i < weight.size(); ++i) {
                const double gradient = (weight[i] - updated[i]).real() / 0.1;
                const auto before = weight[i];
                const auto lossAt = [&](double step) {
                    weight[i] = before + step;
                    const double value = ReferenceRun(*blocks, inputs).whole(loss)[0].real();
                    weight[i] = before;
                    return value;
                };
                const double slope = (lossAt(1e-5) - lossAt(-1e-5)) / 2e-5;
                QVERIFY2(std::abs(slope - gradient) < 1e-7,
                         qPrintable(QString("%1[%2]: %3, not %4")
                                        .arg(QString::fromStdString(tensor.role))
                                        .arg(i)
                                        .arg(gradient)
                                        .arg(slope)));
                ++checked;
            }
        }
        QVERIFY(checked > 100);
    }

    // However each tensor is cut, also along windows and sums, the numbers are the same.
    void anyPartitionComputesTheSame() {
        const TensorProgram program = smallClassifier();
        const auto inputs = ReferenceRun::randomInputs(program, 6);
        const auto whole = split(program);
        const ReferenceRun reference(*whole, inputs);
        std::mt19937 random(7);
        for (int round = 0; round < 8; ++round) {
            TensorProgram cut = program;
            for (Tensor& tensor : cut.tensors) {
                for (int d = 0; d < cuttableRank(tensor); ++d) {
                    const std::int64_t most =
                        std::min<std::int64_t>(3, tensor.fullShape[std::size_t(d)]);
                    tensor.partition[std::size_t(d)] = 1 + std::int64_t(random()) % most;
                }
            }
            const auto blocks = split(cut);
            QVERIFY(blocks->graph->opCount() > whole->graph->opCount());
            const ReferenceRun run(*blocks, inputs);
            for (TensorId id = 0; std::size_t(id) < program.tensors.size(); ++id) {
                const auto expected = reference.whole(id);
                const auto values = run.whole(id);
                for (std::size_t i = 0; i < expected.size(); ++i) {
                    QVERIFY2(std::abs(values[i] - expected[i]) < 1e-9, program.at(id).role.c_str());
                }
            }
        }
    }

    void refusesWhatItCannotDerive() {
        ProgramWriter w("no rule");
        const TensorId weight = w.weight("w", {2, 2});
        const TensorId log = w.map(TensorOp::Log, "log", weight);
        QVERIFY_EXCEPTION_THROWN(backward(w, {{log, w.data("g", {2, 2})}}, 0.1), std::logic_error);
    }

    void refusesPartsThatDoNotCover() {
        ProgramWriter w("half");
        const TensorId weight = w.weight("w", {4});
        const TensorId half =
            w.shaped(TensorOp::Select, "half", {2}, 1, {weight}, {}, {.start = {0}});
        QVERIFY_EXCEPTION_THROWN(backward(w, {{half, w.data("g", {2})}}, 0.1), std::logic_error);
    }
};

QTEST_GUILESS_MAIN(TestBackward)
#include "TestBackward.moc"
