#include "core/place/ExactSearch.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/sim/JacksonBound.h"
#include "core/sim/PathLevels.h"

namespace doppler::place {

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

std::uint64_t bit(OpId op) {
    return std::uint64_t{1} << op;
}

/// True if exchanging the names of two devices changes nothing.
bool areTwins(const sim::Problem& problem, DeviceId a, DeviceId b) {
    const cost::CostTable& costs = *problem.costs;
    const cluster::Device& one = problem.cluster->device(a);
    const cluster::Device& other = problem.cluster->device(b);
    if (costs.deviceClass(a) != costs.deviceClass(b) || one.slots != other.slots ||
        one.capacityBytes != other.capacityBytes ||
        costs.linkClass(a, b) != costs.linkClass(b, a)) {
        return false;
    }
    for (DeviceId third = 0; third < problem.deviceCount(); ++third) {
        if (third != a && third != b &&
            (costs.linkClass(a, third) != costs.linkClass(b, third) ||
             costs.linkClass(third, a) != costs.linkClass(third, b))) {
            return false;
        }
    }
    return std::none_of(problem.pins.begin(), problem.pins.end(),
                        [&](DeviceId pin) { return pin == a || pin == b; });
}

} // namespace

ExactSearch::ExactSearch(const sim::Problem& problem, bool useBounds, Hooks hooks)
    : problem_(problem)
    , graph_(*problem.graph)
    , useBounds_(useBounds)
    , hooks_(std::move(hooks))
    , ancestors_(at(problem.opCount()), 0)
    , assignment_(at(problem.opCount()), kNoDevice)
    , heads_(at(problem.opCount()), 0)
    , opsOn_(at(problem.deviceCount()), 0)
    , listOn_(at(problem.deviceCount())) {
    orderOps();
    findTails();
    findTwins();
}

/// Topological, the longest way to the end first: conflicts show early.
void ExactSearch::orderOps() {
    const std::vector<double> level = sim::bLevels(problem_);
    order_ = graph_.topologicalOrder();
    for (const OpId op : order_) {
        for (const EdgeId edge : graph_.inEdges(op)) {
            const OpId parent = graph_.source(edge);
            ancestors_[at(op)] |= ancestors_[at(parent)] | bit(parent);
        }
    }
    // Parents have no lower level; the stable sort keeps them first where levels are equal.
    std::stable_sort(order_.begin(), order_.end(),
                     [&](OpId a, OpId b) { return level[at(a)] > level[at(b)]; });
}

void ExactSearch::findTails() {
    const DeviceId devices = problem_.deviceCount();
    tails_.assign(at(problem_.opCount()) * at(devices), 0);
    const std::vector<OpId>& topological = graph_.topologicalOrder();
    for (auto op = topological.rbegin(); op != topological.rend(); ++op) {
        for (EdgeId edge = graph_.firstOutEdge(*op); edge < graph_.endOutEdge(*op); ++edge) {
            const OpId child = graph_.target(edge);
            for (DeviceId from = 0; from < devices; ++from) {
                Time least = std::numeric_limits<Time>::max();
                for (DeviceId to = 0; to < devices; ++to) {
                    if (allowed(child, to)) {
                        least = std::min(least, problem_.costs->transfer(edge, *op, from, to) +
                                                    problem_.costs->compute(child, to) +
                                                    tail(child, to));
                    }
                }
                Time& value = tails_[at(*op) * at(devices) + at(from)];
                value = std::max(value, least);
            }
        }
    }
}

void ExactSearch::findTwins() {
    twinBefore_.assign(at(problem_.deviceCount()), kNoDevice);
    // A placement held back for memory may depend on the numbers of devices.
    if (problem_.options.memory == sim::MemoryPolicy::Hold) {
        return;
    }
    for (DeviceId device = 1; device < problem_.deviceCount(); ++device) {
        for (DeviceId before = device; before-- > 0;) {
            if (areTwins(problem_, before, device)) {
                twinBefore_[at(device)] = before;
                break;
            }
        }
    }
}

Time ExactSearch::tail(OpId op, DeviceId device) const {
    return tails_[at(op) * at(problem_.deviceCount()) + at(device)];
}

bool ExactSearch::allowed(OpId op, DeviceId device) const {
    const DeviceId pin = problem_.pin(op);
    return pin == kNoDevice || pin == device;
}

bool ExactSearch::opensOutOfOrder(DeviceId device) const {
    const DeviceId twin = twinBefore_[at(device)];
    return opsOn_[at(device)] == 0 && twin != kNoDevice && opsOn_[at(twin)] == 0;
}

Time ExactSearch::run(Time best, Time atLeast) {
    best_ = best;
    stopped_ = false;
    const Time proved = search(0, useBounds_ ? atLeast : 0);
    return std::max(useBounds_ ? atLeast : 0, std::min(proved, best_));
}

