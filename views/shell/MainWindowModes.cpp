// The modes of the window: the workbench, and the experiments beside it.

#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenuBar>
#include <QToolButton>

#include "views/experiments/ExperimentPanel.h"
#include "views/experiments/ExperimentsView.h"
#include "views/shell/ElidedLabel.h"
#include "views/shell/MainWindow.h"
#include "views/shell/StatusFields.h"

namespace doppler::views {

void MainWindow::buildModes() {
    auto* modes = new QWidget(this);
    auto* layout = new QHBoxLayout(modes);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    const auto add = [&](const QString& text, const QString& help) {
        auto* button = new QToolButton(modes);
        button->setProperty("mode", true);
        button->setFocusPolicy(Qt::TabFocus);
        button->setText(text);
        button->setCheckable(true);
        button->setAccessibleName(tr("Mode: %1").arg(text));
        button->setToolTip(help);
        layout->addWidget(button);
        return button;
    };
    workbenchMode_ = add(tr("Workbench"), tr("The open problem"));
    experimentsMode_ = add(tr("Experiments"), tr("Methods compared over graphs and seeds"));
    // Wide enough for its progress: a corner widget does not follow its buttons.
    constexpr int kPadding = 32;
    experimentsMode_->setMinimumWidth(
        QFontMetrics(fontOfSize(13, true)).horizontalAdvance(tr("Experiments %1 %").arg(100)) +
        kPadding);
    connect(workbenchMode_, &QToolButton::clicked, this,
            [this] { showStartPage(!workspace_.hasProblem()); });
    connect(experimentsMode_, &QToolButton::clicked, this, &MainWindow::showExperiments);
    menuBar()->setCornerWidget(modes, Qt::TopRightCorner);
}

void MainWindow::connectExperiments() {
    const auto offerOpenGraph = [this] {
        experiments_->panel().setOpenGraph(workspace_.hasProblem() ? workspace_.graphSource()
                                                                   : QString(),
                                           workspace_.clusterSource());
    };
    for (const auto signal : {&Workspace::graphChanged, &Workspace::problemChanged}) {
        connect(&workspace_, signal, this, offerOpenGraph);
    }
    offerOpenGraph();
    connect(experiments_, &ExperimentsView::failed, this, &MainWindow::showError);
    connect(experiments_, &ExperimentsView::openRequested, this, &MainWindow::openFromExperiment);
    connect(experiments_, &ExperimentsView::statusChanged, this,
            &MainWindow::refreshExperimentsStatus);
    connect(experiments_, &ExperimentsView::written, this, [this](const QString& path) {
        experimentsStatus_->setText(tr("Wrote %1").arg(QFileInfo(path).fileName()));
    });
}

void MainWindow::refreshExperimentsStatus() {
    experimentsStatus_->setText(experiments_->statusText());
    // A run goes on while another mode is shown: its button tells how far it is.
    const ExperimentSession& session = experiments_->session();
    constexpr int kPercent = 100;
    experimentsMode_->setText(
        session.state() == ExperimentSession::State::Idle
            ? tr("Experiments")
            : tr("Experiments %1 %")
                  .arg(kPercent * session.runsMade() / std::max(session.runsWanted(), 1)));
}

void MainWindow::openFromExperiment(const ExperimentColumn& column,
                                    const std::shared_ptr<const place::RunRecord>& record) {
    const std::shared_ptr<const sim::Problem> problem = column.prepared->problem;
    const QString method = QString::fromStdString(record->key.method);
    const FoundObjective objective = objectiveOf(*record, *problem);
    const auto show = [this, method, record, objective] {
        showStartPage(false);
        for (const Placement& placement : workspace_.placements()) {
            if (placement.method == method && *placement.assignment == record->assignment &&
                placement.objective.name == objective.name) {
                workspace_.setCurrent(placement.id);
                return;
            }
        }
        workspace_.addPlacement(record->assignment, method, record->key.seed, record->seconds, true,
                                false, objective);
    };
    // Telling large graphs apart would take too long here: they are opened again.
    constexpr int kQuicklyHashed = 20'000; // ops and edges
    const std::shared_ptr<const sim::Problem> open = workspace_.problem();
    if (open && open->opCount() + open->graph->edgeCount() <= kQuicklyHashed &&
        place::problemHash(*open) == column.prepared->hash) {
        show();
        return;
    }
    documents_.confirm([this, column, problem, show] {
        workspace_.open(problem, column.source, column.clusterSource, column.costs);
        show();
    });
}

} // namespace doppler::views
