#include <QTest>

#include "core/workload/Workload.h"
#include "views/canvas/CanvasGeometry.h"
#include "views/canvas/CanvasOverlays.h"
#include "views/layout/FoldedLayout.h"

using namespace doppler;
using namespace doppler::views;

namespace {

struct Drawing {
    std::shared_ptr<const graph::Graph> graph;
    graph::FoldState fold;
    std::shared_ptr<const FoldedLayout> layout;

    explicit Drawing(const char* workload)
        : graph(workload::generate(workload))
        , fold(std::make_shared<const graph::GroupTree>(*graph)) {}

    void draw() { layout = foldedLayout(*graph, std::make_shared<const graph::FoldState>(fold)); }
    std::int32_t group(const std::string& path) const {
        for (std::int32_t group = 1; group < fold.tree().size(); ++group) {
            if (fold.tree().path(group) == path) {
                return group;
            }
        }
        qFatal("no group %s", path.c_str());
    }
    QRectF rect(const std::string& path) const {
        return layout->boxes[static_cast<std::size_t>(layout->boxOf(group(path)))].rect;
    }
};

/// Grown by what lines may be off.
QRectF grown(const QRectF& rect) {
    return rect.adjusted(-1, -1, 1, 1);
}

} // namespace

class TestFoldedLayout : public QObject {
    Q_OBJECT

private:
    static void verify(const Drawing& drawing) {
        const FoldedLayout& layout = *drawing.layout;
        const graph::GroupTree& tree = drawing.fold.tree();
        // Frames lie in the frames around them, side by side.
        for (const GroupBox& box : layout.boxes) {
            for (const GroupBox& other : layout.boxes) {
                if (&box == &other) {
                    continue;
                }
                if (tree.isWithin(box.group, other.group)) {
                    QVERIFY(grown(other.rect).contains(box.rect));
                } else if (!tree.isWithin(other.group, box.group)) {
                    QVERIFY(!box.rect.adjusted(1, 1, -1, -1).intersects(other.rect));
                }
            }
        }
        for (OpId op = 0; op < drawing.graph->opCount(); ++op) {
            QVERIFY(grown(layout.ops->bounds).contains(layout.standInRect(op)));
            const std::int32_t group = tree.groupOf(op);
            if (!layout.isHidden(op) && group != graph::GroupTree::kRoot) {
                const std::int32_t box = layout.boxOf(group);
                QVERIFY(box >= 0);
                QVERIFY(grown(layout.boxes[static_cast<std::size_t>(box)].rect)
                            .contains(layout.ops->nodeRect(op)));
            }
        }
        // Every line runs from what it stands for to what it stands for.
        int edges = 0;
        for (EdgeId edge = 0; edge < drawing.graph->edgeCount(); ++edge) {
            const OpId source = drawing.graph->source(edge);
            const OpId target = drawing.graph->target(edge);
            const auto curve = layout.ops->curve(edge);
            if (layout.isHidden(source) || layout.isHidden(target)) {
                QVERIFY(curve.empty());
                continue;
            }
            ++edges;
            QCOMPARE(curve.size() % 3, std::size_t{1});
            QVERIFY(grown(layout.ops->nodeRect(source)).contains(curve.front()));
            QVERIFY(grown(layout.ops->nodeRect(target)).contains(curve.back()));
        }
        for (const BundleLine& bundle : layout.bundles) {
            edges += bundle.count;
            const auto end = [&](OpId op, std::int32_t box) {
                return grown(box < 0 ? layout.ops->nodeRect(op)
                                     : layout.boxes[static_cast<std::size_t>(box)].rect);
            };
            QVERIFY(end(bundle.sourceOp, bundle.sourceBox).contains(bundle.curve.front()));
            QVERIFY(end(bundle.targetOp, bundle.targetBox).contains(bundle.curve.back()));
        }
        QVERIFY(edges <= drawing.graph->edgeCount());
    }

private Q_SLOTS:
    void theLegendCoversNoNameOfAFrame() {
        Drawing drawing("llama-layer:layers=4,size=tiny");
        drawing.draw();
        CanvasGeometry geometry;
        geometry.setViewSize({900, 500});
        geometry.setLayout(drawing.layout->ops, drawing.layout);
        // A frame that begins at the top left, nodes of which stand further in.
        const QRectF frame = drawing.layout->boxes.front().rect;
        geometry.setZoom(1);
        geometry.panBy(QPointF(2, 2) - geometry.transform().toView(frame.topLeft()));
        QVERIFY(geometry.countIn({0, 0, 60, 16}) > 0);
        CanvasOverlays overlays;
        overlays.arrange(geometry, {110, 130});
        QVERIFY(!overlays.legendRect().isEmpty());
        const QRectF name(geometry.transform().toView(frame.topLeft()), QSizeF(120, 16));
        QVERIFY(!overlays.legendRect().intersects(name));
    }

