#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/workload/TensorProgram.h"

namespace doppler::workload {

/// Writes a tensor program row by row; shapes follow from the operands.
///
///     ProgramWriter w("product");
///     const TensorId a = w.data("A", {8, 8}, {2, 2});
///     const TensorId b = w.data("B", {8, 8}, {2, 2});
///     w.result(w.contraction("A B", "ac,cb->ab", {a, b}, {2, 2, 2}));
///     const TensorProgram program = w.take();
///
/// An empty partition cuts nothing.
///
/// Malformed rows (a letter with two sizes, a partition of the wrong length, an operand that is not
/// there, more parts than elements) are mistakes of the program's author: std::logic_error.
class ProgramWriter {
public:
    explicit ProgramWriter(std::string name);

    /// Element type of the rows that follow.
    void setDType(graph::DType dtype) { dtype_ = dtype; }
    graph::DType dtype() const { return dtype_; }
    /// Module of the rows that follow; empty: each row's role without its remark.
    void setModule(std::string name) { module_ = std::move(name); }
    /// What goes before every module, "layer 3"; empty: nothing.
    void setScope(std::string name) { scope_ = std::move(name); }
    /// False: contractions and reductions whose sum is not cut get no formation (which would only
    /// pass on the one partial result).
    void setAlwaysForm(bool value) { alwaysForm_ = value; }
    void setPublishedCosts(bool value) { program_.publishedCosts = value; }

    TensorId data(std::string role, graph::Shape shape, Partition partition = {});
    TensorId weight(std::string role, graph::Shape shape, Partition partition = {});
    /// Data of whole numbers 0 .. limit - 1.
    TensorId integers(std::string role, graph::Shape shape, std::int64_t limit,
                      Partition partition = {});

    /// A row whose operands are read by letters. Any letters will do: they are renamed so that the
    /// output's come first, then the others as they appear (the order of the partition).
    TensorId apply(TensorOp op, std::string role, std::string_view indices,
                   std::vector<TensorId> operands, Partition partition = {},
                   OpParameters parameters = {});
    /// A row of one operand and its shape: "a...->a...".
    TensorId map(TensorOp op, std::string role, TensorId operand, Partition partition = {},
                 OpParameters parameters = {});
    /// A row whose operator reads its operands by a rule of its own.
    TensorId shaped(TensorOp op, std::string role, graph::Shape fullShape, int outputRank,
                    std::vector<TensorId> operands, Partition partition = {},
                    OpParameters parameters = {});

    /// Products summed over the missing letters, not cut: without a formation.
    TensorId product(std::string role, std::string_view indices, std::vector<TensorId> operands) {
        return apply(TensorOp::Matmul, std::move(role), indices, std::move(operands), {});
    }
    /// Products summed over the missing letters, and the formation of the partial sums.
    TensorId contraction(std::string role, std::string_view indices, std::vector<TensorId> operands,
                         Partition partition);
    /// ReduceSum or ReduceMax, and its formation. `role` is the whole's.
    TensorId reduction(TensorOp op, std::string role, std::string_view indices, TensorId operand,
                       Partition partition);
    /// The formation of a row's partial results.
    TensorId form(std::string role, TensorId partials, Combine combine = Combine::Sum);
    TensorId convert(std::string role, TensorId operand, graph::DType dtype,
                     Partition partition = {});

    /// Marks what leaves the graph.
    void result(TensorId tensor) { row(tensor).result = true; }
    /// Gives a row another kind than its operator's.
    void setKind(TensorId tensor, graph::OpKind kind) { row(tensor).kind = kind; }

    void setRole(TensorId tensor, std::string role) { row(tensor).role = std::move(role); }
    /// Says how much work an element of a row's join shape is.
    void setWorkPerElement(TensorId tensor, double work) { row(tensor).workPerElement = work; }

    const Tensor& at(TensorId tensor) const { return program_.at(tensor); }
    std::size_t size() const { return program_.tensors.size(); }

    TensorProgram take();

private:
    Tensor& row(TensorId tensor);
    TensorId add(Tensor row);
    TensorId addInput(std::string role, graph::Shape shape, Partition partition, bool weight);

    TensorProgram program_;
    graph::DType dtype_ = graph::DType::F32;
    std::string module_;
    std::string scope_;
    bool alwaysForm_ = true;
};

} // namespace doppler::workload
