// What the commands of the window do.

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QFileInfo>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QTableView>
#include <QVBoxLayout>

#include "core/graph/InputError.h"
#include "core/place/Registry.h"
#include "views/canvas/GraphCanvas.h"
#include "views/canvas/GraphView.h"
#include "views/cluster/ClusterEditor.h"
#include "views/docks/Inspector.h"
#include "views/docks/PlacementsView.h"
#include "views/docks/ReportDock.h"
#include "views/format/Format.h"
#include "views/gantt/GanttView.h"
#include "views/running/RunDialog.h"
#include "views/shell/AboutText.h"
#include "views/shell/KeysDialog.h"
#include "views/shell/MainWindow.h"
#include "views/shell/PlaceDialog.h"
#include "views/shell/ProblemFields.h"
#include "views/shell/SimulationDialog.h"
#include "views/shell/StartPage.h"
#include "views/shell/StatusFields.h"
#include "views/shell/TopBar.h"
#include "views/shell/WorkloadDialog.h"
#include "views/theme/DeviceMark.h"
#include "views/training/MovedMarks.h"
#include "views/training/TrainingDialog.h"
#include "views/training/TrainingDock.h"

namespace doppler::views {

namespace {

constexpr int kInspectorShare = 2; // of the height, while a policy learns
constexpr int kTrainingShare = 5;
constexpr double kBudgets[] = {1, 2, 5, 10, 30, 60}; // seconds

} // namespace

void MainWindow::connectAll() {
    connect(&appearance_, &Appearance::changed, this, &MainWindow::applyTheme);
    connect(&documents_, &Documents::opened, this, &MainWindow::problemOpened);
    connect(&documents_, &Documents::traceOpened, this, &MainWindow::showTrace);
    connect(&documents_, &Documents::failed, this, &MainWindow::showError);
    connect(&documents_, &Documents::imported, this,
            [this](const QString& source, const QStringList& notes) {
                showReport(tr("Import report"), source, notes);
            });
    connect(&workspace_, &Workspace::notKept, this, &MainWindow::showNotKept);
    connect(&documents_, &Documents::saved, this, [this](const QString& path) {
        recovery_.discard();
        refreshTitle();
        status_->showNotice(tr("Saved %1").arg(QFileInfo(path).fileName()));
    });
    connect(&exporter_, &Exporter::failed, this, &MainWindow::showError);
    connect(&exporter_, &Exporter::done, this, [this](const QString& path) {
        status_->showNotice(tr("Wrote %1").arg(QFileInfo(path).fileName()));
    });
    connect(&exporter_, &Exporter::lost, this, [this](const QString& path, const auto& notes) {
        showReport(tr("Export report"), QFileInfo(path).fileName(), notes);
    });
    connect(graph_, &GraphView::exportRequested, &exporter_,
            [this] { exporter_.graphPicture(graph_->canvas().scene()); });
    connect(graph_, &GraphView::notice, status_, &StatusFields::showNotice);
    connect(graph_, &GraphView::lassoModeChanged, actions_[QStringLiteral("edit.lasso")],
            &QAction::setChecked);
    connect(inspector_, &Inspector::moveGainsChanged, this,
            [this] { graph_->canvas().setMoveGain(inspector_->moveGains()); });
    connect(placements_, &PlacementsView::exportRequested, &exporter_, &Exporter::assignmentJson);
    connect(fields_, &ProblemFields::newWorkloadRequested, this, &MainWindow::newFromWorkload);
    connect(fields_, &ProblemFields::clusterFileRequested, this, &MainWindow::clusterFromFile);
    connect(fields_, &ProblemFields::clusterEditRequested, this, &MainWindow::editCluster);
    connect(fields_, &ProblemFields::simulationOptionsRequested, this,
            &MainWindow::changeSimulation);
    connect(fields_, &ProblemFields::failed, this, &MainWindow::showError);

    connect(start_, &StartPage::openRequested, &documents_, &Documents::openWithDialog);
    connect(start_, &StartPage::workloadRequested, this, &MainWindow::newFromWorkload);
    connect(start_, &StartPage::clusterRequested, this, &MainWindow::chooseCluster);
    connect(start_, &StartPage::sampleRequested, this, &MainWindow::openSample);
    connect(start_, &StartPage::recentRequested, &documents_, &Documents::openRecent);
    connect(start_, &StartPage::keysRequested, this, &MainWindow::showKeys);

    connect(top_->search(), &QLineEdit::textChanged, this, &MainWindow::searchChanged);
    connect(top_->search(), &QLineEdit::returnPressed, this,
            [this] { searchStep(!(QApplication::keyboardModifiers() & Qt::ShiftModifier)); });
    for (const auto signal : {&Workspace::problemChanged, &Workspace::modifiedChanged}) {
        connect(&workspace_, signal, this, &MainWindow::refreshTitle);
    }
    connect(&workspace_, &Workspace::graphChanged, this, [this] {
        top_->search()->clear();
        history_.clear();
        if (!workspace_.hasProblem()) {
            closeTrace();
        }
        if (!workspace_.hasProblem() && !areExperimentsShown()) {
            showStartPage(true);
        }
    });
    connect(&workspace_, &Workspace::placementsChanged, this, &MainWindow::refreshDockTitles);
    connect(report_, &ReportDock::subtitleChanged, this, &MainWindow::refreshDockTitles);
    connect(training_, &TrainingDock::subtitleChanged, this, &MainWindow::refreshDockTitles);
    connect(training_, &TrainingDock::trainRequested, this, &MainWindow::trainWithDialog);
    connect(&realRuns_, &RealRuns::runningChanged, this, &MainWindow::refreshActions);
    connect(&realRuns_, &RealRuns::failed, this, &MainWindow::showError);
    connect(&realRuns_, &RealRuns::done, this, [this](int placement) {
        if (placement == workspace_.currentId()) {
            gantt_->showReal();
        }
    });
    connect(&trainings_, &TrainingRuns::runsChanged, this, [this] {
        if (trainings_.active() != nullptr) {
            const bool hidden = !trainingDock_->isVisible();
            trainingDock_->show();
            trainingDock_->raise();
            if (hidden) {
                resizeDocks({inspectorDock_, trainingDock_}, {kInspectorShare, kTrainingShare},
                            Qt::Vertical);
            }
        }
        refreshActions();
    });
    connect(&trainings_, &TrainingRuns::runChanged, this, &MainWindow::refreshActions);
    connect(&trainings_, &TrainingRuns::followChanged, this, &MainWindow::refreshActions);
    connect(&trainings_, &TrainingRuns::followed, this, [this](Time makespan, const auto& moved) {
        movedMarks_->show(timeText(makespan, workspace_.problem()->costs->unit()), moved);
    });
    for (const auto signal : {&Workspace::problemChanged, &Workspace::currentChanged,
                              &Workspace::pinsChanged, &Workspace::placementsChanged}) {
        connect(&workspace_, signal, this, &MainWindow::refreshActions);
    }
    connect(&workspace_.selection(), &Selection::changed, this, &MainWindow::refreshActions);
    connect(&history_, &SelectionHistory::changed, this, &MainWindow::refreshActions);
    connect(&workspace_.undoStack(), &QUndoStack::indexChanged, this, &MainWindow::refreshActions);
    connectExperiments();
}

void MainWindow::applyTheme() {
    actions_.setTheme(appearance_.theme());
    exportTable_->setIcon(icon(IconName::Export, appearance_.theme()));
}

void MainWindow::openSource(const QString& source) {
    OpenRequest request;
    request.source = source;
    request.asksDimensions = true;
    if (!workspace_.hasProblem()) {
        request.cluster = nextCluster_;
    }
    documents_.open(request);
}

void MainWindow::openSample(const QString& source) {
    OpenRequest request;
    request.source = source;
    request.cluster = QStringLiteral("uniform:4");
    request.costs = cost::CostModel::Published;
    request.options = sim::SimOptions::published();
    documents_.open(request);
}

void MainWindow::newFromWorkload() {
    WorkloadDialog dialog(appearance_, this);
    if (dialog.exec() == QDialog::Accepted) {
        openSource(dialog.source());
    }
}

void MainWindow::importAssignment() {
    const QString path = prompts_->openPath(tr("Import an assignment"),
                                            tr("Assignments (*.json *.txt *.csv);;All files (*)"));
    if (!path.isEmpty()) {
        documents_.open(path);
    }
}

void MainWindow::chooseCluster(const QPoint& globalPosition) {
    QMenu menu(this);
    menu.setToolTipsVisible(true);
    ProblemFields::fillClusterMenu(menu, nextCluster_, [this](const QString& source) {
        nextCluster_ = source;
        start_->setCluster(source);
    });
    menu.addSeparator();
    connect(menu.addAction(tr("From a file…")), &QAction::triggered, this,
            &MainWindow::clusterFromFile);
    menu.exec(globalPosition);
}

void MainWindow::clusterFromFile() {
    const QString path =
        prompts_->openPath(tr("Open a cluster"), tr("Clusters (*.json);;All files (*)"));
    if (path.isEmpty()) {
        return;
    }
    if (workspace_.hasProblem()) {
        documents_.open(path);
        return;
    }
    try {
        io::openCluster(path.toStdString()); // says now what is wrong with it
        nextCluster_ = path;
        start_->setCluster(path);
    } catch (const InputError& error) {
        showError(QString::fromUtf8(error.what()));
    }
}

void MainWindow::editCluster() {
    ClusterEditor editor(*workspace_.problem()->cluster, appearance_, *prompts_, this);
    if (editor.exec() != QDialog::Accepted || *editor.cluster() == *workspace_.problem()->cluster) {
        return;
    }
    try {
        workspace_.changeProblem(editor.cluster(), editor.source(), workspace_.costModel(),
                                 workspace_.problem()->options);
    } catch (const InputError& error) {
        showError(QString::fromUtf8(error.what()));
    }
}

void MainWindow::changeSimulation() {
    SimulationDialog dialog(workspace_.problem()->options, this);
    if (dialog.exec() == QDialog::Accepted && dialog.options() != workspace_.problem()->options) {
        workspace_.changeProblem(workspace_.problem()->cluster, workspace_.clusterSource(),
                                 workspace_.costModel(), dialog.options());
    }
}

void MainWindow::placeWithDialog() {
    PlaceDialog dialog(lastChoice_, this);
    if (dialog.exec() == QDialog::Accepted) {
        placeWith(dialog.choice());
    }
}

void MainWindow::placeWith(const PlaceChoice& choice) {
    lastChoice_ = choice;
    Placing::storeChoice(choice);
    refreshActions();
    placing_.place(choice);
}

void MainWindow::runWithDialog() {
    RunDialog dialog(realRuns_, lastRun_, this);
    if (dialog.exec() == QDialog::Accepted) {
        runForReal(dialog.choice());
    }
}

void MainWindow::runForReal(const RunChoice& choice) {
    lastRun_ = choice;
    RealRuns::storeChoice(choice);
    realRuns_.run(choice);
    refreshActions();
}

void MainWindow::trainWithDialog() {
    if (!workspace_.hasProblem() || trainings_.active() != nullptr) {
        trainingDock_->show();
        trainingDock_->raise();
        return;
    }
    const sim::Problem& problem = *workspace_.problem();
    TrainingDialog dialog(TrainingDialog::stored(),
                          tr("%1 on %2: %3, %4")
                              .arg(documents_.title(), titleOf(workspace_.clusterSource()),
                                   countOf(problem.opCount(), tr("op")),
                                   countOf(problem.deviceCount(), tr("device"))),
                          this);
    if (dialog.exec() == QDialog::Accepted) {
        TrainingDialog::store(dialog.settings());
        train(dialog.settings());
    }
}

void MainWindow::train(const TrainingSettings& settings) {
    try {
        trainings_.start(settings);
    } catch (const InputError& error) {
        showError(QString::fromUtf8(error.what()));
    }
}

void MainWindow::fillPlaceMenu(QMenu& menu) {
    menu.clear();
    menu.setToolTipsVisible(true);
    const auto add = [this](QMenu& to, const QString& text, const PlaceChoice& choice) {
        QAction* action = to.addAction(text);
        connect(action, &QAction::triggered, this, [this, choice] { placeWith(choice); });
        return action;
    };
    for (const bool searches : {false, true}) {
        if (searches) {
            menu.addSeparator();
        }
        menu.addAction(searches ? tr("Searches") : tr("Rules, one pass"))->setEnabled(false);
        for (const place::PlacerInfo& info : place::placers()) {
            if (info.search != searches) {
                continue;
            }
            const QString name = QString::fromStdString(info.name);
            const QString description = QString::fromStdString(info.description);
            if (!searches) {
                add(menu, name, {name, lastChoice_.budgetSeconds, 1, 1})->setToolTip(description);
                continue;
            }
            QMenu* budgets = menu.addMenu(name);
            budgets->menuAction()->setToolTip(description);
            for (const double budget : kBudgets) {
                add(*budgets, tr("%1 s").arg(budget), {name, budget, 1, 1});
            }
        }
    }
    menu.addSeparator();
    menu.addAction(actions_[QStringLiteral("placement.dialog")]);
}

void MainWindow::fillRecentMenu(QMenu& menu) {
    menu.clear();
    menu.setToolTipsVisible(true);
    const std::vector<RecentEntry> entries = documents_.recent().entries();
    for (const RecentEntry& entry : entries) {
        QAction* action =
            menu.addAction(QStringLiteral("%1\t%2").arg(titleOf(entry.source), entry.summary));
        action->setToolTip(entry.source);
        connect(action, &QAction::triggered, this, [this, entry] { documents_.openRecent(entry); });
    }
    if (entries.empty()) {
        menu.addAction(tr("Nothing yet"))->setEnabled(false);
        return;
    }
    menu.addSeparator();
    connect(menu.addAction(tr("Forget these")), &QAction::triggered, this,
            [this] { documents_.recent().clear(); });
}

void MainWindow::fillAssignMenu(QMenu& menu) {
    menu.clear();
    for (DeviceId device = 0; device < workspace_.problem()->deviceCount(); ++device) {
        QString text = QString::fromStdString(workspace_.problem()->cluster->device(device).name);
        if (device < kKeyedDevices) {
            text += QStringLiteral("\t%1").arg(device + 1);
        }
        QAction* action = menu.addAction(deviceIcon(appearance_.theme(), device), text);
        action->setIconVisibleInMenu(true);
        connect(action, &QAction::triggered, this, [this, device] { assignTo(device); });
    }
}

void MainWindow::assignTo(DeviceId device) {
    const std::set<OpId>& ops = workspace_.selection().ops();
    if (workspace_.current() != nullptr && !ops.empty()) {
        workspace_.assign(ops, device);
    }
}

void MainWindow::togglePins() {
    const std::set<OpId>& ops = workspace_.selection().ops();
    const bool all =
        std::all_of(ops.begin(), ops.end(), [this](OpId op) { return workspace_.isPinned(op); });
    workspace_.setPinned(ops, !all);
    refreshActions();
}

void MainWindow::stepTo(OpId op) {
    if (op != kNoOp) {
        workspace_.selection().reveal(op);
    } else {
        status_->showNotice(tr("It waited for nothing"));
    }
}

void MainWindow::escape() {
    if (top_->search()->hasFocus()) {
        top_->search()->clear();
        graph_->setFocus();
    } else if (QAction* lasso = actions_[QStringLiteral("edit.lasso")]; lasso->isChecked()) {
        lasso->trigger();
    } else {
        workspace_.selection().clear();
    }
}

void MainWindow::searchChanged(const QString& text) {
    const int matches = graph_->find(text);
    top_->setSearchResult(text.isEmpty() ? QString() : tr("%1 found").arg(matches), matches > 0);
}

void MainWindow::searchStep(bool forward) {
    if (top_->search()->text().isEmpty()) {
        actions_[QStringLiteral("edit.find")]->trigger();
    } else {
        graph_->findNext(forward);
    }
}

void MainWindow::showKeys() {
    KeysDialog(actions_.keyLines(), appearance_, this).exec();
}

void MainWindow::showAbout() {
    QMessageBox box(this);
    box.setWindowTitle(tr("About Doppler Workbench"));
    box.setIconPixmap(applicationIcon().pixmap(QSize(64, 64), devicePixelRatioF()));
    box.setTextFormat(Qt::RichText);
    box.setText(aboutText());
    box.exec();
}

void MainWindow::cycleDocks(int step) {
    std::vector<QWidget*> stops;
    for (QWidget* each : std::initializer_list<QWidget*>{placements_->table(), graph_, gantt_,
                                                         report_, inspector_, training_}) {
        if (each->isVisible()) {
            stops.push_back(each);
        }
    }
    if (stops.empty()) {
        return;
    }
    const QWidget* focus = QApplication::focusWidget();
    int here = step > 0 ? -1 : 0;
    for (std::size_t i = 0; i < stops.size(); ++i) {
        if (focus != nullptr && (stops[i] == focus || stops[i]->isAncestorOf(focus))) {
            here = static_cast<int>(i);
        }
    }
    const int count = static_cast<int>(stops.size());
    stops[static_cast<std::size_t>((here + step + count) % count)]->setFocus(
        Qt::ShortcutFocusReason);
}

} // namespace doppler::views
