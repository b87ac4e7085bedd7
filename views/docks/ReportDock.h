#pragma once

#include <QWidget>

#include "views/theme/Appearance.h"
#include "views/workspace/Workspace.h"

class QLabel;
class QScrollArea;

namespace doppler::views {

class LaneDifference;
class ReportMemory;
class ReportTraffic;
class ReportUtilisation;

/// The body of the Report dock: utilisation, traffic and peak memory of the shown placement,
/// and where a run of it went otherwise. The
/// dock that holds it makes the title ("Report", then subtitle()) and the export button.
class ReportDock : public QWidget {
    Q_OBJECT

public:
    ReportDock(Workspace& workspace, Appearance& appearance, QWidget* parent = nullptr);

    /// Name of the shown placement; empty if there is none.
    QString subtitle() const;
    bool canExport() const;
    /// Asks for a file and writes what is shown as CSV.
    void exportCsv();
    /// Writes it; false with a sentence in `error`.
    bool exportCsv(const QString& path, QString* error) const;

Q_SIGNALS:
    void subtitleChanged();

private:
    void update();
    void selectTraffic(DeviceId from, DeviceId to);

    Workspace& workspace_;
    QScrollArea* scroll_;
    QLabel* empty_;
    ReportUtilisation* utilisation_;
    ReportTraffic* traffic_;
    ReportMemory* memory_;
    LaneDifference* lanes_; ///< of a run; hidden without one
    QString subtitle_;
};

} // namespace doppler::views
