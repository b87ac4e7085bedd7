#include "core/engine/cpu/TorchKernels.h"

#include "core/engine/cpu/TorchBlock.h" // before the headers of operators

#include <map>
#include <set>
#include <stdexcept>

#include <dlfcn.h>

#include <ATen/Parallel.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/maximum.h>
#include <c10/core/InferenceMode.h>

#include "core/engine/ElementValues.h"
#include "core/engine/InputValues.h"
#include "core/engine/OperandPieces.h"
#include "core/engine/cpu/Scratch.h"

namespace doppler::engine {

namespace {

using namespace workload;
using Sizes = std::vector<std::int64_t>;

std::size_t at(std::int64_t i) {
    return static_cast<std::size_t>(i);
}

Sizes sizesOf(const Region& region) {
    Sizes sizes;
    for (const Interval& interval : region) {
        sizes.push_back(std::max<std::int64_t>(interval.size(), 0));
    }
    return sizes;
}

at::Tensor viewOf(void* data, const Sizes& sizes, at::ScalarType type) {
    return at::from_blob(data, sizes, at::TensorOptions(type));
}

/// The part of `values`, which cover `source`, that lies in `wanted`.
at::Tensor partOf(at::Tensor values, const Region& source, const Region& wanted) {
    for (std::size_t d = 0; d < source.size(); ++d) {
        if (source[d] != wanted[d]) {
            values = values.narrow(static_cast<std::int64_t>(d), wanted[d].begin - source[d].begin,
                                   wanted[d].size());
        }
    }
    return values;
}

/// Calls a library function that takes a number, where the library is loaded.
void callIfThere(const char* function, int argument) {
    if (void* found = dlsym(RTLD_DEFAULT, function)) {
        reinterpret_cast<void (*)(int)>(found)(argument);
    }
}

class TorchKernels : public Kernels {
public:
    TorchKernels(std::shared_ptr<const SplitProgram> split, std::uint64_t seed)
        : split_(std::move(split)), seed_(seed) {
        for (OpId op = 0; op < split_->graph->opCount(); ++op) {
            plans_.push_back(operandPlans(*split_, op));
        }
    }

    void prepare(const sim::Problem& problem, const sim::Assignment& assignment,
                 int lanes) override {
        inputs_.resize(at(problem.deviceCount()));
        std::vector<std::set<InputId>> read(inputs_.size());
        for (OpId op = 0; op < problem.opCount(); ++op) {
            for (const graph::Use& use : problem.graph->uses(op)) {
                if (use.fromInput) {
                    read[at(assignment[at(op)])].insert(use.source);
                }
            }
        }
        std::map<InputId, Bytes> left; // of earlier assignments: moved rather than made again
        for (std::size_t device = 0; device < inputs_.size(); ++device) {
            std::erase_if(inputs_[device], [&](auto& input) {
                const bool unread = read[device].count(input.first) == 0;
                if (unread) {
                    left[input.first] = std::move(input.second);
                }
                return unread;
            });
        }
        for (std::size_t device = 0; device < inputs_.size(); ++device) {
            for (const InputId id : read[device]) {
                Bytes& bytes = inputs_[device][id];
                if (bytes.empty()) {
                    bytes = std::exchange(left[id], {});
                }
                makeInput(bytes, id);
            }
        }
        scratch_.resize(at(lanes));
    }

    // Which libraries count threads, and where, depends on how LibTorch was built.
    void enterThread() const override {
        at::init_num_threads();
        callIfThere("omp_set_num_threads", 1);
        callIfThere("openblas_set_num_threads", 1);
    }

    void run(const OpTask& task, int lane) override {
        const c10::InferenceMode guard;
        try {
            compute(task, scratch_[at(lane)]);
        } catch (const c10::Error& error) {
            throw std::runtime_error(error.what_without_backtrace());
        }
        scratch_[at(lane)].reset();
    }

private:
    using Bytes = std::vector<std::byte>;

    void makeInput(Bytes& bytes, InputId id) const {
        const BlockInfo& block = split_->ofInput(id);
        const Tensor& tensor = split_->program.at(block.tensor);
        const std::int64_t count = elementCount(block.join);
        if (bytes.empty() && count > 0) {
            const std::vector<double> values = inputValues(split_->program, block, seed_);
            bytes.resize(at(count * graph::elementBytes(tensor.dtype)));
            writeElements(tensor.dtype, bytes.data(), values.data(), count);
        }
    }

