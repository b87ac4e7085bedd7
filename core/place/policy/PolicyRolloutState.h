#pragma once

#include <vector>

#include "core/place/policy/PolicyProblem.h"

namespace doppler::place {

/// Candidates (ops whose producers are placed), largest score first, ties by id.
class CandidateQueue {
public:
    explicit CandidateQueue(const graph::Graph& graph) : graph_(&graph) {}

    /// Forgets all and scores the ops anew: score(op).
    void reset(auto score) {
        const auto n = static_cast<std::size_t>(graph_->opCount());
        scores_.resize(n);
        missing_.resize(n);
        heap_.clear();
        for (OpId op = 0; op < graph_->opCount(); ++op) {
            scores_[static_cast<std::size_t>(op)] = score(op);
            missing_[static_cast<std::size_t>(op)] = graph_->inDegree(op);
            if (graph_->inDegree(op) == 0) {
                push(op);
            }
        }
    }
    bool empty() const { return heap_.empty(); }
    /// Takes the best; its consumers may become candidates.
    OpId take();

private:
    struct Entry {
        float score;
        OpId op;
    };
    static bool worse(const Entry& a, const Entry& b) {
        return a.score != b.score ? a.score < b.score : a.op > b.op;
    }
    void push(OpId op);

    const graph::Graph* graph_;
    std::vector<float> scores_;
    std::vector<std::int32_t> missing_;
    std::vector<Entry> heap_;
};

/// What is known of devices and ops while a rollout places op after op. Rows of per-device values
/// are `stride` long.
struct PolicyRolloutState {
    explicit PolicyRolloutState(const PolicyProblem& problem);

    void reset();
    /// Places `op` on `device`, as early as it can start there behind what is planned.
    template <std::size_t Stride>
    void commit(OpId op, DeviceId device);

    float* row(std::vector<float>& table, std::int32_t index) const {
        return table.data() + static_cast<std::size_t>(index) * p.stride;
    }

    const PolicyProblem& p;
    sim::Assignment device;      ///< [op]
    std::vector<float> free;     ///< [device]: when the next op could start
    std::vector<float> load;     ///< [device]: compute placed there
    std::vector<float> reserved; ///< [device]: the rest of clusters that began there
    int used = 0;                ///< devices that were opened, if interchangeable

    std::vector<float> arrive;         ///< [op][device]: when its placed inputs are there
    std::vector<float> inputsThere;    ///< [op][device]: transfer of its placed inputs made there
    std::vector<float> grandThere;     ///< [op][device]: the same one hop further back
    std::vector<float> consumersThere; ///< [op][device]: its consumers placed there
    std::vector<float> classThere;     ///< [class][device]: ops placed there
    std::vector<float> kindThere;
    std::vector<float> clusterThere; ///< [cluster][device]: compute placed there
    std::vector<float> grandPlaced;  ///< [op]: sum of its row of grandThere
    std::vector<float> consumersPlaced;

private:
    float takeSlot(DeviceId device, float ready, float duration);
    void reserve(OpId op, DeviceId device);

    std::vector<DeviceId> clusterHome_; // [cluster of the reserving clustering]
    std::vector<std::vector<float>> slotFree_;
};

} // namespace doppler::place
