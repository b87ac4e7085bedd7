#pragma once

#include <QWidget>
#include <vector>

#include "views/theme/Appearance.h"
#include "views/workspace/Workspace.h"

namespace doppler::views {

/// What the makespan would be if the selected ops ran on each device: one bar a device, starting at
/// the bound, so that length is what can still be won. Click (or arrow keys and Enter) applies.
class WhatIfBars : public QWidget {
    Q_OBJECT

public:
    WhatIfBars(Workspace& workspace, const Appearance& appearance, QWidget* parent = nullptr);

    /// `makespans` by device; `now` is the device all the ops run on, or kNoDevice.
    void setValues(std::vector<Time> makespans, DeviceId now);
    /// Dims the bars until new values come.
    void setStale(bool stale);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void chosen(doppler::DeviceId device);
    /// The pointer or the keys rest on a device; kNoDevice: on none.
    void previewed(doppler::DeviceId device);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int rowAt(const QPointF& position) const;
    void setHighlighted(int row);

    Workspace& workspace_;
    const Appearance& appearance_;
    std::vector<Time> makespans_;
    DeviceId now_ = kNoDevice;
    int highlighted_ = -1;
    bool stale_ = false;
};

} // namespace doppler::views
