#include <algorithm>

#include "core/graph/InputError.h"
#include "core/learn/Training.h"

namespace doppler::learn {

namespace {

SavedRecord saved(const Record& record) {
    SavedRecord result;
    if (record.assignment != nullptr) {
        result = {record.makespan, *record.assignment, record.by, record.fits};
    }
    return result;
}

Record restored(const SavedRecord& record, const ProblemState& state, bool onSystem) {
    Record result;
    if (!record.assignment.empty()) {
        sim::checkAssignment(*state.problem, record.assignment);
        result.offer(record.makespan, record.assignment, record.by,
                     onSystem || state.fits(record.assignment));
    }
    return result;
}

bool plansSystem(const TrainOptions& options) {
    return std::any_of(options.stages.begin(), options.stages.end(),
                       [](const StagePlan& plan) { return plan.stage == Stage::System; });
}

void checkEpisode(const Elite& elite, const sim::Problem& problem) {
    sim::checkAssignment(problem, elite.assignment);
    std::vector<int> missing;
    for (OpId op = 0; op < problem.opCount(); ++op) {
        missing.push_back(problem.graph->inDegree(op));
    }
    bool valid = elite.order.size() == missing.size();
    for (std::size_t i = 0; valid && i < elite.order.size(); ++i) {
        const OpId op = elite.order[i];
        valid = op < problem.opCount() && missing[static_cast<std::size_t>(op)] == 0;
        if (valid) {
            --missing[static_cast<std::size_t>(op)]; // not twice
            for (EdgeId e = problem.graph->firstOutEdge(op); e < problem.graph->endOutEdge(op);
                 ++e) {
                --missing[static_cast<std::size_t>(problem.graph->target(e))];
            }
        }
    }
    if (!valid) {
        throw InputError("checkpoint, an episode", "an order of ops that is none",
                         "a topological order of the graph");
    }
}

} // namespace

void Training::checkRequest() const {
    if (request_.problems.empty()) {
        throw InputError("training", "no problem", "at least one");
    }
    for (const auto& problem : request_.problems) {
        if (problem->opCount() == 0) {
            throw InputError("training on \"" + problem->graph->name() + "\"", "an empty graph",
                             "a graph with at least one op");
        }
    }
    const TrainOptions& options = request_.options;
    checkNetworkSize(options);
    if (options.batch < 1 || options.batch > 65536) {
        throw InputError("batch", std::to_string(options.batch), "1 to 65536");
    }
    if (options.stages.empty()) {
        throw InputError("stages", "none", "at least one");
    }
    if (plansSystem(options) && request_.system.size() != request_.problems.size()) {
        throw InputError("stage system", "nothing that executes",
                         "a runtime (or emulated testbed) for each problem");
    }
}

void Training::makeProblems() {
    const NetworkShape shape = networkShape(request_.options);
    learner_ =
        std::make_unique<Learner>(request_.options, shape, request_.threads, request_.niceness);
    for (std::size_t i = 0; i < request_.problems.size(); ++i) {
        problems_.push_back(std::make_unique<ProblemState>(
            request_.problems[i], request_.options, shape, learner_->pool().size(),
            i < request_.system.size() ? request_.system[i] : nullptr));
        if (i < request_.system.size()) {
            request_.system[i]->stopOn(request_.stop);
        }
    }
}

void Training::startAnew() {
    checkRequest();
    makeProblems();
    learner_->weights() = learner_->shape().initial(mixSeeds(request_.seed, 21, 0));
    if (!request_.init.empty()) {
        const Checkpoint init = readCheckpoint(request_.init);
        if (networkShape(init.options).weights != learner_->shape().weights) {
            throw InputError("checkpoint \"" + request_.init.string() + "\"",
                             "a network of hidden size " + std::to_string(init.options.hidden) +
                                 ", " + std::to_string(init.options.layers) + " layers and " +
                                 (init.options.extendedFeatures ? "extended" : "the paper's") +
                                 " features (preset " + init.options.preset + ")",
                             "hidden size " + std::to_string(request_.options.hidden) + ", " +
                                 std::to_string(request_.options.layers) + " layers and " +
                                 (request_.options.extendedFeatures ? "extended" : "the paper's") +
                                 " features (preset " + request_.options.preset + ")");
        }
        learner_->weights() = init.policyWeights();
        if (!init.note.empty()) {
            result_.notes.push_back(init.note);
        }
    }
    directory_.start(request_, hashes_);
    // From here on the run can be resumed, whatever ends it.
    Checkpoint first = checkpoint();
    directory_.save(first, request_);
}

void Training::resume(const Checkpoint& from) {
    request_.options = from.options;
    request_.seed = from.seed;
    checkProblems(from, request_.directory, request_.problems);
    checkRequest();
    makeProblems();
    for (std::size_t i = 0; i < problems_.size(); ++i) {
        const SavedProblem& source = from.problems[i];
        ProblemState& state = *problems_[i];
        if (plansSystem(request_.options) && state.system->name() != source.evaluator) {
            throw InputError("stage system of the run in \"" + request_.directory.string() + "\"",
                             "the evaluator \"" + state.system->name() + "\"",
                             "the one that the run began with, \"" + source.evaluator + "\"");
        }
        const bool onSystem = from.progress.onSystem; // there what was measured had fitted
        state.best = restored(source.best, state, onSystem);
        state.policy = restored(source.policy, state, onSystem);
        state.greedy = restored(source.greedy, state, onSystem);
        state.teacher = source.teacher;
        state.baseline = source.baseline;
        for (const Elite& elite : source.elites) {
            checkEpisode(elite, *state.problem);
        }
        state.elites.restore(source.elites);
        for (const Elite& elite : source.imitated) {
            checkEpisode(elite, *state.problem);
            Episode episode;
            episode.reset(state.rollout->ops);
            episode.order = elite.order;
            episode.assignment = elite.assignment;
            episode.makespan = elite.makespan;
            state.imitated.push_back(std::move(episode));
        }
    }
    learner_->weights() = from.weights;
    learner_->adam().restore(from.adamSteps, from.adamMean, from.adamSquare);
    bestWeights_ = from.best;
    progress_ = from.progress;
    secondsBefore_ = progress_.seconds;
    result_.notes = directory_.continueFrom(from, request_, hashes_);
    if (!from.note.empty()) {
        result_.notes.push_back(from.note);
    }
}

Checkpoint Training::checkpoint() const {
    Checkpoint result;
    result.programVersion = DOPPLER_VERSION;
    result.options = request_.options;
    result.seed = request_.seed;
    result.progress = progress_;
    for (std::size_t i = 0; i < problems_.size(); ++i) {
        const ProblemState& state = *problems_[i];
        SavedProblem& problem = result.problems.emplace_back();
        problem.graph = state.problem->graph->name();
        problem.hash = hashes_[i];
        problem.best = saved(state.best);
        problem.policy = saved(state.policy);
        problem.greedy = saved(state.greedy);
        problem.teacher = state.teacher;
        problem.baseline = state.baseline;
        problem.elites = state.elites.all();
        problem.evaluator = state.system != nullptr ? state.system->name() : "";
        for (const Episode& episode : state.imitated) {
            problem.imitated.push_back({episode.makespan, episode.order, episode.assignment});
        }
    }
    result.weights = learner_->weights();
    result.adamSteps = learner_->adam().steps();
    result.adamMean = learner_->adam().mean();
    result.adamSquare = learner_->adam().square();
    result.best = bestWeights_;
    return result;
}

} // namespace doppler::learn
