#include "views/experiments/ExperimentPanel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/place/Registry.h"
#include "views/experiments/CheckRow.h"
#include "views/experiments/ObjectiveDialog.h"
#include "views/experiments/ObjectiveText.h"
#include "views/format/Format.h"
#include "views/icons/Icons.h"
#include "views/shell/ElidedLabel.h"
#include "views/shell/FieldButton.h"
#include "views/shell/OpenDocument.h"
#include "views/shell/PrimaryButton.h"
#include "views/shell/ProblemFields.h"
#include "views/shell/Prompts.h"
#include "views/shell/WorkloadDialog.h"
#include "views/theme/Appearance.h"

namespace doppler::views {

namespace {

constexpr int kPadding = 12;
constexpr double kShortestBudget = 0.1; // seconds
constexpr double kLongestBudget = 3600;

/// "0.25 s", "4 s", "2 min 5 s".
QString shortSeconds(double seconds) {
    constexpr double kMinute = 60;
    return seconds < kMinute ? ExperimentPanel::tr("%1 s").arg(seconds, 0, 'g', 3)
                             : secondsText(seconds);
}

QString filterOfGraphs() {
    return ExperimentPanel::tr("Graphs (*.json *.txt *.dot *.gv *.graphml *.stg *.dax *.xml);;"
                               "All files (*)");
}

} // namespace

ExperimentPanel::ExperimentPanel(ExperimentSession& session, Prompts& prompts,
                                 const Appearance& appearance, QWidget* parent)
    : QWidget(parent), session_(session), prompts_(prompts), appearance_(appearance) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFrameShape(QFrame::NoFrame);
    choices_ = new QWidget(scroll);
    choices_->setAutoFillBackground(true);
    choices_->setBackgroundRole(QPalette::Base);
    auto* rows = new QVBoxLayout(choices_);
    rows->setContentsMargins(kPadding, kPadding, kPadding, kPadding);
    rows->setSpacing(4);

    add_ = new QToolButton(choices_);
    add_->setPopupMode(QToolButton::InstantPopup);
    add_->setAccessibleName(tr("Add a graph"));
    add_->setToolTip(tr("Add a graph"));
    add_->setFocusPolicy(Qt::TabFocus);
    auto* menu = new QMenu(add_);
    addOpen_ = menu->addAction(QString());
    addOpen_->setVisible(false);
    connect(addOpen_, &QAction::triggered, this, [this] {
        change([this](ExperimentSetup& setup) {
            ExperimentGraph graph = open_;
            if (graph.cluster == setup.cluster) {
                graph.cluster.clear();
            }
            setup.graphs.push_back(graph);
        });
    });
    connect(menu, &QMenu::aboutToShow, this, [this] {
        const auto& graphs = session_.setup().graphs;
        const bool known =
            std::any_of(graphs.begin(), graphs.end(), [this](const ExperimentGraph& each) {
                const QString cluster =
                    each.cluster.isEmpty() ? session_.setup().cluster : each.cluster;
                return each.source == open_.source && cluster == open_.cluster;
            });
        addOpen_->setEnabled(!known);
    });
    connect(menu->addAction(tr("Workload…")), &QAction::triggered, this,
            &ExperimentPanel::setWorkload);
    connect(menu->addAction(tr("File…")), &QAction::triggered, this, [this] {
        const QString path = prompts_.openPath(tr("Add a graph"), filterOfGraphs());
        if (!path.isEmpty()) {
            addGraph(path);
        }
    });
    add_->setMenu(menu);
    heading(tr("Graphs"), rows, &graphCount_, add_);
    graphRows_ = new QVBoxLayout();
    graphRows_->setSpacing(0);
    rows->addLayout(graphRows_);
    rows->addSpacing(kPadding);
    heading(tr("Methods"), rows, &methodCount_, nullptr);
    methodRows_ = new QVBoxLayout();
    methodRows_->setSpacing(0);
    rows->addLayout(methodRows_);
    rows->addSpacing(kPadding);
    heading(tr("Settings"), rows, nullptr, nullptr);
    rows->addWidget(buildSettings());
    rows->addStretch(1);
    scroll->setWidget(choices_);
    layout->addWidget(scroll, 1);
    layout->addWidget(buildButtons());

