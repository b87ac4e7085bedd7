#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/workload/ProgramWriter.h"

namespace doppler::workload {

/// Size of a convolution's or a pool's window, its stride, and whether the edges are padded so that
/// stride 1 keeps the size.
struct Window {
    std::int64_t rows = 3;
    std::int64_t columns = 3;
    std::int64_t stride = 1;
    bool same = true;
};

/// Convolution of images (n, c, h, w) with `filters` filters, without bias.
TensorId convolution(ProgramWriter& w, TensorId images, std::int64_t filters, const Window& window);

/// Scale and shift of each channel. Training: from the statistics of the batch, part by part; else
/// by two weights into which the statistics are folded.
TensorId batchNorm(ProgramWriter& w, TensorId images, bool training);

TensorId maxPool(ProgramWriter& w, TensorId images, const Window& window);
TensorId averagePool(ProgramWriter& w, TensorId images, const Window& window);

/// Mean over all pixels: (n, c, h, w) -> (n, c).
TensorId globalAverage(ProgramWriter& w, TensorId images);

/// Images of the same size, their channels one after the other.
TensorId concatChannels(ProgramWriter& w, const std::vector<TensorId>& parts);

} // namespace doppler::workload
