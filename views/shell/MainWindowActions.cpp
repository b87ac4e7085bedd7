// The commands of the window, one line each where that is possible, and when they are enabled.

#include <QActionGroup>
#include <QLineEdit>
#include <QToolButton>

#include "views/canvas/GraphCanvas.h"
#include "views/canvas/GraphView.h"
#include "views/docks/Inspector.h"
#include "views/docks/PlacementsView.h"
#include "views/docks/ReportDock.h"
#include "views/running/CalibrateDialog.h"
#include "views/running/FidelityDialog.h"
#include "views/shell/FieldButton.h"
#include "views/shell/MainWindow.h"
#include "views/shell/ProblemFields.h"
#include "views/shell/StartPage.h"
#include "views/shell/TopBar.h"
#include "views/training/TrainingDock.h"
#include "views/workspace/OpSteps.h"

namespace doppler::views {

namespace {

QList<QKeySequence> keys(std::initializer_list<const char*> texts) {
    QList<QKeySequence> result;
    for (const char* text : texts) {
        result.append(QKeySequence(QLatin1String(text)));
    }
    return result;
}

} // namespace

QAction* MainWindow::declare(const QString& id, const QString& group, const QString& text,
                             const QList<QKeySequence>& keyList, std::optional<IconName> icon,
                             std::function<void(bool)> run, bool checkable) {
    return actions_.add({id, group, text, keyList, icon, checkable, {}, true}, std::move(run));
}

void MainWindow::declareFileActions() {
    const QString file = tr("File");
    const auto add = [&](const char* id, const QString& text, const QList<QKeySequence>& keyList,
                         std::optional<IconName> icon, std::function<void()> run,
                         const QString& help = {}) {
        actions_.add({QLatin1String(id), file, text, keyList, icon, false, help, true},
                     [run = std::move(run)](bool) { run(); });
    };
    add("file.new", tr("&New from workload…"), keys({"Ctrl+N"}), IconName::Plus,
        [this] { newFromWorkload(); });
    add("file.open", tr("&Open…"), keys({"Ctrl+O"}), IconName::Open,
        [this] { documents_.openWithDialog(); });
    add("file.save", tr("&Save"), keys({"Ctrl+S"}), IconName::Save, [this] { documents_.save(); });
    add("file.saveAs", tr("Save &as…"), keys({"Ctrl+Shift+S"}), {},
        [this] { documents_.saveAs(); });
    add(
        "file.dimensions", tr("&Dimensions…"), {}, {}, [this] { documents_.changeDimensions(); },
        tr("Open the model with other sizes for its open dimensions"));
    add("file.import", tr("&Import assignment…"), {}, {}, [this] { importAssignment(); });
    add(
        "file.exportGraph", tr("&Graph as a picture…"), keys({"Ctrl+E"}), {},
        [this] { exporter_.graphPicture(graph_->canvas().scene()); },
        tr("Export the graph as a picture"));
    add(
        "file.exportTimelines", tr("&Timelines as a picture…"), keys({"Ctrl+Shift+E"}), {},
        [this] { exporter_.timelinePicture(); }, tr("Export the timelines as a picture"));
    add(
        "file.exportAssignment", tr("&Assignment…"), {}, IconName::Export,
        [this] { exporter_.assignmentJson(); }, tr("Export the assignment"));
    add("file.exportList", tr("Assignment as a &comma list…"), {}, {},
        [this] { exporter_.assignmentList(); });
    add("file.exportTable", tr("Table of &placements…"), {}, {},
        [this] { exporter_.placementsCsv(placements_->toCsv()); });
    add(
        "file.exportReport", tr("&Report…"), {}, IconName::Export, [this] { report_->exportCsv(); },
        tr("Export the report"));
    add("file.exportJson", tr("Graph as &JSON…"), {}, {}, [this] { exporter_.graphJson(); });
    add("file.exportDot", tr("Graph for Grap&hviz…"), {}, {}, [this] { exporter_.graphDot(); });
    add("file.exportGraphMl", tr("Graph as Graph&ML…"), {}, {}, [this] { exporter_.graphMl(); });
    add("file.exportOps", tr("Table of &ops…"), {}, {}, [this] { exporter_.opsCsv(); });
    add("file.exportIntervals", tr("Table of &intervals…"), {}, {},
        [this] { exporter_.intervalsCsv(); });
    add("file.exportMap", tr("Assignment as a &device map…"), {}, {},
        [this] { exporter_.deviceMap(); });
    add("file.exportTrace", tr("Timeline as a Chrome t&race…"), {}, {},
        [this] { exporter_.chromeTrace(); });
    add("file.start", tr("S&tart page"), {}, {}, [this] { showStartPage(true); });
    add("file.close", tr("&Close"), keys({"Ctrl+W"}), {}, [this] { documents_.closeProblem(); });
    add("file.quit", tr("&Quit"), keys({"Ctrl+Q"}), {}, [this] { close(); });
}

void MainWindow::declareEditActions() {
    const QString edit = tr("Edit");
    const auto add = [&](const char* id, const QString& text, const QList<QKeySequence>& keyList,
                         std::optional<IconName> icon, std::function<void()> run) {
        return declare(QLatin1String(id), edit, text, keyList, icon,
                       [run = std::move(run)](bool) { run(); });
    };
    QUndoStack& stack = workspace_.undoStack();
    add("edit.undo", tr("&Undo"), keys({"Ctrl+Z"}), IconName::Undo, [&stack] { stack.undo(); });
    add("edit.redo", tr("&Redo"), keys({"Ctrl+Shift+Z", "Ctrl+Y"}), IconName::Redo,
        [&stack] { stack.redo(); });
    add("edit.find", tr("&Find…"), keys({"Ctrl+F"}), IconName::Search, [this] {
        top_->search()->setFocus(Qt::ShortcutFocusReason);
        top_->search()->selectAll();
    });
    add("edit.findNext", tr("Find &next"), keys({"F3"}), {}, [this] { searchStep(true); });
    add("edit.findPrevious", tr("Find &previous"), keys({"Shift+F3"}), {},
        [this] { searchStep(false); });
    add("edit.back", tr("&Back to the op before"), keys({"Alt+Left"}), IconName::Back,
        [this] { history_.back(); });
    add("edit.forward", tr("F&orward again"), keys({"Alt+Right"}), IconName::Right,
        [this] { history_.forward(); });
    add("edit.selectAll", tr("Select &all"), keys({"Ctrl+A"}), {}, [this] {
        std::set<OpId> all;
        for (OpId op = 0; op < workspace_.problem()->opCount(); ++op) {
            all.insert(all.end(), op);
        }
        workspace_.selection().select(std::move(all));
    });
    add("edit.clear", tr("&Clear selection"), keys({"Esc"}), {}, [this] { escape(); });
    actions_.add({QStringLiteral("edit.lasso"), edit, tr("&Lasso"), keys({"S"}), IconName::Lasso,
                  true, tr("Lasso: select by drawing around ops"), true},
                 [this](bool on) { graph_->setLassoMode(on); });
    actions_.add({QStringLiteral("edit.pin"), edit, tr("&Pin"), keys({"P"}), IconName::Pin, true,
                  tr("Pin or unpin"), true},
                 [this](bool) { togglePins(); });
    for (int device = 0; device < kKeyedDevices; ++device) {
        actions_.add({QStringLiteral("edit.assign%1").arg(device + 1),
                      edit,
                      tr("Assign to device %1").arg(device + 1),
                      {QKeySequence(QString::number(device + 1))},
                      {},
                      false,
                      {},
                      false},
                     [this, device](bool) { assignTo(device); });
    }
    actions_.addViewKey(edit, tr("1 to 9"), tr("Assign the selection to device A to I"));
}

void MainWindow::declareViewActions() {
    const QString view = tr("View");
    const auto add = [&](const char* id, const QString& text, const QList<QKeySequence>& keyList,
                         std::optional<IconName> icon, std::function<void(bool)> run,
                         bool checkable = false) {
        return declare(QLatin1String(id), view, text, keyList, icon, std::move(run), checkable);
    };
    ViewState& state = workspace_.viewState();
    add("view.fit", tr("&Fit selection, again: fit all"), keys({"F"}), IconName::Fit,
        [this](bool) { graph_->fit(); });
    add("view.zoomIn", tr("Zoom &in"), keys({"+", "=", "Ctrl++"}), IconName::Plus,
        [this](bool) { graph_->zoomIn(); });
    add("view.zoomOut", tr("Zoom &out"), keys({"-", "Ctrl+-"}), IconName::Minus,
        [this](bool) { graph_->zoomOut(); });
    add("view.zoomReset", tr("Zoom to &100 %"), keys({"0", "Ctrl+0"}), {},
        [this](bool) { graph_->resetZoom(); });
    add(
        "view.chain", tr("&Critical chain"), keys({"C"}), IconName::Chain,
        [&state](bool on) { state.setShowCriticalChain(on); }, true);
    add(
        "view.links", tr("&Links"), keys({"L"}), IconName::Right,
        [&state](bool on) { state.setShowLinks(on); }, true);
    add(
        "view.measure", tr("&Measure"), keys({"M"}), IconName::Ruler,
        [&state](bool on) { state.setMeasuring(on); }, true);
    add("view.why", tr("Follow the chain back (&why)"), keys({"W"}), IconName::Back, [this](bool) {
        const Placement* shown = workspace_.current();
        const OpId op = workspace_.selection().current();
        if (shown != nullptr && shown->timeline && op != kNoOp) {
            stepTo(opWaitedFor(*shown->timeline, op));
        }
    });
    add(
        "view.fullScreen", tr("F&ull screen"), keys({"F11"}), {},
        [this](bool on) { on ? showFullScreen() : showNormal(); }, true);
    add("view.expandAll", tr("E&xpand all groups"), {}, {},
        [this](bool) { graph_->canvas().expandAll(); });
    add("view.collapseAll", tr("C&ollapse all groups"), {}, {},
        [this](bool) { graph_->canvas().collapseAll(); });
    actions_.addViewKey(view, tr("Enter, Backspace"),
                        tr("Expand or collapse the group around the current op; with Shift all"));
    actions_.addViewKey(view, tr("Left, Right"), tr("Previous or next op on the lane"));
    actions_.addViewKey(view, tr("Up, Down"), tr("To the producer or consumer that mattered"));
    const std::tuple<const char*, QString, ThemeChoice::Mode> themes[] = {
        {"view.themeSystem", tr("As the &system"), ThemeChoice::Mode::System},
        {"view.themeLight", tr("&Light"), ThemeChoice::Mode::Light},
        {"view.themeDark", tr("&Dark"), ThemeChoice::Mode::Dark},
    };
    auto* group = new QActionGroup(this);
    for (const auto& [id, text, mode] : themes) {
        QAction* action = add(
            id, text, {}, {}, [this, chosen = mode](bool) { themeChoice_.setMode(chosen); }, true);
        action->setChecked(themeChoice_.mode() == mode);
        group->addAction(action);
    }
    auto* colours = new QActionGroup(this);
    const std::tuple<const char*, QString, ColourBy> by[] = {
        {"view.colourDevice", tr("&Device"), ColourBy::Device},
        {"view.colourKind", tr("&Kind"), ColourBy::Kind},
        {"view.colourCost", tr("&Cost"), ColourBy::Cost},
        {"view.colourSlack", tr("&Slack"), ColourBy::Slack},
        {"view.colourCriticality", tr("C&riticality"), ColourBy::Criticality},
        {"view.colourGain", tr("&Gain of the best move"), ColourBy::MoveGain},
        {"view.colourError", tr("&Measured error"), ColourBy::MeasuredError},
    };
    for (const auto& [id, text, value] : by) {
        colours->addAction(add(
            id, text, {}, {}, [&state, chosen = value](bool) { state.setColourBy(chosen); }, true));
    }
    const auto follow = [this, &state] {
        actions_[QStringLiteral("view.chain")]->setChecked(state.showCriticalChain());
        actions_[QStringLiteral("view.links")]->setChecked(state.showLinks());
        actions_[QStringLiteral("view.measure")]->setChecked(state.measuring());
        const char* ids[] = {"view.colourDevice", "view.colourKind",        "view.colourCost",
                             "view.colourSlack",  "view.colourCriticality", "view.colourGain",
                             "view.colourError"};
        actions_[QLatin1String(ids[static_cast<int>(state.colourBy())])]->setChecked(true);
    };
    connect(&state, &ViewState::changed, this, follow);
    follow();
}

void MainWindow::declareOtherActions() {
    const QString placement = tr("Placement");
    actions_.add({QStringLiteral("placement.place"),
                  placement,
                  tr("&Place"),
                  keys({"Ctrl+Return"}),
                  {},
                  false,
                  tr("Place with the method used last"),
                  true},
                 [this](bool) { placing_.place(lastChoice_); });
    actions_.add({QStringLiteral("placement.dialog"), placement, tr("Place &with…"),
                  keys({"Ctrl+Shift+Return"}), IconName::Plus, false,
                  tr("Place with another method, budget, seed"), true},
                 [this](bool) { placeWithDialog(); });
    declare(QStringLiteral("placement.best"), placement, tr("Apply the &best move"), keys({"B"}),
            {}, [this](bool) { inspector_->applyBestMove(); });
    declare(QStringLiteral("placement.remove"), placement, tr("&Remove the shown placement"), {},
            {}, [this](bool) { workspace_.removePlacement(workspace_.currentId()); });
    declare(QStringLiteral("problem.cluster"), placement, tr("Choose the &cluster…"),
            keys({"Ctrl+K"}), IconName::Chip, [this](bool) {
                if (isStartPageShown()) {
                    start_->askForCluster();
                } else {
                    fields_->cluster()->showMenu();
                }
            });
    declare(QStringLiteral("problem.simulation"), placement, tr("&Simulation options…"), {},
            IconName::Settings, [this](bool) { changeSimulation(); });

    declareTrainingActions();
    declareRunActions();
    const QString window = tr("Window");
    declare(QStringLiteral("window.next"), window, tr("&Next dock"), keys({"F6"}), {},
            [this](bool) { cycleDocks(1); });
    declare(QStringLiteral("window.previous"), window, tr("&Previous dock"), keys({"Shift+F6"}), {},
            [this](bool) { cycleDocks(-1); });
    declare(QStringLiteral("window.reset"), window, tr("&Reset the layout"), {}, {},
            [this](bool) { resetLayout(); });
    const QString help = tr("Help");
    actions_.add({QStringLiteral("help.keys"),
                  help,
                  tr("&Keyboard"),
                  keys({"?", "F1"}),
                  {},
                  false,
                  tr("This list"),
                  true},
                 [this](bool) { showKeys(); });
    declare(QStringLiteral("help.about"), help, tr("&About Doppler Workbench"), {}, {},
            [this](bool) { showAbout(); });
    // Shown where they are, not in the list above: they belong to every list and table.
    actions_.addViewKey(placement, tr("F2, Delete"), tr("Rename or remove a row of the table"));
}

void MainWindow::declareRunActions() {
    const QString run = tr("Run");
    actions_.add({QStringLiteral("run.real"), run, tr("&Run for real"), keys({"Ctrl+R"}),
                  IconName::Play, false, tr("Run the shown placement with the runtime used last"),
                  true},
                 [this](bool) { runForReal(lastRun_); });
    declare(QStringLiteral("run.dialog"), run, tr("Run &with…"), keys({"Ctrl+Shift+R"}),
            IconName::Settings, [this](bool) { runWithDialog(); });
    declare(QStringLiteral("run.fidelity"), run, tr("How well is it &predicted?"), {},
            IconName::Compare,
            [this](bool) { FidelityDialog(workspace_, realRuns_, appearance_, this).exec(); });
    declare(QStringLiteral("run.calibrate"), run, tr("&Calibrate…"), {}, IconName::Clock,
            [this](bool) { CalibrateDialog(workspace_, appearance_, *prompts_, this).exec(); });
    declare(QStringLiteral("run.stop"), run, tr("&Stop the run"), {}, IconName::Stop,
            [this](bool) { realRuns_.stop(); });
}

void MainWindow::declareTrainingActions() {
    const QString training = tr("Training");
    actions_.add({QStringLiteral("training.start"), training, tr("&Train…"), keys({"Ctrl+Shift+T"}),
                  IconName::Train, false, tr("Teach a policy to place this graph"), true},
                 [this](bool) { trainWithDialog(); });
    declare(
        QStringLiteral("training.pause"), training, tr("&Pause"), {}, IconName::Pause,
        [this](bool on) { trainings_.setPaused(on); }, true);
    declare(QStringLiteral("training.stop"), training, tr("&Stop"), {}, IconName::Stop,
            [this](bool) { trainings_.stop(); });
    auto* group = new QActionGroup(this);
    const std::tuple<const char*, QString, Follow> follows[] = {
        {"training.followBest", tr("Follow the &best"), Follow::Best},
        {"training.followLatest", tr("Follow the &latest"), Follow::Latest},
        {"training.followNothing", tr("Follow &nothing"), Follow::Nothing},
    };
    for (const auto& [id, text, follow] : follows) {
        group->addAction(declare(
            QLatin1String(id), training, text, {}, {},
            [this, chosen = follow](bool) { trainings_.setFollow(chosen); }, true));
    }
    actions_.add({QStringLiteral("training.export"),
                  training,
                  tr("&Export the curve…"),
                  {},
                  IconName::Export,
                  false,
                  tr("Export the curve"),
                  true},
                 [this](bool) { training_->exportCurve(); });
}

void MainWindow::refreshActions() {
    const bool open = workspace_.hasProblem() && !areExperimentsShown();
    const bool placed = open && workspace_.current() != nullptr;
    const bool selected = placed && !workspace_.selection().ops().empty();
    const auto enable = [this](bool on, std::initializer_list<const char*> ids) {
        for (const char* id : ids) {
            actions_[QLatin1String(id)]->setEnabled(on);
        }
    };
    enable(open,
           {"file.save",          "file.saveAs",       "file.import",        "file.exportGraph",
            "file.exportTable",   "file.exportJson",   "file.exportDot",     "file.start",
            "file.exportGraphMl", "file.exportOps",    "file.close",         "edit.find",
            "edit.findNext",      "edit.findPrevious", "edit.selectAll",     "edit.clear",
            "edit.lasso",         "view.fit",          "view.zoomIn",        "view.zoomOut",
            "view.zoomReset",     "view.chain",        "view.links",         "view.measure",
            "placement.place",    "placement.dialog",  "problem.simulation", "window.next",
            "window.previous",    "window.reset"});
    enable(open && documents_.hasDimensions(), {"file.dimensions"});
    enable(placed, {"file.exportTimelines", "file.exportAssignment", "file.exportList",
                    "file.exportReport", "file.exportTrace", "file.exportIntervals",
                    "file.exportMap", "placement.best", "placement.remove"});
    enable(selected, {"edit.pin", "view.why"});
    for (int device = 0; device < kKeyedDevices; ++device) {
        actions_[QStringLiteral("edit.assign%1").arg(device + 1)]->setEnabled(
            selected && device < workspace_.problem()->deviceCount());
    }
    enable(open && graph_->canvas().hasGroups(), {"view.expandAll", "view.collapseAll"});
    exportMenu_->setEnabled(open);
    assignMenu_->setEnabled(selected);
    exportTable_->setEnabled(open);
    for (QAction* toggle : dockToggles_) {
        toggle->setEnabled(open);
    }
    workbenchMode_->setEnabled(workspace_.hasProblem() || areExperimentsShown());
    top_->setProblemOpen(open);

    const QString obstacle = realRuns_.obstacle(lastRun_.runtime);
    const bool idle = placed && !realRuns_.isRunning();
    enable(idle && obstacle.isEmpty(), {"run.real"});
    enable(idle, {"run.dialog", "run.fidelity"});
    enable(workspace_.hasProblem() && !realRuns_.isRunning(), {"run.calibrate"});
    enable(realRuns_.isRunning(), {"run.stop"});
    QAction* real = actions_[QStringLiteral("run.real")];
    real->setText(tr("Run for real: %1").arg(lastRun_.runtime));
    real->setToolTip(obstacle.isEmpty()
                         ? ActionTable::toolTip(tr("Run the shown placement on %1, %2 runs")
                                                    .arg(lastRun_.runtime)
                                                    .arg(lastRun_.runs),
                                                real->shortcuts())
                         : obstacle);
    const TrainingRun* run = trainings_.active();
    enable(open && run == nullptr, {"training.start"});
    enable(run != nullptr && run->state() != RunState::Stopping,
           {"training.pause", "training.stop"});
    enable(open, {"training.followBest", "training.followLatest", "training.followNothing"});
    enable(open && training_->hasRun(), {"training.export"});
    actions_[QStringLiteral("training.pause")]->setChecked(run != nullptr &&
                                                           run->state() == RunState::Paused);
    const char* follows[] = {"training.followBest", "training.followLatest",
                             "training.followNothing"};
    actions_[QLatin1String(follows[static_cast<int>(trainings_.follow())])]->setChecked(true);

    const std::set<OpId>& ops = workspace_.selection().ops();
    const bool pinned = selected && std::all_of(ops.begin(), ops.end(), [this](OpId op) {
                            return workspace_.isPinned(op);
                        });
    actions_[QStringLiteral("edit.pin")]->setChecked(pinned);

    actions_[QStringLiteral("edit.back")]->setEnabled(open && history_.canGoBack());
    actions_[QStringLiteral("edit.forward")]->setEnabled(open && history_.canGoForward());
    const QUndoStack& stack = workspace_.undoStack();
    QAction* undo = actions_[QStringLiteral("edit.undo")];
    QAction* redo = actions_[QStringLiteral("edit.redo")];
    undo->setEnabled(open && stack.canUndo());
    redo->setEnabled(open && stack.canRedo());
    undo->setText(stack.canUndo() ? tr("&Undo %1").arg(stack.undoText()) : tr("&Undo"));
    redo->setText(stack.canRedo() ? tr("&Redo %1").arg(stack.redoText()) : tr("&Redo"));
    undo->setToolTip(ActionTable::toolTip(undo->text(), undo->shortcuts()));
    redo->setToolTip(ActionTable::toolTip(redo->text(), redo->shortcuts()));

    QAction* place = actions_[QStringLiteral("placement.place")];
    place->setText(tr("Place with %1").arg(lastChoice_.method));
    const place::PlacerInfo* info = Placing::find(lastChoice_.method);
    const QString budget =
        info != nullptr && info->search ? tr(", %1 s").arg(lastChoice_.budgetSeconds) : QString();
    place->setToolTip(ActionTable::toolTip(place->text() + budget, place->shortcuts()));
}

} // namespace doppler::views
