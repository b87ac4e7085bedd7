#pragma once

#include <algorithm>
#include <vector>

#include "core/graph/Ids.h"

namespace doppler::sim {

/// Many first-in-first-out queues of edges, threaded through one array: an edge is in one queue
/// at most.
class EdgeQueues {
public:
    void allocate(std::size_t queues, int edges) {
        ends_.resize(queues);
        behind_.resize(static_cast<std::size_t>(edges));
    }

    void reset() { std::fill(ends_.begin(), ends_.end(), Ends{}); }

    /// kNoEdge where the queue is empty.
    EdgeId front(std::size_t queue) const { return ends_[queue].front; }
    EdgeId back(std::size_t queue) const { return ends_[queue].back; }
    /// The one behind `edge` in its queue, or kNoEdge.
    EdgeId behind(EdgeId edge) const { return behind_[static_cast<std::size_t>(edge)]; }

    void push(std::size_t queue, EdgeId edge) {
        Ends& ends = ends_[queue];
        behind_[static_cast<std::size_t>(edge)] = kNoEdge;
        if (ends.front == kNoEdge) {
            ends.front = edge;
        } else {
            behind_[static_cast<std::size_t>(ends.back)] = edge;
        }
        ends.back = edge;
    }

    /// kNoEdge where the queue is empty.
    EdgeId pop(std::size_t queue) {
        Ends& ends = ends_[queue];
        const EdgeId edge = ends.front;
        if (edge != kNoEdge) {
            ends.front = behind_[static_cast<std::size_t>(edge)];
        }
        return edge;
    }

    void remove(std::size_t queue, EdgeId edge) {
        EdgeId ahead = kNoEdge;
        for (EdgeId at = front(queue); at != edge; at = behind(at)) {
            ahead = at;
        }
        if (ahead == kNoEdge) {
            pop(queue);
            return;
        }
        behind_[static_cast<std::size_t>(ahead)] = behind(edge);
        if (back(queue) == edge) {
            ends_[queue].back = ahead;
        }
    }

private:
    struct Ends {
        EdgeId front = kNoEdge;
        EdgeId back = kNoEdge;
    };
    std::vector<Ends> ends_;
    std::vector<EdgeId> behind_;
};

} // namespace doppler::sim
