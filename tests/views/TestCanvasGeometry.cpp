#include <QTest>

#include "core/workload/Workload.h"
#include "views/canvas/CanvasGeometry.h"
#include "views/canvas/CanvasOverlays.h"
#include "views/layout/LayeredLayout.h"

using namespace doppler;
using namespace doppler::views;

class TestCanvasGeometry : public QObject {
    Q_OBJECT

private:
    CanvasGeometry geometry_;

private Q_SLOTS:
    void init() {
        geometry_ = CanvasGeometry();
        geometry_.setViewSize({900, 400});
        geometry_.setLayout(layeredLayout(*workload::generate("chainmm")));
        geometry_.fitAll();
    }

    void detailFollowsTheWidthOfANode_data() {
        QTest::addColumn<double>("width");
        QTest::addColumn<int>("detail");
        QTest::newRow("2") << 2.0 << int(DetailLevel::Density);
        QTest::newRow("3") << 3.0 << int(DetailLevel::Square);
        QTest::newRow("5.9") << 5.9 << int(DetailLevel::Square);
        QTest::newRow("6") << 6.0 << int(DetailLevel::Shape);
        QTest::newRow("13.9") << 13.9 << int(DetailLevel::Shape);
        QTest::newRow("14") << 14.0 << int(DetailLevel::Label);
        QTest::newRow("60") << 60.0 << int(DetailLevel::Label);
        QTest::newRow("61") << 61.0 << int(DetailLevel::Full);
    }

    void detailFollowsTheWidthOfANode() {
        QFETCH(double, width);
        QTEST(int(detailForWidth(width)), "detail");
    }

    void fittingShowsEverythingInTheMiddle() {
        const QRectF shown = geometry_.transform().toView(geometry_.layout()->bounds);
        QVERIFY(geometry_.viewRect().contains(shown));
        QVERIFY((shown.center() - geometry_.viewRect().center()).manhattanLength() < 1e-6);
        geometry_.setViewSize({500, 300}); // a fitted view stays fitted
        QVERIFY(geometry_.viewRect().contains(
            geometry_.transform().toView(geometry_.layout()->bounds)));
    }

    void everyNodeIsFoundAtItsPlace() {
        for (OpId op = 0; op < geometry_.layout()->opCount(); ++op) {
            QCOMPARE(geometry_.opAt(geometry_.nodeInView(op).center()), op);
            QCOMPARE(geometry_.opAt(geometry_.nodeInView(op).topLeft() + QPointF(2, 2)), op);
        }
        QCOMPARE(geometry_.opAt(QPointF(1, 1)), kNoOp);
        // Where nodes are tiny, a near miss still hits.
        geometry_.setViewSize({60, 40});
        geometry_.fitAll();
        QVERIFY(geometry_.transform().nodeWidth() < 3);
        QVERIFY(geometry_.opAt(geometry_.nodeInView(40).center() + QPointF(0, 3)) != kNoOp);
    }

    void zoomKeepsThePointUnderThePointer() {
        const QPointF pointer(300, 120);
        const QPointF scene = geometry_.transform().toScene(pointer);
        geometry_.zoomAt(pointer, 1.7);
        QVERIFY((geometry_.transform().toView(scene) - pointer).manhattanLength() < 1e-6);
        for (int i = 0; i < 40; ++i) {
            geometry_.zoomAt(pointer, 2);
        }
        QCOMPARE(geometry_.transform().zoom, CanvasGeometry::kMaxZoom);
        for (int i = 0; i < 40; ++i) {
            geometry_.zoomAt(pointer, 0.5);
        }
        QCOMPARE(geometry_.transform().zoom, geometry_.minZoom());
    }

    void theDrawingCannotBeLost() {
        geometry_.setZoom(2);
        geometry_.panBy({1e6, -1e6});
        QVERIFY(geometry_.transform()
                    .toView(geometry_.layout()->bounds)
                    .intersects(geometry_.viewRect()));
    }

    void rectangleAndOutlineFindOps() {
        const QRectF all = geometry_.viewRect();
        QCOMPARE(geometry_.opsIn(all).size(), std::size_t{76});
        const QRectF one = geometry_.nodeInView(5).adjusted(4, 4, -4, -4);
        QCOMPARE(geometry_.opsIn(one), std::set<OpId>{5});
        const QPointF c = geometry_.nodeInView(5).center();
        const QPolygonF triangle{c + QPointF(0, -6), c + QPointF(6, 6), c + QPointF(-6, 6)};
        QCOMPARE(geometry_.opsIn(triangle), std::set<OpId>{5});
        QVERIFY(geometry_.opsIn(QPolygonF{c}).empty());
    }

    void revealMovesAsLittleAsNeeded() {
        geometry_.setZoom(3);
        geometry_.centreOn(geometry_.layout()->centre(0));
        const CanvasTransform before = geometry_.transform();
        geometry_.reveal(0);
        QCOMPARE(geometry_.transform().offset, before.offset);
        geometry_.reveal(75);
        QVERIFY(geometry_.viewRect().contains(geometry_.nodeInView(75)));
        QCOMPARE(geometry_.transform().zoom, before.zoom);
    }

    void fitsASelection() {
        geometry_.fit({0, 1});
        QVERIFY(geometry_.viewRect().contains(geometry_.nodeInView(0)));
        QVERIFY(geometry_.viewRect().contains(geometry_.nodeInView(1)));
        QVERIFY(geometry_.transform().zoom > 0.9);
        QVERIFY(!geometry_.isFitted());
        geometry_.fit({});
        QVERIFY(geometry_.isFitted());
    }

    void overlaysCoverNoNodesOfAFittedView() {
        CanvasOverlays overlays;
        overlays.arrange(geometry_, {110, 130});
        QVERIFY(!overlays.legendRect().isEmpty());
        QVERIFY(geometry_.opsIn(overlays.legendRect()).empty());
        QVERIFY(!overlays.legendRect().intersects(overlays.minimapRect()));
        if (!overlays.minimapRect().isEmpty()) {
            QVERIFY(geometry_.opsIn(overlays.minimapRect()).empty());
        }
        geometry_.setViewSize({200, 150}); // no room for a legend
        overlays.arrange(geometry_, {110, 130});
        QVERIFY(overlays.legendRect().isEmpty());
    }

    void minimapPointsMeanPlacesOfTheScene() {
        CanvasOverlays overlays;
        geometry_.setZoom(2);
        overlays.arrange(geometry_, {});
        QVERIFY(!overlays.minimapRect().isEmpty());
        const QPointF middle = overlays.sceneAt(overlays.minimapRect().center(), geometry_);
        QVERIFY((middle - geometry_.layout()->bounds.center()).manhattanLength() < 1);
    }
};

QTEST_GUILESS_MAIN(TestCanvasGeometry)
#include "TestCanvasGeometry.moc"
