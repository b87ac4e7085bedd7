#pragma once

#include "views/docks/ReportSection.h"

namespace doppler::views {

struct Placement;

/// Where a run went otherwise than it was simulated, lane by lane.
struct LaneFacts {
    Time busy = 0;    ///< computing
    Time waiting = 0; ///< for inputs or memory
    Time sending = 0; ///< copies to other devices, added up
    Time end = 0;     ///< of its last op or copy
};

/// By device.
std::vector<LaneFacts> laneFacts(const sim::Timeline& timeline, const sim::Report& report);

/// The difference of the measured (or emulated) run and the simulated one for each device: time
/// computing, waiting, sending, and the end of its last work. A number and a bar from the middle,
/// to the right where the run took longer.
class LaneDifference : public ReportSection {
    Q_OBJECT

public:
    explicit LaneDifference(const Appearance& appearance, QWidget* parent = nullptr);

    /// Hides itself for a placement that was not run, or whose simulated times have no unit.
    void setPlacement(const std::shared_ptr<const sim::Problem>& problem,
                      const Placement* placement);

protected:
    QString remark() const override;
    double bodyHeight() const override;
    void paintBody(QPainter& painter, const QRectF& body) override;
    void update() override;
    QString toolTipAt(QPointF position) const override;

private:
    struct Column {
        QString title;
        QString meaning; ///< in a tooltip
        Time LaneFacts::*value;
    };

    static const std::vector<Column>& columns();
    Time difference(DeviceId device, const Column& column) const;
    Time largestDifference() const;
    void paintCell(QPainter& painter, const QRectF& cell, Time difference) const;

    bool emulated_ = false;
    std::vector<LaneFacts> simulated_;
    std::vector<LaneFacts> real_;
};

} // namespace doppler::views
