#include "core/engine/ExecutorRun.h"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <utility>

namespace doppler::engine {

namespace {

/// What real runs do, whatever is to be simulated.
std::shared_ptr<const sim::Problem> withRealOptions(const sim::Problem& problem,
                                                    const RuntimeInfo& info) {
    auto real = std::make_shared<sim::Problem>(problem);
    real->options = {.contention = info.contention,
                     .sharing = sim::TransferSharing::PerDestination,
                     .choice = problem.options.choice,
                     .memory = DeviceMemory(*problem.cluster).limited() ? sim::MemoryPolicy::Hold
                                                                        : sim::MemoryPolicy::Report,
                     .seed = problem.options.seed};
    return real;
}

} // namespace

Executor::Run::Run(std::shared_ptr<const sim::Problem> problem, Runtime& runtime)
    : problem_(withRealOptions(*problem, runtime.info()))
    , runtime_(runtime)
    , model_(*problem_)
    , memory_(*problem_->cluster)
    , links_(problem_->deviceCount(), runtime.info().contention) {
    const graph::Graph& graph = *problem_->graph;
    pools_.allocate(model_);
    isResult_.assign(at(graph.opCount()), 0);
    for (const OpId op : graph.outputs()) {
        isResult_[at(op)] = 1;
    }
    for (OpId op = 0; graph.outputs().empty() && op < graph.opCount(); ++op) {
        isResult_[at(op)] = graph.outDegree(op) == 0 ? 1 : 0;
    }
    for (const cluster::Device& device : problem_->cluster->devices()) {
        freeSlots_.emplace_back(at(device.slots));
        lastInSlot_.emplace_back(at(device.slots));
    }
    freedBy_.resize(freeSlots_.size());
    wanted_.resize(freeSlots_.size());
}

void Executor::Run::prepare(const sim::Assignment& assignment) {
    sim::checkAssignment(*problem_, assignment);
    plan_.reset(); // run() is refused until all of this has worked
    auto plan = std::make_unique<RunPlan>(*problem_, assignment);
    noRoom_.clear();
    try {
        runtime_.prepare(*problem_, assignment);
    } catch (const OutOfMemory& error) {
        noRoom_ = messageOf(error); // what run() then says
    }
    assignment_ = assignment;
    const std::size_t copies = plan->copies.size();
    records_.resize(at(problem_->opCount()) + copies);
    held_.resize(records_.size());
    outputs_.assign(at(problem_->opCount()), {});
    copies_.assign(copies, {});
    copyUsers_.resize(copies);
    operands_.assign(plan->operands.size(), {});
    inbox_.reserve(records_.size() + 2); // every end, start, cancel
    batch_.reserve(records_.size() + 2);
    plan_ = std::move(plan);
}

void Executor::Run::reset() {
    {
        const std::lock_guard lock(mutex_);
        inbox_.clear(); // a cancel that came when all was over
        draining_ = false;
    }
    std::fill(records_.begin(), records_.end(), TaskRecord{});
    std::fill(held_.begin(), held_.end(), std::uint8_t{0});
    std::fill(wanted_.begin(), wanted_.end(), std::uint8_t{0});
    std::fill(freedBy_.begin(), freedBy_.end(), -1);
    missing_ = model_.inDegree;
    users_ = plan_->users;
    for (std::size_t copy = 0; copy < copyUsers_.size(); ++copy) {
        copyUsers_[copy] = plan_->copies[copy].consumers;
    }
    for (std::size_t device = 0; device < freeSlots_.size(); ++device) {
        const auto slots = static_cast<std::int32_t>(lastInSlot_[device].size());
        freeSlots_[device].clear();
        for (std::int32_t slot = slots - 1; slot >= 0; --slot) {
            freeSlots_[device].push_back(slot); // the lowest is taken first
        }
        std::fill(lastInSlot_[device].begin(), lastInSlot_[device].end(), kNoOp);
    }
    pools_.reset(model_, problem_->options.choice, problem_->options.seed, assignment_.data());
    memory_.reset(plan_->inputBytes);
    links_.reset(copies_.size());
    running_ = 0;
    left_ = problem_->opCount();
    dispatched_ = 0;
    current_ = -1;
    stopping_ = over_ = false;
    outcome_ = Outcome::Done;
    message_.clear();
    lacksMemory_ = false;
    ended_ = false;
}

Execution Executor::Run::run(const ExecutionOptions& options) {
    if (!plan_) {
        throw std::logic_error("Executor::run() without a prepared assignment");
    }
    if (!noRoom_.empty()) {
        return {
            .outcome = Outcome::Failed, .message = noRoom_, .lacksMemory = true, .timeline = {}};
    }
    reset();
    options_ = &options;
    runtime_.begin(*this);
    begin_ = runtime_.now();
    enqueue({.kind = Event::Kind::Start, .completion = {}});
    {
        const std::stop_callback cancel(
            options.stop, [this] { enqueue({.kind = Event::Kind::Cancel, .completion = {}}); });
        runtime_.serve([this] { return ended_.load(); });
    }
    releaseAll();
    Execution execution{
        .outcome = outcome_, .message = message_, .lacksMemory = lacksMemory_, .timeline = {}};
    if (outcome_ == Outcome::Done) {
        execution.timeline = buildTimeline(*problem_, assignment_, *plan_, records_);
        execution.timeline.peakMemory = memory_.peak();
    }
    return execution;
}

void Executor::Run::post(Completion completion) {
    enqueue({.kind = Event::Kind::Completed, .completion = std::move(completion)});
}

void Executor::Run::enqueue(Event event) {
    {
        const std::lock_guard lock(mutex_);
        inbox_.push_back(std::move(event));
        if (std::exchange(draining_, true)) {
            return; // whoever drains sees it
        }
    }
    drain();
}

void Executor::Run::drain() {
    Runtime& runtime = runtime_;
    while (true) {
        {
            const std::lock_guard lock(mutex_);
            batch_.clear();
            if (inbox_.empty()) {
                if (over_) {
                    break; // still draining: a late cancel must not end the run a second time
                }
                draining_ = false;
                return;
            }
            batch_.swap(inbox_);
        }
        for (Event& event : batch_) {
            try {
                handle(event);
            } catch (const OutOfMemory& error) {
                lacksMemory_ = lacksMemory_ || !stopping_;
                stopWith(Outcome::Failed, messageOf(error));
            } catch (const std::exception& error) {
                stopWith(Outcome::Failed, error.what());
            }
        }
        over_ = over_ || endsHere();
    }
    ended_ = true; // from here on `this` may be gone
    runtime.wake();
}

} // namespace doppler::engine
