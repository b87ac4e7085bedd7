#pragma once

#include <QWidget>
#include <vector>

#include "views/theme/Appearance.h"
#include "views/training/TrainingRun.h"

class QGridLayout;
class QLabel;

namespace doppler::views {

class ElidedLabel;

/// The numbers of a run: a name, a value, a remark each.
class TrainingFigures : public QWidget {
    Q_OBJECT

public:
    explicit TrainingFigures(const Appearance& appearance, QWidget* parent = nullptr);

    void setRun(const TrainingRun* run, Time bound);

private:
    struct Row {
        ElidedLabel* name;
        QLabel* value;
        ElidedLabel* remark;
    };

    void put(std::size_t row, const QString& value, const QString& remark = {});
    void applyTheme();

    const Appearance& appearance_;
    std::vector<Row> rows_;
};

} // namespace doppler::views