/// The least start of `op` on `device`; its parents are placed.
Time ExactSearch::head(OpId op, DeviceId device) const {
    Time head = 0;
    for (const EdgeId edge : graph_.inEdges(op)) {
        const OpId parent = graph_.source(edge);
        const DeviceId from = assignment_[at(parent)];
        head = std::max(head, heads_[at(parent)] + problem_.costs->compute(parent, from) +
                                  problem_.costs->transfer(edge, parent, from, device));
    }
    const std::uint64_t before = ancestors_[at(op)] & opsOn_[at(device)];
    if (before == 0) {
        return head;
    }
    // One after the other, as they are released: no order ends sooner.
    const Time slots = problem_.cluster->device(device).slots;
    std::pair<Time, Time> jobs[kMostOps]; // head, time
    std::size_t count = 0;
    for (const OpId each : listOn_[at(device)]) {
        if ((before & bit(each)) != 0) {
            jobs[count++] = {heads_[at(each)] * slots, problem_.costs->compute(each, device)};
        }
    }
    std::sort(jobs, jobs + count);
    Time end = 0;
    for (std::size_t i = 0; i < count; ++i) {
        end = std::max(end, jobs[i].first) + jobs[i].second;
    }
    return std::max(head, (end + slots - 1) / slots);
}

Time ExactSearch::machineBound(DeviceId device, OpId op, Time head) const {
    const Time slots = problem_.cluster->device(device).slots;
    sim::MachineJob<Time> jobs[kMostOps];
    std::size_t count = 0;
    const auto add = [&](OpId each, Time from) {
        jobs[count++] = {from * slots, problem_.costs->compute(each, device),
                         tail(each, device) * slots};
    };
    for (const OpId each : listOn_[at(device)]) {
        add(each, heads_[at(each)]);
    }
    add(op, head);
    std::sort(jobs, jobs + count, [](const auto& a, const auto& b) { return a.head < b.head; });
    const Time bound = sim::jacksonBound<Time>(std::span<const sim::MachineJob<Time>>(jobs, count));
    return (bound + slots - 1) / slots;
}

Time ExactSearch::aheadBound(OpId child) const {
    Time least = std::numeric_limits<Time>::max();
    for (DeviceId device = 0; device < problem_.deviceCount(); ++device) {
        if (allowed(child, device)) {
            least = std::min(least, head(child, device) + problem_.costs->compute(child, device) +
                                        tail(child, device));
        }
    }
    return least;
}

Time ExactSearch::boundWith(OpId op, DeviceId device, Time head) const {
    const Time path = head + problem_.costs->compute(op, device) + tail(op, device);
    return std::max(path, machineBound(device, op, head));
}

std::vector<ExactSearch::Choice> ExactSearch::choices(OpId op, Time bound) {
    std::vector<Choice> result;
    for (DeviceId device = 0; device < problem_.deviceCount(); ++device) {
        if (!allowed(op, device) || opensOutOfOrder(device)) {
            continue;
        }
        Choice choice{bound, device, 0};
        if (useBounds_) {
            choice.head = head(op, device);
            choice.bound = std::max(bound, boundWith(op, device, choice.head));
        }
        result.push_back(choice);
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const Choice& a, const Choice& b) { return a.bound < b.bound; });
    return result;
}

/// A lower bound of the values of all completions, not above best_.
Time ExactSearch::search(std::size_t depth, Time bound) {
    stopped_ = stopped_ || !hooks_.goOn();
    if (stopped_) {
        return bound;
    }
    if (depth == order_.size()) {
        const std::optional<Time> value = hooks_.value(assignment_, best_ - 1);
        stopped_ = !value;
        best_ = std::min(best_, value.value_or(best_));
        return value ? best_ : bound;
    }
    const OpId op = order_[depth];
    Time proved = std::numeric_limits<Time>::max();
    for (const Choice& choice : choices(op, bound)) {
        Time below = choice.bound;
        if (below < best_) {
            assignment_[at(op)] = choice.device;
            heads_[at(op)] = choice.head;
            opsOn_[at(choice.device)] |= bit(op);
            listOn_[at(choice.device)].push_back(op);
            if (useBounds_) {
                for (EdgeId edge = graph_.firstOutEdge(op); edge < graph_.endOutEdge(op); ++edge) {
                    const OpId child = graph_.target(edge);
                    const auto in = graph_.inEdges(child);
                    const bool next = std::all_of(in.begin(), in.end(), [&](EdgeId each) {
                        return assignment_[at(graph_.source(each))] != kNoDevice;
                    });
                    if (next) {
                        below = std::max(below, aheadBound(child));
                    }
                }
            }
            if (below < best_) {
                below = search(depth + 1, below);
            }
            listOn_[at(choice.device)].pop_back();
            opsOn_[at(choice.device)] &= ~bit(op);
            assignment_[at(op)] = kNoDevice;
        }
        proved = std::min(proved, below);
    }
    return proved;
}

} // namespace doppler::place
