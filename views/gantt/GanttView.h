#pragma once

/// views/gantt: the Timelines view: what ran where and when, and why it ended when it did.

#include <QWidget>

#include "views/theme/Appearance.h"
#include "views/workspace/Workspace.h"

namespace doppler::views {

/// Header bar and one or two timelines on one time axis.
class GanttView : public QWidget {
    Q_OBJECT

public:
    GanttView(Workspace& workspace, Appearance& appearance, QWidget* parent = nullptr);
};

} // namespace doppler::views