    connect(&session, &ExperimentSession::setupChanged, this, &ExperimentPanel::refresh);
    connect(&session, &ExperimentSession::stateChanged, this, &ExperimentPanel::refreshRun);
    connect(&session, &ExperimentSession::resultsChanged, this, &ExperimentPanel::refreshRun);
    connect(&session, &ExperimentSession::activityChanged, this, &ExperimentPanel::refreshRun);
    connect(&appearance, &Appearance::changed, this, &ExperimentPanel::applyTheme);
    fillMethods();
    applyTheme();
}

QLabel* ExperimentPanel::heading(const QString& text, QVBoxLayout* layout, QLabel** count,
                                 QWidget* extra) {
    auto* row = new QHBoxLayout();
    row->setSpacing(6);
    auto* label = new QLabel(text, this);
    label->setFont(fontOfSize(12, true));
    row->addWidget(label);
    row->addStretch(1);
    if (count != nullptr) {
        *count = new QLabel(this);
        (*count)->setFont(fontOfSize(12));
        (*count)->setForegroundRole(QPalette::PlaceholderText);
        row->addWidget(*count);
    }
    if (extra != nullptr) {
        row->addWidget(extra);
    }
    layout->addLayout(row);
    return label;
}

QWidget* ExperimentPanel::buildSettings() {
    auto* body = new QWidget(choices_);
    auto* form = new QFormLayout(body);
    form->setContentsMargins(0, 4, 0, 0);
    form->setVerticalSpacing(8);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    const auto add = [&](const QString& name, QWidget* field, const QString& help) {
        auto* label = new QLabel(name, body);
        label->setFont(fontOfSize(12));
        label->setForegroundRole(QPalette::PlaceholderText);
        label->setBuddy(field);
        if (field != cluster_ && field != objective_) { // which name themselves, with their value
            field->setAccessibleName(name);
        }
        field->setToolTip(help);
        form->addRow(label, field);
    };
    cluster_ = new FieldButton(tr("Cluster"), appearance_, body);
    cluster_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* menu = new QMenu(cluster_);
    menu->setToolTipsVisible(true);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        ProblemFields::fillClusterMenu(*menu, session_.setup().cluster,
                                       [this](const QString& source) {
                                           change([&](ExperimentSetup& s) { s.cluster = source; });
                                       });
        menu->addSeparator();
        connect(menu->addAction(tr("From a file…")), &QAction::triggered, this, [this] {
            const QString path =
                prompts_.openPath(tr("Open a cluster"), tr("Clusters (*.json);;All files (*)"));
            if (!path.isEmpty()) {
                change([&](ExperimentSetup& s) { s.cluster = path; });
            }
        });
    });
    cluster_->setMenu(menu);
    add(tr("Cluster"), cluster_, tr("Of every graph that has none of its own"));
    costs_ = new QComboBox(body);
    costs_->addItems({tr("as the graph says"), tr("published"), tr("physical")});
    connect(costs_, &QComboBox::activated, this, [this](int index) {
        change([index](ExperimentSetup& s) {
            s.costs = index == 0 ? std::nullopt
                                 : std::optional(index == 1 ? cost::CostModel::Published
                                                            : cost::CostModel::Physical);
        });
    });
    add(tr("Costs"), costs_,
        tr("Published costs go with the published simulator, others with the default one"));
    modes_ = new QComboBox(body);
    modes_->addItems({tr("work-conserving"), tr("bulk-synchronous"), tr("both")});
    connect(modes_, &QComboBox::activated, this, [this](int index) {
        change([index](ExperimentSetup& s) { s.modes = static_cast<ExperimentModes>(index); });
    });
    add(tr("Execution"), modes_,
        tr("How the simulated cluster runs: both makes two columns a graph"));
    objective_ = makeObjectiveField(body);
    add(tr("Objective"), objective_, tr("What methods make small and are compared by"));
    seeds_ = new QSpinBox(body);
    seeds_->setRange(1, ExperimentSetup::kMostSeeds);
    connect(seeds_, &QSpinBox::valueChanged, this,
            [this](int value) { change([value](ExperimentSetup& s) { s.seeds = value; }); });
    add(tr("Seeds"), seeds_, tr("Runs of each method that depends on chance"));
    budget_ = new QDoubleSpinBox(body);
    budget_->setRange(kShortestBudget, kLongestBudget);
    budget_->setDecimals(1);
    budget_->setSuffix(tr(" s"));
    connect(budget_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
        change([value](ExperimentSetup& s) { s.budgetSeconds = value; });
    });
    add(tr("Budget"), budget_, tr("Time of each run of a search"));
    return body;
}

