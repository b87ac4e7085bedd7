#pragma once

/// views/shell: the window around the views: menus, toolbar, docks, status bar, start page, files.

#include <QMainWindow>
#include <memory>

#include "views/running/RealRuns.h"
#include "views/shell/ActionTable.h"
#include "views/shell/Documents.h"
#include "views/shell/Exporter.h"
#include "views/shell/Placing.h"
#include "views/shell/Prompts.h"
#include "views/shell/Recovery.h"
#include "views/shell/ThemeChoice.h"
#include "views/training/TrainingRuns.h"
#include "views/workspace/SelectionHistory.h"
#include "views/workspace/Workspace.h"

class QDockWidget;
class QFrame;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace doppler::place {
struct RunRecord;
}

namespace doppler::views {

class DockTitle;
class DropOverlay;
class ElidedLabel;
class ExperimentsView;
struct ExperimentColumn;
class GanttView;
class TraceView;
class GraphView;
class Inspector;
class MessageArea;
class MessageStrip;
class MovedMarks;
class PlacementsView;
class ProblemFields;
class ReportDock;
class StartPage;
class StatusFields;
class TopBar;
class TrainingDock;

/// What a program may set before the window opens.
struct MainWindowOptions {
    /// Where unsaved work is kept aside; empty: the user's folder for this program.
    QString recoveryFolder;
    /// Where experiments and their runs are kept; empty: in the same folder.
    QString experimentsFolder;
    /// Answers the questions; null: dialogs.
    std::unique_ptr<Prompts> prompts;
    /// Methods that a newly opened graph is placed with; empty: the usual ones.
    QStringList firstMethods;
};

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(Appearance& appearance, MainWindowOptions options = {});
    ~MainWindow() override;

    Workspace& workspace() { return workspace_; }
    Documents& documents() { return documents_; }
    Placing& placing() { return placing_; }
    ActionTable& actions() { return actions_; }
    ThemeChoice& themeChoice() { return themeChoice_; }
    Recovery& recovery() { return recovery_; }
    RealRuns& realRuns() { return realRuns_; }
    TrainingRuns& trainings() { return trainings_; }
    TrainingDock& trainingDock() { return *training_; }
    MessageArea& messages() { return *messages_; }
    GraphView& graphView() { return *graph_; }
    GanttView& ganttView() { return *gantt_; }
    TraceView& traceView() { return *trace_; }
    PlacementsView& placementsView() { return *placements_; }
    StatusFields& statusFields() { return *status_; }
    StartPage& startPage() { return *start_; }
    ExperimentsView& experiments() { return *experiments_; }

    bool isStartPageShown() const;
    /// The mode that compares methods over graphs.
    bool areExperimentsShown() const;
    void showExperiments();
    /// Opens a session that a crashed window left behind, if there is one: at once where nothing
    /// else is to be opened, else only offers it.
    void offerRecovery(bool openAtOnce);

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    static constexpr DeviceId kKeyedDevices = 9; ///< keys 1 to 9

    void declareFileActions();
    void declareEditActions();
    void declareViewActions();
    void declareOtherActions();
    void declareTrainingActions();
    void declareRunActions();
    void buildMenus();
    void buildFileMenu();
    void buildViewMenu();
    void buildCentre();
    void buildDocks();
    void buildBars();
    void connectAll();

    QAction* declare(const QString& id, const QString& group, const QString& text,
                     const QList<QKeySequence>& keys, std::optional<IconName> icon,
                     std::function<void(bool)> run, bool checkable = false);
    /// The docks of the workbench.
    std::vector<QDockWidget*> docks() const;
    QDockWidget* makeDock(const QString& name, QWidget* body, Qt::DockWidgetArea area,
                          DockTitle** title);

