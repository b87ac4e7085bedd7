// Menus and bars, made of the commands.

#include <QDockWidget>
#include <QHBoxLayout>
#include <QMenuBar>
#include <QStatusBar>
#include <QToolButton>

#include "views/shell/DockTitle.h"
#include "views/shell/ElidedLabel.h"
#include "views/shell/JobsIndicator.h"
#include "views/shell/MainWindow.h"
#include "views/shell/ProblemFields.h"
#include "views/shell/StatusFields.h"
#include "views/shell/TopBar.h"

namespace doppler::views {

void MainWindow::buildBars() {
    fields_ = new ProblemFields(workspace_, documents_, appearance_, this);
    recentMenu_ = new QMenu(this);
    placeMenu_ = new QMenu(this);
    connect(recentMenu_, &QMenu::aboutToShow, this, [this] { fillRecentMenu(*recentMenu_); });
    connect(placeMenu_, &QMenu::aboutToShow, this, [this] { fillPlaceMenu(*placeMenu_); });
    top_ = new TopBar(actions_, *fields_, recentMenu_, placeMenu_, appearance_, this);
    addToolBar(Qt::TopToolBarArea, top_);
    status_ = new StatusFields(workspace_, appearance_, this);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(status_, 1);
    auto* holder = new QWidget(this);
    auto* row = new QHBoxLayout(holder);
    row->setContentsMargins(12, 0, 12, 0);
    experimentsStatus_ = new ElidedLabel(holder);
    row->addWidget(experimentsStatus_, 1);
    row->addWidget(new JobsIndicator(workspace_.jobs(), appearance_, holder));
    statusBar()->addWidget(holder, 1);

    placementsTitle_->addButton(actions_[QStringLiteral("placement.dialog")]);
    auto* table = new QAction(tr("Export"), this);
    table->setToolTip(tr("Export the table of placements"));
    connect(table, &QAction::triggered, actions_[QStringLiteral("file.exportTable")],
            &QAction::trigger);
    exportTable_ = table;
    placementsTitle_->addButton(table);
    inspectorTitle_->addButton(actions_[QStringLiteral("edit.back")]);
    inspectorTitle_->addButton(actions_[QStringLiteral("edit.forward")]);
    reportTitle_->addButton(actions_[QStringLiteral("file.exportReport")]);
    trainingTitle_->addButton(actions_[QStringLiteral("training.start")]);
    trainingTitle_->addButton(actions_[QStringLiteral("training.export")]);
}

void MainWindow::buildMenus() {
    buildFileMenu();
    const auto fill = [this](QMenu* menu, std::initializer_list<const char*> ids) {
        for (const char* id : ids) {
            if (*id == '\0') {
                menu->addSeparator();
            } else {
                menu->addAction(actions_[QLatin1String(id)]);
            }
        }
        return menu;
    };
    QMenu* edit =
        fill(menuBar()->addMenu(tr("&Edit")),
             {"edit.undo", "edit.redo", "", "edit.find", "edit.findNext", "edit.findPrevious", "",
              "edit.back", "edit.forward", "", "edit.selectAll", "edit.clear", "edit.lasso", ""});
    assignMenu_ = edit->addMenu(tr("A&ssign the selection to"));
    connect(assignMenu_, &QMenu::aboutToShow, this, [this] { fillAssignMenu(*assignMenu_); });
    edit->addAction(actions_[QStringLiteral("edit.pin")]);

    QMenu* view =
        fill(menuBar()->addMenu(tr("&View")),
             {"view.fit", "view.zoomIn", "view.zoomOut", "view.zoomReset", "", "view.expandAll",
              "view.collapseAll", "", "view.chain", "view.links", "view.measure", "view.why", ""});
    fill(view->addMenu(tr("Colour &by")),
         {"view.colourDevice", "view.colourKind", "view.colourCost", "view.colourSlack",
          "view.colourCriticality", "view.colourGain", "view.colourError"});
    fill(view->addMenu(tr("&Theme")), {"view.themeSystem", "view.themeLight", "view.themeDark"});
    view->addAction(actions_[QStringLiteral("view.fullScreen")]);

    QMenu* placement = menuBar()->addMenu(tr("&Placement"));
    placement->addAction(actions_[QStringLiteral("placement.place")]);
    QMenu* methods = placement->addMenu(tr("&Methods"));
    connect(methods, &QMenu::aboutToShow, this, [this, methods] { fillPlaceMenu(*methods); });
    fill(placement, {"placement.dialog", "placement.best", "placement.remove", "",
                     "problem.cluster", "problem.simulation"});

    fill(menuBar()->addMenu(tr("&Run")),
         {"run.real", "run.dialog", "run.stop", "", "run.calibrate", "run.fidelity"});
    fill(menuBar()->addMenu(tr("&Training")),
         {"training.start", "training.pause", "training.stop", "", "training.followBest",
          "training.followLatest", "training.followNothing", "", "training.export"});

    QMenu* window = menuBar()->addMenu(tr("&Window"));
    for (QDockWidget* dock : docks()) {
        dockToggles_.append(dock->toggleViewAction());
        window->addAction(dock->toggleViewAction());
    }
    window->addSeparator();
    fill(window, {"window.next", "window.previous", "window.reset"});
    fill(menuBar()->addMenu(tr("&Help")), {"help.keys", "help.about"});

    buildModes();
}

void MainWindow::buildFileMenu() {
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addAction(actions_[QStringLiteral("file.new")]);
    file->addAction(actions_[QStringLiteral("file.open")]);
    recentMenu_->setTitle(tr("Open &recent"));
    file->addMenu(recentMenu_);
    file->addSeparator();
    file->addAction(actions_[QStringLiteral("file.save")]);
    file->addAction(actions_[QStringLiteral("file.saveAs")]);
    file->addSeparator();
    file->addAction(actions_[QStringLiteral("file.import")]);
    file->addAction(actions_[QStringLiteral("file.dimensions")]);
    QMenu* exports = file->addMenu(tr("&Export"));
    for (const char* id :
         {"file.exportGraph", "file.exportTimelines", "", "file.exportAssignment",
          "file.exportList", "file.exportTable", "file.exportReport", "", "file.exportJson",
          "file.exportDot", "file.exportGraphMl", "file.exportOps", "file.exportMap",
          "file.exportIntervals", "file.exportTrace"}) {
        if (*id == '\0') {
            exports->addSeparator();
        } else {
            exports->addAction(actions_[QLatin1String(id)]);
        }
    }
    exportMenu_ = exports;
    file->addSeparator();
    file->addAction(actions_[QStringLiteral("file.start")]);
    file->addAction(actions_[QStringLiteral("file.close")]);
    file->addAction(actions_[QStringLiteral("file.quit")]);
}

} // namespace doppler::views
