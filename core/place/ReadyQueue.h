#pragma once

#include <queue>
#include <vector>

#include "core/graph/Graph.h"
#include "core/place/Random.h"

namespace doppler::place {

/// The ops whose parents have all been taken, largest priority first, ties by chance.
class ReadyQueue {
public:
    ReadyQueue(const graph::Graph& graph, const std::vector<double>& priority, std::uint64_t seed)
        : graph_(graph), priority_(priority), random_(seed), missing_(priority.size()) {
        for (OpId op = 0; op < graph.opCount(); ++op) {
            missing_[static_cast<std::size_t>(op)] = graph.inDegree(op);
            if (graph.inDegree(op) == 0) {
                push(op);
            }
        }
    }

    bool empty() const { return ready_.empty(); }

    /// The next op; its children may become ready.
    OpId take() {
        const OpId op = ready_.top().op;
        ready_.pop();
        for (EdgeId edge = graph_.firstOutEdge(op); edge < graph_.endOutEdge(op); ++edge) {
            const OpId child = graph_.target(edge);
            if (--missing_[static_cast<std::size_t>(child)] == 0) {
                push(child);
            }
        }
        return op;
    }

private:
    struct Entry {
        double priority;
        std::uint64_t tie;
        OpId op;
        bool operator<(const Entry& other) const {
            return priority != other.priority ? priority < other.priority : tie < other.tie;
        }
    };

    void push(OpId op) {
        ready_.push({priority_[static_cast<std::size_t>(op)], random_.next(), op});
    }

    const graph::Graph& graph_;
    const std::vector<double>& priority_;
    Random random_;
    std::vector<int> missing_;
    std::priority_queue<Entry> ready_;
};

} // namespace doppler::place
