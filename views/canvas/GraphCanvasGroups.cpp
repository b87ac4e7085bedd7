// Groups of the canvas: what is collapsed, and how that changes.

#include <QKeyEvent>
#include <QMenu>

#include "views/canvas/GraphCanvas.h"

namespace doppler::views {

namespace {
/// Larger graphs with groups start with these collapsed.
constexpr int kCollapseAbove = 2'500;
/// From this many ops on, groups are drawn as frames even if all are expanded: the drawing is made
/// of them, so that layers alike look alike.
constexpr int kFramesAbove = 2'500;
/// The groups of larger graphs are found in the background.
constexpr int kFindAtOnce = 20'000;

/// As a graph starts; nothing if it has no groups.
std::optional<graph::FoldState> firstGroups(const graph::Graph& graph) {
    auto tree = std::make_shared<const graph::GroupTree>(graph);
    if (!tree->hasGroups()) {
        return std::nullopt;
    }
    graph::FoldState fold(std::move(tree));
    if (graph.opCount() > kCollapseAbove) {
        fold.collapseAll();
    }
    return fold;
}

} // namespace

void GraphCanvas::resetGroups() {
    fold_.reset();
    anchorGroup_ = -1;
    if (groupsJob_) {
        groupsJob_->cancel();
        groupsJob_.clear();
    }
    if (!workspace_.hasProblem()) {
        return;
    }
    if (workspace_.viewState().groups()) { // as a session has them
        fold_ = workspace_.viewState().groups();
        return;
    }
    const std::shared_ptr<const graph::Graph> graph = workspace_.problem()->graph;
    if (graph->opCount() <= kFindAtOnce) {
        fold_ = firstGroups(*graph);
        return;
    }
    using Groups = std::optional<graph::FoldState>;
    const auto found = [this](const Groups& groups) {
        groupsJob_.clear();
        fold_ = groups;
        requestLayout();
        announceGroups();
    };
    groupsJob_ = workspace_.jobs().start<Groups>(
        {.title = tr("Groups"), .hidden = true, .owner = this},
        [graph](JobContext&) { return firstGroups(*graph); }, found,
        [found](const QString&) { found(std::nullopt); });
}

void GraphCanvas::announceGroups() {
    workspace_.viewState().setGroups(fold_);
    Q_EMIT groupsChanged();
}

void GraphCanvas::restoreGroups() {
    if (!fold_ || geometry_.isEmpty()) {
        return;
    }
    if (const auto folds = geometry_.folds()) {
        fold_ = *folds->fold;
    } else {
        fold_->expandAll();
    }
    anchorGroup_ = -1;
    fitNext_ = false;
    announceGroups();
}

void GraphCanvas::requestLayout() {
    if (!workspace_.hasProblem() || groupsJob_) { // asks again when the groups are known
        layouts_.request(nullptr);
        return;
    }
    const auto graph = workspace_.problem()->graph;
    const bool drawn = fold_ && (fold_->anyCollapsed() || graph->opCount() > kFramesAbove);
    layouts_.request(graph, drawn ? std::make_shared<const graph::FoldState>(*fold_) : nullptr);
}

bool GraphCanvas::hasGroups() const {
    return fold_.has_value();
}

bool GraphCanvas::anyCollapsed() const {
    return fold_ && fold_->anyCollapsed();
}

bool GraphCanvas::allCollapsed() const {
    if (!fold_) {
        return false;
    }
    graph::FoldState all = *fold_;
    all.collapseAll();
    return *fold_ == all;
}

void GraphCanvas::collapseAll() {
    if (fold_) {
        fold_->collapseAll();
        anchorGroup_ = -1;
        fitNext_ = true;
        requestLayout();
        announceGroups();
    }
}

void GraphCanvas::expandAll() {
    if (fold_ && fold_->anyCollapsed()) {
        fold_->expandAll();
        anchorGroup_ = -1;
        fitNext_ = true;
        requestLayout();
        announceGroups();
    }
}

void GraphCanvas::setCollapsed(std::int32_t group, bool collapsed) {
    if (!fold_ || group == graph::GroupTree::kRoot || fold_->isCollapsed(group) == collapsed) {
        return;
    }
    fold_->setCollapsed(group, collapsed);
    anchorGroup_ = -1;
    if (const auto folds = geometry_.folds()) {
        if (const std::int32_t box = folds->boxOf(group); box >= 0) {
            anchorGroup_ = group;
            anchor_ = geometry_.boxInView(box).topLeft();
        }
    }
    fitNext_ = anchorGroup_ < 0;
    requestLayout();
    announceGroups();
}

void GraphCanvas::toggleBox(std::int32_t box) {
    // Of what was asked for last: the picture may not show it yet.
    const std::int32_t group = geometry_.folds()->boxes[static_cast<std::size_t>(box)].group;
    setCollapsed(group, !fold_->isCollapsed(group));
}

std::int32_t GraphCanvas::groupToExpand() const {
    const OpId current = workspace_.selection().current();
    if (!fold_ || current == kNoOp) {
        return -1;
    }
    const std::int32_t group = fold_->standIn(current);
    return group == graph::GroupTree::kRoot ? -1 : group;
}

std::int32_t GraphCanvas::groupToCollapse() const {
    const OpId current = workspace_.selection().current();
    if (!fold_ || current == kNoOp) {
        return -1;
    }
    const graph::GroupTree& tree = fold_->tree();
    const std::int32_t hidden = fold_->standIn(current);
    const std::int32_t group =
        hidden == graph::GroupTree::kRoot ? tree.groupOf(current) : tree.node(hidden).parent;
    return group == graph::GroupTree::kRoot ? -1 : group;
}

void GraphCanvas::showFolds(std::shared_ptr<const FoldedLayout> layout) {
    mouse_.cancel();
    hoveredBox_ = -1;
    const bool fit = geometry_.isEmpty() || fitNext_;
    const std::int32_t group = anchorGroup_;
    fitNext_ = false;
    anchorGroup_ = -1;
    geometry_.setLayout(layout->ops, layout);
    const std::int32_t box = group < 0 ? -1 : layout->boxOf(group);
    if (box >= 0) { // what was clicked stays under the pointer
        geometry_.panBy(anchor_ - geometry_.boxInView(box).topLeft());
        geometry_.reveal(layout->boxes[static_cast<std::size_t>(box)].rect);
        geometry_.revealAll();
    } else if (fit) {
        geometry_.fitAll();
    }
    overlaysDirty_ = true;
    sceneChanged();
    Q_EMIT zoomChanged();
}

void GraphCanvas::addGroupActions(QMenu& menu) {
    if (!fold_) {
        return;
    }
    if (!menu.isEmpty()) {
        menu.addSeparator();
    }
    const auto name = [this](std::int32_t group) {
        return QString::fromStdString(fold_->tree().node(group).name);
    };
    if (const std::int32_t group = groupToExpand(); group >= 0) {
        menu.addAction(tr("Expand %1\tEnter").arg(name(group)), this,
                       [this, group] { setCollapsed(group, false); });
    }
    if (const std::int32_t group = groupToCollapse(); group >= 0) {
        menu.addAction(tr("Collapse %1\tBackspace").arg(name(group)), this,
                       [this, group] { setCollapsed(group, true); });
    }
    menu.addAction(tr("Expand all groups\tShift+Enter"), this, &GraphCanvas::expandAll)
        ->setEnabled(anyCollapsed());
    menu.addAction(tr("Collapse all groups\tShift+Backspace"), this, &GraphCanvas::collapseAll);
}

bool GraphCanvas::handleGroupKey(const QKeyEvent& event) {
    if (!fold_ || (event.modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) != 0) {
        return false;
    }
    const bool all = event.modifiers().testFlag(Qt::ShiftModifier);
    switch (event.key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (all) {
            expandAll();
        } else if (const std::int32_t group = groupToExpand(); group >= 0) {
            setCollapsed(group, false);
        }
        return true;
    case Qt::Key_Backspace:
        if (all) {
            collapseAll();
        } else if (const std::int32_t group = groupToCollapse(); group >= 0) {
            setCollapsed(group, true);
        }
        return true;
    default:
        return false;
    }
}

} // namespace doppler::views
