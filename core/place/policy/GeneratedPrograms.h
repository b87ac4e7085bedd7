#pragma once

#include <memory>

#include "core/graph/Graph.h"
#include "core/workload/PortableRandom.h"

namespace doppler::place {

// Graphs of blocks of random tensor programs, with random sizes and partitions; costs as in the
// DOPPLER paper's graphs. May be of any size.

std::shared_ptr<const graph::Graph> randomTransformer(workload::PortableRandom& random);
std::shared_ptr<const graph::Graph> randomMatrixChain(workload::PortableRandom& random);
std::shared_ptr<const graph::Graph> randomFeedForward(workload::PortableRandom& random);

} // namespace doppler::place
