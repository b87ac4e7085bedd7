#include "views/shell/ProblemFields.h"

#include "core/graph/InputError.h"
#include "core/io/Formats.h"
#include "core/workload/Workload.h"
#include "views/format/Format.h"
#include "views/shell/Documents.h"
#include "views/shell/FieldButton.h"
#include "views/workspace/Workspace.h"

namespace doppler::views {

namespace {

constexpr int kEmptyWidth = 286;
constexpr int kDeviceCounts[] = {1, 2, 3, 4, 6, 8, 12, 16};

QString modelName(cost::CostModel model) {
    return QString::fromUtf8(cost::name(model).data(),
                             static_cast<qsizetype>(cost::name(model).size()));
}

QString costsTip(cost::CostModel model, const cluster::Profile* profile) {
    switch (model) {
    case cost::CostModel::Published:
        return ProblemFields::tr("The numbers that the graph itself states");
    case cost::CostModel::Physical:
        return ProblemFields::tr("From FLOPs and bytes, rates and bandwidths");
    case cost::CostModel::Profiled:
        break;
    }
    return profile->emulated
               ? ProblemFields::tr("Times of an emulated machine: nothing was measured")
               : ProblemFields::tr("Measured on the runtime %1, %2")
                     .arg(QString::fromStdString(profile->runtime),
                          QString::fromStdString(profile->date).section(QLatin1Char('T'), 0, 0));
}

FieldButton* makeField(const QString& name, const Appearance& appearance, QWidget* parent) {
    auto* field = new FieldButton(name, appearance, parent);
    auto* menu = new QMenu(field);
    menu->setToolTipsVisible(true);
    field->setMenu(menu);
    return field;
}

} // namespace

QString simulationName(const Workspace& workspace) {
    const sim::SimOptions& options = workspace.problem()->options;
    return options == sim::SimOptions::published() ? QStringLiteral("published")
           : options == sim::SimOptions()          ? QStringLiteral("default")
                                                   : QStringLiteral("custom");
}

ProblemFields::ProblemFields(Workspace& workspace, Documents& documents,
                             const Appearance& appearance, QWidget* parent)
    : QObject(parent)
    , workspace_(workspace)
    , documents_(documents)
    , graph_(makeField(tr("Graph"), appearance, parent))
    , cluster_(makeField(tr("Cluster"), appearance, parent))
    , costs_(makeField(tr("Costs"), appearance, parent))
    , simulation_(makeField(tr("Simulation"), appearance, parent)) {
    graph_->setObjectName(QStringLiteral("field.graph"));
    cluster_->setObjectName(QStringLiteral("field.cluster"));
    costs_->setObjectName(QStringLiteral("field.costs"));
    simulation_->setObjectName(QStringLiteral("field.simulation"));
    connect(graph_->menu(), &QMenu::aboutToShow, this, &ProblemFields::fillGraphMenu);
    connect(cluster_->menu(), &QMenu::aboutToShow, this, &ProblemFields::fillMyClusterMenu);
    connect(costs_->menu(), &QMenu::aboutToShow, this, &ProblemFields::fillCostsMenu);
    connect(simulation_->menu(), &QMenu::aboutToShow, this, &ProblemFields::fillSimulationMenu);
    connect(&workspace, &Workspace::problemChanged, this, &ProblemFields::refresh);
    connect(&workspace, &Workspace::modifiedChanged, this, &ProblemFields::refresh);
    refresh();
}

void ProblemFields::refresh() {
    const bool open = workspace_.hasProblem();
    for (FieldButton* field : {cluster_, costs_, simulation_}) {
        field->setVisible(open);
    }
    graph_->setEnabled(open);
    graph_->setMinimumWidth(open ? 0 : kEmptyWidth);
    if (!open) {
        graph_->setValue(tr("No problem open"));
        return;
    }
    const sim::Problem& problem = *workspace_.problem();
    graph_->setValue(titleOf(workspace_.graphSource()));
    cluster_->setValue(titleOf(workspace_.clusterSource()),
                       tr("%1 dev").arg(problem.deviceCount()));
    costs_->setValue(tr("Costs: %1").arg(modelName(workspace_.costModel())));
    costs_->setToolTip(QStringLiteral("%1. %2").arg(
        costs_->accessibleName(), costsTip(workspace_.costModel(), workspace_.profile().get())));
    simulation_->setValue(tr("Simulation: %1").arg(simulationName(workspace_)));
}

void ProblemFields::fillGraphMenu() {
    QMenu& menu = *graph_->menu();
    menu.clear();
    for (const workload::WorkloadInfo& info : workload::workloads()) {
        const QString name = QString::fromStdString(info.name);
        QAction* action =
            menu.addAction(QStringLiteral("%1\t%2").arg(name, QString::fromStdString(info.title)));
        action->setToolTip(QString::fromStdString(info.description));
        action->setCheckable(true);
        action->setChecked(workspace_.graphSource() == name);
        connect(action, &QAction::triggered, this, [this, name] { documents_.open(name); });
    }
    menu.addSeparator();
    connect(menu.addAction(tr("New from workload…")), &QAction::triggered, this,
            &ProblemFields::newWorkloadRequested);
    connect(menu.addAction(tr("Open a file…")), &QAction::triggered, &documents_,
            &Documents::openWithDialog);
}

void ProblemFields::fillMyClusterMenu() {
    QMenu& menu = *cluster_->menu();
    menu.clear();
    fillClusterMenu(menu, workspace_.clusterSource(),
                    [this](const QString& source) { changeCluster(source); });
    menu.addSeparator();
    connect(menu.addAction(tr("From a file…")), &QAction::triggered, this,
            &ProblemFields::clusterFileRequested);
    connect(menu.addAction(tr("Edit devices and links…")), &QAction::triggered, this,
            &ProblemFields::clusterEditRequested);
}

void ProblemFields::fillClusterMenu(QMenu& menu, const QString& current,
                                    const std::function<void(const QString&)>& chosen) {
    const auto add = [&](QMenu& to, const QString& text, const QString& source) {
        QAction* action = to.addAction(text);
        action->setCheckable(true);
        action->setChecked(current == source);
        connect(action, &QAction::triggered, &to, [chosen, source] { chosen(source); });
        return action;
    };
    add(menu, tr("This machine"), kThisMachine)
        ->setToolTip(tr("The GPUs found here; without any, the processors"));
    menu.addSeparator();
    for (const io::ClusterPreset& preset : io::clusterPresets()) {
        const QString name = QString::fromStdString(preset.name);
        const QString description = QString::fromStdString(preset.description);
        if (!preset.parametric) {
            add(menu, name, name)->setToolTip(description);
            continue;
        }
        const QString stem = name.section(QLatin1Char(':'), 0, 0);
        QMenu* counts = menu.addMenu(stem);
        counts->menuAction()->setToolTip(description);
        for (const int count : kDeviceCounts) {
            add(*counts, countOf(count, QStringLiteral("device")),
                QStringLiteral("%1:%2").arg(stem).arg(count));
        }
    }
}

void ProblemFields::fillCostsMenu() {
    QMenu& menu = *costs_->menu();
    menu.clear();
    const auto profile = workspace_.profile();
    for (const cost::CostModel model :
         {cost::CostModel::Published, cost::CostModel::Physical, cost::CostModel::Profiled}) {
        QAction* action = menu.addAction(modelName(model));
        const QString reason =
            whyImpossible(model, *workspace_.problem()->graph, profile != nullptr);
        action->setEnabled(reason.isEmpty());
        action->setToolTip(!reason.isEmpty() ? reason : costsTip(model, profile.get()));
        if (!reason.isEmpty()) {
            action->setText(QStringLiteral("%1\t%2").arg(modelName(model), reason));
        }
        action->setCheckable(true);
        action->setChecked(workspace_.costModel() == model);
        connect(action, &QAction::triggered, this, [this, model] {
            change([&] {
                workspace_.changeProblem(workspace_.problem()->cluster, workspace_.clusterSource(),
                                         model, workspace_.problem()->options);
            });
        });
    }
}

void ProblemFields::fillSimulationMenu() {
    QMenu& menu = *simulation_->menu();
    menu.clear();
    const std::tuple<QString, QString, sim::SimOptions> presets[] = {
        {QStringLiteral("default"), tr("One transfer at a time per pair, one copy per device"),
         sim::SimOptions()},
        {QStringLiteral("published"), tr("As the simulator published with the paper"),
         sim::SimOptions::published()},
    };
    for (const auto& [name, description, options] : presets) {
        QAction* action = menu.addAction(name);
        action->setToolTip(description);
        action->setCheckable(true);
        action->setChecked(workspace_.problem()->options == options);
        connect(action, &QAction::triggered, this, [this, chosen = options] {
            change([&] {
                workspace_.changeProblem(workspace_.problem()->cluster, workspace_.clusterSource(),
                                         workspace_.costModel(), chosen);
            });
        });
    }
    menu.addSeparator();
    connect(menu.addAction(tr("Options…")), &QAction::triggered, this,
            &ProblemFields::simulationOptionsRequested);
}

void ProblemFields::changeCluster(const QString& source) {
    change([&] {
        workspace_.changeProblem(openClusterSource(source), source, workspace_.costModel(),
                                 workspace_.problem()->options);
    });
}

void ProblemFields::change(const std::function<void()>& change) {
    try {
        change();
    } catch (const InputError& error) {
        Q_EMIT failed(QString::fromUtf8(error.what()));
    }
}

} // namespace doppler::views
