#pragma once

#include <QWidget>

#include "core/graph/Ids.h"

namespace doppler::views {

class Appearance;
class Workspace;

/// The devices of the open problem as chips; a click selects one.
class DeviceLegend : public QWidget {
    Q_OBJECT

public:
    DeviceLegend(Workspace& workspace, const Appearance& appearance, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

private:
    int shownDevices() const;
    QRect chip(int device) const;
    DeviceId deviceAt(const QPoint& position) const;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

    Workspace& workspace_;
    const Appearance& appearance_;
};

} // namespace doppler::views
