#pragma once

#include <QDialog>

#include "views/running/RealRuns.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace doppler::views {

/// Asks how to run the shown placement.
class RunDialog : public QDialog {
    Q_OBJECT

public:
    RunDialog(const RealRuns& runs, const RunChoice& start, QWidget* parent = nullptr);

    RunChoice choice() const;

private:
    void runtimeChanged();

    const RealRuns& runs_;
    QComboBox* runtime_;
    QLabel* description_;
    QSpinBox* count_;
    QSpinBox* warmUps_;
    QCheckBox* check_;
    QSpinBox* seed_;
    QPushButton* run_ = nullptr;
};

} // namespace doppler::views
