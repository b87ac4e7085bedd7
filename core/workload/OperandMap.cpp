#include "core/workload/OperandMap.h"

#include <algorithm>
#include <initializer_list>

namespace doppler::workload {

namespace {

std::int64_t floorDivide(std::int64_t a, std::int64_t b) {
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

OperandMap sameRegion(int rank) {
    OperandMap map(static_cast<std::size_t>(rank));
    for (int d = 0; d < rank; ++d) {
        map[static_cast<std::size_t>(d)].dimension = d;
    }
    return map;
}

OperandMap byLetters(const std::string& indices, std::size_t operand) {
    OperandMap map;
    std::size_t k = 0;
    for (const char c : indices.substr(0, indices.find("->"))) {
        if (c == ',') {
            ++k;
        } else if (k == operand) {
            map.push_back({.dimension = c - 'a'});
        }
    }
    return map;
}

/// Operand (n, c, h, w): `p` and `q` are the join's dimensions of the windows read from it.
OperandMap throughWindows(const OpParameters& parameters, int n, int c, int p, int q) {
    OperandMap map{{.dimension = n}, {.dimension = c}, {.dimension = p}, {.dimension = q}};
    for (std::size_t d = 0; d < 2; ++d) {
        map[2 + d].multiply = parameters.stride[d];
        map[2 + d].first = -parameters.padding[d];
        map[2 + d].last = parameters.window[d] - 1 - parameters.padding[d];
    }
    return map;
}

/// Operand (n, k, p, q): the windows that the join's images (dimensions 2 and 3) fall into.
OperandMap windowsOf(const OpParameters& parameters, int n, int k) {
    OperandMap map{{.dimension = n}, {.dimension = k}, {.dimension = 2}, {.dimension = 3}};
    for (std::size_t d = 0; d < 2; ++d) {
        map[2 + d].divide = parameters.stride[d];
        map[2 + d].first = parameters.padding[d] - parameters.window[d] + parameters.stride[d];
        map[2 + d].last = parameters.padding[d];
    }
    return map;
}

OperandMap dimensions(std::initializer_list<int> list) {
    OperandMap map;
    for (const int d : list) {
        map.push_back({.dimension = d});
    }
    return map;
}

/// Operand number `operand` of a concatenation: shifted by the operands before it.
OperandMap concatenated(const TensorProgram& program, const Tensor& tensor, std::size_t operand) {
    OperandMap map = sameRegion(tensor.outputRank);
    const auto axis = static_cast<std::size_t>(tensor.parameters.axis);
    for (std::size_t k = 0; k < operand; ++k) {
        map[axis].first -= program.at(tensor.operands[k]).fullShape[axis];
    }
    map[axis].last = map[axis].first;
    return map;
}

} // namespace

OperandMap operandMap(const TensorProgram& program, const Tensor& tensor, std::size_t operand) {
    if (!tensor.indices.empty()) {
        return byLetters(tensor.indices, operand);
    }
    const Tensor& source = program.at(tensor.operands[operand]);
    OperandMap map = sameRegion(source.outputRank);
    switch (tensor.op) {
    case TensorOp::ComplexFromReal:
        map.back().multiply = 2;
        map.back().last = 1;
        break;
    case TensorOp::RealFromComplex:
        map.back().divide = 2;
        break;
    case TensorOp::Select:
        for (std::size_t d = 0; d < map.size(); ++d) {
            map[d].first = map[d].last = tensor.parameters.start[d];
        }
        break;
    case TensorOp::Squeeze: {
        const std::vector<int>& dropped = tensor.parameters.dropped;
        int next = 0;
        for (int d = 0; d < source.outputRank; ++d) {
            const bool gone = std::find(dropped.begin(), dropped.end(), d) != dropped.end();
            map[static_cast<std::size_t>(d)].dimension = gone ? DimensionMap::kWhole : next++;
        }
        break;
    }
    case TensorOp::Concat:
        return concatenated(program, tensor, operand);
    case TensorOp::Stack: // the whole operand, whatever part of the new dimension is made
        for (int d = tensor.parameters.axis; d < source.outputRank; ++d) {
            map[static_cast<std::size_t>(d)].dimension = d + 1;
        }
        break;
    case TensorOp::Take: {
        const std::int64_t index = tensor.parameters.start[0];
        const int axis = tensor.parameters.axis;
        for (int d = axis + 1; d < source.outputRank; ++d) {
            map[static_cast<std::size_t>(d)].dimension = d - 1;
        }
        map[static_cast<std::size_t>(axis)] = {
            .dimension = 0, .multiply = 0, .first = index, .last = index};
        break;
    }
    case TensorOp::Embedding:
        if (operand == 0) {
            map = dimensions({DimensionMap::kWhole, tensor.outputRank - 1});
        }
        break;
    case TensorOp::EmbeddingGradient:
        for (DimensionMap& dimension : map) {
            dimension.dimension = DimensionMap::kWhole;
        }
        if (operand == 1) {
            map.back().dimension = 1;
        }
        break;
    case TensorOp::Conv2d:
        return operand == 0 ? throughWindows(tensor.parameters, 0, 4, 2, 3)
                            : dimensions({1, 4, 5, 6});
    case TensorOp::ConvInputGradient:
        return operand == 0 ? windowsOf(tensor.parameters, 0, 4) : dimensions({4, 1, 5, 6});
    case TensorOp::ConvFilterGradient:
        return operand == 0 ? throughWindows(tensor.parameters, 4, 1, 5, 6)
                            : dimensions({4, 0, 5, 6});
    case TensorOp::MaxPool:
    case TensorOp::AvgPool:
        return throughWindows(tensor.parameters, 0, 1, 2, 3);
    case TensorOp::MaxPoolGradient:
        if (operand > 0) {
            return windowsOf(tensor.parameters, 0, 1);
        }
        for (std::size_t d = 0; d < 2; ++d) { // all of the windows that an image falls into
            map[2 + d].last = tensor.parameters.window[d] - 1;
            map[2 + d].first = -map[2 + d].last;
        }
        break;
    case TensorOp::AvgPoolGradient:
        return windowsOf(tensor.parameters, 0, 1);
    case TensorOp::DispatchTable: // gates (token, expert)
        return dimensions({DimensionMap::kWhole, 0});
    case TensorOp::RouteTop: // whole rows
    case TensorOp::RouteGradient:
        map.back().dimension = DimensionMap::kWhole;
        break;
    case TensorOp::Dispatch: // rows (token, h), table (expert, slot), gates; join (expert, slot, h)
        return operand == 0   ? dimensions({DimensionMap::kWhole, 2})
               : operand == 1 ? dimensions({0, 1})
                              : dimensions({DimensionMap::kWhole, 0});
    case TensorOp::Undispatch: // (expert, slot, h), table, gates; join (token, h, expert)
        return operand == 0   ? dimensions({2, DimensionMap::kWhole, 1})
               : operand == 1 ? dimensions({2, DimensionMap::kWhole})
                              : dimensions({0, 2});
    case TensorOp::GateGradient: // (expert, slot, h), table, (token, h); join (token, expert, h)
        return operand == 0   ? dimensions({1, DimensionMap::kWhole, 2})
               : operand == 1 ? dimensions({1, DimensionMap::kWhole})
                              : dimensions({0, 2});
    default:
        break;
    }
    return map;
}

bool readsRowsOnly(TensorOp op, std::size_t operand) {
    return operand == 0 && (op == TensorOp::Embedding || op == TensorOp::Dispatch);
}

Region readRegion(const OperandMap& map, const Region& join, const graph::Shape& operandShape) {
    Region region(map.size());
    for (std::size_t d = 0; d < map.size(); ++d) {
        const Interval whole{0, operandShape[d]};
        if (map[d].dimension == DimensionMap::kWhole) {
            region[d] = whole;
            continue;
        }
        const Interval& of = join[static_cast<std::size_t>(map[d].dimension)];
        region[d] = intersect(
            whole, {floorDivide(of.begin * map[d].multiply + map[d].first, map[d].divide),
                    floorDivide((of.end - 1) * map[d].multiply + map[d].last, map[d].divide) + 1});
    }
    return region;
}

} // namespace doppler::workload
