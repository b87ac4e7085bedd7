#include "views/layout/FoldedLayout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "core/graph/GraphBuilder.h"
#include "views/layout/LayeredLayout.h"

namespace doppler::views {

namespace {

constexpr double kPadding = 12; // of a frame
constexpr double kFrameAspect = 1.6;
constexpr double kLeadOut = 14; // least length of the way to a frame's border

using graph::EdgeBundle;
using graph::GroupTree;

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

/// One part of a frame's inside: an op, or a group.
struct Item {
    OpId op = kNoOp;
    std::int32_t group = -1;
};

/// The inside of one expanded group, in coordinates of its own.
struct Inside {
    std::vector<Item> items;
    graph::EdgeBundler links;
    std::vector<EdgeBundle> bundles;          // ordered by source, then target
    std::vector<QPointF> centres;             // by item
    std::vector<std::vector<QPointF>> curves; // by bundle, in its direction
    QRectF bounds;
    QPointF origin; // in the scene
};

/// A part of the drawing that edges end at: where it is among the items of which group.
struct Place {
    std::int32_t container = 0;
    std::int32_t item = 0;
};

/// Finds edges by their ends, where an op may have very many.
class EdgesByEnds {
public:
    explicit EdgesByEnds(const graph::Graph& graph) : graph_(graph), edges_(at(graph.edgeCount())) {
        std::iota(edges_.begin(), edges_.end(), 0);
        std::sort(edges_.begin(), edges_.end(),
                  [this](EdgeId a, EdgeId b) { return endsOf(a) < endsOf(b); });
    }
    /// The edge, which must exist.
    EdgeId find(OpId from, OpId to) const {
        return *std::lower_bound(
            edges_.begin(), edges_.end(), std::pair(from, to),
            [this](EdgeId edge, const auto& ends) { return endsOf(edge) < ends; });
    }

private:
    std::pair<OpId, OpId> endsOf(EdgeId edge) const {
        return {graph_.source(edge), graph_.target(edge)};
    }

    const graph::Graph& graph_;
    std::vector<EdgeId> edges_;
};

class Nesting {
public:
    Nesting(const graph::Graph& graph, const graph::FoldState& fold)
        : graph_(graph)
        , tree_(fold.tree())
        , fold_(fold)
        , insides_(at(tree_.size()))
        , itemOfOp_(at(graph.opCount()), -1)
        , itemOfGroup_(at(tree_.size()), -1)
        , size_(at(tree_.size())) {}

    bool arrange(const std::stop_token& stop) {
        collectItems();
        for (EdgeId edge = 0; edge < graph_.edgeCount(); ++edge) {
            const auto [container, source, target] =
                meeting(placeOf(graph_.source(edge)), placeOf(graph_.target(edge)));
            insides_[at(container)].links.add(source, target, graph_.edgeBytes(edge));
        }
        for (std::int32_t group = tree_.size() - 1; group >= 0; --group) { // inner ones first
            if (isShown(group) && !layOut(group, stop)) {
                return false;
            }
        }
        for (std::int32_t group = 1; group < tree_.size(); ++group) {
            if (isShown(group)) {
                insides_[at(group)].origin = rectOf(group).topLeft() +
                                             QPointF(kPadding, kFrameTitle + kPadding / 2) -
                                             insides_[at(group)].bounds.topLeft();
            }
        }
        return true;
    }

    /// Where an op, or the box that hides it, stands.
    Place placeOf(OpId op) const {
        const std::int32_t box = fold_.standIn(op);
        return box == GroupTree::kRoot ? Place{tree_.groupOf(op), itemOfOp_[at(op)]}
                                       : Place{tree_.node(box).parent, itemOfGroup_[at(box)]};
    }

    /// Laid out: not collapsed, nor inside of a collapsed group.
    bool isShown(std::int32_t group) const { return fold_.hiddenIn(group) == GroupTree::kRoot; }
    /// In the scene; a group that is drawn.
    QRectF rectOf(std::int32_t group) const {
        const Inside& around = insides_[at(tree_.node(group).parent)];
        const QPointF centre = around.centres[at(itemOfGroup_[at(group)])] + around.origin;
        const QSizeF size = size_[at(group)];
        return {centre - QPointF(size.width() / 2, size.height() / 2), size};
    }
    QPointF centreOf(OpId op) const {
        const std::int32_t group = tree_.groupOf(op);
        return insides_[at(group)].centres[at(itemOfOp_[at(op)])] + insides_[at(group)].origin;
    }

