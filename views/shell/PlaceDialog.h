#pragma once

#include <QDialog>

#include "views/shell/Placing.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace doppler::views {

/// Placement > Place with...: method, budget, seed, runs.
class PlaceDialog : public QDialog {
    Q_OBJECT

public:
    explicit PlaceDialog(const PlaceChoice& start, QWidget* parent = nullptr);

    PlaceChoice choice() const;

private:
    void methodChanged();

    QComboBox* method_;
    QLabel* description_;
    QDoubleSpinBox* budget_;
    QSpinBox* seed_;
    QSpinBox* runs_;
    QPushButton* place_;
};

} // namespace doppler::views
