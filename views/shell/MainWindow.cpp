#include "views/shell/MainWindow.h"

#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QFrame>
#include <QMessageBox>
#include <QMimeData>
#include <QScreen>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "views/canvas/GraphCanvas.h"
#include "views/canvas/GraphView.h"
#include "views/docks/Inspector.h"
#include "views/docks/PlacementsView.h"
#include "views/docks/ReportDock.h"
#include "views/experiments/ExperimentsView.h"
#include "views/format/Format.h"
#include "views/gantt/GanttView.h"
#include "views/gantt/TraceView.h"
#include "views/shell/DockTitle.h"
#include "views/shell/DropOverlay.h"
#include "views/shell/ElidedLabel.h"
#include "views/shell/FieldButton.h"
#include "views/shell/MessageArea.h"
#include "views/shell/ProblemFields.h"
#include "views/shell/StartPage.h"
#include "views/shell/StatusFields.h"
#include "views/shell/TopBar.h"
#include "views/training/MovedMarks.h"
#include "views/training/TrainingDock.h"

namespace doppler::views {

namespace {

constexpr QSize kLeastSize(1100, 700);
constexpr QSize kFirstSize(1600, 1000);
constexpr int kLayoutVersion = 2;
constexpr int kLeftWidth = 328;
constexpr int kRightWidth = 324;
constexpr int kLeastRightWidth = 280; // what its facts need
constexpr int kPlacementsHeight = 380;
constexpr int kReportHeight = 460;
constexpr int kGraphHeight = 510;
constexpr int kTimelinesHeight = 340;
constexpr int kTimelinesFrame = 110; // header, title, axis
constexpr int kLaneHeight = 37;      // compute and links of one device

QString recoveryFolder(const MainWindowOptions& options) {
    return options.recoveryFolder.isEmpty()
               ? QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)
               : options.recoveryFolder;
}

QString experimentsFolder(const MainWindowOptions& options) {
    return !options.experimentsFolder.isEmpty()
               ? options.experimentsFolder
               : QDir(recoveryFolder(options)).filePath(QStringLiteral("experiments"));
}

/// With a thin line around it.
QFrame* framed(QWidget* body) {
    auto* frame = new QFrame();
    frame->setProperty("pane", true);
    auto* layout = new QVBoxLayout(frame);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->addWidget(body);
    return frame;
}

} // namespace

MainWindow::MainWindow(Appearance& appearance, MainWindowOptions options)
    : appearance_(appearance)
    , prompts_(options.prompts ? std::move(options.prompts) : std::make_unique<DialogPrompts>(this))
    , firstMethods_(options.firstMethods)
    , recovery_(workspace_, quietJobs_, recoveryFolder(options))
    , documents_(workspace_, *prompts_)
    , exporter_(workspace_, *prompts_, appearance)
    , placing_(workspace_)
    , trainings_(workspace_)
    , realRuns_(workspace_)
    , themeChoice_(appearance)
    , history_(workspace_.selection())
    , actions_(this) {
    setObjectName(QStringLiteral("window"));
    setWindowIcon(applicationIcon());
    setMinimumSize(kLeastSize);
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowNestedDocks |
                   QMainWindow::AllowTabbedDocks);
    lastChoice_ = Placing::storedChoice();
    lastRun_ = RealRuns::storedChoice();
    experimentsFolder_ = experimentsFolder(options);

    buildCentre();
    buildDocks();
    declareFileActions();
    declareEditActions();
    declareViewActions();
    declareOtherActions();
    buildBars();
    buildMenus();
    drop_ = new DropOverlay(appearance, this);
    connectAll();
    applyTheme();
    restoreLayout();
    showStartPage(true);
    refreshTitle();
    refreshActions();
}

MainWindow::~MainWindow() {
    // The views go while the workspace that they know is still there.
    workspace_.disconnect(this);
    workspace_.undoStack().disconnect(this);
    delete takeCentralWidget();
    for (QDockWidget* dock : docks()) {
        delete dock;
    }
    delete top_;
    delete status_;
}

