#include "core/graph/EdgeBundles.h"

#include <algorithm>
#include <tuple>

namespace doppler::graph {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

/// Strongly connected parts by Tarjan's method, without recursion: a number per part, the same
/// for parts that depend on each other.
class Components {
public:
    Components(int parts, const std::vector<EdgeBundle>& bundles)
        : bundles_(bundles)
        , begin_(at(parts) + 1, 0)
        , index_(at(parts), -1)
        , low_(at(parts), 0)
        , component_(at(parts), -1) {
        for (const EdgeBundle& bundle : bundles) {
            ++begin_[at(bundle.source) + 1];
        }
        for (std::size_t i = 1; i < begin_.size(); ++i) {
            begin_[i] += begin_[i - 1];
        }
        for (std::int32_t part = 0; part < parts; ++part) {
            if (index_[at(part)] < 0) {
                visit(part);
            }
        }
    }

    std::int32_t of(std::int32_t part) const { return component_[at(part)]; }

private:
    void visit(std::int32_t root) {
        std::vector<std::pair<std::int32_t, std::int32_t>> calls; // part, next bundle
        const auto enter = [&](std::int32_t part) {
            index_[at(part)] = low_[at(part)] = next_++;
            stack_.push_back(part);
            calls.emplace_back(part, begin_[at(part)]);
        };
        enter(root);
        while (!calls.empty()) {
            auto& [part, bundle] = calls.back();
            if (bundle < begin_[at(part) + 1]) {
                const std::int32_t target = bundles_[at(bundle++)].target;
                if (index_[at(target)] < 0) {
                    enter(target);
                } else if (component_[at(target)] < 0) {
                    low_[at(part)] = std::min(low_[at(part)], index_[at(target)]);
                }
                continue;
            }
            const std::int32_t done = part;
            calls.pop_back();
            if (!calls.empty()) {
                const std::int32_t caller = calls.back().first;
                low_[at(caller)] = std::min(low_[at(caller)], low_[at(done)]);
            }
            if (low_[at(done)] == index_[at(done)]) {
                std::int32_t member = -1;
                do {
                    member = stack_.back();
                    stack_.pop_back();
                    component_[at(member)] = count_;
                } while (member != done);
                ++count_;
            }
        }
    }

    const std::vector<EdgeBundle>& bundles_; // ordered by source
    std::vector<std::int32_t> begin_;
    std::vector<std::int32_t> index_;
    std::vector<std::int32_t> low_;
    std::vector<std::int32_t> component_;
    std::vector<std::int32_t> stack_;
    std::int32_t next_ = 0;
    std::int32_t count_ = 0;
};

} // namespace

void EdgeBundler::add(std::int32_t source, std::int32_t target, std::int64_t bytes) {
    if (source != target) {
        links_.push_back({source, target, 1, bytes, false});
    }
}

std::vector<EdgeBundle> EdgeBundler::bundles(const std::vector<double>& position) const {
    std::vector<EdgeBundle> links = links_;
    std::stable_sort(links.begin(), links.end(), [](const EdgeBundle& a, const EdgeBundle& b) {
        return std::tie(a.source, a.target) < std::tie(b.source, b.target);
    });
    std::vector<EdgeBundle> merged;
    for (const EdgeBundle& link : links) {
        if (!merged.empty() && merged.back().source == link.source &&
            merged.back().target == link.target) {
            merged.back().count += link.count;
            merged.back().bytes += link.bytes;
        } else {
            merged.push_back(link);
        }
    }
    const Components components(static_cast<int>(position.size()), merged);
    for (EdgeBundle& bundle : merged) {
        const auto place = [&](std::int32_t part) { return std::pair(position[at(part)], part); };
        bundle.backward = components.of(bundle.source) == components.of(bundle.target) &&
                          place(bundle.source) > place(bundle.target);
    }
    return merged;
}

} // namespace doppler::graph
