#pragma once

#include <cstdint>
#include <vector>

#include "core/sim/Problem.h"

namespace doppler::place {

/// Dense numbers of classes of ops that look alike: equal kind and costs, and producers and
/// consumers of equal classes, a few hops far (Weisfeiler and Leman 1968). Blocks of one operation
/// mostly share a class.
struct StructuralClasses {
    std::vector<std::int32_t> ofOp;
    std::vector<std::int32_t> sizes; ///< ops of each class
};

StructuralClasses structuralClasses(const sim::Problem& problem);

/// Ops of equal colour are a class, numbered in the order of the ops.
StructuralClasses classesOf(const std::vector<std::uint64_t>& colours);

} // namespace doppler::place
