#pragma once

#include <QObject>

namespace doppler::views {

class GanttPlot;

/// Keeps two plots on one time axis while it is on: zoom and pan of one are those of the other, and
/// all of both is all of each. Off, each has its own. Both must outlive it.
class TimeLink : public QObject {
    Q_OBJECT

public:
    TimeLink(GanttPlot& leader, GanttPlot& follower, QObject* parent = nullptr);

    bool isOn() const { return on_; }
    /// On: the second plot shows what the first one does.
    void setOn(bool on);

private:
    void share();
    void follow(const GanttPlot& changed, GanttPlot& other);

    GanttPlot& leader_;
    GanttPlot& follower_;
    bool on_ = false;
    bool busy_ = false; ///< a change of one plot is on its way to the other
};

} // namespace doppler::views
