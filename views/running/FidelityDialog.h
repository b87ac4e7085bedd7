#pragma once

#include <QDialog>
#include <QPointer>

#include "core/engine/Fidelity.h"
#include "views/theme/Appearance.h"

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace doppler::views {

class FidelityPlot;
class Job;
class RealRuns;
class Workspace;

/// How well the simulator predicts: many placements of the open problem, simulated and run, each a
/// point beside the diagonal.
class FidelityDialog : public QDialog {
    Q_OBJECT

public:
    FidelityDialog(Workspace& workspace, const RealRuns& runs, const Appearance& appearance,
                   QWidget* parent = nullptr);
    ~FidelityDialog() override;

    void start();
    bool isRunning() const { return !job_.isNull(); }
    /// What it says below the plot.
    QString verdict() const;

private:
    void refresh();
    void showResult(const engine::Fidelity& fidelity, bool emulated, const QStringList& notes);

    Workspace& workspace_;
    const RealRuns& runs_;
    QComboBox* runtime_;
    QSpinBox* assignments_;
    QSpinBox* repeats_;
    FidelityPlot* plot_;
    QLabel* verdict_;
    QProgressBar* progress_;
    QPushButton* start_;
    QPointer<Job> job_;
};

} // namespace doppler::views