    /// The way from one place to another, from and to the given rectangles.
    std::vector<QPointF> way(const Place& from, const Place& to, const QRectF& fromRect,
                             const QRectF& toRect, bool* backward) const {
        const auto [container, source, target] = meeting(from, to);
        const Inside& inside = insides_[at(container)];
        const auto bundle = std::lower_bound(inside.bundles.begin(), inside.bundles.end(),
                                             std::pair(source, target),
                                             [](const EdgeBundle& each, const auto& key) {
                                                 return std::pair(each.source, each.target) < key;
                                             });
        *backward = bundle->backward;
        std::vector<QPointF> points;
        for (const QPointF& point :
             inside.curves[static_cast<std::size_t>(bundle - inside.bundles.begin())]) {
            points.push_back(point + inside.origin);
        }
        // Ends that lie deeper in a frame go on from its border.
        const double sign = bundle->backward ? -1 : 1;
        const auto border = [sign](const QRectF& rect, bool out) {
            const bool right = out == (sign > 0);
            return QPointF(right ? rect.right() : rect.left(), rect.center().y());
        };
        const auto lead = [sign](const QPointF& begin, const QPointF& end) {
            const double reach = std::max(kLeadOut, std::abs(end.x() - begin.x()) / 2) * sign;
            return std::array{begin + QPointF(reach, 0), end - QPointF(reach, 0)};
        };
        if (from.container != container) {
            const QPointF begin = border(fromRect, true);
            const auto [a, b] = lead(begin, points.front());
            points.insert(points.begin(), {begin, a, b});
        }
        if (to.container != container) {
            const QPointF end = border(toRect, false);
            const auto [a, b] = lead(points.back(), end);
            points.insert(points.end(), {a, b, end});
        }
        return points;
    }

    QRectF bounds() const { return insides_[GroupTree::kRoot].bounds; }

private:
    struct Meeting {
        std::int32_t container;
        std::int32_t source;
        std::int32_t target;
    };

    void collectItems() {
        for (std::int32_t group = 0; group < tree_.size(); ++group) {
            if (!isShown(group)) {
                continue;
            }
            std::vector<Item>& items = insides_[at(group)].items;
            for (const OpId op : tree_.node(group).ops) {
                itemOfOp_[at(op)] = static_cast<std::int32_t>(items.size());
                items.push_back({op, -1});
            }
            for (const std::int32_t child : tree_.node(group).children) {
                itemOfGroup_[at(child)] = static_cast<std::int32_t>(items.size());
                items.push_back({kNoOp, child});
            }
        }
    }

    /// The innermost group that has both, and the items there that they lie in.
    Meeting meeting(Place a, Place b) const {
        const auto raise = [this](Place& place) {
            place = {tree_.node(place.container).parent, itemOfGroup_[at(place.container)]};
        };
        while (a.container != b.container) {
            if (tree_.node(a.container).depth >= tree_.node(b.container).depth) {
                raise(a);
            } else {
                raise(b);
            }
        }
        return {a.container, a.item, b.item};
    }

    QSizeF sizeOf(const Item& item) const {
        return item.group < 0 ? QSizeF(kNodeWidth, kNodeHeight) : size_[at(item.group)];
    }

