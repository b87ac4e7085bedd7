#pragma once

#include <QDialog>

#include "core/sim/SimOptions.h"

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QSpinBox;

namespace doppler::views {

/// Every choice of the simulator, with the presets on top.
class SimulationDialog : public QDialog {
    Q_OBJECT

public:
    explicit SimulationDialog(const sim::SimOptions& options, QWidget* parent = nullptr);

    sim::SimOptions options() const;
    void setOptions(const sim::SimOptions& options);

private:
    void showPreset();

    QComboBox* preset_;
    QComboBox* mode_;
    QComboBox* contention_;
    QComboBox* sharing_;
    QComboBox* choice_;
    QComboBox* memory_;
    QDoubleSpinBox* variation_;
    QSpinBox* cores_;
    QSpinBox* seed_;
};

} // namespace doppler::views
