#include "tests/support/ReferenceKernels.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace doppler::tests {

using namespace workload;

namespace {

std::size_t at(std::int64_t i) {
    return static_cast<std::size_t>(i);
}

Value elementwise(const Tensor& tensor, const std::vector<Value>& x) {
    const double a = x[0].real();
    switch (tensor.op) {
    case TensorOp::Matmul:
    case TensorOp::Multiply:
    case TensorOp::RotaryMultiply:
        return x[0] * x[1];
    case TensorOp::ReduceSum:
    case TensorOp::ReduceMax:
    case TensorOp::Convert:
        return x[0];
    case TensorOp::Add: {
        Value sum = 0;
        for (const Value& value : x) {
            sum += value;
        }
        return sum;
    }
    case TensorOp::Subtract:
        return x[0] - x[1];
    case TensorOp::Divide:
        return x[0] / x[1];
    case TensorOp::Exp:
        return std::exp(a);
    case TensorOp::Log:
        return std::log(a);
    case TensorOp::Relu:
        return std::max(a, 0.0);
    case TensorOp::Sigmoid:
        return 1 / (1 + std::exp(-a));
    case TensorOp::Tanh:
        return std::tanh(a);
    case TensorOp::Silu:
        return a / (1 + std::exp(-a));
    case TensorOp::Square:
        return a * a;
    case TensorOp::Rsqrt:
        return 1 / std::sqrt(a);
    case TensorOp::Scale:
        return a * tensor.parameters.scale;
    case TensorOp::ScaleAddEps:
        return a * tensor.parameters.scale + tensor.parameters.eps;
    case TensorOp::ReluGradient:
        return a > 0 ? x[1] : 0.0;
    case TensorOp::SigmoidGradient:
        return x[1] * a * (1 - a);
    case TensorOp::TanhGradient:
        return x[1] * (1 - a * a);
    case TensorOp::SiluGradient: {
        const double sigmoid = 1 / (1 + std::exp(-a));
        return x[1] * sigmoid * (1 + a * (1 - sigmoid));
    }
    case TensorOp::RsqrtGradient:
        return x[1] * -a * a * a / 2.0;
    case TensorOp::Update:
        return x[0] - tensor.parameters.scale * x[1];
    default:
        throw std::runtime_error("not elementwise: " + tensor.opName());
    }
}

Values computeByLetters(const TensorProgram& program, const BlockInfo& block,
                        const std::vector<Operand>& operands) {
    const Tensor& tensor = program.at(block.tensor);
    std::vector<std::vector<std::size_t>> letters(1);
    for (const char c : tensor.indices.substr(0, tensor.indices.find("->"))) {
        if (c == ',') {
            letters.emplace_back();
        } else {
            letters.back().push_back(std::size_t(c - 'a'));
        }
    }
    const Region output = block.output(program);
    const Combine combine = tensor.parameters.combine;
    Values result(at(elementCount(output)), neutral(combine));
    std::vector<Value> x(operands.size());
    Index own;
    forEachIndex(block.join, [&](const Index& index) {
        for (std::size_t k = 0; k < operands.size(); ++k) {
            own.clear();
            for (const std::size_t d : letters[k]) {
                own.push_back(index[d]);
            }
            x[k] = operands[k].at(own);
        }
        Value& value = result[offset(output, index)];
        value = merge(combine, value, elementwise(tensor, x));
    });
    return result;
}

Values computeByRule(const TensorProgram& program, const BlockInfo& block,
                     const std::vector<Operand>& operands) {
    const Tensor& tensor = program.at(block.tensor);
    const OpParameters& p = tensor.parameters;
    const Region output = block.output(program);
    Values result(at(elementCount(output)),
                  tensor.op == TensorOp::MaxPool ? neutral(Combine::Max) : Value(0));
    const auto operandShape = [&](std::size_t k) {
        return program.at(tensor.operands[k]).outputShape();
    };
    // The image row (or column, d = 1) of element `r` of window `q`; and the other way round the
    // window whose element `r` is image row `h`, or -1.
    const auto image = [&](std::size_t d, std::int64_t q, std::int64_t r) {
        return q * p.stride[d] + r - p.padding[d];
    };
    const auto window = [&](std::size_t d, std::int64_t h, std::int64_t r, std::int64_t count) {
        const std::int64_t top = h + p.padding[d] - r;
        return top >= 0 && top % p.stride[d] == 0 && top / p.stride[d] < count ? top / p.stride[d]
                                                                               : -1;
    };
    const double windowSize = double(p.window[0] * p.window[1]);
    const Region windowElements{{0, p.window[0]}, {0, p.window[1]}};

    // True if image element `i` is the first of the window at `place` that equals its maximum.
    const auto isFirstMaximum = [&](const Index& i, const Index& place) {
        const Region all = wholeRegion(operandShape(0));
        bool found = false;
        bool first = false;
        forEachIndex(windowElements, [&](const Index& element) {
            const Index other{i[0], i[1], image(0, place[2], element[0]),
                              image(1, place[3], element[1])};
            if (!found && inside(all, other) && operands[0].at(other) == operands[1].at(place)) {
                found = true;
                first = other == i;
            }
        });
        return first;
    };

    forEachIndex(block.join, [&](const Index& i) {
        Value& value = result[offset(output, i)];
        switch (tensor.op) {
        case TensorOp::Formation:
            value = operands[0].at(i);
            break;
        case TensorOp::ComplexFromReal: {
            Index index = i;
            index.back() *= 2;
            const Value real = operands[0].at(index);
            ++index.back();
            value = {real.real(), operands[0].at(index).real()};
            break;
        }
        case TensorOp::RealFromComplex: {
            Index index = i;
            index.back() /= 2;
            const Value pair = operands[0].at(index);
            value = i.back() % 2 == 0 ? pair.real() : pair.imag();
            break;
        }
        case TensorOp::FillMask:
            value = i[1] <= i[0] ? 0 : -std::numeric_limits<double>::infinity();
            break;
        case TensorOp::Select: {
            Index index = i;
            for (std::size_t d = 0; d < index.size(); ++d) {
                index[d] += p.start[d];
            }
            value = operands[0].at(index);
            break;
        }
        case TensorOp::Squeeze: {
            Index index = i;
            for (const int d : p.dropped) {
                index.insert(index.begin() + d, 0);
            }
            value = operands[0].at(index);
            break;
        }
        case TensorOp::Take: {
            Index index = i;
            index.insert(index.begin() + p.axis, p.start[0]);
            value = operands[0].at(index);
            break;
        }
        case TensorOp::Stack: {
            Index index = i;
            index.erase(index.begin() + p.axis);
            value = operands[at(i[at(p.axis)])].at(index);
            break;
        }
        case TensorOp::Concat: {
            Index index = i;
            std::size_t k = 0;
            while (index[at(p.axis)] >= operandShape(k)[at(p.axis)]) {
                index[at(p.axis)] -= operandShape(k++)[at(p.axis)];
            }
            value = operands[k].at(index);
            break;
        }
        case TensorOp::OneHot:
            value = operands[0].at({i[0]}).real() == double(i[1]) ? 1 : 0;
            break;
        case TensorOp::Embedding: {
            const Value row = operands[1].at({i.begin(), i.end() - 1});
            value = operands[0].at({std::int64_t(row.real()), i.back()});
            break;
        }
        case TensorOp::EmbeddingGradient:
            forEachIndex(wholeRegion(operandShape(0)), [&](const Index& word) {
                if (operands[0].at(word).real() == double(i[0])) {
                    Index index = word;
                    index.push_back(i[1]);
                    value += operands[1].at(index);
                }
            });
            break;
        case TensorOp::Conv2d: {
            const Index index{i[0], i[4], image(0, i[2], i[5]), image(1, i[3], i[6])};
            if (inside(wholeRegion(operandShape(0)), index)) {
                value += operands[0].at(index) * operands[1].at({i[1], i[4], i[5], i[6]});
            }
            break;
        }
        case TensorOp::ConvInputGradient: {
            const graph::Shape shape = operandShape(0);
            const std::int64_t row = window(0, i[2], i[5], shape[2]);
            const std::int64_t column = window(1, i[3], i[6], shape[3]);
            if (row >= 0 && column >= 0) {
                value += operands[0].at({i[0], i[4], row, column}) *
                         operands[1].at({i[4], i[1], i[5], i[6]});
            }
            break;
        }
        case TensorOp::ConvFilterGradient: {
            const Index index{i[4], i[1], image(0, i[5], i[2]), image(1, i[6], i[3])};
            if (inside(wholeRegion(operandShape(0)), index)) {
                value += operands[0].at(index) * operands[1].at({i[4], i[0], i[5], i[6]});
            }
            break;
        }
        case TensorOp::MaxPool:
        case TensorOp::AvgPool: {
            const Index index{i[0], i[1], image(0, i[2], i[4]), image(1, i[3], i[5])};
            if (inside(wholeRegion(operandShape(0)), index)) {
                value = tensor.op == TensorOp::MaxPool
                            ? merge(Combine::Max, value, operands[0].at(index))
                            : value + operands[0].at(index) / windowSize;
            }
            break;
        }
        case TensorOp::MaxPoolGradient:
        case TensorOp::AvgPoolGradient: {
            const bool maximum = tensor.op == TensorOp::MaxPoolGradient;
            const Operand& gradient = operands[maximum ? 2 : 0];
            const graph::Shape shape = operandShape(maximum ? 2 : 0);
            forEachIndex(windowElements, [&](const Index& element) {
                const std::int64_t row = window(0, i[2], element[0], shape[2]);
                const std::int64_t column = window(1, i[3], element[1], shape[3]);
                if (row < 0 || column < 0) {
                    return;
                }
                const Index index{i[0], i[1], row, column};
                if (!maximum) {
                    value += gradient.at(index) / windowSize;
                } else if (isFirstMaximum(i, index)) {
                    value += gradient.at(index);
                }
            });
            break;
        }
        case TensorOp::RouteTop: {
            std::vector<double> row;
            for (std::int64_t e = 0; e < operandShape(0)[1]; ++e) {
                row.push_back(operands[0].at({i[0], e}).real());
            }
            const double own = row[at(i[1])];
            std::sort(row.rbegin(), row.rend());
            double sum = 0;
            for (std::int64_t k = 0; k < p.top; ++k) {
                sum += row[at(k)];
            }
            value = own >= row[at(p.top - 1)] ? own / sum : 0;
            break;
        }
        case TensorOp::DispatchTable: {
            std::int64_t slot = -1;
            value = -1;
            for (std::int64_t t = 0; t < operandShape(0)[0]; ++t) {
                if (operands[0].at({t, i[0]}).real() != 0 && ++slot == i[1]) {
                    value = double(t);
                    break;
                }
            }
            break;
        }
        case TensorOp::RouteGradient: {
            // Of g = p / S, S the sum of the p that are kept.
            double sum = 0;
            Value mean = 0;
            for (std::int64_t e = 0; e < operandShape(0)[1]; ++e) {
                const Value gate = operands[1].at({i[0], e});
                sum += gate.real() != 0 ? operands[0].at({i[0], e}).real() : 0;
                mean += gate * operands[2].at({i[0], e});
            }
            value = operands[1].at(i).real() != 0 ? (operands[2].at(i) - mean) / sum : 0;
            break;
        }
        case TensorOp::Dispatch: {
            const auto token = std::int64_t(operands[1].at({i[0], i[1]}).real());
            value = token < 0 ? 0 : operands[0].at({token, i[2]});
            if (token >= 0 && operands.size() > 2) {
                value *= operands[2].at({token, i[0]});
            }
            break;
        }
        case TensorOp::Undispatch:
        case TensorOp::GateGradient: {
            const bool ofGate = tensor.op == TensorOp::GateGradient;
            const std::int64_t expert = i[ofGate ? 1 : 2];
            const std::int64_t column = i[ofGate ? 2 : 1];
            for (std::int64_t slot = 0; slot < operandShape(1)[1]; ++slot) {
                if (operands[1].at({expert, slot}).real() == double(i[0])) {
                    const Value own = operands[0].at({expert, slot, column});
                    value += ofGate                ? own * operands[2].at({i[0], column})
                             : operands.size() > 2 ? own * operands[2].at({i[0], expert})
                                                   : own;
                }
            }
            break;
        }
        default:
            throw std::runtime_error("no rule for " + tensor.opName());
        }
    });
    return result;
}

} // namespace

