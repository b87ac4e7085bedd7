#pragma once

#include <QWidget>

#include "views/theme/Appearance.h"
#include "views/training/TrainingRuns.h"
#include "views/workspace/Workspace.h"

class QComboBox;
class QLabel;
class QPushButton;
class QSlider;
class QStackedLayout;
class QToolButton;

namespace doppler::views {

class StageStepper;
class TrainingCurve;
class TrainingFigures;

/// The body of the Training dock: the stages, the curve and the figures of a run, and its
/// commands. The dock that holds it makes the title ("Training", then subtitle()).
class TrainingDock : public QWidget {
    Q_OBJECT

public:
    TrainingDock(Workspace& workspace, TrainingRuns& runs, Appearance& appearance,
                 QWidget* parent = nullptr);

    /// "doppler · fast, seed 1"; empty without a run.
    QString subtitle() const;
    bool hasRun() const { return shown_ != nullptr; }
    /// Asks for a file: the chart as a picture, or its points as CSV.
    void exportCurve();
    bool exportCurve(const QString& path, QString* error);
    /// Shown runs and what can be done with them.
    TrainingRun* shown() const { return shown_; }
    QSize sizeHint() const override { return {324, 560}; }

Q_SIGNALS:
    void subtitleChanged();
    void trainRequested();

private:
    QWidget* buildRun();
    QWidget* buildEmpty();
    void applyTheme();
    void runsChanged();
    void show(TrainingRun* run);
    void refresh();
    void refreshCurve();
    void refreshButtons();
    void refreshHistory();
    void copyCheckpoint();
    std::vector<std::pair<QString, Time>> baselines() const;

    Workspace& workspace_;
    TrainingRuns& runs_;
    Appearance& appearance_;
    TrainingRun* shown_ = nullptr;
    QStackedLayout* stack_;
    QWidget* empty_ = nullptr;
    QWidget* body_ = nullptr;
    QComboBox* chooser_ = nullptr;
    StageStepper* stepper_ = nullptr;
    QLabel* unit_ = nullptr;
    QLabel* legend_ = nullptr;
    TrainingCurve* curve_ = nullptr;
    QLabel* state_ = nullptr;
    QLabel* notes_ = nullptr;
    TrainingFigures* figures_ = nullptr;
    QComboBox* follow_ = nullptr;
    QSlider* history_ = nullptr;
    QLabel* historyText_ = nullptr;
    QToolButton* overlay_ = nullptr;
    QToolButton* logarithmic_ = nullptr;
    QPushButton* pause_ = nullptr;
    QPushButton* stop_ = nullptr;
    QPushButton* checkpoint_ = nullptr;
    QPushButton* again_ = nullptr;
};

} // namespace doppler::views