FieldButton* ExperimentPanel::makeObjectiveField(QWidget* parent) {
    constexpr int kRuns = 32;
    using Measure = place::Objective::Measure;
    auto* field = new FieldButton(tr("Objective"), appearance_, parent);
    field->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* menu = new QMenu(field);
    const auto choose = [this](const place::Objective& objective) {
        change([&](ExperimentSetup& setup) { setup.objective = objective; });
    };
    connect(menu, &QMenu::aboutToShow, this, [this, menu, choose] {
        menu->clear();
        const place::Objective now = session_.setup().objective;
        bool usual = false;
        for (const Measure measure : {Measure::Makespan, Measure::Mean, Measure::Percentile95}) {
            place::Objective objective;
            objective.measure = measure;
            objective.runs = measure == Measure::Makespan ? 1 : kRuns;
            QAction* action = menu->addAction(objectiveText(objective));
            action->setCheckable(true);
            action->setChecked(objective == now);
            usual = usual || objective == now;
            connect(action, &QAction::triggered, this, [choose, objective] { choose(objective); });
        }
        menu->addSeparator();
        QAction* other = menu->addAction(tr("Other…"));
        other->setCheckable(true);
        other->setChecked(!usual);
        connect(other, &QAction::triggered, this, [this, now, choose] {
            ObjectiveDialog dialog(now, this);
            if (dialog.exec() == QDialog::Accepted) {
                choose(dialog.objective());
            }
        });
    });
    field->setMenu(menu);
    return field;
}

QWidget* ExperimentPanel::buildButtons() {
    auto* body = new QWidget(this);
    body->setAutoFillBackground(true);
    body->setBackgroundRole(QPalette::Base);
    auto* outer = new QVBoxLayout(body);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    line_ = new QWidget(body);
    line_->setFixedHeight(1);
    line_->setAutoFillBackground(true);
    outer->addWidget(line_);
    auto* layout = new QVBoxLayout();
    layout->setContentsMargins(kPadding, 8, kPadding, kPadding);
    outer->addLayout(layout);
    layout->setSpacing(6);
    progressText_ = new ElidedLabel(body);
    progressText_->setFont(fontOfSize(12));
    progressText_->setForegroundRole(QPalette::PlaceholderText);
    layout->addWidget(progressText_);
    progress_ = new QProgressBar(body);
    progress_->setTextVisible(false);
    progress_->setAccessibleName(tr("Runs made"));
    layout->addWidget(progress_);
    auto* row = new QHBoxLayout();
    row->setSpacing(8);
    run_ = new QPushButton(tr("Run"), body);
    makePrimary(run_);
    run_->setDefault(false);
    pause_ = new QPushButton(tr("Pause"), body);
    pause_->setToolTip(tr("Let the run in progress end, and start no other"));
    stop_ = new QPushButton(tr("Stop"), body);
    stop_->setToolTip(tr("Give up the run in progress; all others are kept"));
    export_ = new QPushButton(tr("Export…"), body);
    export_->setToolTip(tr("The table as CSV, Markdown, LaTeX, JSON, or a picture"));
    for (QPushButton* button : {run_, pause_, stop_, export_}) {
        button->setIconSize(QSize(14, 14));
        row->addWidget(button, 1);
    }
    layout->addLayout(row);
    connect(run_, &QPushButton::clicked, &session_, &ExperimentSession::start);
    connect(pause_, &QPushButton::clicked, &session_, &ExperimentSession::pause);
    connect(stop_, &QPushButton::clicked, &session_, &ExperimentSession::stop);
    connect(export_, &QPushButton::clicked, this, &ExperimentPanel::exportRequested);
    return body;
}

