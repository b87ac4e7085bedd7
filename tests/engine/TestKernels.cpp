#include <QTest>

#include <cmath>

#include "core/engine/ElementValues.h"
#include "core/engine/Executor.h"
#include "core/engine/InputValues.h"
#include "core/engine/ResultCheck.h"
#include "core/engine/cpu/CpuRuntime.h"
#include "core/engine/cpu/TorchKernels.h"
#include "core/workload/Workload.h"
#include "tests/support/KernelCheck.h"
#include "tests/support/RandomProblem.h"

using namespace doppler;
using namespace doppler::workload;
using engine::Outcome;
using tests::Values;

namespace {

constexpr std::uint64_t kSeed = 11;

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
        const auto whole = tests::engineInputs(cut->program, kSeed);
        for (const BlockInfo& block : cut->blocks) {
            if (block.input < 0) {
                continue;
            }
            const Tensor& tensor = cut->program.at(block.tensor);
            if (tensor.dtype == graph::DType::F16) {
                continue; // rounded in `whole`
            }
            const Values values =
                tests::valuesOf(engine::inputValues(cut->program, block, kSeed), tensor.dtype);
            const Region all = tests::wholeRegion(tensor.fullShape);
            std::size_t i = 0;
            forEachIndex(block.join, [&](const tests::Index& index) {
                QVERIFY(std::abs(values[i++] - whole.at(block.tensor)[tests::offset(all, index)]) <
                        1e-7);
            });
        }
    }

    void everyBlockIsWhatTheReferenceComputes_data() { tests::addBlockRows(); }

    void everyBlockIsWhatTheReferenceComputes() {
        QFETCH(QString, text);
        const auto split = generateProgram(text.toStdString());
        const std::string wrong =
            tests::firstWrongBlock(split, engine::makeTorchKernels(split, kSeed), kSeed, 1e-3);
        QVERIFY2(wrong.empty(), wrong.c_str());
    }

    // Whatever the assignment, the numbers agree with the whole computed on one device.
    void randomAssignmentsAgree_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : tests::smallWorkloads()) {
            QTest::newRow(text) << text;
        }
    }

    void randomAssignmentsAgree() {
        QFETCH(QString, text);
        constexpr int kAssignments = 14; // 210 over all workloads
        const auto split = generateProgram(text.toStdString());
        engine::ResultCheck check(split, kSeed);
        for (int devices : {2, 4}) {
            const auto problem = tests::executionProblem(*split, devices);
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
        const auto problem = tests::executionProblem(*split, 2);
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
        const auto problem = tests::executionProblem(*split, 1);
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
