#include "core/learn/MessagePassing.h"

#include <vector>

#include "core/learn/Vectorised.h"

namespace doppler::learn {

namespace {

/// One direction: how the edges of an op are found, and which columns it uses.
struct Direction {
    const int* begin; ///< by op, into `other`
    const int* other; ///< the op at the other end
    const int* edge;  ///< id of the edge; null: the index itself
    int column;       ///< 0: edges that enter; 1: edges that leave
};

Direction direction(const GraphFeatures& graph, int column) {
    return column == 0
               ? Direction{graph.inBegin.data(), graph.inSource.data(), graph.inEdge.data(), 0}
               : Direction{graph.outBegin.data(), graph.outTarget.data(), nullptr, 1};
}

} // namespace

DOPPLER_VECTORISED void passMessages(const GraphFeatures& graph, const MessageArrays& in,
                                     float* out) {
    const int hidden = in.hidden;
    for (int column = 0; column < 2; ++column) {
        const Direction way = direction(graph, column);
        const float* weight0 = in.edgeWeight + column * hidden;
        const float* weight1 = weight0 + 2 * hidden;
        const float* bias = in.edgeBias + column * hidden;
        for (int op = 0; op < graph.ops; ++op) {
            float* result = out + (op * 2 + column) * hidden;
            const int first = way.begin[op];
            const int end = way.begin[op + 1];
            const float share = end > first ? 1.0F / static_cast<float>(end - first) : 0.0F;
            const float* target = in.ends + (op * 4 + column * 2 + 1) * hidden;
            for (int h = 0; h < hidden; h += kLanes) {
                const Floats8 own = *reinterpret_cast<const Floats8*>(target + h) +
                                    *reinterpret_cast<const Floats8*>(bias + h);
                const Floats8 w0 = *reinterpret_cast<const Floats8*>(weight0 + h);
                const Floats8 w1 = *reinterpret_cast<const Floats8*>(weight1 + h);
                Floats8 total = {};
                for (int i = first; i < end; ++i) {
                    const int edge = way.edge != nullptr ? way.edge[i] : i;
                    const float* source = in.ends + (way.other[i] * 4 + column * 2) * hidden;
                    const Floats8 sum = own + *reinterpret_cast<const Floats8*>(source + h) +
                                        w0 * graph.edge[static_cast<std::size_t>(edge) * 2] +
                                        w1 * graph.edge[static_cast<std::size_t>(edge) * 2 + 1];
                    const Floats8 low = sum * kLeakySlope;
                    total += sum > low ? sum : low;
                }
                *reinterpret_cast<Floats8*>(result + h) = total * share;
            }
        }
    }
}

DOPPLER_VECTORISED void passMessagesBackward(const GraphFeatures& graph, const MessageArrays& in,
                                             const float* gradient, float* ends, float* edgeWeight,
                                             float* edgeBias) {
    const int hidden = in.hidden;
    for (int column = 0; column < 2; ++column) {
        const Direction way = direction(graph, column);
        const float* weight0 = in.edgeWeight + column * hidden;
        const float* weight1 = weight0 + 2 * hidden;
        const float* bias = in.edgeBias + column * hidden;
        for (int h = 0; h < hidden; h += kLanes) {
            const Floats8 w0 = *reinterpret_cast<const Floats8*>(weight0 + h);
            const Floats8 w1 = *reinterpret_cast<const Floats8*>(weight1 + h);
            const Floats8 b = *reinterpret_cast<const Floats8*>(bias + h);
            Floats8 weight0Gradient = {};
            Floats8 weight1Gradient = {};
            Floats8 biasGradient = {};
            for (int op = 0; op < graph.ops; ++op) {
                const int first = way.begin[op];
                const int end = way.begin[op + 1];
                if (first == end) {
                    continue;
                }
                const int targetRow = (op * 4 + column * 2 + 1) * hidden + h;
                const Floats8 own = *reinterpret_cast<const Floats8*>(in.ends + targetRow) + b;
                const Floats8 full =
                    *reinterpret_cast<const Floats8*>(gradient + (op * 2 + column) * hidden + h) *
                    (1.0F / static_cast<float>(end - first));
                const Floats8 leaky = full * kLeakySlope;
                Floats8 targetGradient = {};
                for (int i = first; i < end; ++i) {
                    const int edge = way.edge != nullptr ? way.edge[i] : i;
                    const float e0 = graph.edge[static_cast<std::size_t>(edge) * 2];
                    const float e1 = graph.edge[static_cast<std::size_t>(edge) * 2 + 1];
                    const int sourceRow = (way.other[i] * 4 + column * 2) * hidden + h;
                    const Floats8 sum = own +
                                        *reinterpret_cast<const Floats8*>(in.ends + sourceRow) +
                                        w0 * e0 + w1 * e1;
                    const Floats8 low = sum * kLeakySlope;
                    const Floats8 each = sum > low ? full : leaky;
                    *reinterpret_cast<Floats8*>(ends + sourceRow) += each;
                    targetGradient += each;
                    weight0Gradient += each * e0;
                    weight1Gradient += each * e1;
                }
                *reinterpret_cast<Floats8*>(ends + targetRow) += targetGradient;
                biasGradient += targetGradient;
            }
            *reinterpret_cast<Floats8*>(edgeWeight + column * hidden + h) += weight0Gradient;
            *reinterpret_cast<Floats8*>(edgeWeight + (column + 2) * hidden + h) += weight1Gradient;
            *reinterpret_cast<Floats8*>(edgeBias + column * hidden + h) += biasGradient;
        }
    }
}

namespace {

// Sums along a path follow from the sum at the next op on it: in the order in which next ops come
// first.
template <typename Order>
void sumAlong(const Order& order, const std::vector<OpId>& next, const std::vector<int>& length,
              int hidden, const float* h, float* out) {
    std::vector<float> sums(order.size() * static_cast<std::size_t>(hidden));
    for (const OpId op : order) {
        float* sum = sums.data() + op * hidden;
        const OpId after = next[static_cast<std::size_t>(op)];
        const float* rest = after == kNoOp ? nullptr : sums.data() + after * hidden;
        const float share = 1.0F / static_cast<float>(length[static_cast<std::size_t>(op)]);
        for (int i = 0; i < hidden; ++i) {
            sum[i] = h[op * hidden + i] + (rest == nullptr ? 0.0F : rest[i]);
            out[op * 2 * hidden + i] = sum[i] * share;
        }
    }
}

// The other way round: what reaches an op's sum also reaches that of the next op.
template <typename Order>
void spreadAlong(const Order& order, const std::vector<OpId>& next, const std::vector<int>& length,
                 int hidden, const float* gradient, float* h) {
    std::vector<float> sums(order.size() * static_cast<std::size_t>(hidden));
    for (const OpId op : order) {
        float* sum = sums.data() + op * hidden;
        const OpId after = next[static_cast<std::size_t>(op)];
        float* rest = after == kNoOp ? nullptr : sums.data() + after * hidden;
        const float share = 1.0F / static_cast<float>(length[static_cast<std::size_t>(op)]);
        for (int i = 0; i < hidden; ++i) {
            sum[i] += gradient[op * 2 * hidden + i] * share;
            h[op * hidden + i] += sum[i];
            if (rest != nullptr) {
                rest[i] += sum[i];
            }
        }
    }
}

} // namespace

void pathMeans(const GraphFeatures& graph, int hidden, const float* h, float* out) {
    const std::vector<OpId> reversed(graph.order.rbegin(), graph.order.rend());
    sumAlong(reversed, graph.bNext, graph.bLength, hidden, h, out);
    sumAlong(graph.order, graph.tNext, graph.tLength, hidden, h, out + hidden);
}

void pathMeansBackward(const GraphFeatures& graph, int hidden, const float* gradient, float* h) {
    const std::vector<OpId> reversed(graph.order.rbegin(), graph.order.rend());
    spreadAlong(graph.order, graph.bNext, graph.bLength, hidden, gradient, h);
    spreadAlong(reversed, graph.tNext, graph.tLength, hidden, gradient + hidden, h);
}

} // namespace doppler::learn
