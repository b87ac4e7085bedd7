#pragma once

#include <QDialog>

#include "core/place/Objective.h"

class QComboBox;
class QDoubleSpinBox;
class QSpinBox;

namespace doppler::views {

/// Every choice of what methods make small.
class ObjectiveDialog : public QDialog {
    Q_OBJECT

public:
    explicit ObjectiveDialog(const place::Objective& objective, QWidget* parent = nullptr);

    place::Objective objective() const;

private:
    QComboBox* measure_;
    QSpinBox* runs_;
    QDoubleSpinBox* traffic_;
    QComboBox* memory_;
};

} // namespace doppler::views