void MainWindow::buildCentre() {
    auto* centre = new QWidget(this);
    auto* layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    messages_ = new MessageArea(appearance_, centre);
    layout->addWidget(messages_);
    pages_ = new QStackedWidget(centre);
    layout->addWidget(pages_, 1);
    start_ = new StartPage(appearance_, documents_.recent(), pages_);
    pages_->addWidget(start_);
    splitter_ = new QSplitter(Qt::Vertical, pages_);
    splitter_->setObjectName(QStringLiteral("splitter"));
    splitter_->setChildrenCollapsible(false);
    splitter_->setHandleWidth(4);
    graph_ = new GraphView(workspace_, appearance_);
    gantt_ = new GanttView(workspace_, appearance_);
    movedMarks_ = new MovedMarks(graph_->canvas(), appearance_);
    connect(splitter_, &QSplitter::splitterMoved, this, [this] { splitChosen_ = true; });
    splitter_->addWidget(framed(graph_));
    splitter_->addWidget(framed(gantt_));
    trace_ = new TraceView(appearance_, gantt_->plot());
    traceFrame_ = framed(trace_);
    traceFrame_->hide();
    splitter_->addWidget(traceFrame_);
    connect(trace_, &TraceView::closeRequested, this, &MainWindow::closeTrace);
    pages_->addWidget(splitter_);
    experiments_ = new ExperimentsView(experimentsFolder_, *prompts_, appearance_, pages_);
    pages_->addWidget(experiments_);
    setCentralWidget(centre);
}

QDockWidget* MainWindow::makeDock(const QString& name, QWidget* body, Qt::DockWidgetArea area,
                                  DockTitle** title) {
    auto* dock = new QDockWidget(name, this);
    dock->setObjectName(QStringLiteral("dock.") + name);
    dock->setWidget(framed(body));
    *title = new DockTitle(dock, appearance_);
    dock->setTitleBarWidget(*title);
    addDockWidget(area, dock);
    return dock;
}

void MainWindow::buildDocks() {
    placements_ = new PlacementsView(workspace_, appearance_);
    report_ = new ReportDock(workspace_, appearance_);
    inspector_ = new Inspector(workspace_, appearance_);
    placementsDock_ =
        makeDock(tr("Placements"), placements_, Qt::LeftDockWidgetArea, &placementsTitle_);
    reportDock_ = makeDock(tr("Report"), report_, Qt::LeftDockWidgetArea, &reportTitle_);
    inspector_->setMinimumWidth(kLeastRightWidth);
    inspectorDock_ =
        makeDock(tr("Inspector"), inspector_, Qt::RightDockWidgetArea, &inspectorTitle_);
    training_ = new TrainingDock(workspace_, trainings_, appearance_);
    trainingDock_ = makeDock(tr("Training"), training_, Qt::RightDockWidgetArea, &trainingTitle_);
    splitDockWidget(inspectorDock_, trainingDock_, Qt::Vertical);
    trainingDock_->hide();
    setCorner(Qt::TopLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::TopRightCorner, Qt::RightDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    splitDockWidget(placementsDock_, reportDock_, Qt::Vertical);
}

std::vector<QDockWidget*> MainWindow::docks() const {
    return {placementsDock_, reportDock_, inspectorDock_, trainingDock_};
}

void MainWindow::resetLayout() {
    for (QDockWidget* dock : docks()) {
        dock->setFloating(false);
        dock->show();
    }
    addDockWidget(Qt::LeftDockWidgetArea, placementsDock_);
    splitDockWidget(placementsDock_, reportDock_, Qt::Vertical);
    addDockWidget(Qt::RightDockWidgetArea, inspectorDock_);
    splitDockWidget(inspectorDock_, trainingDock_, Qt::Vertical);
    trainingDock_->setVisible(training_->hasRun());
    resizeDocks({placementsDock_, inspectorDock_}, {kLeftWidth, kRightWidth}, Qt::Horizontal);
    resizeDocks({placementsDock_, reportDock_}, {kPlacementsHeight, kReportHeight}, Qt::Vertical);
    splitter_->setSizes({kGraphHeight, kTimelinesHeight, kTimelinesHeight});
    splitChosen_ = false;
}

void MainWindow::restoreLayout() {
    const QSettings settings;
    resize(kFirstSize.boundedTo(screen()->availableSize()));
    restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray());
    resetLayout();
    dockState_ = settings.value(QStringLiteral("window/docks")).toByteArray();
    splitChosen_ =
        splitter_->restoreState(settings.value(QStringLiteral("window/splitter")).toByteArray());
}

