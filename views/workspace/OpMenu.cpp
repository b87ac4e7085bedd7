#include "views/workspace/OpMenu.h"

#include <QApplication>
#include <QClipboard>
#include <algorithm>
#include <functional>

#include "views/format/Format.h"
#include "views/theme/DeviceMark.h"

namespace doppler::views {

namespace {

constexpr int kDevicesWithKeys = 9;

/// All ops for which `wanted` holds, with those selected already.
std::set<OpId> opsWhere(const Workspace& workspace, const std::function<bool(OpId)>& wanted) {
    std::set<OpId> ops;
    for (OpId op = 0; op < workspace.problem()->opCount(); ++op) {
        if (wanted(op)) {
            ops.insert(op);
        }
    }
    return ops;
}

std::set<OpId> neighbours(const graph::Graph& graph, const std::set<OpId>& ops, bool producers) {
    std::set<OpId> result;
    for (const OpId op : ops) {
        if (producers) {
            for (const EdgeId edge : graph.inEdges(op)) {
                result.insert(graph.source(edge));
            }
        } else {
            for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
                result.insert(graph.target(edge));
            }
        }
    }
    return result;
}

/// Everything that reaches one of `ops`, or that they reach; themselves included.
std::set<OpId> reachable(const graph::Graph& graph, std::set<OpId> ops, bool upwards) {
    std::vector<OpId> order = graph.topologicalOrder();
    if (upwards) {
        std::reverse(order.begin(), order.end());
    }
    for (const OpId op : order) {
        const std::set<OpId> before = neighbours(graph, {op}, !upwards);
        if (std::any_of(before.begin(), before.end(),
                        [&](OpId each) { return ops.count(each) > 0; })) {
            ops.insert(op);
        }
    }
    return ops;
}

void addAssignMenu(QMenu& menu, Workspace& workspace, const Theme& theme) {
    const sim::Assignment& assignment = *workspace.current()->assignment;
    const std::set<OpId>& ops = workspace.selection().ops();
    QMenu* assign = menu.addMenu(QObject::tr("Assign to"));
    for (DeviceId device = 0; device < workspace.problem()->deviceCount(); ++device) {
        const std::string& name = workspace.problem()->cluster->device(device).name;
        const QString key =
            device < kDevicesWithKeys ? QStringLiteral("\t%1").arg(device + 1) : QString();
        QAction* action =
            assign->addAction(deviceIcon(theme, device), QString::fromStdString(name) + key);
        const bool allThere = std::all_of(ops.begin(), ops.end(), [&](OpId op) {
            return assignment[static_cast<std::size_t>(op)] == device;
        });
        action->setEnabled(!allThere);
        QObject::connect(action, &QAction::triggered, &workspace, [&workspace, device] {
            workspace.assign(workspace.selection().ops(), device);
        });
    }
}

void addPinAction(QMenu& menu, Workspace& workspace) {
    const std::set<OpId>& ops = workspace.selection().ops();
    const bool allPinned =
        std::all_of(ops.begin(), ops.end(), [&](OpId op) { return workspace.isPinned(op); });
    QAction* pin = menu.addAction(allPinned ? QObject::tr("Unpin\tP") : QObject::tr("Pin\tP"));
    QObject::connect(pin, &QAction::triggered, &workspace, [&workspace, allPinned] {
        workspace.setPinned(workspace.selection().ops(), !allPinned);
    });
}

void addSelectMenu(QMenu& menu, Workspace& workspace) {
    QMenu* select = menu.addMenu(QObject::tr("Select"));
    const auto add = [&](const QString& text, std::function<std::set<OpId>()> ops) {
        QObject::connect(select->addAction(text), &QAction::triggered, &workspace,
                         [&workspace, ops = std::move(ops)] {
                             if (std::set<OpId> found = ops(); !found.empty()) {
                                 workspace.selection().select(std::move(found));
                             }
                         });
    };
    Workspace* space = &workspace;
    const auto selected = [space]() -> const std::set<OpId>& { return space->selection().ops(); };
    const auto graph = [space]() -> const graph::Graph& { return *space->problem()->graph; };
    add(QObject::tr("Producers"), [=] { return neighbours(graph(), selected(), true); });
    add(QObject::tr("Consumers"), [=] { return neighbours(graph(), selected(), false); });
    add(QObject::tr("Everything before"), [=] { return reachable(graph(), selected(), true); });
    add(QObject::tr("Everything after"), [=] { return reachable(graph(), selected(), false); });
    select->addSeparator();
    add(QObject::tr("All of this kind"), [=] {
        const auto kind = graph().kindName(space->selection().current());
        return opsWhere(*space, [&](OpId op) { return graph().kindName(op) == kind; });
    });
    add(QObject::tr("All on this device"), [=] {
        const sim::Assignment& assignment = *space->current()->assignment;
        const auto deviceOf = [&](OpId op) { return assignment[static_cast<std::size_t>(op)]; };
        const DeviceId device = deviceOf(space->selection().current());
        return opsWhere(*space, [&](OpId op) { return deviceOf(op) == device; });
    });
    add(QObject::tr("Critical chain"), [=] {
        std::set<OpId> ops;
        if (const Placement* shown = space->current(); shown->report && shown->timeline) {
            for (const std::int32_t index : shown->report->criticalChain) {
                ops.insert(shown->timeline->intervals[static_cast<std::size_t>(index)].op);
            }
        }
        return ops;
    });
}

void addCopyAction(QMenu& menu, Workspace& workspace) {
    const bool one = workspace.selection().ops().size() == 1;
    QAction* copy = menu.addAction(one ? QObject::tr("Copy name") : QObject::tr("Copy names"));
    QObject::connect(copy, &QAction::triggered, &workspace, [&workspace] {
        QStringList names;
        for (const OpId op : workspace.selection().ops()) {
            names.append(QString::fromStdString(workspace.problem()->graph->opName(op)));
        }
        QApplication::clipboard()->setText(names.join(QLatin1Char('\n')));
    });
}

} // namespace

void fillOpMenu(QMenu& menu, Workspace& workspace, const Theme& theme) {
    const std::set<OpId>& ops = workspace.selection().ops();
    if (ops.empty() || !workspace.hasProblem() || workspace.current() == nullptr) {
        return;
    }
    const QString title =
        ops.size() == 1 ? QString::fromStdString(workspace.problem()->graph->opName(*ops.begin()))
                        : countOf(static_cast<std::int64_t>(ops.size()), QStringLiteral("op"));
    menu.addAction(title)->setEnabled(false);
    menu.addSeparator();
    addAssignMenu(menu, workspace, theme);
    addPinAction(menu, workspace);
    menu.addSeparator();
    addSelectMenu(menu, workspace);
    addCopyAction(menu, workspace);
}

} // namespace doppler::views
