#include <QTest>
#include <QToolButton>

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
        GanttPlot timelines;
        TraceView view(appearance, timelines);
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

    void sharesTheAxisOfTheTimelines() {
        tests::WindowFixture f;
        OpenRequest request;
        request.source = QStringLiteral("chainmm");
        request.costs = cost::CostModel::Physical;
        f.window->documents().open(request);
        QVERIFY(f.settle());
        const Time makespan = f.makespan();
        const QByteArray trace =
            R"([{"ph": "X", "name": "step", "pid": 1, "tid": 1, "ts": 0, "dur": %}])";
        const auto lasting = [&](Time ns) {
            return QByteArray(trace).replace("%", QByteArray::number(qint64(ns / 1000)));
        };
        f.window->documents().open(f.write(QStringLiteral("t.json"), lasting(2 * makespan)));
        QVERIFY(f.settle());
        TraceView& view = f.window->traceView();
        QVERIFY(view.isLinked());
        const GanttGeometry& above = f.plot().geometryOf();
        const GanttGeometry& below = view.plot().geometryOf();
        const auto same = [&] {
            return above.from() == below.from() && above.to() == below.to() &&
                   above.lanesLeft() == below.lanesLeft();
        };
        QVERIFY(same());
        QVERIFY(above.to() >= 2.0 * double(makespan)); // all of both
        // Either leads.
        view.plot().zoom(4, 500);
        QVERIFY(same() && above.to() < 2.0 * double(makespan));
        f.plot().pan(-100);
        QVERIFY(same() && above.from() > 0);
        f.plot().fitAll();
        QVERIFY(same());
        // An edit that changes the makespan keeps them together.
        f.workspace().assign({0}, f.otherDevice(0));
        QVERIFY(f.settle());
        QVERIFY(same());
        // Apart again, by hand.
        auto* button = view.findChild<QToolButton*>(QString());
        for (QToolButton* each : view.findChildren<QToolButton*>()) {
            button = each->accessibleName() == QStringLiteral("Same axis") ? each : button;
        }
        button->click();
        QVERIFY(!view.isLinked());
        QVERIFY(f.plot().geometryOf().to() < 2.0 * double(makespan));
        view.plot().zoom(4, 500);
        QVERIFY(!same());

        // One that lasts a thousand times longer starts apart.
        f.window->documents().open(f.write(QStringLiteral("u.json"), lasting(1000 * makespan)));
        QVERIFY(f.settle());
        QVERIFY(!view.isLinked() && button->isEnabled());
        // Units of a file are no nanoseconds.
        f.window->documents().open(f.write(QStringLiteral("t2.json"), lasting(2 * makespan)));
        QVERIFY(f.settle());
        QVERIFY(view.isLinked());
        QVERIFY(f.open(f.write(QStringLiteral("units.txt"),
                               "4\n\n0,0,1,2\n1,2,3,3\n10,1\n20,1\n30,1\n40,1\n")));
        f.workspace().changeProblem(f.workspace().problem()->cluster, QStringLiteral("uniform:4"),
                                    cost::CostModel::Published, sim::SimOptions::published());
        QVERIFY(f.settle());
        QVERIFY(!view.isLinked() && !button->isEnabled());
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