void MainWindow::splitByDevices() {
    const int height = splitter_->height();
    const int wanted = kTimelinesFrame + kLaneHeight * workspace_.problem()->deviceCount();
    const int timelines = std::clamp(wanted, height / 3, height / 2);
    const int trace = traceFrame_->isHidden() ? 0 : timelines;
    splitter_->setSizes({height - timelines - trace, timelines, trace});
}

void MainWindow::showTrace(const GanttTrack& track) {
    trace_->setTrack(track);
    if (!workspace_.hasProblem()) {
        pages_->addWidget(traceFrame_);
        showPage(traceFrame_);
    } else {
        const bool first = traceFrame_->isHidden();
        traceFrame_->show();
        showPage(splitter_);
        if (first) {
            splitByDevices();
        }
    }
    trace_->setFocus();
}

void MainWindow::closeTrace() {
    trace_->clear();
    if (pages_->indexOf(traceFrame_) >= 0) {
        if (pages_->currentWidget() == traceFrame_) {
            showPage(start_);
        }
        splitter_->addWidget(traceFrame_);
    }
    traceFrame_->hide();
}

void MainWindow::saveLayout() {
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/docks"), pages_->currentWidget() == splitter_
                                                          ? saveState(kLayoutVersion)
                                                          : dockState_);
    if (splitChosen_) {
        settings.setValue(QStringLiteral("window/splitter"), splitter_->saveState());
    }
}

bool MainWindow::isStartPageShown() const {
    return pages_->currentWidget() == start_;
}

bool MainWindow::areExperimentsShown() const {
    return pages_->currentWidget() == experiments_;
}

void MainWindow::showStartPage(bool show) {
    showPage(show ? static_cast<QWidget*>(start_) : splitter_);
}

void MainWindow::showExperiments() {
    showPage(experiments_);
}

void MainWindow::showPage(QWidget* page) {
    const QWidget* shown = pages_->currentWidget();
    // Only the workbench has docks.
    if (page != splitter_) {
        if (shown == splitter_) {
            dockState_ = saveState(kLayoutVersion);
        }
        pages_->setCurrentWidget(page);
        for (QDockWidget* dock : docks()) {
            dock->hide();
        }
    } else if (shown != splitter_) {
        pages_->setCurrentWidget(splitter_);
        if (dockState_.isEmpty() || !restoreState(dockState_, kLayoutVersion)) {
            resetLayout();
        }
        graph_->setFocus();
    }
    const bool experiments = page == experiments_;
    workbenchMode_->setChecked(page == splitter_);
    experimentsMode_->setChecked(experiments);
    top_->setVisible(!experiments);
    status_->setVisible(!experiments);
    experimentsStatus_->parentWidget()->setVisible(experiments);
    refreshTitle();
    refreshActions();
}

void MainWindow::problemOpened() {
    messages_->clear(MessageStrip::Kind::Error);
    messages_->clear(MessageStrip::Kind::Warning);
    const bool withTrace = pages_->indexOf(traceFrame_) >= 0;
    if (withTrace) {
        splitter_->addWidget(traceFrame_);
        traceFrame_->show();
    }
    showStartPage(false);
    if (!splitChosen_ || withTrace) {
        splitByDevices();
    }
    if (workspace_.placements().empty()) {
        placing_.placeAtFirst(firstMethods_);
    }
}

void MainWindow::refreshTitle() {
    const QString program = tr("Doppler Workbench");
    if (areExperimentsShown()) {
        setWindowTitle(tr("Experiments \u2013 %1").arg(program));
    } else if (workspace_.hasProblem()) {
        setWindowTitle(tr("%1[*] on %2 – %3")
                           .arg(documents_.title(), titleOf(workspace_.clusterSource()), program));
    } else {
        setWindowTitle(program);
    }
    setWindowModified(workspace_.hasProblem() && workspace_.isModified());
}

void MainWindow::refreshDockTitles() {
    const auto rows = workspace_.placements().size();
    placementsTitle_->setSubtitle(rows == 0 ? QString() : QString::number(rows));
    reportTitle_->setSubtitle(report_->subtitle());
    trainingTitle_->setSubtitle(training_->subtitle());
}

