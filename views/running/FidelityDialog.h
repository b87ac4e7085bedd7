#pragma once

#include "core/engine/Fidelity.h"
#include "views/running/MeasurementDialog.h"
#include "views/theme/Appearance.h"

class QSpinBox;

namespace doppler::views {

class FidelityPlot;
class RealRuns;

/// How well the simulator predicts: many placements of the open problem, simulated and run, each a
/// point beside the diagonal.
class FidelityDialog : public MeasurementDialog {
    Q_OBJECT

public:
    FidelityDialog(Workspace& workspace, const RealRuns& runs, const Appearance& appearance,
                   QWidget* parent = nullptr);

    void start() override;

protected:
    QString obstacle() const override;

private:
    void showResult(const engine::Fidelity& fidelity, bool emulated, const QStringList& notes);

    const RealRuns& runs_;
    QSpinBox* assignments_;
    QSpinBox* repeats_;
    FidelityPlot* plot_;
};

} // namespace doppler::views
