#pragma once

#include <QDialog>
#include <QPointer>
#include <optional>

#include "core/engine/Calibration.h"
#include "views/theme/Appearance.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace doppler::views {

class CalibrationTables;
class Job;
class Prompts;
class Workspace;

/// Measures kernels and links of a runtime, shows them, and makes the open problem use them: as
/// profiled costs, kept in a cluster file or in the session alone.
class CalibrateDialog : public QDialog {
    Q_OBJECT

public:
    CalibrateDialog(Workspace& workspace, const Appearance& appearance, Prompts& prompts,
                    QWidget* parent = nullptr);
    ~CalibrateDialog() override;

    void start();
    bool isRunning() const { return !job_.isNull(); }
    /// There is something measured that the open problem can use.
    bool canUse() const { return measured_.has_value() && !isRunning(); }
    /// Gives the open problem the measured cluster, which came from `source`; closes the dialog.
    void use(const QString& source);
    /// Asks for a file, writes the cluster with what was measured, and uses it.
    void saveAs();
    /// What it says above the tables.
    QString verdict() const;

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
    QString obstacle() const;
    void refresh();
    void showResult(const Measured& measured);

    Workspace& workspace_;
    Prompts& prompts_;
    QComboBox* runtime_;
    QComboBox* devices_;
    QLabel* graph_;
    QLineEdit* also_;
    QSpinBox* rounds_;
    QLabel* verdict_;
    CalibrationTables* tables_;
    QProgressBar* progress_;
    QPushButton* start_;
    QPushButton* save_;
    QPushButton* use_;
    QPointer<Job> job_;
    std::optional<Measured> measured_;
};

} // namespace doppler::views
