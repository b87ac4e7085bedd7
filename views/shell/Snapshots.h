#pragma once

#include <QString>
#include <QStringList>

#include "views/shell/OpenDocument.h"

namespace doppler::views {

class Appearance;
class MainWindow;

/// What a run without anyone watching left behind, or why it failed.
struct SnapshotResult {
    QStringList files;
    QString error;
    bool badInput = false; ///< the error is the input's, not ours
};

/// The everyday job without a display: opens `request` in the window, waits until it is placed,
/// simulated and laid out, and writes pictures of the window in both themes, of the graph and of
/// the timelines, and the table of placements to `folder`; then a small experiment, of which it
/// writes the page and the table.
SnapshotResult writeSnapshots(MainWindow& window, Appearance& appearance,
                              const OpenRequest& request, const QString& folder);

/// The rows of the placements table in columns, best first, for a terminal.
QString placementsAsText(MainWindow& window);

} // namespace doppler::views