void ExperimentPanel::change(const std::function<void(ExperimentSetup&)>& change) {
    if (filling_) {
        return;
    }
    ExperimentSetup setup = session_.setup();
    change(setup);
    if (setup != session_.setup()) {
        session_.setSetup(setup);
    }
}

void ExperimentPanel::addGraph(const QString& source) {
    change([&](ExperimentSetup& setup) { setup.graphs.push_back({source, {}, true}); });
}

void ExperimentPanel::setOpenGraph(const QString& source, const QString& cluster) {
    open_ = {source, cluster, true};
    addOpen_->setVisible(!source.isEmpty());
    addOpen_->setText(tr("Open graph: %1 on %2")
                          .arg(titleOf(source), titleOf(cluster))
                          .replace(QLatin1Char('&'), QStringLiteral("&&")));
}

void ExperimentPanel::setWorkload() {
    WorkloadDialog dialog(appearance_, this);
    if (dialog.exec() == QDialog::Accepted) {
        addGraph(dialog.source());
    }
}

void ExperimentPanel::openGraphMenu(int graph, const QPoint& position) {
    const auto at = static_cast<std::size_t>(graph);
    QMenu menu(this);
    QMenu* clusters = menu.addMenu(tr("Cluster of its own"));
    clusters->setToolTipsVisible(true);
    QAction* shared = clusters->addAction(tr("As the others"));
    shared->setCheckable(true);
    shared->setChecked(session_.setup().graphs[at].cluster.isEmpty());
    const auto choose = [this, at](const QString& source) {
        change([&](ExperimentSetup& setup) { setup.graphs[at].cluster = source; });
    };
    connect(shared, &QAction::triggered, this, [choose] { choose({}); });
    ProblemFields::fillClusterMenu(*clusters, session_.setup().graphs[at].cluster, choose);
    connect(menu.addAction(tr("Remove")), &QAction::triggered, this, [this, graph] {
        change([&](ExperimentSetup& setup) { setup.graphs.erase(setup.graphs.begin() + graph); });
    });
    menu.exec(position);
}

void ExperimentPanel::fillGraphs() {
    for (CheckRow* row : graphs_) {
        graphRows_->removeWidget(row);
        row->hide();
        row->deleteLater();
    }
    graphs_.clear();
    const std::vector<ExperimentGraph>& graphs = session_.setup().graphs;
    for (std::size_t i = 0; i < graphs.size(); ++i) {
        auto* row = new CheckRow(titleOf(graphs[i].source), graphs[i].chosen, choices_);
        row->box()->setToolTip(graphs[i].source);
        row->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(row, &CheckRow::toggled, this, [this, i](bool on) {
            change([&](ExperimentSetup& setup) { setup.graphs[i].chosen = on; });
        });
        connect(row, &QWidget::customContextMenuRequested, this, [this, row, i](const QPoint& at) {
            openGraphMenu(static_cast<int>(i), row->mapToGlobal(at));
        });
        graphRows_->addWidget(row);
        graphs_.push_back(row);
    }
}

void ExperimentPanel::fillMethods() {
    for (const place::PlacerInfo& info : place::placers()) {
        const QString name = QString::fromStdString(info.name);
        auto* row = new CheckRow(name, false, choices_);
        row->box()->setToolTip(QString::fromStdString(info.description));
        connect(row, &CheckRow::toggled, this, [this, name](bool on) {
            change([&](ExperimentSetup& setup) {
                QStringList chosen = setup.methods;
                on ? chosen.append(name) : static_cast<void>(chosen.removeAll(name));
                setup.methods.clear();
                for (const place::PlacerInfo& each : place::placers()) {
                    const QString method = QString::fromStdString(each.name);
                    if (chosen.contains(method)) {
                        setup.methods.append(method);
                    }
                }
            });
        });
        methodRows_->addWidget(row);
        methods_.push_back(row);
    }
}

