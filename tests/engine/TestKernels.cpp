#include <QTest>

#include <mutex>

#include "core/engine/ElementValues.h"
#include "core/engine/Executor.h"
#include "core/engine/InputValues.h"
#include "core/engine/ResultCheck.h"
#include "core/engine/cpu/CpuRuntime.h"
#include "core/engine/cpu/TorchKernels.h"
#include "core/workload/Workload.h"
#include "tests/support/RandomProblem.h"
#include "tests/support/ReferenceRun.h"

using namespace doppler;
using namespace doppler::workload;
using engine::Outcome;
using tests::ReferenceRun;
using tests::Value;
using tests::Values;

namespace {

constexpr std::uint64_t kSeed = 11;

/// Kernels that keep what every op computed.
class RecordingKernels : public engine::Kernels {
public:
    RecordingKernels(std::shared_ptr<engine::Kernels> kernels, int ops)
        : kernels_(std::move(kernels)), outputs(std::size_t(ops)) {}

    void prepare(const sim::Problem& problem, const sim::Assignment& assignment,
                 int lanes) override {
        kernels_->prepare(problem, assignment, lanes);
    }
    void enterThread() const override { kernels_->enterThread(); }
    void run(const engine::OpTask& task, int lane) override {
        kernels_->run(task, lane);
        const auto* data = static_cast<const std::byte*>(task.output.data);
        outputs[std::size_t(task.op)].assign(data, data + task.output.bytes);
    }

private:
    std::shared_ptr<engine::Kernels> kernels_;

public:
    std::vector<std::vector<std::byte>> outputs;
};

std::shared_ptr<const sim::Problem> problemOf(const SplitProgram& split, int devices) {
    return sim::makeProblem(split.graph,
                            std::make_shared<cluster::Cluster>(cluster::cpuCluster(devices)),
                            cost::CostModel::Physical, {});
}

Values valuesOf(const std::vector<double>& numbers, graph::DType dtype) {
    Values values;
    const std::size_t step = dtype == graph::DType::C64 ? 2 : 1;
    for (std::size_t i = 0; i < numbers.size(); i += step) {
        values.emplace_back(numbers[i], step == 2 ? numbers[i + 1] : 0);
    }
    return values;
}

/// The same inputs as the engine's, rounded to their type.
std::map<TensorId, Values> inputsOf(const TensorProgram& program) {
    const auto whole = engine::uncut(program);
    std::map<TensorId, Values> inputs;
    for (const BlockInfo& block : whole->blocks) {
        if (block.input < 0) {
            continue;
        }
        const graph::DType dtype = program.at(block.tensor).dtype;
        const std::int64_t count = elementCount(block.join);
        const std::vector<double> exact = engine::inputValues(program, block, kSeed);
        std::vector<std::byte> stored(std::size_t(count * graph::elementBytes(dtype)));
        engine::writeElements(dtype, stored.data(), exact.data(), count);
        inputs[block.tensor] = valuesOf(engine::readElements(dtype, stored.data(), count), dtype);
    }
    return inputs;
}

/// Below this a tensor's values are rounding errors: sums that are zero but for those.
constexpr double kNothing = 1e-3;
/// What f32 may be off double precision, after a whole network.
constexpr double kRounding = 1e-3;

/// Largest difference, over the largest finite value.
double relativeError(const Values& values, const Values& expected) {
    double error = 0;
    double scale = kNothing;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (values[i] == expected[i]) {
            continue; // infinities among them
        }
        error = std::max(error, std::abs(values[i] - expected[i]));
    }
    for (const Value& value : expected) {
        scale = std::isfinite(std::abs(value)) ? std::max(scale, std::abs(value)) : scale;
    }
    return error / scale;
}

