#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/learn/Episode.h"

namespace doppler::learn {

/// An episode worth imitating: its choices and what they came to.
struct Elite {
    Time makespan = 0;
    std::vector<OpId> order;
    sim::Assignment assignment;

    bool operator==(const Elite&) const = default;
};

/// The best distinct placements seen, best first; equals in the order they came.
class Elites {
public:
    explicit Elites(int most) : most_(static_cast<std::size_t>(most)) {}

    void offer(Time makespan, const std::vector<OpId>& order, const sim::Assignment& assignment);

    /// Gives elites, by their index, new makespans; one without a makespan goes.
    void revalue(const std::map<std::size_t, std::optional<Time>>& makespans);

    const std::vector<Elite>& all() const { return elites_; }
    void restore(std::vector<Elite> elites) { elites_ = std::move(elites); }
    /// Empties it, e.g. where another evaluator makes the makespans mean something else.
    std::vector<Elite> takeAll() { return std::exchange(elites_, {}); }

private:
    std::size_t most_;
    std::vector<Elite> elites_;
};

} // namespace doppler::learn
