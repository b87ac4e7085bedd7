// What the executor does with one event: the ends of ops and copies, and what they make possible.
#include <algorithm>
#include <exception>
#include <utility>

#include "core/engine/ExecutorRun.h"

namespace doppler::engine {

void Executor::Run::handle(Event& event) {
    switch (event.kind) {
    case Event::Kind::Start:
        start();
        return;
    case Event::Kind::Cancel:
        if (!over_) {
            stopWith(Outcome::Cancelled, "cancelled");
        }
        return;
    case Event::Kind::Completed:
        --running_;
        event.completion.isCopy ? copyEnded(event.completion) : opEnded(event.completion);
        return;
    }
}

void Executor::Run::start() {
    for (DeviceId device = 0; device < problem_->deviceCount(); ++device) {
        if (!memory_.fits(device, 0)) {
            lacksMemory_ = true;
            stopWith(Outcome::Failed,
                     nameOf(device) + " lacks " +
                         std::to_string(memory_.used(device) - memory_.capacity(device)) +
                         " bytes: the graph inputs that its ops read take " +
                         std::to_string(memory_.used(device)) + ", it has " +
                         std::to_string(memory_.capacity(device)));
            return;
        }
    }
    for (const OpId op : model_.entryOps) {
        pools_.add(deviceOf(op), op, !memory_.limited());
        wanted_[at(deviceOf(op))] = 1;
    }
    dispatch(kNoDevice);
}

// The first reason to stop is the one that is told.
void Executor::Run::stopWith(Outcome outcome, std::string message) {
    if (!std::exchange(stopping_, true)) {
        outcome_ = outcome;
        message_ = std::move(message);
    }
}

bool Executor::Run::endsHere() {
    if (running_ > 0) {
        return false;
    }
    if (!stopping_ && left_ > 0) {
        lacksMemory_ = memory_.limited();
        stopWith(Outcome::Failed, blockedMessage());
    }
    return true;
}

void Executor::Run::opEnded(const Completion& completion) {
    const OpId op = completion.id;
    const DeviceId device = deviceOf(op);
    record(completion, op);
    freeSlots_[at(device)].push_back(records_[at(op)].slot);
    wanted_[at(device)] = 1;
    if (!completion.error.empty()) {
        stopWith(Outcome::Failed, "op \"" + problem_->graph->opName(op) + "\" on " +
                                      nameOf(device) + ": " + completion.error);
    }
    if (stopping_) {
        return;
    }
    --left_;
    emitInterval(op);
    if (options_->result && isResult_[at(op)] != 0) {
        options_->result(op, runtime_.read(outputs_[at(op)]));
    }
    for (std::int32_t copy = plan_->firstCopy[at(op)]; copy < plan_->firstCopy[at(op) + 1];
         ++copy) {
        links_.add(copy, plan_->copies[at(copy)]);
    }
    const graph::Graph& graph = *problem_->graph;
    for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
        if (plan_->copyOfEdge[at(edge)] < 0) {
            inputArrived(graph.target(edge));
        }
    }
    if (users_[at(op)] == 0) {
        release(outputs_[at(op)]);
    }
    dropOperands(op);
    dispatch(device);
}

void Executor::Run::copyEnded(const Completion& completion) {
    const std::int32_t copy = completion.id;
    const PlannedCopy& planned = plan_->copies[at(copy)];
    record(completion, taskOfCopy(copy));
    links_.give(copy, planned);
    if (!completion.error.empty()) {
        stopWith(Outcome::Failed, "the transfer of \"" + problem_->graph->opName(planned.op) +
                                      "\" from " + nameOf(planned.from) + " to " +
                                      nameOf(planned.to) + ": " + completion.error);
    }
    if (stopping_) {
        return;
    }
    emitInterval(taskOfCopy(copy));
    const graph::Graph& graph = *problem_->graph;
    for (EdgeId edge = graph.firstOutEdge(planned.op); edge < graph.endOutEdge(planned.op);
         ++edge) {
        if (plan_->copyOfEdge[at(edge)] == copy) {
            inputArrived(graph.target(edge));
        }
    }
    dropUser(planned.op);
    dispatch(kNoDevice);
}

void Executor::Run::record(const Completion& completion, std::int32_t task) {
    current_ = task;
    records_[at(task)].start = completion.start - begin_;
    records_[at(task)].end = completion.end - begin_;
}

void Executor::Run::emitInterval(std::int32_t task) const {
    if (!options_->interval) {
        return;
    }
    const TaskRecord& record = records_[at(task)];
    sim::Interval interval{.slot = record.slot, .start = record.start, .end = record.end};
    if (task < problem_->opCount()) {
        interval.op = task;
        interval.device = deviceOf(task);
    } else {
        const PlannedCopy& planned = plan_->copies[at(task - problem_->opCount())];
        interval.op = planned.op;
        interval.device = planned.from;
        interval.to = planned.to;
    }
    options_->interval(interval);
}

void Executor::Run::inputArrived(OpId op) {
    if (--missing_[at(op)] == 0) {
        pools_.add(deviceOf(op), op, !memory_.limited());
        wanted_[at(deviceOf(op))] = 1;
    }
}

void Executor::Run::dropOperands(OpId op) {
    for (const EdgeId edge : problem_->graph->inEdges(op)) {
        const std::int32_t copy = plan_->copyOfEdge[at(edge)];
        if (copy < 0) {
            dropUser(problem_->graph->source(edge));
        } else if (--copyUsers_[at(copy)] == 0) {
            release(copies_[at(copy)]);
        }
    }
}

void Executor::Run::dropUser(OpId op) {
    if (--users_[at(op)] == 0) {
        release(outputs_[at(op)]);
    }
}

void Executor::Run::release(Buffer& buffer) {
    const Buffer released = std::exchange(buffer, {});
    memory_.remove(released.device, released.bytes);
    freedBy_[at(released.device)] = current_;
    wanted_[at(released.device)] = 1;
    runtime_.release(released);
}

void Executor::Run::releaseAll() {
    for (std::vector<Buffer>* buffers : {&outputs_, &copies_}) {
        for (Buffer& buffer : *buffers) {
            if (buffer.held()) {
                runtime_.release(std::exchange(buffer, {}));
            }
        }
    }
}

std::string Executor::Run::lacks(DeviceId device, const std::string& what,
                                 std::int64_t bytes) const {
    const std::int64_t free = memory_.capacity(device) - memory_.used(device);
    return nameOf(device) + " lacks " + std::to_string(bytes - free) + " bytes: " + what +
           " needs " + std::to_string(bytes) + ", and only " + std::to_string(free) + " of " +
           std::to_string(memory_.capacity(device)) + " are free";
}

// Nothing runs, so memory is what all that is ready waits for.
std::string Executor::Run::blockedMessage() const {
    const graph::Graph& graph = *problem_->graph;
    for (DeviceId device = 0; device < problem_->deviceCount(); ++device) {
        for (const OpId op : pools_.waiting(device)) {
            return lacks(device, "the output of \"" + graph.opName(op) + "\"",
                         graph.outputBytes(op));
        }
    }
    const std::int32_t copy = links_.oldest();
    if (copy < 0) {
        return "nothing is ready, though " + std::to_string(left_) + " ops have not run";
    }
    const PlannedCopy& planned = plan_->copies[at(copy)];
    return lacks(planned.to, "the copy of \"" + graph.opName(planned.op) + "\"", planned.bytes);
}

} // namespace doppler::engine