    bool layOut(std::int32_t group, const std::stop_token& stop) {
        Inside& inside = insides_[at(group)];
        const auto count = static_cast<std::int32_t>(inside.items.size());
        LayoutWish wish;
        wish.leftToRight = true;
        wish.aspect = group == GroupTree::kRoot ? kTargetAspect : kFrameAspect;
        bool opsOnly = true;
        std::vector<QSizeF> collapsed; // the size of each item if all were
        for (const Item& item : inside.items) {
            if (item.group >= 0 && !isShown(item.group)) {
                size_[at(item.group)] = QSizeF(kBoxWidth, kBoxHeight);
            }
            opsOnly = opsOnly && item.group < 0;
            wish.sizes.push_back(sizeOf(item));
            collapsed.push_back(item.group < 0 ? sizeOf(item) : QSizeF(kBoxWidth, kBoxHeight));
        }
        if (opsOnly) {
            wish.sizes.clear();
        } else {
            // Expanding one of several groups leaves the others in their rows.
            wish.foldSizes = std::move(collapsed);
        }
        inside.bundles = inside.links.bundles(positions(inside));
        graph::GraphBuilder builder;
        builder.reserve(count, static_cast<int>(inside.bundles.size()));
        for (std::int32_t item = 0; item < count; ++item) {
            builder.addOp({.outputBytes = 0, .bytesTouched = 0});
        }
        for (const EdgeBundle& bundle : inside.bundles) {
            bundle.backward ? builder.addEdge(bundle.target, bundle.source)
                            : builder.addEdge(bundle.source, bundle.target);
        }
        const auto quotient = builder.build();
        const auto layout = layeredLayout(*quotient, stop, wish);
        if (!layout) {
            return false;
        }
        inside.centres = layout->centres;
        const EdgesByEnds edges(*quotient);
        for (const EdgeBundle& bundle : inside.bundles) {
            const std::int32_t from = bundle.backward ? bundle.target : bundle.source;
            const std::int32_t to = bundle.backward ? bundle.source : bundle.target;
            const std::span<const QPointF> curve = layout->curve(edges.find(from, to));
            inside.curves.emplace_back(curve.begin(), curve.end());
            if (bundle.backward) {
                std::reverse(inside.curves.back().begin(), inside.curves.back().end());
            }
        }
        measure(inside);
        if (group != GroupTree::kRoot) {
            size_[at(group)] =
                inside.bounds.size() + QSizeF(2 * kPadding, kFrameTitle + kPadding * 1.5);
            size_[at(group)].setWidth(std::max(size_[at(group)].width(), kBoxWidth));
        }
        return true;
    }

    /// By item: when it runs, on average, for cycles between groups.
    std::vector<double> positions(const Inside& inside) const {
        std::vector<double> positions;
        for (const Item& item : inside.items) {
            if (item.group < 0) {
                positions.push_back(item.op);
                continue;
            }
            double sum = 0;
            const std::vector<OpId> ops = tree_.opsOf(item.group);
            for (const OpId op : ops) {
                sum += op;
            }
            positions.push_back(sum / static_cast<double>(ops.size()));
        }
        return positions;
    }

    void measure(Inside& inside) const {
        QRectF bounds;
        for (std::size_t item = 0; item < inside.items.size(); ++item) {
            const QSizeF size = sizeOf(inside.items[item]);
            bounds |=
                QRectF(inside.centres[item] - QPointF(size.width() / 2, size.height() / 2), size);
        }
        for (const auto& curve : inside.curves) {
            for (const QPointF& point : curve) {
                bounds.setLeft(std::min(bounds.left(), point.x()));
                bounds.setRight(std::max(bounds.right(), point.x()));
                bounds.setTop(std::min(bounds.top(), point.y()));
                bounds.setBottom(std::max(bounds.bottom(), point.y()));
            }
        }
        inside.bounds = bounds;
    }

    const graph::Graph& graph_;
    const GroupTree& tree_;
    const graph::FoldState& fold_;
    std::vector<Inside> insides_;           // by group
    std::vector<std::int32_t> itemOfOp_;    // in its group; -1: hidden
    std::vector<std::int32_t> itemOfGroup_; // in its parent
    std::vector<QSizeF> size_;              // by group
};

class FoldedDrawing {
public:
    FoldedDrawing(const graph::Graph& graph, const graph::FoldState& fold, const Nesting& nesting)
        : graph_(graph), fold_(fold), nesting_(nesting) {}

