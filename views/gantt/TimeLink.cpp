#include "views/gantt/TimeLink.h"

#include <algorithm>

#include "views/gantt/GanttPlot.h"

namespace doppler::views {

TimeLink::TimeLink(GanttPlot& leader, GanttPlot& follower, QObject* parent)
    : QObject(parent), leader_(leader), follower_(follower) {
    connect(&leader_, &GanttPlot::layoutChanged, this, [this] { follow(leader_, follower_); });
    connect(&follower_, &GanttPlot::layoutChanged, this, [this] { follow(follower_, leader_); });
}

void TimeLink::setOn(bool on) {
    if (on_ == on) {
        return;
    }
    on_ = on;
    if (on_) {
        follow(leader_, follower_);
    } else {
        leader_.setSharedAxis({});
        follower_.setSharedAxis({});
        follower_.fitAll();
    }
}

void TimeLink::share() {
    const SharedAxis a = leader_.ownAxis();
    const SharedAxis b = follower_.ownAxis();
    const SharedAxis both{std::max(a.end, b.end), std::max(a.chip, b.chip)};
    leader_.setSharedAxis(both);
    follower_.setSharedAxis(both);
}

void TimeLink::follow(const GanttPlot& changed, GanttPlot& other) {
    if (!on_ || busy_) {
        return;
    }
    busy_ = true;
    share();
    const GanttGeometry& range = changed.geometryOf();
    if (other.geometryOf().from() != range.from() || other.geometryOf().to() != range.to()) {
        other.setTimeRange(range.from(), range.to());
    }
    busy_ = false;
}

} // namespace doppler::views
