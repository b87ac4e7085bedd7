#include <QTest>

#include <cstring>

#include "core/engine/ElementValues.h"
#include "core/engine/InputValues.h"
#include "core/engine/cuda/GpuElements.h"
#include "core/engine/cuda/GpuProgram.h"
#include "core/workload/Workload.h"
#include "tests/support/KernelCheck.h"

using namespace doppler;
using namespace doppler::engine::cuda;

namespace {

constexpr std::uint64_t kSeed = 11;
/// Sums one element after the other: less exact than a library's.
constexpr double kRounding = 5e-3;

graph::DType dtypeOf(Element element) {
    switch (element) {
    case Element::F16:
        return graph::DType::F16;
    case Element::BF16:
        return graph::DType::BF16;
    case Element::F32:
        return graph::DType::F32;
    case Element::F64:
        return graph::DType::F64;
    case Element::C64:
        return graph::DType::C64;
    case Element::I32:
        return graph::DType::I32;
    case Element::I64:
        break;
    }
    return graph::DType::I64;
}

std::int64_t bytesOf(Element element) {
    return graph::elementBytes(dtypeOf(element));
}

Pair load(Element element, const void* data, std::int64_t i) {
    const auto values = engine::readElements(
        dtypeOf(element), static_cast<const std::byte*>(data) + i * bytesOf(element), 1);
    return {float(values[0]), values.size() > 1 ? float(values[1]) : 0};
}

void store(Element element, void* data, std::int64_t i, Pair value) {
    const double values[] = {value.x, value.y};
    engine::writeElements(dtypeOf(element), static_cast<std::byte*>(data) + i * bytesOf(element),
                          values, 1);
}

/// A GPU's kernels as loops on the host, element by element.
class HostLauncher : public GpuLauncher {
public:
    void* scratch(std::int64_t bytes) override {
        memory_.emplace_back(std::size_t(bytes) / 8 + 1);
        return memory_.back().data();
    }
    void copy(const StridedCopy& copy, const void* from, void* to) override {
        std::int64_t count = 1;
        for (int d = 0; d < copy.rank; ++d) {
            count *= copy.sizes[d];
        }
        for (std::int64_t i = 0; i < count; ++i) {
            std::int64_t source = 0;
            std::int64_t target = 0;
            copyOffsets(copy, i, source, target);
            const Pair value = load(copy.fromElement, from, source);
            store(copy.toElement, to, target,
                  merged(copy.merge, load(copy.toElement, to, target), value));
        }
    }
    void join(const Join& join, void* out) override {
        std::int64_t count = 1;
        std::int64_t reduced = 1;
        for (int d = 0; d < join.rank; ++d) {
            (d < join.outputRank ? count : reduced) *= join.sizes[d];
        }
        for (std::int64_t i = 0; i < count; ++i) {
            if (join.isComplex) {
                static_cast<Pair*>(out)[i] = complexJoinElement(join, i);
            } else if (join.rank == join.outputRank) {
                static_cast<float*>(out)[i] = joinElement(join, i);
            } else { // as two lanes of a warp
                static_cast<float*>(out)[i] =
                    reduceTwo(join, reducedElements(join, i, reduced, 0, 2),
                              reducedElements(join, i, reduced, 1, 2));
            }
        }
    }
    void rule(const RuleTask& task, float* out) override {
        std::int64_t count = 1;
        for (int d = 0; d < task.outputRank; ++d) {
            count *= task.join.end[d] - task.join.begin[d];
        }
        for (std::int64_t n = 0; n < count; ++n) {
            out[n] = ruleElement(task, n);
        }
    }
    void multiply(const MatrixProduct& p, const void* a, const void* b, void* c) override {
        for (std::int64_t batch = 0; batch < p.batch; ++batch) {
            for (std::int64_t i = 0; i < p.rows; ++i) {
                for (std::int64_t j = 0; j < p.columns; ++j) {
                    float sum = 0;
                    for (std::int64_t k = 0; k < p.inner; ++k) {
                        sum += load(p.element, a, (batch * p.rows + i) * p.inner + k).x *
                               load(p.element, b, (batch * p.inner + k) * p.columns + j).x;
                    }
                    store(p.element, c, (batch * p.rows + i) * p.columns + j, {sum, 0});
                }
            }
        }
    }

private:
    std::vector<std::vector<double>> memory_;
};

class HostKernels : public engine::Kernels {
public:
    explicit HostKernels(std::shared_ptr<const workload::SplitProgram> split)
        : program_(std::move(split)) {
        const workload::SplitProgram& all = program_.split();
        for (InputId id = 0; id < all.graph->inputCount(); ++id) {
            const workload::BlockInfo& block = all.ofInput(id);
            const graph::DType dtype = all.program.at(block.tensor).dtype;
            const std::int64_t count = workload::elementCount(block.join);
            memory_.emplace_back(std::size_t(count * graph::elementBytes(dtype)) / 8 + 1);
            inputs_[id] = memory_.back().data();
            engine::writeElements(dtype, inputs_[id],
                                  engine::inputValues(all.program, block, kSeed).data(), count);
        }
    }

    void prepare(const sim::Problem&, const sim::Assignment&, int) override {}
    void run(const engine::OpTask& task, int) override {
        HostLauncher launcher;
        program_.run(task, inputs_, launcher);
    }

private:
    GpuProgram program_;
    std::vector<std::vector<double>> memory_;
    GpuInputs inputs_;
};

} // namespace

/// What the cuda runtime asks of a GPU, computed on the host by the kernels' own element functions.
class TestGpuProgram : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyBlockIsWhatTheReferenceComputes_data() { tests::addBlockRows(); }

    void everyBlockIsWhatTheReferenceComputes() {
        QFETCH(QString, text);
        const auto split = workload::generateProgram(text.toStdString());
        const std::string wrong =
            tests::firstWrongBlock(split, std::make_shared<HostKernels>(split), kSeed, kRounding);
        QVERIFY2(wrong.empty(), wrong.c_str());
    }
};

QTEST_GUILESS_MAIN(TestGpuProgram)
#include "TestGpuProgram.moc"
