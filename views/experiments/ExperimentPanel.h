#pragma once

#include <QPointer>
#include <QWidget>
#include <vector>

#include "views/experiments/ExperimentSession.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QToolButton;
class QVBoxLayout;

namespace doppler::views {

class Appearance;
class CheckRow;
class ElidedLabel;
class FieldButton;
class Prompts;

/// The left side of the experiments: graphs, methods and settings, and the buttons that run them.
class ExperimentPanel : public QWidget {
    Q_OBJECT

public:
    ExperimentPanel(ExperimentSession& session, Prompts& prompts, const Appearance& appearance,
                    QWidget* parent = nullptr);

    QPushButton* runButton() const { return run_; }
    QPushButton* pauseButton() const { return pause_; }
    QPushButton* stopButton() const { return stop_; }
    QPushButton* exportButton() const { return export_; }
    void setWorkload(); ///< asks for one and adds it
    /// The graph that is open in the workbench, and its cluster, to be offered beside workloads and
    /// files; empty: none.
    void setOpenGraph(const QString& source, const QString& cluster);

Q_SIGNALS:
    void exportRequested();

private:
    QWidget* buildSettings();
    QWidget* buildButtons();
    QLabel* heading(const QString& text, QVBoxLayout* layout, QLabel** count, QWidget* extra);
    FieldButton* makeObjectiveField(QWidget* parent);
    void fillGraphs();
    void fillMethods();
    void refresh();
    void refreshRun();
    void change(const std::function<void(ExperimentSetup&)>& change);
    void addGraph(const QString& source);
    void openGraphMenu(int graph, const QPoint& position);
    void applyTheme();

    ExperimentSession& session_;
    Prompts& prompts_;
    const Appearance& appearance_;
    QWidget* choices_ = nullptr; ///< everything that must not change during a run
    QVBoxLayout* graphRows_ = nullptr;
    QVBoxLayout* methodRows_ = nullptr;
    std::vector<CheckRow*> graphs_;
    std::vector<CheckRow*> methods_;
    QLabel* graphCount_ = nullptr;
    QLabel* methodCount_ = nullptr;
    QToolButton* add_ = nullptr;
    QAction* addOpen_ = nullptr;
    ExperimentGraph open_; ///< in the workbench
    FieldButton* cluster_ = nullptr;
    FieldButton* objective_ = nullptr;
    QComboBox* costs_ = nullptr;
    QComboBox* modes_ = nullptr;
    QSpinBox* seeds_ = nullptr;
    QDoubleSpinBox* budget_ = nullptr;
    QWidget* line_ = nullptr; ///< above the buttons
    ElidedLabel* progressText_ = nullptr;
    QProgressBar* progress_ = nullptr;
    QPushButton* run_ = nullptr;
    QPushButton* pause_ = nullptr;
    QPushButton* stop_ = nullptr;
    QPushButton* export_ = nullptr;
    bool filling_ = false;
};

} // namespace doppler::views
