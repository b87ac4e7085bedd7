#include "core/engine/Fidelity.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/engine/MachineLoad.h"
#include "core/engine/Statistics.h"
#include "core/place/Random.h"
#include "core/sim/Simulator.h"

namespace doppler::engine {

namespace {

template <typename T>
void shuffle(std::vector<T>& things, place::Random& random) {
    for (std::size_t i = things.size(); i > 1; --i) {
        std::swap(things[i - 1], things[random.below(i)]);
    }
}

class Measuring {
public:
    explicit Measuring(const FidelityRequest& request)
        : request_(request)
        , executor_(request.executed, *request.runtime)
        , countsAll_(request.anyLoad || request.runtime->info().emulated)
        , random_(request.seed) {}

    Fidelity run() {
        simulate();
        const int mostRounds = request_.warmUps + 3 * request_.repeats;
        for (int round = 0; round < mostRounds; ++round) {
            const bool counts = round >= request_.warmUps;
            std::vector<std::size_t> order = openRows();
            const bool hopeless =
                round >= request_.warmUps + request_.repeats && result_.accepted == 0;
            if (order.empty() || hopeless) {
                break;
            }
            shuffle(order, random_);
            for (std::size_t i = 0; i < order.size(); ++i) {
                tell(round, static_cast<double>(i) / static_cast<double>(order.size()));
                if (!runOnce(order[i], counts)) {
                    summarise();
                    return std::move(result_);
                }
            }
        }
        summarise();
        return std::move(result_);
    }

private:
    void simulate() {
        sim::Simulator simulator(request_.problem);
        for (const sim::Assignment& assignment : request_.assignments) {
            sim::checkAssignment(*request_.problem, assignment);
            result_.rows.push_back(
                {.simulated = simulator.makespan(assignment), .measured = {}, .makespans = {}});
        }
    }

    std::vector<std::size_t> openRows() const {
        std::vector<std::size_t> rows;
        for (std::size_t i = 0; i < result_.rows.size(); ++i) {
            if (static_cast<int>(result_.rows[i].makespans.size()) < request_.repeats) {
                rows.push_back(i);
            }
        }
        return rows;
    }

    void tell(int round, double share) const {
        if (!request_.progress) {
            return;
        }
        const int planned = request_.warmUps + request_.repeats;
        std::string text = round < request_.warmUps
                               ? "warming up"
                               : "round " + std::to_string(round - request_.warmUps + 1);
        if (result_.rejected > 0) {
            text += ", " + std::to_string(result_.rejected) + " runs rejected";
        }
        request_.progress(std::min(1.0, (round + share) / planned), text);
    }

    bool runOnce(std::size_t index, bool counts) {
        executor_.prepare(request_.assignments[index]);
        const MachineLoad before = countsAll_ ? MachineLoad{} : machineLoad();
        const Execution run = executor_.run({.stop = request_.stop});
        const MachineLoad after = countsAll_ ? MachineLoad{} : machineLoad();
        if (run.outcome != Outcome::Done) {
            result_.outcome = run.outcome;
            result_.message = run.message;
            return false;
        }
        if (!counts) {
            return true;
        }
        FidelityRow& row = result_.rows[index];
        const Time makespan = run.timeline.makespan;
        if (countsAll_ ||
            wasQuiet(before, after, makespan, copyTimeOf(run.timeline), request_.shared)) {
            row.makespans.push_back(static_cast<double>(makespan));
            ++result_.accepted;
        } else {
            ++row.rejected;
            ++result_.rejected;
        }
        return true;
    }

    void summarise() {
        constexpr std::size_t kLeastRuns = 3;
        // Who stops it early wants what there is.
        const std::size_t least =
            result_.outcome == Outcome::Cancelled
                ? 1
                : std::min(kLeastRuns, static_cast<std::size_t>(request_.repeats));
        std::vector<double> simulated;
        std::vector<double> measured;
        std::vector<double> errors;
        std::vector<std::vector<double>> repeats;
        for (FidelityRow& row : result_.rows) {
            if (row.makespans.size() < least) {
                continue;
            }
            const double middle = median(row.makespans);
            row.measured = std::llround(middle);
            simulated.push_back(static_cast<double>(row.simulated));
            measured.push_back(middle);
            errors.push_back(std::fabs(row.error()));
            repeats.push_back(row.makespans);
        }
        result_.measured = static_cast<int>(measured.size());
        if (!errors.empty()) {
            result_.medianError = median(errors);
            result_.worstError = *std::max_element(errors.begin(), errors.end());
        }
        result_.rankCorrelation = rankCorrelation(simulated, measured);
        result_.splitHalf = splitHalfCorrelation(repeats);
    }

    const FidelityRequest& request_;
    Executor executor_;
    bool countsAll_;
    place::Random random_;
    Fidelity result_;
};

} // namespace

double FidelityRow::error() const {
    const auto real = static_cast<double>(std::max<Time>(measured.value_or(1), 1));
    return static_cast<double>(simulated) / real - 1;
}

Fidelity measureFidelity(const FidelityRequest& request) {
    return Measuring(request).run();
}

} // namespace doppler::engine