    void collapsedExpandedAndInBetween_data() {
        QTest::addColumn<QByteArray>("workload");
        for (const char* workload : {"llama-layer:layers=4,size=tiny", "chainmm",
                                     "moe:layers=2,training=true,size=tiny", "nmt:size=tiny"}) {
            QTest::newRow(workload) << QByteArray(workload);
        }
    }
    void collapsedExpandedAndInBetween() {
        QFETCH(QByteArray, workload);
        Drawing drawing(workload.constData());
        drawing.draw(); // all expanded, in frames
        verify(drawing);
        QVERIFY(drawing.layout->bundles.empty());
        drawing.fold.collapseAll();
        drawing.draw();
        verify(drawing);
        for (std::int32_t group = 1; group < drawing.fold.tree().size(); group += 2) {
            drawing.fold.setCollapsed(group, false);
        }
        drawing.draw();
        verify(drawing);
    }

    void layersAlikeLookAlike() {
        Drawing drawing("llama-layer:layers=3,size=tiny");
        drawing.draw();
        const QRectF second = drawing.rect("layer 2");
        const QRectF third = drawing.rect("layer 3");
        QCOMPARE(second.size(), third.size());
        const std::vector<OpId> a = drawing.fold.tree().opsOf(drawing.group("layer 2"));
        const std::vector<OpId> b = drawing.fold.tree().opsOf(drawing.group("layer 3"));
        QCOMPARE(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            const QPointF off = (drawing.layout->ops->centre(a[i]) - second.topLeft()) -
                                (drawing.layout->ops->centre(b[i]) - third.topLeft());
            QVERIFY(off.manhattanLength() < 0.01);
        }
    }

    void expandingOneKeepsTheRows() {
        Drawing drawing("llama-layer:layers=20,size=tiny");
        drawing.fold.collapseAll();
        drawing.draw();
        const auto rows = [&] { // the layers of each row
            std::vector<std::vector<int>> result;
            double right = 0;
            for (int layer = 1; layer <= 20; ++layer) {
                const QRectF rect = drawing.rect("layer " + std::to_string(layer));
                if (result.empty() || rect.left() < right) {
                    result.emplace_back();
                }
                right = rect.right();
                result.back().push_back(layer);
            }
            return result;
        };
        const auto before = rows();
        QVERIFY(before.size() > 1);
        for (const char* path : {"layer 7", "layer 12"}) {
            drawing.fold.setCollapsed(drawing.group(path), false);
            drawing.draw();
            QVERIFY(rows() == before);
            verify(drawing);
        }
        drawing.fold.expandAll();
        drawing.draw();
        QVERIFY(rows() == before);
    }

    void expandingOneKeepsTheOthersInOrder() {
        Drawing drawing("llama-layer:layers=3,size=tiny");
        drawing.fold.collapseAll();
        drawing.draw();
        const auto inReadingOrder = [&] {
            // Later layers are further right or in a lower band.
            const QRectF one = drawing.rect("layer 1");
            const QRectF two = drawing.rect("layer 2");
            const QRectF three = drawing.rect("layer 3");
            const auto after = [](const QRectF& a, const QRectF& b) {
                return b.left() >= a.right() || b.top() >= a.bottom();
            };
            return after(one, two) && after(two, three);
        };
        QVERIFY(inReadingOrder());
        drawing.fold.setCollapsed(drawing.group("layer 2"), false);
        drawing.draw();
        QVERIFY(inReadingOrder());
        QVERIFY(drawing.rect("layer 2").width() > kBoxWidth);
        QCOMPARE(drawing.rect("layer 1").size(), QSizeF(kBoxWidth, kBoxHeight));
        QVERIFY(drawing.layout->boxOf(drawing.group("layer 2/softmax")) >= 0);
    }

    void bundlesCountTheirEdges() {
        Drawing drawing("llama-layer:layers=2,size=tiny");
        drawing.fold.collapseAll();
        drawing.draw();
        int between = 0;
        const graph::GroupTree& tree = drawing.fold.tree();
        for (EdgeId edge = 0; edge < drawing.graph->edgeCount(); ++edge) {
            between +=
                tree.isWithin(tree.groupOf(drawing.graph->source(edge)),
                              drawing.group("layer 1")) &&
                tree.isWithin(tree.groupOf(drawing.graph->target(edge)), drawing.group("layer 2"));
        }
        int drawn = 0;
        for (const BundleLine& bundle : drawing.layout->bundles) {
            if (bundle.sourceBox == drawing.layout->boxOf(drawing.group("layer 1")) &&
                bundle.targetBox == drawing.layout->boxOf(drawing.group("layer 2"))) {
                drawn = bundle.count;
            }
        }
        QVERIFY(between > 1);
        QCOMPARE(drawn, between);
    }

    void aStopEndsIt() {
        Drawing drawing("llama-layer:layers=2,size=tiny");
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(!foldedLayout(*drawing.graph,
                              std::make_shared<const graph::FoldState>(drawing.fold),
                              stop.get_token()));
    }
};

QTEST_GUILESS_MAIN(TestFoldedLayout)
#include "TestFoldedLayout.moc"
