#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/workload/Backward.h"

namespace doppler::workload {

/// "ac,cb->ab" in its parts.
struct Indices {
    std::vector<std::string> operands{1};
    std::string output;

    explicit Indices(const std::string& text);
};

/// "abc" for rank 3.
std::string dimensionLetters(int rank);

/// A gradient of a tensor: `dims` are the letters of the tensor's dimensions (a for the first) that
/// it has; along the others it is constant.
struct Gradient {
    TensorId id;
    std::string dims;
};

/// The work of one backward(): shares of gradients are collected at the operands, row by row from
/// the last; when a row's turn comes all of its shares are there. Rules are in GradientRules.cpp.
class GradientPass {
public:
    GradientPass(ProgramWriter& w, double learningRate);

    void run(const std::vector<Seed>& seeds);

private:
    /// A share of a tensor's gradient: of the whole tensor, or of a part of it along one axis.
    struct Share {
        Gradient gradient;
        std::optional<TensorOp> part; ///< TensorOp::Select or Take: what took the part
        int axis = 0;
        std::int64_t begin = 0;
    };

    [[noreturn]] static void fail(const Tensor& tensor, const char* what);
    /// The gradient's row if it has all dimensions of `tensor`; fails otherwise.
    static TensorId whole(const Tensor& tensor, const Gradient& gradient);
    /// How a gradient of all of `tensor` is cut; `more` further dimensions are not.
    static Partition waysOf(const Tensor& tensor, std::size_t more = 0);
    static std::string roleOf(const Tensor& tensor) { return "gradient of " + tensor.role; }
    std::string roleOf(TensorId tensor) const { return roleOf(w_.at(tensor)); }
    bool isNeeded(TensorId tensor) const { return needed_[static_cast<std::size_t>(tensor)]; }

    /// A row by letters: those of the forward row's join shape, each cut as there.
    TensorId apply(TensorOp op, const std::string& role, const std::string& indices,
                   const std::vector<TensorId>& operands, const OpParameters& parameters = {});
    void addShare(TensorId tensor, Gradient gradient);
    void addPart(TensorId tensor, const Gradient& gradient, TensorOp part, int axis,
                 std::int64_t begin);
    Gradient accumulated(TensorId id, const Tensor& tensor);
    /// All parts along one axis make the whole.
    Gradient joined(const Tensor& tensor, std::vector<Share>& shares);
    void update(TensorId weight, const Tensor& tensor, const Gradient& gradient);

    // Rules: the gradient of a row (in the letters of its output) to shares of its operands.
    void distribute(TensorId id, const Tensor& tensor, const Gradient& gradient);
    void ofMatmul(const Tensor& tensor, const Gradient& gradient);
    void ofMultiply(const Tensor& tensor, const Gradient& gradient);
    void ofSum(const Tensor& tensor, const Gradient& gradient);
    void ofDivide(TensorId id, const Tensor& tensor, const Gradient& gradient);
    void ofPart(const Tensor& tensor, const Gradient& gradient);
    void ofConcat(const Tensor& tensor, const Gradient& gradient);
    void ofStack(const Tensor& tensor, const Gradient& gradient);
    void ofModelOperator(TensorId id, const Tensor& tensor, TensorId gradient);
    void ofDispatch(const Tensor& tensor, TensorId gradient);
    void ofUndispatch(const Tensor& tensor, TensorId gradient);
    void ofConvolution(const Tensor& tensor, TensorId gradient);

    /// Letters of a row's join shape as letters of its operand's dimensions.
    static std::string inOperand(const Tensor& tensor, std::size_t operand,
                                 const std::string& dims);
    Gradient scaled(const std::string& role, const Gradient& gradient, double scale);
    /// Elementwise product of a whole tensor and a gradient of its shape.
    Gradient multiplied(const std::string& role, TensorId factor, int rank,
                        const Gradient& gradient);
    /// Products summed over what an operand was broadcast along.
    TensorId summedProduct(const std::string& role, const std::string& indices,
                           const std::vector<TensorId>& factors);
    /// Operators whose gradient follows from a row (their result, or their operand) and the
    /// result's gradient, element by element.
    void elementwise(TensorOp op, TensorId factor, const Tensor& tensor, const Gradient& gradient);

    ProgramWriter& w_;
    double rate_;
    std::size_t forwardRows_;
    std::vector<std::vector<Share>> shares_;
    std::vector<bool> needed_; // by what weights are behind a row
    Partition ways_;           // of the forward row at hand
};

} // namespace doppler::workload
