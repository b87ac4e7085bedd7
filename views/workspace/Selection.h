#pragma once

#include <QObject>
#include <set>
#include <vector>

#include "core/graph/Ids.h"

namespace doppler::views {

/// What is selected, current and under the pointer: shared by all views.
class Selection : public QObject {
    Q_OBJECT

public:
    explicit Selection(QObject* parent = nullptr);

    const std::set<OpId>& ops() const { return ops_; }
    bool contains(OpId op) const { return ops_.count(op) > 0; }
    /// The op that keys and the inspector act on: the last one clicked, or kNoOp.
    OpId current() const { return current_; }
    /// The device whose lane or chip is selected, or kNoDevice. Excludes selected ops.
    DeviceId device() const { return device_; }
    OpId hovered() const { return hovered_; }

    void select(OpId op);            ///< only this one
    void select(std::set<OpId> ops); ///< only these; current is the first unless kept
    void toggle(OpId op);
    void add(const std::set<OpId>& ops);
    void selectDevice(DeviceId device);
    void clear();
    void setHovered(OpId op); ///< kNoOp: nothing

Q_SIGNALS:
    void changed();
    void hoveredChanged();
    /// A view should bring the current op into sight (after search, links, keys).
    void revealRequested(doppler::OpId op);

public:
    /// Selects one op and asks the views to show it.
    void reveal(OpId op);

private:
    std::set<OpId> ops_;
    OpId current_ = kNoOp;
    DeviceId device_ = kNoDevice;
    OpId hovered_ = kNoOp;
};

} // namespace doppler::views
