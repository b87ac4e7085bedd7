#pragma once

#include <QMenu>

#include "views/theme/Theme.h"
#include "views/workspace/Workspace.h"

namespace doppler::views {

/// Fills `menu` with what can be done to the selected ops: assign to a device, pin, select what is
/// related, copy names. The same menu in every view; with nothing selected it stays empty.
void fillOpMenu(QMenu& menu, Workspace& workspace, const Theme& theme);

} // namespace doppler::views
