#include "core/workload/OperandMap.h"

#include <algorithm>

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
    default:
        break;
    }
    return map;
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
