#include <algorithm>
#include <cmath>

#include "core/engine/Fidelity.h"
#include "core/place/Random.h"
#include "core/place/Registry.h"
#include "core/sim/Simulator.h"

namespace doppler::engine {

namespace {

struct Candidate {
    Time makespan = 0;
    sim::Assignment assignment;

    auto operator<=>(const Candidate&) const = default;
};

sim::Assignment annealed(const std::shared_ptr<const sim::Problem>& problem, std::uint64_t seed,
                         std::int64_t evaluations, const std::stop_token& stop) {
    place::PlaceRequest request;
    request.problem = problem;
    request.seed = seed;
    constexpr double kNoLimit = 3600; // the evaluations decide
    request.budgetSeconds = kNoLimit;
    request.maxEvaluations = evaluations;
    request.stop = stop;
    return place::makePlacer("anneal")->place(request).assignment;
}

/// Moves a share of the ops; `lean` of those go to one device, the others anywhere.
sim::Assignment disturbed(const sim::Problem& problem, sim::Assignment assignment, double share,
                          double lean, place::Random& random) {
    const auto favoured = static_cast<DeviceId>(random.below(problem.deviceCount()));
    for (OpId op = 0; op < problem.opCount(); ++op) {
        if (random.uniform() >= share || problem.pin(op) != kNoDevice) {
            continue;
        }
        assignment[static_cast<std::size_t>(op)] =
            random.uniform() < lean ? favoured
                                    : static_cast<DeviceId>(random.below(problem.deviceCount()));
    }
    return assignment;
}

/// Of all qualities, best first, each once.
std::vector<Candidate> candidatesAround(const std::shared_ptr<const sim::Problem>& problem,
                                        const sim::Assignment& best, int count, std::uint64_t seed,
                                        const std::stop_token& stop) {
    place::Random random(seed);
    sim::Simulator simulator(problem);
    std::vector<Candidate> candidates;
    const auto add = [&](sim::Assignment assignment) {
        candidates.push_back({simulator.makespan(assignment), std::move(assignment)});
    };
    add(best);
    add(disturbed(*problem, best, 1, 1, random)); // all on one device
    for (int i = 2; i < count && !stop.stop_requested(); ++i) {
        const double share = random.uniform();
        const double lean = random.uniform() < 0.5 ? 0 : random.uniform();
        add(disturbed(*problem, best, share, lean, random));
    }
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    return candidates;
}

} // namespace

std::vector<sim::Assignment>
assignmentsOfAllQualities(const std::shared_ptr<const sim::Problem>& problem, int count,
                          std::uint64_t seed, std::int64_t evaluations,
                          const std::stop_token& stop) {
    constexpr int kOutOf = 25; // as many candidates for each that is taken
    const sim::Assignment best = annealed(problem, seed, evaluations, stop);
    std::vector<Candidate> candidates = candidatesAround(problem, best, kOutOf * count, seed, stop);
    const auto least = static_cast<double>(candidates.front().makespan);
    const auto most = static_cast<double>(candidates.back().makespan);
    std::vector<sim::Assignment> assignments;
    for (int i = 0; i < count; ++i) {
        if (candidates.empty()) { // a tiny problem has no more
            assignments.push_back(assignments[static_cast<std::size_t>(i) % assignments.size()]);
            continue;
        }
        const double wanted = least + (most - least) * i / std::max(count - 1, 1);
        const auto nearest = std::min_element(
            candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) {
                return std::fabs(static_cast<double>(a.makespan) - wanted) <
                       std::fabs(static_cast<double>(b.makespan) - wanted);
            });
        assignments.push_back(std::move(nearest->assignment));
        candidates.erase(nearest);
    }
    return assignments;
}

} // namespace doppler::engine
