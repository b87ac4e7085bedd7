#pragma once

#include <QWidget>

#include "core/place/ComparisonModes.h"
#include "views/experiments/ExperimentSession.h"
#include "views/experiments/ResultsModel.h"

class QComboBox;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace doppler::views {

class Appearance;
class BoxPlots;
class ElidedLabel;
class ExperimentPanel;
class PaneTitle;
class Prompts;
class ResultsTable;

/// The page of the experiments: choices at the left, the table of methods x graphs, and the spread
/// over seeds below it.
class ExperimentsView : public QWidget {
    Q_OBJECT

public:
    ExperimentsView(const QString& folder, Prompts& prompts, const Appearance& appearance,
                    QWidget* parent = nullptr);
    ~ExperimentsView() override;

    ExperimentSession& session() { return session_; }
    ResultsModel& model() { return *model_; }
    ResultsTable& table() { return *table_; }
    BoxPlots& plots() { return *plots_; }
    ExperimentPanel& panel() { return *panel_; }
    /// "24 runs of 48, 3 seeds, unit: the file's own units".
    QString statusText() const;
    /// Asks for a file and writes the table, as its ending says.
    void exportTable();
    /// Table and plots as one picture.
    bool writePictureTo(const QString& path, QString* error);

Q_SIGNALS:
    /// Someone wants to see a placement in the workbench.
    void openRequested(const ExperimentColumn& column,
                       std::shared_ptr<const place::RunRecord> record);
    void statusChanged();
    void failed(const QString& message);
    void written(const QString& path);

private:
    QWidget* buildPanel(Prompts& prompts);
    QWidget* buildTable();
    QWidget* buildPlots();
    void fillSetups();
    void chooseSetup(const QString& name);
    void newSetup(bool copy);
    void renameSetup();
    void removeSetup();
    void refresh();
    void refreshState();
    void refreshPlots();
    void refreshTexts();
    void writeTable(const QString& path, const place::Experiment& experiment,
                    const place::Comparison& comparison, const std::vector<place::ModePair>& modes);
    void openCell(const QModelIndex& index);
    void applyTheme();
    void splitByRows();
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

    Prompts& prompts_;
    const Appearance& appearance_;
    ExperimentSession session_;
    ResultsModel* model_ = nullptr;
    ExperimentPanel* panel_ = nullptr;
    ResultsTable* table_ = nullptr;
    BoxPlots* plots_ = nullptr;
    QStackedWidget* pages_ = nullptr; ///< table, or what to do first
    ElidedLabel* hint_ = nullptr;
    QSplitter* splitter_ = nullptr;
    PaneTitle* tableTitle_ = nullptr;
    PaneTitle* plotsTitle_ = nullptr;
    QComboBox* setups_ = nullptr;
    QToolButton* new_ = nullptr;
    QToolButton* more_ = nullptr;
    QComboBox* sort_ = nullptr;
    QComboBox* value_ = nullptr;
    QPushButton* sameScale_ = nullptr;
    QPushButton* picture_ = nullptr;
    bool splitChosen_ = false; ///< by hand
    JobRunner jobs_;           // last: waits for its threads before the rest goes
};

} // namespace doppler::views
