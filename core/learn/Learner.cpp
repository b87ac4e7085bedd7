#include "core/learn/Learner.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>

namespace doppler::learn {

namespace {

// The gradient of a batch is summed in so many parts, whatever the number of threads: sums of
// floats depend on their order.
constexpr int kChunks = 12;
constexpr int kNetworks = 2; // SEL and PLC
// Advantages beyond it count no more: one episode that went far astray must not outweigh the rest.
constexpr float kMostWeight = 3;
constexpr int kWell = 5;          // measurements
constexpr double kExploded = 1e6; // norm of the gradient
// Spread of makespans below which differences count as chance, as a share of their mean.
constexpr double kLeastSpread = 1e-4;

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

/// Adds the wall-clock time of its life to a sum.
class Stopwatch {
public:
    explicit Stopwatch(double& seconds) : seconds_(seconds) {}
    ~Stopwatch() { seconds_ += std::chrono::duration<double>(Clock::now() - begin_).count(); }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

private:
    using Clock = std::chrono::steady_clock;
    double& seconds_;
    Clock::time_point begin_ = Clock::now();
};

double meanOf(const std::vector<Time>& values) {
    double sum = 0;
    for (const Time value : values) {
        sum += static_cast<double>(value);
    }
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

/// All ops one after the other.
Time workOf(const sim::Problem& problem) {
    double work = 0;
    for (OpId op = 0; op < problem.opCount(); ++op) {
        work += problem.costs->meanCompute(op);
    }
    return std::max<Time>(std::llround(work), 1);
}

} // namespace

std::uint64_t mixSeeds(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    std::uint64_t state = a;
    state = sim::splitMix(state) ^ b;
    state = sim::splitMix(state) ^ c;
    return sim::splitMix(state);
}

Learner::Learner(const TrainOptions& options, const NetworkShape& shape, int threads, int niceness)
    : options_(options)
    , shape_(shape)
    , pool_(threads, niceness)
    , weights_(shape.size)
    , gradient_(shape.size)
    , adam_(shape.size)
    , chunks_(kChunks) {}

/// An ablation leaves one of the networks out.
bool Learner::uses(int network) const {
    return options_.mode != (network == 0 ? PolicyMode::PlcOnly : PolicyMode::SelOnly);
}

void Learner::encode(ProblemState& state, bool train) {
    const Stopwatch watch(times_.encoder);
    pool_.run(kNetworks, [&](int, int network) {
        if (uses(network)) {
            state.encoder.forward(network, weights_, state.tables, train);
        }
    });
    state.tables.prepare();
}

UpdateOutcome Learner::imitate(ProblemState& state, double rate) {
    encode(state, true);
    const int count = static_cast<int>(state.imitated.size());
    episodes_.resize(std::max(episodes_.size(), at(count)));
    UpdateOutcome outcome;
    {
        const Stopwatch watch(times_.rollouts);
        pool_.run(count, [&](int worker, int i) {
            episodes_[at(i)] = state.imitated[at(i)];
            state.rollouts[at(worker)].replay(state.tables, options_.mode, episodes_[at(i)]);
        });
    }
    for (int i = 0; i < count; ++i) {
        outcome.makespans.push_back(episodes_[at(i)].makespan);
    }
    outcome.mean = meanOf(outcome.makespans);
    const std::vector<float> weights(at(count), 1.0F);
    learn(state, count, weights, rate, {}, outcome);
    return outcome;
}

std::optional<Time> Learner::medianOf(ProblemState& state, const sim::Assignment& assignment,
                                      int repeats, std::uint64_t seed) {
    std::vector<Time> times;
    try {
        for (int i = 0; i < repeats; ++i) {
            times.push_back(state.system->evaluate(0, assignment, mixSeeds(seed, 7, at(i))));
        }
    } catch (const CannotRun& failure) {
        failure_ = failure.what();
        return std::nullopt;
    }
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                     times.end());
    return times[times.size() / 2];
}

std::optional<Time> Learner::measure(ProblemState& state, const sim::Assignment& assignment,
                                     std::uint64_t seed) {
    return medianOf(state, assignment, std::max(options_.systemRepeats, 1), seed);
}

std::optional<Time> Learner::measureWell(ProblemState& state, const sim::Assignment& assignment,
                                         std::uint64_t seed) {
    return medianOf(state, assignment, std::max(options_.systemRepeats, kWell), seed);
}

bool Learner::measureBatch(ProblemState& state, const Reinforcement& how,
                           const std::vector<std::size_t>& elites, UpdateOutcome& outcome) {
    const auto mayGoOn = [&] { return !how.mayGoOn || how.mayGoOn(); };
    const std::size_t batch = outcome.makespans.size();
    Time slowest = workOf(*state.problem);
    std::vector<Episode*> failed;
    const auto take = [&](Episode& episode, const std::optional<Time>& makespan) {
        episode.makespan = makespan.value_or(0);
        episode.lackingMemory = 0; // the run itself has shown whether it fits
        slowest = std::max(slowest, episode.makespan);
        if (!makespan) {
            failed.push_back(&episode);
        }
    };
    for (std::size_t i = 0; i < batch; ++i) {
        if (!mayGoOn()) {
            return false;
        }
        outcome.predicted[i] = episodes_[i].makespan;
        const auto makespan = measure(state, episodes_[i].assignment, mixSeeds(how.seed, 3, i));
        outcome.failed[i] = !makespan;
        take(episodes_[i], makespan);
    }
    std::map<std::size_t, std::optional<Time>> again;
    for (std::size_t i = 0; i < elites.size(); ++i) {
        Episode& episode = episodes_[batch + i];
        if (!again.contains(elites[i])) {
            if (!mayGoOn()) {
                return false;
            }
            again[elites[i]] = measure(state, episode.assignment, mixSeeds(how.seed, 4, elites[i]));
        }
        take(episode, again[elites[i]]);
    }
    if (how.withGreedy) {
        if (!mayGoOn()) {
            return false;
        }
        const auto makespan =
            measure(state, greedyEpisode_.assignment, mixSeeds(how.seed, 3, batch));
        outcome.greedy = makespan.has_value();
        take(greedyEpisode_, makespan);
    }
    for (Episode* episode : failed) {
        episode->makespan = 2 * slowest; // worse than any that ran
    }
    state.elites.revalue(again);
    return true;
}

UpdateOutcome Learner::reinforce(ProblemState& state, const Reinforcement& how) {
    encode(state, true);
    const int batch = options_.batch;
    place::Random random(mixSeeds(how.seed, 1, 0));
    std::vector<std::size_t> elites;
    for (int i = 0; i < options_.elitesPerUpdate && !state.elites.all().empty(); ++i) {
        elites.push_back(random.below(state.elites.all().size()));
    }
    const int extra = static_cast<int>(elites.size());
    episodes_.resize(at(batch + extra));
    UpdateOutcome outcome;
    outcome.makespans.resize(at(batch));
    outcome.predicted.resize(how.onSystem ? at(batch) : 0);
    outcome.failed.resize(at(batch));
    outcome.greedy = how.withGreedy;
    std::atomic<bool> over = false;
    {
        const Stopwatch watch(times_.rollouts);
        pool_.run(batch + extra + (how.withGreedy ? 1 : 0), [&](int worker, int i) {
            if (how.isOver && how.isOver()) {
                over = true;
                return;
            }
            Rollout& rollout = state.rollouts[at(worker)];
            if (i >= batch && i < batch + extra) {
                Episode& episode = episodes_[at(i)];
                const Elite& elite = state.elites.all()[elites[at(i - batch)]];
                episode.order = elite.order;
                episode.assignment = elite.assignment;
                episode.makespan = elite.makespan;
                rollout.replay(state.tables, options_.mode, episode);
                return;
            }
            const bool greedy = i >= batch;
            Episode& episode = greedy ? greedyEpisode_ : episodes_[at(i)];
            Choosing choosing = how.choosing;
            choosing.greedy = greedy;
            const std::uint64_t seed = mixSeeds(how.seed, 2, at(i));
            rollout.run(state.tables, choosing, seed, episode);
            episode.makespan = state.simulator->evaluate(worker, episode.assignment, seed);
            episode.lackingMemory = state.simulator->lackingMemory(worker, episode.assignment);
        });
        // What runs for real runs alone.
        outcome.cut = over || (how.onSystem && !measureBatch(state, how, elites, outcome));
    }
    if (outcome.cut) {
        return outcome;
    }
    std::vector<Time> judged;
    for (int i = 0; i < batch; ++i) {
        outcome.makespans[at(i)] = episodes_[at(i)].makespan;
        judged.push_back(episodes_[at(i)].judged());
    }
    outcome.mean = meanOf(outcome.makespans);
    outcome.judgedMean = meanOf(judged);
    if (how.withGreedy && how.beforeStep) {
        how.beforeStep(greedyEpisode_);
    }
    RunningBaseline batchBaseline;
    batchBaseline.add(judged, 1);
    const bool running = options_.runningBaseline > 0;
    std::vector<float> weights =
        advantages(running ? state.baseline : batchBaseline, outcome, extra);
    const bool mayLearn = !running || state.baseline.settled();
    if (!mayLearn) {
        std::fill(weights.begin(), weights.end(), 0.0F);
    }
    // Once measured, elites have new makespans: it is too late to drop the update.
    learn(state, batch + extra, weights, mayLearn ? how.rate : 0,
          how.onSystem ? std::function<bool()>() : how.isOver, outcome);
    if (outcome.cut) {
        return outcome;
    }
    if (running) {
        state.baseline.add(judged, options_.runningBaseline);
    }

    for (int i = 0; i < batch; ++i) {
        const Episode& episode = episodes_[at(i)];
        if (!outcome.failed[at(i)] && episode.fits()) {
            state.elites.offer(episode.makespan, episode.order, episode.assignment);
        }
    }
    if (how.withGreedy) {
        state.greedy = {};
    }
    if (outcome.greedy) {
        state.greedy.offer(greedyEpisode_.makespan, greedyEpisode_.assignment, Origin::Greedy,
                           greedyEpisode_.fits());
    }
    if (outcome.greedy && greedyEpisode_.fits()) {
        state.elites.offer(greedyEpisode_.makespan, greedyEpisode_.order,
                           greedyEpisode_.assignment);
    }
    return outcome;
}

std::vector<float> Learner::advantages(const RunningBaseline& baseline,
                                       const UpdateOutcome& outcome, int elites) const {
    const double scale = 1 / (baseline.spread() + kLeastSpread * baseline.mean + 1e-9);
    std::vector<float> weights;
    for (std::size_t i = 0; i < outcome.makespans.size() + at(elites); ++i) {
        const auto advantage = static_cast<float>(
            (baseline.mean - static_cast<double>(episodes_[i].judged())) * scale);
        const float least = i < outcome.makespans.size() ? -kMostWeight : 0;
        weights.push_back(std::clamp(advantage, least, kMostWeight));
    }
    return weights;
}

void Learner::learn(ProblemState& state, int count, const std::vector<float>& weights, double rate,
                    const std::function<bool()>& isOver, UpdateOutcome& outcome) {
    // Replayed elites come on top of the batch; they do not thin it out.
    const double scale = 1 / (static_cast<double>(outcome.makespans.size()) * state.rollout->ops);
    const int parts = std::min(count, kChunks);
    std::atomic<bool> over = false;
    {
        const Stopwatch watch(times_.gradient);
        pool_.run(parts, [&](int worker, int part) {
            TableGradient& gradient = chunks_[at(part)];
            gradient.reset(state.rollout->ops, shape_.hidden);
            for (int i = part; i < count; i += parts) {
                if (isOver && isOver()) {
                    over = true;
                    return;
                }
                const bool own = at(i) < outcome.makespans.size();
                state.heads[at(worker)].add(
                    state.tables, options_.mode, episodes_[at(i)],
                    static_cast<float>(static_cast<double>(weights[at(i)]) * scale),
                    own ? static_cast<float>(options_.entropy * scale) : 0.0F, gradient);
            }
        });
        outcome.cut = over;
        for (int part = 1; part < parts && !outcome.cut; ++part) {
            chunks_[0].add(chunks_[at(part)]);
        }
    }
    if (outcome.cut) {
        return;
    }
    int decisions = 0;
    int agreed = 0;
    for (int i = 0; i < count; ++i) {
        const Episode& episode = episodes_[at(i)];
        outcome.loss -= static_cast<double>(weights[at(i)]) * episode.logProbability * scale;
        if (at(i) < outcome.makespans.size()) {
            outcome.entropy += episode.entropy;
            decisions += episode.decisions;
            agreed += episode.agreed;
        }
    }
    outcome.entropy /= std::max(decisions, 1);
    outcome.agreement = static_cast<double>(agreed) / std::max(decisions, 1);

    const Stopwatch watch(times_.backward);
    pool_.run(kNetworks, [&](int, int network) {
        if (uses(network)) {
            state.encoder.backward(network, chunks_[0], gradient_);
        }
    });
    outcome.gradientNorm = clipNorm(gradient_, options_.clipNorm);
    outcome.sound = std::isfinite(outcome.loss) && outcome.gradientNorm <= kExploded;
    if (outcome.sound && rate > 0) {
        adam_.step(weights_, gradient_, rate);
    }
}

Time Learner::judgedGreedy(ProblemState& state, std::uint64_t seed) {
    encode(state, false);
    Episode episode;
    state.rollouts[0].run(state.tables, {.greedy = true, .mode = options_.mode}, seed, episode);
    episode.makespan = state.simulator->evaluate(0, episode.assignment, seed);
    episode.lackingMemory = state.simulator->lackingMemory(0, episode.assignment);
    return episode.judged();
}

void Learner::runGreedy(ProblemState& state, bool onSystem, std::uint64_t seed) {
    encode(state, false);
    state.rollouts[0].run(state.tables, {.greedy = true, .mode = options_.mode}, seed,
                          greedyEpisode_);
    const std::optional<Time> makespan =
        onSystem ? measureWell(state, greedyEpisode_.assignment, seed)
                 : state.simulator->evaluate(0, greedyEpisode_.assignment, seed);
    state.greedy = {};
    if (makespan) {
        state.greedy.offer(*makespan, greedyEpisode_.assignment, Origin::Greedy,
                           onSystem || state.fits(greedyEpisode_.assignment));
    }
}

} // namespace doppler::learn
