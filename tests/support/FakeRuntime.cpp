#include "tests/support/FakeRuntime.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/engine/OutOfMemory.h"
#include "core/sim/MemoryUse.h"

namespace doppler::tests {

using engine::Buffer;

namespace {

std::size_t at(std::int64_t i) {
    return static_cast<std::size_t>(i);
}

} // namespace

FakeRuntime::FakeRuntime(FakeBehaviour behaviour)
    : behaviour_(std::move(behaviour)), random_(behaviour_.seed) {
    info_ = {.name = "fake", .emulated = true, .contention = behaviour_.contention, .notes = {}};
}

std::int64_t FakeRuntime::dice(std::int64_t least, std::int64_t most) {
    return least +
           static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(most - least + 1));
}

void FakeRuntime::blame(const std::string& what) {
    if (mistake_.empty()) {
        mistake_ = what;
    }
}

void FakeRuntime::prepare(const sim::Problem& problem, const sim::Assignment& assignment) {
    if (preparations_++ == behaviour_.fullPreparation) {
        throw engine::OutOfMemory(0, 4711, "an input");
    }
    graph_ = problem.graph;
    capacity_.clear();
    for (const cluster::Device& device : problem.cluster->devices()) {
        capacity_.push_back(device.capacityBytes);
    }
    held_.assign(capacity_.size(), 0);
    std::vector<std::uint8_t> seen(capacity_.size() * graph_->inputs().size());
    sim::addInputBytes(*graph_, assignment, seen, held_);
}

void FakeRuntime::begin(engine::CompletionSink& sink) {
    if (!pending_.empty() || !buffers_.empty()) {
        blame("a run begins while the one before has tasks or buffers left");
    }
    sink_ = &sink;
    launches_ = copies_ = allocations_ = deliveries_ = 0;
}

Buffer FakeRuntime::allocate(DeviceId device, std::int64_t bytes, engine::BufferUse) {
    if (allocations_ == behaviour_.fullAllocation) {
        throw engine::OutOfMemory(device, bytes, "a value");
    }
    if (allocations_++ == behaviour_.throwingAllocation) {
        throw std::runtime_error("fake: no memory");
    }
    held_[at(device)] += bytes;
    if (capacity_[at(device)] > 0 && held_[at(device)] > capacity_[at(device)]) {
        blame("more memory than device " + std::to_string(device) + " has");
    }
    auto contents = std::make_unique<Contents>();
    contents->bytes = bytes;
    contents->device = device;
    Contents* key = contents.get();
    buffers_[key] = std::move(contents);
    return {.data = key, .bytes = bytes, .device = device};
}

FakeRuntime::Contents* FakeRuntime::contentsOf(const Buffer& buffer, const std::string& what) {
    auto* key = static_cast<Contents*>(buffer.data);
    if (buffers_.count(key) == 0) {
        blame(what + " is a buffer that does not exist");
        return nullptr;
    }
    return key;
}

void FakeRuntime::release(const Buffer& buffer) {
    if (Contents* contents = contentsOf(buffer, "what is released")) {
        if (contents->users > 0) {
            blame("a buffer is released while a task uses it");
        }
        held_[at(contents->device)] -= contents->bytes;
        buffers_.erase(contents);
    }
}

void FakeRuntime::use(Pending& pending, const Buffer& buffer, OpId op, DeviceId device) {
    Contents* contents = contentsOf(buffer, "an operand");
    if (contents == nullptr) {
        return;
    }
    if (contents->op != op || contents->device != device || !contents->ready) {
        blame("an operand is not the finished output of " + graph_->opName(op) + " on device " +
              std::to_string(device));
    }
    ++contents->users;
    pending.reads.push_back(contents);
}

void FakeRuntime::add(Pending pending, const Buffer& output, OpId op, DeviceId device) {
    if (Contents* contents = contentsOf(output, "an output")) {
        if (contents->op != kNoOp || contents->device != device) {
            blame("an output buffer is not a fresh one on its device");
        }
        contents->op = op;
        ++contents->users;
        pending.writes = contents;
    }
    pending.completion.start = time_;
    pending.completion.end = time_ + dice(1, 50); // what a late completion will tell
    pending_.push_back(std::move(pending));
}

void FakeRuntime::launch(const engine::OpTask& task) {
    const int number = launches_++;
    if (number == behaviour_.throwingLaunch) {
        throw std::runtime_error("fake: launch refused");
    }
    Pending pending;
    pending.completion.id = task.op;
    pending.completion.error = number == behaviour_.failingOp ? "fake: kernel threw" : "";
    std::size_t k = 0;
    if (graph_->uses(task.op).empty()) {
        for (const EdgeId edge : graph_->inEdges(task.op)) {
            use(pending, task.operands[k++], graph_->source(edge), task.device);
        }
    }
    for (const graph::Use& operand : graph_->uses(task.op)) {
        if (!operand.fromInput) {
            use(pending, task.operands[k], operand.source, task.device);
        }
        ++k;
    }
    if (k != task.operands.size()) {
        blame("the number of operands is wrong");
    }
    add(std::move(pending), task.output, task.op, task.device);
}

void FakeRuntime::copy(const engine::CopyTask& task) {
    Pending pending;
    pending.completion.isCopy = true;
    pending.completion.id = task.copy;
    pending.completion.error = copies_++ == behaviour_.failingCopy ? "fake: copy failed" : "";
    use(pending, task.source, task.op, task.source.device);
    add(std::move(pending), task.destination, task.op, task.destination.device);
}

std::vector<std::byte> FakeRuntime::read(const Buffer& buffer) {
    const Contents* contents = contentsOf(buffer, "what is read");
    if (contents != nullptr && !contents->ready) {
        blame("an unfinished buffer is read");
    }
    return {};
}

void FakeRuntime::serve(const std::function<bool()>& ended) {
    while (!ended()) {
        if (behaviour_.beforeDelivery) {
            behaviour_.beforeDelivery(deliveries_);
        }
        if (ended()) {
            return;
        }
        if (pending_.empty()) {
            throw std::logic_error("the executor waits for nothing");
        }
        std::swap(pending_[at(dice(0, static_cast<std::int64_t>(pending_.size()) - 1))],
                  pending_.back());
        Pending done = std::move(pending_.back());
        pending_.pop_back();
        time_ += dice(1, 100);
        if (behaviour_.late) {
            time_ = std::max(time_, done.completion.end);
        } else {
            done.completion.end = time_;
        }
        for (Contents* contents : done.reads) {
            --contents->users;
        }
        if (done.writes != nullptr) {
            --done.writes->users;
            done.writes->ready = true;
        }
        ++deliveries_;
        sink_->post(std::move(done.completion));
    }
}

} // namespace doppler::tests