/// Every workload in f32 and sizes that take milliseconds.
const char* const kWorkloads[] = {
    "chainmm:size=tiny",
    "chainmm:n=19",
    "ffnn:size=tiny",
    "llama-block:size=tiny,dtype=f32",
    "llama-block:size=tiny,dtype=f32,devices=8",
    "llama-layer:size=tiny,dtype=f32",
    "llama-layer:size=tiny,dtype=f32,layers=2",
    "moe:size=tiny,dtype=f32",
    "moe:size=tiny,dtype=f32,training=true",
    "inception-v3:size=tiny",
    "inception-v3:size=tiny,training=true",
    "rnnlm:size=tiny",
    "rnnlm:size=tiny,training=true",
    "nmt:size=tiny",
    "nmt:size=tiny,training=true",
};

} // namespace

/// Real tensor math on the cpu runtime: every block of every operator, and whole programs.
class TestKernels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void storedElementsAreRounded() {
        const double values[] = {0, 1, -1, 0.1, 65504, 1e6, 6e-8, -0.333251953125, 2049};
        std::uint16_t half[9];
        engine::writeElements(graph::DType::F16, half, values, 9);
        const std::uint16_t expected[] = {0x0000, 0x3c00, 0xbc00, 0x2e66, 0x7bff,
                                          0x7c00, 0x0001, 0xb555, 0x6800};
        for (int i = 0; i < 9; ++i) {
            QCOMPARE(half[i], expected[i]);
        }
        const std::vector<double> back = engine::readElements(graph::DType::F16, half, 9);
        QCOMPARE(back[3], 0.0999755859375);
        QCOMPARE(back[4], 65504.0);
        QCOMPARE(back[6], std::ldexp(1.0, -24));
        QVERIFY(std::isinf(back[5]));
        std::uint16_t brain[2];
        const double exact[] = {1.00390625, -3.0};
        engine::writeElements(graph::DType::BF16, brain, exact, 2);
        QCOMPARE(brain[0], std::uint16_t(0x3f80)); // a tie goes to even
        QCOMPARE(brain[1], std::uint16_t(0xc040));
    }

    void inputsDoNotDependOnTheCut() {
        const auto cut = generateProgram("llama-layer:size=tiny");
        const auto whole = inputsOf(cut->program);
        for (const BlockInfo& block : cut->blocks) {
            if (block.input < 0) {
                continue;
            }
            const Tensor& tensor = cut->program.at(block.tensor);
            if (tensor.dtype == graph::DType::F16) {
                continue; // rounded in `whole`
            }
            const Values values =
                valuesOf(engine::inputValues(cut->program, block, kSeed), tensor.dtype);
            const Region all = tests::wholeRegion(tensor.fullShape);
            std::size_t i = 0;
            forEachIndex(block.join, [&](const tests::Index& index) {
                QVERIFY(std::abs(values[i++] - whole.at(block.tensor)[tests::offset(all, index)]) <
                        1e-7);
            });
        }
    }

    void everyBlockIsWhatTheReferenceComputes_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : kWorkloads) {
            QTest::newRow(text) << text;
        }
        // Partitions that the workloads do not have, through odd sizes.
        QTest::newRow("odd moe") << "moe:dtype=f32,devices=3,tokens=20,hidden=6,ffn=8,experts=6,"
                                    "capacity=0.5,training=true";
    }

    void everyBlockIsWhatTheReferenceComputes() {
        QFETCH(QString, text);
        const auto split = generateProgram(text.toStdString());
        const auto problem = problemOf(*split, 2);
        const auto kernels = std::make_shared<RecordingKernels>(
            engine::makeTorchKernels(split, kSeed), split->graph->opCount());
        engine::CpuRuntime runtime(*problem->cluster, kernels);
        engine::Executor executor(problem, runtime);
        executor.prepare(tests::randomAssignment(*problem, 1));
        const engine::Execution run = executor.run();
        QVERIFY2(run.outcome == Outcome::Done, run.message.c_str());
        QCOMPARE(runtime.buffersHeld(), std::int64_t(0));

        const ReferenceRun reference(*split, inputsOf(split->program));
        for (OpId op = 0; op < split->graph->opCount(); ++op) {
            const BlockInfo& block = split->ofOp(op);
            const Tensor& tensor = split->program.at(block.tensor);
            const std::int64_t count = elementCount(block.output(split->program));
            const Values values = valuesOf(
                engine::readElements(tensor.dtype, kernels->outputs[std::size_t(op)].data(), count),
                tensor.dtype);
            const double error =
                relativeError(values, reference.block(split->blockOfOp[std::size_t(op)]));
            QVERIFY2(error < kRounding, qPrintable(QStringLiteral("%1 (%2): %3")
                                                       .arg(QString::fromStdString(tensor.role),
                                                            QString::fromStdString(tensor.opName()))
                                                       .arg(error)));
        }
    }

    // Whatever the assignment, the numbers agree with the whole computed on one device.
    void randomAssignmentsAgree_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : kWorkloads) {
            QTest::newRow(text) << text;
        }
    }

    void randomAssignmentsAgree() {
        QFETCH(QString, text);
        constexpr int kAssignments = 14; // 210 over all workloads
        const auto split = generateProgram(text.toStdString());
        engine::ResultCheck check(split, kSeed);
        for (int devices : {2, 4}) {
            const auto problem = problemOf(*split, devices);
            engine::CpuRuntime runtime(*problem->cluster, engine::makeTorchKernels(split, kSeed));
            engine::Executor executor(problem, runtime);
            for (std::uint64_t n = 0; n < kAssignments / 2; ++n) {
                executor.prepare(tests::randomAssignment(*problem, n));
                engine::ExecutionOptions options;
                options.result = [&](OpId op, const std::vector<std::byte>& output) {
                    check.add(op, output);
                };
                const engine::Execution run = executor.run(options);
                QVERIFY2(run.outcome == Outcome::Done, run.message.c_str());
                const double error = check.relativeError();
                QVERIFY2(error < 1e-4, qPrintable(QString::number(error)));
                QCOMPARE(runtime.buffersHeld(), std::int64_t(0));
            }
        }
    }

    // 16-bit floats round after every op: sums of parts differ from the whole in the last places.
    void narrowFloatsAgreeRoughly_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("limit");
        QTest::newRow("f16") << "llama-layer:size=tiny,dtype=f16" << 0.02;
        QTest::newRow("bf16") << "llama-layer:size=tiny,dtype=bf16" << 0.15;
    }

    void narrowFloatsAgreeRoughly() {
        QFETCH(QString, text);
        QFETCH(double, limit);
        const auto split = generateProgram(text.toStdString());
        engine::ResultCheck check(split, kSeed);
        const auto problem = problemOf(*split, 2);
        engine::CpuRuntime runtime(*problem->cluster, engine::makeTorchKernels(split, kSeed));
        engine::Executor executor(problem, runtime);
        executor.prepare(tests::randomAssignment(*problem, 4));
        engine::ExecutionOptions options;
        options.result = [&](OpId op, const std::vector<std::byte>& output) {
            check.add(op, output);
        };
        QCOMPARE(executor.run(options).outcome, Outcome::Done);
        const double error = check.relativeError();
        QVERIFY2(error < limit && error > 0, qPrintable(QString::number(error)));
    }

    void wrongResultsAreFound() {
        const auto split = generateProgram("chainmm:n=16");
        engine::ResultCheck check(split, kSeed);
        const auto problem = problemOf(*split, 1);
        engine::CpuRuntime runtime(*problem->cluster, engine::makeTorchKernels(split, kSeed + 1));
        engine::Executor executor(problem, runtime);
        executor.prepare(sim::Assignment(std::size_t(problem->opCount()), 0));
        engine::ExecutionOptions options;
        options.result = [&](OpId op, const std::vector<std::byte>& output) {
            check.add(op, output);
        };
        QCOMPARE(executor.run(options).outcome, Outcome::Done);
        QVERIFY(check.relativeError() > 0.1); // another seed: other inputs
        QVERIFY_EXCEPTION_THROWN(check.relativeError(), std::runtime_error); // nothing was added
    }
};

QTEST_GUILESS_MAIN(TestKernels)
#include "TestKernels.moc"
