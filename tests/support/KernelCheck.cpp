#include "tests/support/KernelCheck.h"

#include <QTest>

#include "core/engine/ElementValues.h"
#include "core/engine/Executor.h"
#include "core/engine/InputValues.h"
#include "core/engine/ResultCheck.h"
#include "core/engine/cpu/CpuRuntime.h"
#include "tests/support/RandomProblem.h"

namespace doppler::tests {

using namespace workload;

namespace {

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

/// Below this a tensor's values are rounding errors: sums that are zero but for those.
constexpr double kNothing = 1e-3;

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

} // namespace

std::shared_ptr<const sim::Problem> executionProblem(const SplitProgram& split, int devices) {
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

std::map<TensorId, Values> engineInputs(const TensorProgram& program, std::uint64_t seed) {
    const auto whole = engine::uncut(program);
    std::map<TensorId, Values> inputs;
    for (const BlockInfo& block : whole->blocks) {
        if (block.input < 0) {
            continue;
        }
        const graph::DType dtype = program.at(block.tensor).dtype;
        const std::int64_t count = elementCount(block.join);
        const std::vector<double> exact = engine::inputValues(program, block, seed);
        std::vector<std::byte> stored(std::size_t(count * graph::elementBytes(dtype)));
        engine::writeElements(dtype, stored.data(), exact.data(), count);
        inputs[block.tensor] = valuesOf(engine::readElements(dtype, stored.data(), count), dtype);
    }
    return inputs;
}

std::string firstWrongBlock(const std::shared_ptr<const SplitProgram>& split,
                            std::shared_ptr<engine::Kernels> kernels, std::uint64_t seed,
                            double limit) {
    const auto problem = executionProblem(*split, 2);
    const auto recorded =
        std::make_shared<RecordingKernels>(std::move(kernels), split->graph->opCount());
    engine::CpuRuntime runtime(*problem->cluster, recorded);
    engine::Executor executor(problem, runtime);
    executor.prepare(randomAssignment(*problem, 1));
    const engine::Execution run = executor.run();
    if (run.outcome != engine::Outcome::Done) {
        return run.message;
    }
    if (runtime.buffersHeld() != 0) {
        return "buffers are left";
    }
    const ReferenceRun reference(*split, engineInputs(split->program, seed));
    for (OpId op = 0; op < split->graph->opCount(); ++op) {
        const BlockInfo& block = split->ofOp(op);
        const Tensor& tensor = split->program.at(block.tensor);
        const std::int64_t count = elementCount(block.output(split->program));
        const Values values = valuesOf(
            engine::readElements(tensor.dtype, recorded->outputs[std::size_t(op)].data(), count),
            tensor.dtype);
        const double error =
            relativeError(values, reference.block(split->blockOfOp[std::size_t(op)]));
        if (!(error < limit)) {
            return split->graph->opName(op) + ", " + tensor.role + " (" + tensor.opName() +
                   "): " + std::to_string(error);
        }
    }
    return {};
}

const std::vector<const char*>& smallWorkloads() {
    static const std::vector<const char*> list = {
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
    return list;
}

void addBlockRows() {
    QTest::addColumn<QString>("text");
    for (const char* text : smallWorkloads()) {
        QTest::newRow(text) << text;
    }
    QTest::newRow("odd moe") << "moe:dtype=f32,devices=3,tokens=20,hidden=6,ffn=8,experts=6,"
                                "capacity=0.5,training=true";
}

} // namespace doppler::tests
