#pragma once

#include <vector>

#include "views/docks/RowList.h"

namespace doppler::views {

/// What the makespan would be if the selected ops ran on each device: one bar a device, starting at
/// the bound, so that length is what can still be won. Click (or arrow keys and Enter) applies.
class WhatIfBars : public RowList {
    Q_OBJECT

public:
    WhatIfBars(Workspace& workspace, const Appearance& appearance, QWidget* parent = nullptr);

    /// `makespans` by device; `now` is the device all the ops run on, or kNoDevice.
    void setValues(std::vector<Time> makespans, DeviceId now);
    int count() const override { return static_cast<int>(makespans_.size()); }

Q_SIGNALS:
    void chosen(doppler::DeviceId device);
    /// The pointer or the keys rest on a device; kNoDevice: on none.
    void previewed(doppler::DeviceId device);

protected:
    void paintEvent(QPaintEvent* event) override;
    void activate(int row) override { Q_EMIT chosen(row); }
    void pressed(int row, const QPointF&) override { Q_EMIT chosen(row); }
    void highlightChanged(int row) override;

private:
    std::vector<Time> makespans_;
    DeviceId now_ = kNoDevice;
};

} // namespace doppler::views
