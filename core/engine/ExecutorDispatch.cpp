// Which of what is ready goes to the runtime.
#include <utility>

#include "core/engine/ExecutorRun.h"

namespace doppler::engine {

// Other lanes first: the thread that runs this loop may be the worker of `lastDevice`, which goes
// on with its own work only afterwards.
void Executor::Run::dispatch(DeviceId lastDevice) {
    dispatchCopies();
    for (DeviceId device = 0; device < problem_->deviceCount(); ++device) {
        if (device != lastDevice && wanted_[at(device)] != 0) {
            dispatchOps(device);
        }
    }
    if (lastDevice != kNoDevice) {
        dispatchOps(lastDevice);
    }
}

void Executor::Run::dispatchCopies() {
    const auto fits = [&](std::int32_t copy) {
        const PlannedCopy& planned = plan_->copies[at(copy)];
        const bool room = memory_.fits(planned.to, planned.bytes);
        if (!room) {
            held_[at(taskOfCopy(copy))] = 1;
        }
        return room;
    };
    while (!links_.empty() && !stopping_) {
        const std::int32_t copy = links_.take(fits);
        if (copy < 0) {
            return;
        }
        launchCopy(copy);
    }
}

void Executor::Run::launchCopy(std::int32_t copy) {
    const PlannedCopy& planned = plan_->copies[at(copy)];
    const std::int32_t task = taskOfCopy(copy);
    TaskRecord& record = records_[at(task)];
    const std::int32_t before = links_.lastOn(planned);
    record.order = dispatched_++;
    record.onLane = before < 0 ? -1 : taskOfCopy(before);
    record.freedBy = held_[at(task)] != 0 ? freedBy_[at(planned.to)] : -1;
    Buffer& destination = copies_[at(copy)];
    destination = runtime_.allocate(planned.to, planned.bytes, BufferUse::Copy);
    memory_.add(planned.to, planned.bytes);
    runtime_.copy({.copy = copy,
                   .op = planned.op,
                   .source = outputs_[at(planned.op)],
                   .destination = destination});
    ++running_;
}

void Executor::Run::dispatchOps(DeviceId device) {
    wanted_[at(device)] = 0;
    while (!freeSlots_[at(device)].empty() && !stopping_) {
        const OpId op = choose(device);
        if (op == kNoOp) {
            return;
        }
        launch(op);
    }
}

OpId Executor::Run::choose(DeviceId device) {
    if (!memory_.limited()) {
        return pools_.take(device);
    }
    return pools_.takeFitting(device, [&](OpId op) {
        const bool room = memory_.fits(device, problem_->graph->outputBytes(op));
        if (!room) {
            held_[at(op)] = 1;
        }
        return room;
    });
}

void Executor::Run::launch(OpId op) {
    const DeviceId device = deviceOf(op);
    std::vector<std::int32_t>& free = freeSlots_[at(device)];
    TaskRecord& record = records_[at(op)];
    record.order = dispatched_++;
    record.slot = free.back();
    record.onLane = std::exchange(lastInSlot_[at(device)][at(record.slot)], op);
    record.freedBy = held_[at(op)] != 0 ? freedBy_[at(device)] : -1;
    free.pop_back();

    const std::int64_t bytes = problem_->graph->outputBytes(op);
    Buffer& output = outputs_[at(op)];
    output = runtime_.allocate(device, bytes, BufferUse::Output);
    memory_.add(device, bytes);
    const std::int32_t first = plan_->firstOperand[at(op)];
    const std::int32_t end = plan_->firstOperand[at(op) + 1];
    for (std::int32_t k = first; k < end; ++k) {
        const OperandPlace& place = plan_->operands[at(k)];
        switch (place.kind) {
        case OperandPlace::Kind::Input:
            break;
        case OperandPlace::Kind::Output:
            operands_[at(k)] = outputs_[at(place.id)];
            break;
        case OperandPlace::Kind::Copy:
            operands_[at(k)] = copies_[at(place.id)];
            break;
        }
    }
    runtime_.launch(
        {.op = op,
         .device = device,
         .slot = record.slot,
         .output = output,
         .operands = std::span<const Buffer>(operands_).subspan(at(first), at(end - first))});
    ++running_;
}

} // namespace doppler::engine
