#pragma once

#include <optional>

#include "core/engine/Calibration.h"
#include "views/running/MeasurementDialog.h"
#include "views/theme/Appearance.h"

class QLineEdit;
class QSpinBox;

namespace doppler::views {

class CalibrationTables;
class Prompts;

/// Measures kernels and links of a runtime, shows them, and makes the open problem use them: as
/// profiled costs, kept in a cluster file or in the session alone.
class CalibrateDialog : public MeasurementDialog {
    Q_OBJECT

public:
    CalibrateDialog(Workspace& workspace, const Appearance& appearance, Prompts& prompts,
                    QWidget* parent = nullptr);

    void start() override;
    /// There is something measured that the open problem can use.
    bool canUse() const { return measured_.has_value() && !isRunning(); }
    /// Gives the open problem the measured cluster, which came from `source`; closes the dialog.
    void use(const QString& source);
    /// Asks for a file, writes the cluster with what was measured, and uses it.
    void saveAs();

protected:
    QString obstacle() const override;
    bool hasResult() const override { return measured_.has_value(); }
    void refresh() override;

private:
    /// What was measured, and on what.
    struct Measured {
        std::shared_ptr<const cluster::Cluster> cluster;
        QString source;
        engine::Calibration calibration;
        int sharedProcessors = 0;
    };

    void fillDevices();
    std::vector<std::string> graphs() const;
    void showResult(const Measured& measured);

    Prompts& prompts_;
    QComboBox* devices_;
    QLineEdit* also_;
    QSpinBox* rounds_;
    CalibrationTables* tables_;
    QPushButton* save_;
    QPushButton* use_;
    std::optional<Measured> measured_;
};

} // namespace doppler::views
