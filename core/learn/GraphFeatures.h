#pragma once

#include <string>
#include <vector>

#include "core/sim/Problem.h"

namespace doppler::learn {

/// Number of features of an edge: its transfer time as z-score, and as z-score of its logarithm.
inline constexpr int kEdgeFeatures = 2;

/// What the network sees of a problem: features of ops and edges, the edges both ways, and the
/// b-path and t-path of each op. Everything is scale-free: times are divided by the total work per
/// device (the unit).
struct GraphFeatures {
    /// `extended`: logarithms and positions beside the five features of the paper.
    GraphFeatures(const sim::Problem& problem, bool extended);

    int ops = 0;
    int edges = 0;
    int width = 0;            ///< features of an op
    std::vector<float> nodes; ///< ops x width
    std::vector<float> edge;  ///< edges x kEdgeFeatures, by EdgeId

    /// Edges that enter an op: inEdge[inBegin[v] .. inBegin[v + 1]), with their other ends.
    std::vector<int> inBegin, inEdge, inSource;
    /// Edges that leave an op are numbered in a row: outBegin[v] .. outBegin[v + 1].
    std::vector<int> outBegin, outTarget;

    /// The op after v on the longest way to the end (b-path), or kNoOp; ops on that way, v
    /// included.
    std::vector<OpId> bNext;
    std::vector<int> bLength;
    /// The op before v on the longest way from the start (t-path), or kNoOp.
    std::vector<OpId> tNext;
    std::vector<int> tLength;
    std::vector<OpId> order; ///< topological
};

/// Names of the features of an op, in order: what a checkpoint's weights were trained on.
std::vector<std::string> nodeFeatureNames(bool extended);

/// Mean work of all ops over the devices, divided by their number, in time units; at least 1.
double workPerDevice(const sim::Problem& problem);

} // namespace doppler::learn