void MainWindow::showError(const QString& message) {
    MessageStrip* strip = messages_->add(MessageStrip::Kind::Error, message);
    strip->addButton(tr("Copy"), false, [message] { QApplication::clipboard()->setText(message); });
    strip->addButton(tr("Close"), true);
}

MessageStrip* MainWindow::showReport(const QString& title, const QString& source,
                                     const QStringList& notes) {
    constexpr int kShown = 2;
    QString text = notes.mid(0, kShown).join(QStringLiteral(", "));
    if (notes.size() > kShown) {
        text += tr(", and %1 more").arg(notes.size() - kShown);
    }
    MessageStrip* strip =
        messages_->add(MessageStrip::Kind::Warning, QStringLiteral("%1: %2").arg(source, text));
    strip->addButton(tr("Show"), false, [this, title, source, notes] {
        QMessageBox box(QMessageBox::NoIcon, title, source, QMessageBox::Close, this);
        box.setInformativeText(notes.join(QLatin1Char('\n')));
        box.exec();
    });
    strip->addButton(tr("Close"), true);
    return strip;
}

void MainWindow::showNotKept(const QStringList& notes) {
    MessageStrip* strip =
        showReport(tr("Change of cluster"), titleOf(workspace_.clusterSource()), notes);
    // It speaks of that change only: gone when it is undone, or the problem changes again.
    connect(&workspace_, &Workspace::problemChanged, strip, [strip] {
        strip->hide();
        strip->deleteLater();
    });
}

void MainWindow::offerRecovery(bool openAtOnce) {
    const std::optional<Recovery::Found> found = recovery_.takeOver();
    if (!found) {
        return;
    }
    if (openAtOnce) {
        keepRecovered(*found);
        return;
    }
    MessageStrip* strip =
        messages_->add(MessageStrip::Kind::Info,
                       tr("A session of %1 was not saved")
                           .arg(RecentFiles::whenText(found->when, QDateTime::currentDateTime())));
    strip->addButton(tr("Open it"), true, [this, found] {
        documents_.confirm([this, found] { keepRecovered(*found); });
    });
    strip->addButton(tr("Discard"), true, [this] { recovery_.discardFound(); });
}

void MainWindow::keepRecovered(const Recovery::Found& found) {
    if (!documents_.openRecovered(found.path)) {
        // What cannot be read (by this version) is set aside, never deleted.
        QFile::rename(found.path, found.path + QStringLiteral(".unreadable"));
        return;
    }
    recovery_.adopt();
    MessageStrip* strip = messages_->add(
        MessageStrip::Kind::Info,
        tr("Recovered from %1").arg(found.when.time().toString(QStringLiteral("HH:mm"))));
    strip->addButton(tr("Keep"), true);
    strip->addButton(tr("Discard"), true, [this] {
        recovery_.discard();
        workspace_.close();
    });
    // It speaks of the recovered session only.
    const auto drop = [strip] {
        strip->hide();
        strip->deleteLater();
    };
    connect(&workspace_, &Workspace::graphChanged, strip, drop);
    connect(&documents_, &Documents::saved, strip, drop);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    // The answer may come at once, or when the file is written: then the window closes again.
    if (!closing_) {
        const auto later = std::make_shared<bool>(false);
        documents_.confirm([this, later] {
            closing_ = true;
            if (*later) {
                close();
            }
        });
        *later = true;
    }
    if (closing_) {
        saveLayout();
        workspace_.jobs().cancelAll();
        event->accept();
    } else {
        event->ignore();
    }
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (!urls.isEmpty() && urls.front().isLocalFile()) {
        event->acceptProposedAction();
        drop_->showFor(urls.front().fileName());
    }
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*) {
    drop_->hide();
}

void MainWindow::dropEvent(QDropEvent* event) {
    drop_->hide();
    const QList<QUrl> urls = event->mimeData()->urls();
    if (!urls.isEmpty() && urls.front().isLocalFile()) {
        event->acceptProposedAction();
        documents_.open(urls.front().toLocalFile());
    }
}

} // namespace doppler::views