    void showStartPage(bool show);
    void showPage(QWidget* page);
    void buildModes();
    void connectExperiments();
    void refreshExperimentsStatus();
    void openFromExperiment(const ExperimentColumn& column,
                            const std::shared_ptr<const place::RunRecord>& record);
    void problemOpened();
    void showTrace(const GanttTrack& track);
    void closeTrace();
    void refreshTitle();
    void refreshActions();
    void refreshDockTitles();
    void applyTheme();
    void showError(const QString& message);
    /// What a step merged, dropped or moved: a strip that stays until it is closed.
    MessageStrip* showReport(const QString& title, const QString& source, const QStringList& notes);
    void showNotKept(const QStringList& notes);
    void keepRecovered(const Recovery::Found& found);

    void openSource(const QString& source);
    void newFromWorkload();
    void importAssignment();
    void openSample(const QString& source);
    void chooseCluster(const QPoint& globalPosition);
    void clusterFromFile();
    void editCluster();
    void changeSimulation();
    void placeWithDialog();
    void placeWith(const PlaceChoice& choice);
    void runWithDialog();
    void runForReal(const RunChoice& choice);
    void trainWithDialog();
    void train(const TrainingSettings& settings);
    void fillPlaceMenu(QMenu& menu);
    void fillRecentMenu(QMenu& menu);
    void fillAssignMenu(QMenu& menu);
    void assignTo(DeviceId device);
    void togglePins();
    void stepTo(OpId op);
    void escape();
    void searchChanged(const QString& text);
    void searchStep(bool forward);
    void showKeys();
    void showAbout();
    void cycleDocks(int step);
    void resetLayout();
    void restoreLayout();
    void splitByDevices();
    void saveLayout();

    Appearance& appearance_;
    std::unique_ptr<Prompts> prompts_;
    QStringList firstMethods_;
    Workspace workspace_;
    Recovery recovery_;
    JobRunner quietJobs_; ///< autosave: outlives a change of problem
    Documents documents_;
    Exporter exporter_;
    Placing placing_;
    TrainingRuns trainings_;
    RealRuns realRuns_;
    ThemeChoice themeChoice_;
    SelectionHistory history_;
    ActionTable actions_;
    PlaceChoice lastChoice_;
    RunChoice lastRun_;
    QString nextCluster_; ///< chosen on the start page for the next graph

    QStackedWidget* pages_ = nullptr;
    StartPage* start_ = nullptr;
    ExperimentsView* experiments_ = nullptr;
    QString experimentsFolder_;
    QSplitter* splitter_ = nullptr;
    MessageArea* messages_ = nullptr;
    GraphView* graph_ = nullptr;
    GanttView* gantt_ = nullptr;
    TraceView* trace_ = nullptr;
    QFrame* traceFrame_ = nullptr; ///< below the timelines, or a page of its own without them
    PlacementsView* placements_ = nullptr;
    ReportDock* report_ = nullptr;
    Inspector* inspector_ = nullptr;
    TrainingDock* training_ = nullptr;
    MovedMarks* movedMarks_ = nullptr;
    QDockWidget* placementsDock_ = nullptr;
    QDockWidget* reportDock_ = nullptr;
    QDockWidget* inspectorDock_ = nullptr;
    QDockWidget* trainingDock_ = nullptr;
    DockTitle* placementsTitle_ = nullptr;
    DockTitle* reportTitle_ = nullptr;
    DockTitle* inspectorTitle_ = nullptr;
    DockTitle* trainingTitle_ = nullptr;
    ProblemFields* fields_ = nullptr;
    TopBar* top_ = nullptr;
    StatusFields* status_ = nullptr;
    DropOverlay* drop_ = nullptr;
    QToolButton* workbenchMode_ = nullptr;
    QToolButton* experimentsMode_ = nullptr;
    ElidedLabel* experimentsStatus_ = nullptr;
    QMenu* recentMenu_ = nullptr;
    QMenu* placeMenu_ = nullptr;
    QMenu* assignMenu_ = nullptr;
    QMenu* exportMenu_ = nullptr;
    QAction* exportTable_ = nullptr;
    QList<QAction*> dockToggles_;
    QByteArray dockState_;     ///< of the workbench, while the start page hides its docks
    bool splitChosen_ = false; ///< by hand, now or earlier
    bool closing_ = false;
};

} // namespace doppler::views
