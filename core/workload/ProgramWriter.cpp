#include "core/workload/ProgramWriter.h"

#include <array>
#include <stdexcept>

namespace doppler::workload {

namespace {

constexpr std::size_t kLetters = 26;

std::size_t dimensionOf(char letter) {
    return static_cast<std::size_t>(letter - 'a');
}

[[noreturn]] void fail(const std::string& role, const std::string& what) {
    throw std::logic_error("tensor program, row \"" + role + "\": " + what);
}

/// Renames the letters: the output's to a, b, ..., then the others as they appear.
std::string renamed(std::string_view indices) {
    std::array<char, kLetters> names{};
    char next = 'a';
    const auto rename = [&](std::string_view text) {
        std::string result;
        for (const char c : text) {
            if (c < 'a' || c > 'z') {
                result += c;
                continue;
            }
            char& known = names[dimensionOf(c)];
            known = known == 0 ? next++ : known;
            result += known;
        }
        return result;
    };
    const std::size_t arrow = indices.find("->");
    const std::string output = rename(indices.substr(arrow + 2));
    return rename(indices.substr(0, arrow)) + "->" + output;
}

/// "C (D E), partial sums" -> "C (D E)".
std::string withoutRemark(const std::string& role) {
    return role.substr(0, role.find(", "));
}

} // namespace

ProgramWriter::ProgramWriter(std::string name) {
    program_.name = std::move(name);
}

Tensor& ProgramWriter::row(TensorId tensor) {
    return program_.tensors.at(static_cast<std::size_t>(tensor));
}

TensorId ProgramWriter::add(Tensor row) {
    if (row.partition.empty()) {
        row.partition.assign(row.fullShape.size(), 1);
    }
    if (row.partition.size() != row.fullShape.size()) {
        fail(row.role, "partition and shape differ in rank");
    }
    for (std::size_t d = 0; d < row.partition.size(); ++d) {
        if (row.partition[d] < 1 || row.partition[d] > row.fullShape[d]) {
            fail(row.role, "dimension " + std::to_string(d) + " of size " +
                               std::to_string(row.fullShape[d]) + " cut into " +
                               std::to_string(row.partition[d]));
        }
    }
    for (const TensorId operand : row.operands) {
        if (operand < 0 || static_cast<std::size_t>(operand) >= program_.tensors.size()) {
            fail(row.role, "operand " + std::to_string(operand) + " is not there");
        }
    }
    row.group = module_.empty() ? withoutRemark(row.role) : module_;
    if (!scope_.empty()) {
        row.group = scope_ + "/" + row.group;
    }
    row.kind = facts(row.op).kind;
    program_.tensors.push_back(std::move(row));
    return static_cast<TensorId>(program_.tensors.size()) - 1;
}

TensorId ProgramWriter::addInput(std::string role, graph::Shape shape, Partition partition,
                                 bool weight) {
    const int rank = static_cast<int>(shape.size());
    return add({.op = TensorOp::Input,
                .role = std::move(role),
                .fullShape = std::move(shape),
                .outputRank = rank,
                .partition = std::move(partition),
                .dtype = dtype_,
                .weight = weight});
}

TensorId ProgramWriter::data(std::string role, graph::Shape shape, Partition partition) {
    return addInput(std::move(role), std::move(shape), std::move(partition), false);
}

TensorId ProgramWriter::weight(std::string role, graph::Shape shape, Partition partition) {
    return addInput(std::move(role), std::move(shape), std::move(partition), true);
}

TensorId ProgramWriter::integers(std::string role, graph::Shape shape, std::int64_t limit,
                                 Partition partition) {
    const graph::DType before = dtype_;
    dtype_ = graph::DType::I32;
    const TensorId input = data(std::move(role), std::move(shape), std::move(partition));
    row(input).parameters.limit = limit;
    dtype_ = before;
    return input;
}

TensorId ProgramWriter::apply(TensorOp op, std::string role, std::string_view letters,
                              std::vector<TensorId> operands, Partition partition,
                              OpParameters parameters) {
    const std::string indices = renamed(letters);
    std::array<std::int64_t, kLetters> sizes{};
    std::size_t operand = 0;
    std::size_t dimension = 0;
    const std::size_t arrow = indices.find("->");
    for (const char c : std::string_view(indices).substr(0, arrow)) {
        if (c == ',') {
            ++operand;
            dimension = 0;
            continue;
        }
        if (operand >= operands.size() ||
            dimension >= static_cast<std::size_t>(at(operands[operand]).outputRank)) {
            fail(role, "indices do not fit the operands");
        }
        const std::int64_t size = at(operands[operand]).fullShape[dimension++];
        std::int64_t& known = sizes[dimensionOf(c)];
        if (known != 0 && known != size) {
            fail(role, std::string("letter ") + c + " has two sizes");
        }
        known = size;
    }
    graph::Shape shape;
    for (std::size_t d = 0; d < kLetters && sizes[d] != 0; ++d) {
        shape.push_back(sizes[d]);
    }
    const std::size_t rank = indices.size() - arrow - 2;
    if (shape.size() < rank) {
        fail(role, "the output has a letter that no operand has");
    }
    Tensor row{.op = op,
               .role = std::move(role),
               .indices = indices,
               .fullShape = std::move(shape),
               .outputRank = static_cast<int>(rank),
               .partition = std::move(partition),
               .dtype = dtype_,
               .operands = std::move(operands),
               .parameters = std::move(parameters)};
    return add(std::move(row));
}

TensorId ProgramWriter::map(TensorOp op, std::string role, TensorId operand, Partition partition,
                            OpParameters parameters) {
    std::string letters;
    for (int d = 0; d < at(operand).outputRank; ++d) {
        letters += static_cast<char>('a' + d);
    }
    return apply(op, std::move(role), letters + "->" + letters, {operand}, std::move(partition),
                 std::move(parameters));
}

TensorId ProgramWriter::shaped(TensorOp op, std::string role, graph::Shape fullShape,
                               int outputRank, std::vector<TensorId> operands, Partition partition,
                               OpParameters parameters) {
    return add({.op = op,
                .role = std::move(role),
                .fullShape = std::move(fullShape),
                .outputRank = outputRank,
                .partition = std::move(partition),
                .dtype = dtype_,
                .operands = std::move(operands),
                .parameters = std::move(parameters)});
}

TensorId ProgramWriter::form(std::string role, TensorId partials, Combine combine) {
    const Tensor& operand = at(partials);
    if (!alwaysForm_ && operand.partialCount() == 1) {
        row(partials).role = std::move(role);
        return partials;
    }
    Partition partition(operand.partition.begin(), operand.partition.begin() + operand.outputRank);
    return shaped(TensorOp::Formation, std::move(role), operand.outputShape(), operand.outputRank,
                  {partials}, std::move(partition), {.combine = combine});
}

TensorId ProgramWriter::contraction(std::string role, std::string_view indices,
                                    std::vector<TensorId> operands, Partition partition) {
    const TensorId partials = apply(TensorOp::Matmul, role + ", partial sums", indices,
                                    std::move(operands), std::move(partition));
    return form(std::move(role), partials, Combine::Sum);
}

TensorId ProgramWriter::reduction(TensorOp op, std::string role, std::string_view indices,
                                  TensorId operand, Partition partition) {
    const bool maximum = op == TensorOp::ReduceMax;
    const Combine combine = maximum ? Combine::Max : Combine::Sum;
    const TensorId partials = apply(op, role + (maximum ? ", partial maxima" : ", partial sums"),
                                    indices, {operand}, std::move(partition), {.combine = combine});
    return form(std::move(role), partials, combine);
}

TensorId ProgramWriter::convert(std::string role, TensorId operand, graph::DType dtype,
                                Partition partition) {
    const graph::DType before = dtype_;
    dtype_ = dtype;
    const TensorId converted =
        map(TensorOp::Convert, std::move(role), operand, std::move(partition));
    dtype_ = before;
    return converted;
}

TensorProgram ProgramWriter::take() {
    return std::move(program_);
}

} // namespace doppler::workload