    void draw(FoldedLayout& result) {
        addBoxes(result);
        auto layout = std::make_shared<GraphLayout>();
        layout->leftToRight = true;
        layout->centres.reserve(at(graph_.opCount()));
        result.boxOfOp.reserve(at(graph_.opCount()));
        for (OpId op = 0; op < graph_.opCount(); ++op) {
            const std::int32_t group = fold_.standIn(op);
            const std::int32_t box = group == GroupTree::kRoot ? -1 : boxOfGroup_[group];
            result.boxOfOp.push_back(box);
            layout->centres.push_back(box < 0 ? nesting_.centreOf(op)
                                              : result.boxes[at(box)].rect.center());
        }
        result.ops = layout;
        layout->curveBegin.reserve(at(graph_.edgeCount()) + 1);
        for (EdgeId edge = 0; edge < graph_.edgeCount(); ++edge) {
            const OpId source = graph_.source(edge);
            const OpId target = graph_.target(edge);
            if (!result.isHidden(source) && !result.isHidden(target)) {
                bool backward = false;
                const std::vector<QPointF> way =
                    nesting_.way(nesting_.placeOf(source), nesting_.placeOf(target),
                                 layout->nodeRect(source), layout->nodeRect(target), &backward);
                layout->curvePoints.insert(layout->curvePoints.end(), way.begin(), way.end());
            }
            layout->curveBegin.push_back(static_cast<std::uint32_t>(layout->curvePoints.size()));
        }
        layout->updateBounds();
        layout->bounds |= nesting_.bounds();
        addBundles(result);
    }

private:
    void addBoxes(FoldedLayout& result) {
        const GroupTree& tree = fold_.tree();
        for (std::int32_t group = 1; group < tree.size(); ++group) {
            const bool shown = nesting_.isShown(group);
            if (!shown && fold_.hiddenIn(group) != group) {
                continue; // inside of a collapsed one
            }
            boxOfGroup_[group] = static_cast<std::int32_t>(result.boxes.size());
            result.boxes.push_back({group, nesting_.rectOf(group), !shown, tree.node(group).depth});
        }
    }

    void addBundles(FoldedLayout& result) const {
        const graph::FoldedGraph folded(graph_, fold_);
        for (const EdgeBundle& bundle : folded.bundles()) {
            const auto source = folded.parts()[at(bundle.source)];
            const auto target = folded.parts()[at(bundle.target)];
            if (source.group < 0 && target.group < 0) {
                continue; // an edge between two ops
            }
            BundleLine line;
            line.count = bundle.count;
            line.bytes = bundle.bytes;
            line.sourceOp = source.op;
            line.targetOp = target.op;
            line.sourceBox = source.group < 0 ? -1 : boxOfGroup_.at(source.group);
            line.targetBox = target.group < 0 ? -1 : boxOfGroup_.at(target.group);
            const OpId from = source.group < 0 ? source.op : anyOp(source.group);
            const OpId to = target.group < 0 ? target.op : anyOp(target.group);
            line.curve =
                nesting_.way(nesting_.placeOf(from), nesting_.placeOf(to), result.standInRect(from),
                             result.standInRect(to), &line.backward);
            result.bundles.push_back(std::move(line));
        }
    }

    OpId anyOp(std::int32_t group) const {
        while (fold_.tree().node(group).ops.empty()) {
            group = fold_.tree().node(group).children.front();
        }
        return fold_.tree().node(group).ops.front();
    }

    const graph::Graph& graph_;
    const graph::FoldState& fold_;
    const Nesting& nesting_;
    std::map<std::int32_t, std::int32_t> boxOfGroup_;
};

} // namespace

std::int32_t FoldedLayout::boxOf(std::int32_t group) const {
    const auto it = std::find_if(boxes.begin(), boxes.end(),
                                 [group](const GroupBox& box) { return box.group == group; });
    return it == boxes.end() ? -1 : static_cast<std::int32_t>(it - boxes.begin());
}

std::shared_ptr<const FoldedLayout> foldedLayout(const graph::Graph& graph,
                                                 std::shared_ptr<const graph::FoldState> fold,
                                                 const std::stop_token& stop) {
    Nesting nesting(graph, *fold);
    if (!nesting.arrange(stop)) {
        return nullptr;
    }
    auto result = std::make_shared<FoldedLayout>();
    FoldedDrawing(graph, *fold, nesting).draw(*result);
    result->fold = std::move(fold);
    return result;
}

} // namespace doppler::views
