#pragma once

#include "core/learn/GraphFeatures.h"

namespace doppler::learn {

/// Mean messages over the edges of each op, both ways. `ends` is ops x 4 hidden (source and target
/// parts of edges that enter, then of edges that leave), `edgeWeight` kEdgeFeatures x 2 hidden,
/// `edgeBias` 2 hidden; `out` is ops x 2 hidden: [in, out], 0 where there is no edge.
struct MessageArrays {
    int hidden = 0;
    const float* ends = nullptr;
    const float* edgeWeight = nullptr;
    const float* edgeBias = nullptr;
};

void passMessages(const GraphFeatures& graph, const MessageArrays& in, float* out);

/// Gradients of passMessages for dL/dout = `gradient`, added to arrays of the inputs' shapes.
void passMessagesBackward(const GraphFeatures& graph, const MessageArrays& in,
                          const float* gradient, float* ends, float* edgeWeight, float* edgeBias);

/// Means of h (ops x hidden) over the b-path and over the t-path of each op: out is ops x 2 hidden.
void pathMeans(const GraphFeatures& graph, int hidden, const float* h, float* out);
/// Adds dL/dh for dL/dout = `gradient`.
void pathMeansBackward(const GraphFeatures& graph, int hidden, const float* gradient, float* h);

} // namespace doppler::learn