std::size_t offset(const Region& region, const Index& index) {
    std::int64_t value = 0;
    for (std::size_t d = 0; d < region.size(); ++d) {
        value = value * region[d].size() + index[d] - region[d].begin;
    }
    return at(value);
}

bool inside(const Region& region, const Index& index) {
    for (std::size_t d = 0; d < region.size(); ++d) {
        if (index[d] < region[d].begin || index[d] >= region[d].end) {
            return false;
        }
    }
    return true;
}

Region wholeRegion(const graph::Shape& shape) {
    Region region;
    for (const std::int64_t size : shape) {
        region.push_back({0, size});
    }
    return region;
}

Value merge(Combine combine, Value a, Value b) {
    return combine == Combine::Sum ? a + b : Value(std::max(a.real(), b.real()));
}

Value neutral(Combine combine) {
    return combine == Combine::Sum ? 0.0 : -std::numeric_limits<double>::infinity();
}

Value Operand::at(const Index& index) const {
    if (!inside(region, index)) {
        throw std::runtime_error("an element is read that is not in the operand's region");
    }
    return values[offset(region, index)];
}

Values computeBlock(const TensorProgram& program, const BlockInfo& block,
                    const std::vector<Operand>& operands) {
    return program.at(block.tensor).indices.empty() ? computeByRule(program, block, operands)
                                                    : computeByLetters(program, block, operands);
}

} // namespace doppler::tests
