#include "views/layout/Separate.h"

namespace doppler::views {

namespace {
/// Boxes that touch and move together.
struct Block {
    double weight;
    double weightedWish; // of the wishes less the offset within the block's line
    std::size_t first;
    double position() const { return weightedWish / weight; }
};
} // namespace

// With the required distances subtracted as running offsets, "in order without overlap" becomes
// "not decreasing", and the problem is isotonic regression.
void separate(std::span<const LineBox> boxes, std::vector<double>& positions) {
    positions.resize(boxes.size());
    std::vector<Block> blocks;
    blocks.reserve(boxes.size());
    double offset = 0;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (i > 0) {
            offset += boxes[i - 1].room + boxes[i].room;
        }
        positions[i] = offset;
        Block block{boxes[i].weight, boxes[i].weight * (boxes[i].wish - offset), i};
        while (!blocks.empty() && blocks.back().position() > block.position()) {
            block.weight += blocks.back().weight;
            block.weightedWish += blocks.back().weightedWish;
            block.first = blocks.back().first;
            blocks.pop_back();
        }
        blocks.push_back(block);
    }
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        const std::size_t end = b + 1 < blocks.size() ? blocks[b + 1].first : boxes.size();
        for (std::size_t i = blocks[b].first; i < end; ++i) {
            positions[i] += blocks[b].position();
        }
    }
}

} // namespace doppler::views
