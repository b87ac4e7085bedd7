#include <QTest>

#include "core/workload/Workload.h"
#include "tests/support/ReferenceRun.h"

using namespace doppler;
using namespace doppler::workload;
using tests::ReferenceRun;
using tests::Values;

namespace {

std::shared_ptr<const SplitProgram> uncut(TensorProgram program) {
    for (Tensor& tensor : program.tensors) {
        tensor.partition.assign(tensor.partition.size(), 1);
    }
    return split(std::move(program));
}

double relativeError(const Values& values, const Values& expected) {
    double error = 0;
    double scale = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        error = std::max(error, std::abs(values[i] - expected[i]));
        scale = std::max(scale, std::abs(expected[i]));
    }
    return error / scale;
}

Values matmul(const Values& a, const Values& b, std::size_t rows, std::size_t inner,
              std::size_t columns) {
    Values c(rows * columns);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t k = 0; k < inner; ++k) {
            for (std::size_t j = 0; j < columns; ++j) {
                c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
            }
        }
    }
    return c;
}

TensorId resultOf(const TensorProgram& program) {
    TensorId id = 0;
    while (!program.at(id).result) {
        ++id;
    }
    return id;
}

} // namespace

/// Programs computed in plain double precision: cut or not, the numbers must agree.
class TestProgramExecution : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void blocksComputeTheWhole_data() {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"chainmm:n=16", "chainmm:n=19", "ffnn:batch=32,in=5,hidden=20,out=7",
              "llama-block:size=tiny", "llama-block:size=tiny,devices=8",
              "llama-block:size=tiny,layers=2,batch=2,seq=6,hidden=24", "llama-layer:size=tiny",
              "llama-layer:size=tiny,devices=8,seq=10", "llama-layer:size=tiny,devices=8,layers=2",
              "moe:size=tiny", "moe:size=tiny,devices=3,training=true,tokens=20",
              "moe:size=tiny,capacity=0.5,layers=2,training=true"}) {
            QTest::newRow(text) << text;
        }
    }

    void blocksComputeTheWhole() {
        QFETCH(QString, text);
        const auto blocks = generateProgram(text.toStdString());
        const auto whole = uncut(blocks->program);
        QVERIFY(whole->graph->opCount() < blocks->graph->opCount());
        const auto inputs = ReferenceRun::randomInputs(blocks->program, 1);
        const ReferenceRun run(*blocks, inputs);
        const ReferenceRun reference(*whole, inputs);
        int results = 0;
        for (TensorId id = 0; std::size_t(id) < blocks->program.tensors.size(); ++id) {
            if (blocks->program.at(id).result) {
                ++results;
                const double error = relativeError(run.whole(id), reference.whole(id));
                QVERIFY2(error < 1e-12, qPrintable(QString::number(error)));
            }
        }
        QVERIFY(results > 0);
    }

    void chainIsItsFormula() {
        constexpr std::size_t n = 12;
        const auto split = generateProgram("chainmm:n=12");
        auto inputs = ReferenceRun::randomInputs(split->program, 2);
        const ReferenceRun run(*split, inputs);
        const Values de = matmul(inputs[3], inputs[4], n, n, n);
        const Values cde = matmul(inputs[2], de, n, n, n);
        Values expected = matmul(inputs[0], inputs[1], n, n, n);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            expected[i] += cde[i];
        }
        QVERIFY(relativeError(run.whole(resultOf(split->program)), expected) < 1e-12);
    }

    void feedForwardIsItsFormula() {
        constexpr std::size_t rows = 16;
        constexpr std::size_t out = 3;
        const auto split = generateProgram("ffnn:batch=16,in=4,hidden=8,out=3");
        auto inputs = ReferenceRun::randomInputs(split->program, 3);
        const ReferenceRun run(*split, inputs);
        Values hidden = matmul(inputs[0], inputs[1], rows, 4, 8);
        for (auto& value : hidden) {
            value = std::max(value.real(), 0.0);
        }
        Values expected = matmul(hidden, inputs[5], rows, 8, out);
        for (std::size_t row = 0; row < rows; ++row) {
            double sum = 0;
            for (std::size_t i = 0; i < out; ++i) {
                auto& value = expected[row * out + i];
                value = std::exp(value.real());
                sum += value.real();
            }
            for (std::size_t i = 0; i < out; ++i) {
                expected[row * out + i] /= sum;
            }
        }
        QVERIFY(relativeError(run.whole(resultOf(split->program)), expected) < 1e-12);
    }

    void gradientsAreSlopesOfTheLoss_data() {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"rnnlm:size=tiny,training=true,hidden=3,batch=2,vocab=5",
              "nmt:size=tiny,training=true,hidden=3,batch=2,vocab=5,source=4",
              "moe:training=true,devices=2,tokens=6,hidden=3,ffn=4,experts=4,dtype=f32"}) {
            QTest::newRow(text) << text;
        }
    }

    // Every weight's update against the difference quotient of the loss.
    void gradientsAreSlopesOfTheLoss() {
        QFETCH(QString, text);
        const auto split = generateProgram(text.toStdString());
        const TensorProgram& program = split->program;
        const TensorId loss = resultOf(program);
        auto inputs = ReferenceRun::randomInputs(program, 4);
        const ReferenceRun run(*split, inputs);
        int updates = 0;
        int weights = 0;
        for (TensorId id = 0; std::size_t(id) < program.tensors.size(); ++id) {
            const Tensor& tensor = program.at(id);
            weights += tensor.weight ? 1 : 0;
            if (tensor.op != TensorOp::Update) {
                continue;
            }
            ++updates;
            Values& weight = inputs[tensor.operands[0]];
            const Values updated = run.whole(id);
            // One entry that the loss depends on, and the first.
            std::size_t entry = 0;
            for (std::size_t i = 0; i < weight.size(); ++i) {
                entry = std::abs(updated[i] - weight[i]) > std::abs(updated[entry] - weight[entry])
                            ? i
                            : entry;
            }
            const double gradient =
                (weight[entry] - updated[entry]).real() / tensor.parameters.scale;
            const auto lossAt = [&](double step) {
                const auto before = weight[entry];
                weight[entry] += step;
                const double value = ReferenceRun(*split, inputs).whole(loss)[0].real();
                weight[entry] = before;
                return value;
            };
            constexpr double kStep = 1e-5;
            const double slope = (lossAt(kStep) - lossAt(-kStep)) / (2 * kStep);
            QVERIFY2(std::abs(gradient) > 1e-9, tensor.role.c_str());
            QVERIFY2(std::abs(slope - gradient) < 1e-6 * std::max(1.0, std::abs(slope)),
                     qPrintable(QString("%1: %2, not %3")
                                    .arg(QString::fromStdString(tensor.role))
                                    .arg(gradient)
                                    .arg(slope)));
        }
        QCOMPARE(updates, weights);
    }
};

QTEST_GUILESS_MAIN(TestProgramExecution)
#include "TestProgramExecution.moc"