void ExperimentPanel::refresh() {
    filling_ = true;
    const ExperimentSetup& setup = session_.setup();
    const Theme& theme = appearance_.theme();
    bool same = graphs_.size() == setup.graphs.size();
    for (std::size_t i = 0; same && i < graphs_.size(); ++i) {
        same = graphs_[i]->box()->toolTip() == setup.graphs[i].source;
    }
    if (!same) {
        fillGraphs();
    }
    int chosen = 0;
    for (std::size_t i = 0; i < graphs_.size(); ++i) {
        const ExperimentGraph& graph = setup.graphs[i];
        graphs_[i]->box()->setChecked(graph.chosen);
        chosen += graph.chosen ? 1 : 0;
        QString detail = session_.graphFacts(graph);
        if (!graph.cluster.isEmpty()) {
            detail = detail.isEmpty() ? titleOf(graph.cluster)
                                      : titleOf(graph.cluster) + QStringLiteral(", ") + detail;
        }
        graphs_[i]->setDetail(detail, session_.graphFailed(graph), theme);
    }
    graphCount_->setText(tr("%1 of %2").arg(chosen).arg(graphs_.size()));
    for (std::size_t i = 0; i < methods_.size(); ++i) {
        const place::PlacerInfo& info = place::placers()[i];
        methods_[i]->box()->setChecked(setup.methods.contains(QString::fromStdString(info.name)));
        methods_[i]->setDetail(info.search ? shortSeconds(setup.budgetSeconds) : tr("one pass"),
                               false, theme);
    }
    methodCount_->setText(tr("%1 of %2").arg(setup.methods.size()).arg(methods_.size()));
    cluster_->setValue(titleOf(setup.cluster));
    objective_->setValue(objectiveText(setup.objective));
    objective_->setToolTip(
        tr("What methods make small and are compared by: %1").arg(objectiveText(setup.objective)) +
        noiseText(setup.objective));
    costs_->setCurrentIndex(!setup.costs ? 0 : *setup.costs == cost::CostModel::Published ? 1 : 2);
    modes_->setCurrentIndex(static_cast<int>(setup.modes));
    seeds_->setValue(setup.seeds);
    budget_->setValue(setup.budgetSeconds);
    filling_ = false;
    refreshRun();
}

void ExperimentPanel::refreshRun() {
    using State = ExperimentSession::State;
    const State state = session_.state();
    const bool idle = state == State::Idle;
    const int made = session_.runsMade();
    const int wanted = session_.runsWanted();
    choices_->setEnabled(idle);
    run_->setVisible(idle);
    export_->setVisible(idle);
    pause_->setVisible(!idle);
    stop_->setVisible(!idle);
    pause_->setEnabled(state == State::Running);
    stop_->setEnabled(state == State::Running || state == State::Pausing);
    run_->setText(made > 0 && made < wanted ? tr("Continue") : tr("Run"));
    run_->setEnabled(made < wanted && !session_.isOpening());
    run_->setToolTip(wanted == 0      ? tr("Choose graphs and methods first")
                     : made == wanted ? tr("All runs are made: add seeds, methods or graphs")
                                      : tr("Make the missing runs"));
    export_->setEnabled(made > 0);
    progress_->setRange(0, std::max(wanted, 1));
    progress_->setValue(made);
    QString text = session_.isOpening() ? tr("Opening graphs…")
                   : wanted == 0
                       ? tr("Nothing chosen")
                       : tr("%1 of %2").arg(made).arg(countOf(wanted, QStringLiteral("run")));
    const double left = session_.secondsLeft();
    if (state == State::Pausing) {
        text += tr(", pausing after this run");
    } else if (state == State::Stopping) {
        text += tr(", stopping");
    } else if (left >= 1 && !session_.isOpening()) {
        text += tr(", about %1 left").arg(shortSeconds(std::ceil(left)));
    }
    progressText_->setText(text);
}

void ExperimentPanel::applyTheme() {
    const Theme& theme = appearance_.theme();
    add_->setIcon(icon(IconName::Plus, theme));
    run_->setIcon(icon(IconName::Play, theme, theme.onAccent));
    pause_->setIcon(icon(IconName::Pause, theme));
    stop_->setIcon(icon(IconName::Stop, theme));
    export_->setIcon(icon(IconName::Export, theme));
    QPalette line = line_->palette();
    line.setColor(QPalette::Window, theme.border);
    line_->setPalette(line);
    refresh();
}

} // namespace doppler::views
