#include "core/learn/Elites.h"

#include <algorithm>

namespace doppler::learn {

void Elites::offer(Time makespan, const std::vector<OpId>& order,
                   const sim::Assignment& assignment) {
    if (most_ == 0 || (elites_.size() == most_ && makespan >= elites_.back().makespan)) {
        return;
    }
    const bool known = std::any_of(elites_.begin(), elites_.end(), [&](const Elite& each) {
        return each.assignment == assignment;
    });
    if (known) {
        return;
    }
    const auto place =
        std::upper_bound(elites_.begin(), elites_.end(), makespan,
                         [](Time value, const Elite& each) { return value < each.makespan; });
    elites_.insert(place, {makespan, order, assignment});
    if (elites_.size() > most_) {
        elites_.pop_back();
    }
}

void Elites::revalue(const std::map<std::size_t, std::optional<Time>>& makespans) {
    for (auto each = makespans.rbegin(); each != makespans.rend(); ++each) { // indices stay right
        const auto& [index, makespan] = *each;
        if (makespan) {
            elites_.at(index).makespan = *makespan;
        } else {
            elites_.erase(elites_.begin() + static_cast<std::ptrdiff_t>(index));
        }
    }
    std::stable_sort(elites_.begin(), elites_.end(),
                     [](const Elite& a, const Elite& b) { return a.makespan < b.makespan; });
}

} // namespace doppler::learn
