#pragma once

#include <QDialog>

#include "views/training/TrainingRun.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace doppler::views {

/// Asks how to train on the open problem.
class TrainingDialog : public QDialog {
    Q_OBJECT

public:
    /// `problemText`: what is trained on, e.g. "chainmm on p100x4, 76 ops".
    TrainingDialog(const TrainingSettings& start, const QString& problemText,
                   QWidget* parent = nullptr);

    TrainingSettings settings() const;

    /// What was chosen last, also by an earlier run of the program.
    static TrainingSettings stored();
    static void store(const TrainingSettings& settings);

private:
    void presetChanged();
    void check();
    void fit();
    void chooseFolder();
    void chooseCheckpoint();
    QWidget* withButton(QLineEdit* field, const QString& name, void (TrainingDialog::*choose)());

    QComboBox* preset_;
    QLabel* description_;
    QLineEdit* stages_;
    QComboBox* mode_;
    QDoubleSpinBox* budget_;
    QSpinBox* seed_;
    QCheckBox* polish_;
    QComboBox* system_;
    QComboBox* startFrom_;
    QLineEdit* checkpoint_; ///< to start from
    QWidget* checkpointRow_ = nullptr;
    QLineEdit* folder_;
    QLabel* problem_;
    QLabel* fault_; ///< why it cannot start
    QPushButton* train_ = nullptr;
};

} // namespace doppler::views
