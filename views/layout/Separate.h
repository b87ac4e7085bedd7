#pragma once

#include <span>
#include <vector>

namespace doppler::views {

/// One box on a line: where it would like to be, how much it insists, how much room it needs.
struct LineBox {
    double wish = 0;
    double weight = 1;
    double room = 0; ///< to each side of its centre
};

/// Positions in the given order, without overlap, with the least weighted sum of squared
/// distances from the wishes. Linear time (pool adjacent violators). `positions` gets as many
/// values as there are boxes.
void separate(std::span<const LineBox> boxes, std::vector<double>& positions);

} // namespace doppler::views
