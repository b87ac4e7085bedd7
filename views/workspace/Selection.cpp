#include "views/workspace/Selection.h"

namespace doppler::views {

Selection::Selection(QObject* parent) : QObject(parent) {}

void Selection::select(OpId op) {
    select(std::set<OpId>{op});
}

void Selection::select(std::set<OpId> ops) {
    const OpId current = ops.count(current_) > 0 ? current_ : ops.empty() ? kNoOp : *ops.begin();
    if (ops == ops_ && current == current_ && device_ == kNoDevice) {
        return;
    }
    ops_ = std::move(ops);
    current_ = current;
    device_ = kNoDevice;
    Q_EMIT changed();
}

void Selection::toggle(OpId op) {
    device_ = kNoDevice;
    if (ops_.erase(op) > 0) {
        if (current_ == op) {
            current_ = ops_.empty() ? kNoOp : *ops_.begin();
        }
    } else {
        ops_.insert(op);
        current_ = op;
    }
    Q_EMIT changed();
}

void Selection::add(const std::set<OpId>& ops) {
    std::set<OpId> all = ops_;
    all.insert(ops.begin(), ops.end());
    select(std::move(all));
}

void Selection::selectDevice(DeviceId device) {
    if (device == device_) {
        return;
    }
    ops_.clear();
    current_ = kNoOp;
    device_ = device;
    Q_EMIT changed();
}

void Selection::clear() {
    if (ops_.empty() && device_ == kNoDevice) {
        return;
    }
    ops_.clear();
    current_ = kNoOp;
    device_ = kNoDevice;
    Q_EMIT changed();
}

void Selection::setHovered(OpId op) {
    if (op == hovered_) {
        return;
    }
    hovered_ = op;
    Q_EMIT hoveredChanged();
}

void Selection::reveal(OpId op) {
    select(op);
    Q_EMIT revealRequested(op);
}

} // namespace doppler::views