    void compute(const OpTask& task, Scratch& scratch) const {
        const BlockInfo& block = split_->ofOp(task.op);
        const Tensor& tensor = split_->program.at(block.tensor);
        const Sizes sizes = sizesOf(block.output(split_->program));
        at::Tensor stored = viewOf(task.output.data, sizes, storedType(tensor.dtype));
        std::vector<BlockOperand> operands;
        for (const OperandPlan& plan : plans_[at(task.op)]) {
            // What a formation assembles is its result.
            const bool inPlace =
                tensor.op == TensorOp::Formation && !plan.isWholeBlock() &&
                storedType(tensor.dtype) == computedType(tensor.dtype) &&
                storedType(split_->program.at(plan.tensor).dtype) == storedType(tensor.dtype);
            operands.push_back(
                {assemble(plan, task, scratch, inPlace ? &stored : nullptr), plan.region});
            if (inPlace) {
                return;
            }
        }
        if (computedType(tensor.dtype) == storedType(tensor.dtype)) {
            computeBlock(split_->program, block, operands, stored);
            return;
        }
        at::Tensor exact = newTensor(scratch, sizes, computedType(tensor.dtype));
        computeBlock(split_->program, block, operands, exact);
        stored.copy_(exact);
    }

    static at::Tensor newTensor(Scratch& scratch, const Sizes& sizes, at::ScalarType type) {
        std::int64_t bytes = static_cast<std::int64_t>(c10::elementSize(type));
        for (const std::int64_t size : sizes) {
            bytes *= size;
        }
        return viewOf(scratch.take(bytes), sizes, type);
    }

    at::Tensor pieceOf(const OperandPlan& plan, const OperandPiece& piece,
                       const OpTask& task) const {
        const at::ScalarType type = storedType(split_->program.at(plan.tensor).dtype);
        void* data = task.operands[at(piece.use)].data;
        if (piece.input >= 0) {
            const auto& ofDevice = inputs_[at(task.device)];
            data = const_cast<std::byte*>(ofDevice.at(piece.input).data()); // only read
        }
        return partOf(viewOf(data, sizesOf(piece.source), type), piece.source, piece.overlap);
    }

    at::Tensor assemble(const OperandPlan& plan, const OpTask& task, Scratch& scratch,
                        at::Tensor* into) const {
        const Tensor& source = split_->program.at(plan.tensor);
        const at::ScalarType type = computedType(source.dtype);
        if (plan.isWholeBlock() && type == storedType(source.dtype)) {
            return pieceOf(plan, plan.pieces.front(), task);
        }
        const Sizes sizes = sizesOf(plan.region);
        at::Tensor values = into != nullptr ? *into : newTensor(scratch, sizes, type);
        for (const OperandPiece& piece : plan.pieces) {
            at::Tensor part = partOf(values, plan.region, piece.overlap);
            const at::Tensor from = pieceOf(plan, piece, task);
            if (!piece.merges) {
                part.copy_(from);
            } else if (source.parameters.combine == Combine::Max) {
                at::maximum_out(part, part, from.to(type));
            } else {
                part.add_(from);
            }
        }
        return values;
    }

    std::shared_ptr<const SplitProgram> split_;
    std::uint64_t seed_;
    std::vector<std::vector<OperandPlan>> plans_;  // by op
    std::vector<std::map<InputId, Bytes>> inputs_; // by device
    std::vector<Scratch> scratch_;                 // by lane
};

} // namespace

at::ScalarType storedType(graph::DType dtype) {
    switch (dtype) {
    case graph::DType::F16:
        return at::kHalf;
    case graph::DType::BF16:
        return at::kBFloat16;
    case graph::DType::F32:
        return at::kFloat;
    case graph::DType::F64:
        return at::kDouble;
    case graph::DType::C64:
        return at::kComplexFloat;
    case graph::DType::I8:
        return at::kChar;
    case graph::DType::I32:
        return at::kInt;
    case graph::DType::I64:
        return at::kLong;
    case graph::DType::Bool:
        return at::kBool;
    case graph::DType::Unknown:
        break;
    }
    throw std::runtime_error("a tensor of unknown element type cannot be computed");
}

at::ScalarType computedType(graph::DType dtype) {
    const bool narrow = dtype == graph::DType::F16 || dtype == graph::DType::BF16;
    return narrow ? at::kFloat : storedType(dtype);
}

void computeBlock(const TensorProgram& program, const BlockInfo& block,
                  const std::vector<BlockOperand>& operands, at::Tensor& out) {
    if (program.at(block.tensor).indices.empty()) {
        computeByRule(program, block, operands, out);
    } else {
        computeByLetters(program, block, operands, out);
    }
}

std::unique_ptr<Kernels> makeTorchKernels(std::shared_ptr<const SplitProgram> split,
                                          std::uint64_t seed) {
    return std::make_unique<TorchKernels>(std::move(split), seed);
}

} // namespace doppler::engine
