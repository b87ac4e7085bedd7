#pragma once

#include <QWidget>

#include "views/theme/Appearance.h"
#include "views/workspace/Workspace.h"

namespace doppler::views {

/// The body of the Report dock: utilisation, traffic and peak memory of the shown placement. The
/// dock that holds it makes the title ("Report", then subtitle()) and the export button.
class ReportDock : public QWidget {
    Q_OBJECT

public:
    ReportDock(Workspace& workspace, Appearance& appearance, QWidget* parent = nullptr);

    /// Name of the shown placement.
    QString subtitle() const;
    /// Asks for a file and writes what is shown as CSV.
    void exportCsv();

Q_SIGNALS:
    void subtitleChanged();
};

} // namespace doppler::views
