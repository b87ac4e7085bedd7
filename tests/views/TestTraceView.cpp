#include <QTest>

#include "core/io/TraceTimeline.h"
#include "tests/support/WindowFixture.h"
#include "views/gantt/TraceTrack.h"
#include "views/gantt/TraceView.h"
#include "views/render/RenderGantt.h"
#include "views/shell/MessageArea.h"
#include "views/shell/MessageStrip.h"

using namespace doppler;
using namespace doppler::views;

namespace {

constexpr const char* kTrace = R"([
    {"ph": "X", "name": "step", "pid": "host", "tid": "main", "ts": 0, "dur": 100},
    {"ph": "X", "name": "launch", "pid": "host", "tid": "main", "ts": 10, "dur": 20},
    {"ph": "X", "name": "kernel", "pid": "gpu", "tid": 7, "ts": 30, "dur": 50},
    {"ph": "E", "pid": "gpu", "tid": 7, "ts": 90}])";

GanttTrack track() {
    return traceTrack(*io::parseTrace(kTrace, "t")->timeline);
}

} // namespace

class TestTraceView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lanesAreDevicesWithCaptions() {
        const GanttTrack shown = track();
        QCOMPARE(shown.lanes->deviceCount(), 2);
        QCOMPARE(shown.lanes->caption(0), QStringLiteral("process host: thread main"));
        QCOMPARE(shown.lanes->device(0).compute.size(), std::size_t{2});
        QCOMPARE(shown.timeline->makespan, Time{100'000});
        QVERIFY(shown.timeline->executionOf.empty());
        GanttGeometry geometry;
        geometry.setSize(800, 400);
        geometry.setTracks({shown.lanes.get()});
        const QRectF caption = geometry.captionRect(0, 1);
        QCOMPARE(caption.bottom(), geometry.laneRect(0, 1).top());
        QVERIFY(caption.top() >= geometry.laneRect(0, 0).bottom());
        QCOMPARE(geometry.linkRect(0, 0).height(), 0.0);
        QCOMPARE(geometry.hit(caption.center()).part, GanttHit::Part::Chip);
    }

    void anEmptyTraceCanBeShown() {
        const GanttTrack shown =
            traceTrack(*io::parseTrace(R"({"traceEvents": []})", "t")->timeline);
        QCOMPARE(shown.lanes->deviceCount(), 1);
        QCOMPARE(shown.lanes->caption(0), QStringLiteral("nothing was recorded"));
    }

    void showsWhatIsUnderThePointer() {
        Appearance appearance;
        TraceView view(appearance);
        view.resize(900, 300);
        view.show();
        view.setTrack(track());
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const GanttPlot& plot = view.plot();
        const QPointF point =
            plot.geometryOf().intervalRect(0, plot.scene().tracks[0].interval(1), 1).center();
        QVERIFY2(view.textAt(point).startsWith(QStringLiteral("<b>launch</b>")),
                 qPrintable(view.textAt(point)));
        QTest::mouseDClick(&view.plot(), Qt::LeftButton, {}, point.toPoint());
        QVERIFY(plot.geometryOf().to() < 50'000);
        QTest::keyClick(&view.plot(), Qt::Key_0);
        QVERIFY(plot.isFitted());
    }

    void opensAloneThenUnderAProblem() {
        tests::WindowFixture f;
        const QString path = f.write(QStringLiteral("trace.json"), kTrace);
        f.window->documents().open(path);
        QVERIFY(f.settle());
        QVERIFY(!f.window->traceView().isEmpty());
        QVERIFY(f.window->traceView().isVisible());
        QVERIFY(!f.window->isStartPageShown());
        QVERIFY(!f.workspace().hasProblem());
        // The report: an end without a begin.
        QVERIFY(f.window->messages().findChild<MessageStrip*>() != nullptr);

        QVERIFY(f.open(QStringLiteral("chainmm:size=tiny")));
        QVERIFY(f.window->traceView().isVisible());
        QVERIFY(f.window->ganttView().isVisible());
        QVERIFY(f.window->graphView().isVisible());

        Q_EMIT f.window->traceView().closeRequested();
        QVERIFY(!f.window->traceView().isVisible());
        QVERIFY(f.window->ganttView().isVisible());
        f.window->documents().open(path);
        QVERIFY(f.settle());
        QVERIFY(f.window->traceView().isVisible());
        QVERIFY(f.workspace().hasProblem());
        QVERIFY(!f.workspace().isModified());
    }

    void closingTheOnlyThingLeadsBack() {
        tests::WindowFixture f;
        f.window->documents().open(f.write(QStringLiteral("trace.json"), kTrace));
        QVERIFY(f.settle());
        Q_EMIT f.window->traceView().closeRequested();
        QVERIFY(f.window->isStartPageShown());
    }

    void drawsAPicture() {
        const QTemporaryDir folder;
        QString error;
        const QString path = folder.filePath(QStringLiteral("t.png"));
        QVERIFY2(renderTrace(path, track(), Theme::light(), {}, &error), qPrintable(error));
        const QImage picture(path);
        QVERIFY(picture.width() >= 1600);
        QVERIFY(picture.height() > 100 && picture.height() < 600);
    }
};

QTEST_MAIN(TestTraceView)
#include "TestTraceView.moc"
