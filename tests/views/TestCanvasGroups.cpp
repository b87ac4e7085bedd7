#include "tests/support/CanvasFixture.h"

using namespace doppler;
using namespace doppler::views;
using doppler::tests::CanvasFixture;

/// Groups on the real canvas: boxes that act, expand in place, and are kept.
class TestCanvasGroups : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<CanvasFixture> f_;

    std::int32_t group(const std::string& path) {
        const graph::GroupTree& tree = f_->canvas().groups()->tree();
        for (std::int32_t group = 1; group < tree.size(); ++group) {
            if (tree.path(group) == path) {
                return group;
            }
        }
        return -1;
    }
    QPoint boxMiddle(std::int32_t group) {
        const CanvasGeometry& geometry = f_->canvas().geometry();
        return geometry.boxInView(geometry.folds()->boxOf(group)).center().toPoint();
    }

private Q_SLOTS:
    void init() {
        f_ = std::make_unique<CanvasFixture>();
        QVERIFY(QTest::qWaitForWindowExposed(&f_->view()));
    }

    void cleanup() { f_.reset(); }

    void groupsCollapseIntoBoxesThatAct() {
        QVERIFY(f_->open("llama-layer:layers=3,size=tiny"));
        QVERIFY(f_->canvas().hasGroups());
        QVERIFY(!f_->canvas().geometry().folds()); // small graphs begin with all ops
        QTest::keyClick(&f_->canvas(), Qt::Key_Backspace, Qt::ShiftModifier);
        QVERIFY(f_->settled());
        QVERIFY(f_->canvas().geometry().folds());
        const std::int32_t layer = group("layer 2");
        const std::vector<OpId> ops = f_->canvas().groups()->tree().opsOf(layer);
        QTest::mouseClick(&f_->canvas(), Qt::LeftButton, {}, boxMiddle(layer));
        QCOMPARE(f_->selected(), (std::set<OpId>(ops.begin(), ops.end())));

        // The key moves the whole group, as one step.
        const int history = f_->workspace().undoStack().index();
        QTest::keyClick(&f_->canvas(), Qt::Key_3);
        for (const OpId op : ops) {
            QCOMPARE(f_->deviceOf(op), DeviceId(2));
        }
        QCOMPARE(f_->workspace().undoStack().index(), history + 1);
        f_->workspace().undoStack().undo();
        QVERIFY(f_->deviceOf(ops[1]) != f_->deviceOf(ops[0]) ||
                f_->deviceOf(ops[2]) != f_->deviceOf(ops[0]));

        QTest::mouseClick(&f_->canvas(), Qt::LeftButton, Qt::ControlModifier, boxMiddle(layer));
        QVERIFY(f_->selected().empty());
    }

    void groupsExpandInPlaceAndCollapseAgain() {
        QVERIFY(f_->open("llama-layer:layers=3,size=tiny"));
        f_->canvas().collapseAll();
        QVERIFY(f_->settled());
        const std::int32_t layer = group("layer 2");
        QTest::mouseDClick(&f_->canvas(), Qt::LeftButton, {}, boxMiddle(layer));
        QVERIFY(f_->settled());
        QVERIFY(!f_->canvas().groups()->isCollapsed(layer));
        const auto folds = f_->canvas().geometry().folds();
        const std::int32_t inner = group("layer 2/softmax");
        QVERIFY(folds->boxes[static_cast<std::size_t>(folds->boxOf(inner))].collapsed);
        QVERIFY(f_->canvas().geometry().viewRect().contains(
            f_->canvas().geometry().boxInView(folds->boxOf(layer)).topLeft()));

        // Enter opens what hides the current op, Backspace closes what is around it.
        const OpId op = f_->canvas().groups()->tree().opsOf(inner).front();
        f_->workspace().selection().select(op);
        QTest::keyClick(&f_->canvas(), Qt::Key_Return);
        QVERIFY(f_->settled());
        QVERIFY(!f_->canvas().geometry().folds()->isHidden(op));
        QTest::keyClick(&f_->canvas(), Qt::Key_Backspace);
        QVERIFY(f_->settled());
        QVERIFY(f_->canvas().geometry().folds()->isHidden(op));
        QTest::keyClick(&f_->canvas(), Qt::Key_Return, Qt::ShiftModifier);
        QVERIFY(f_->settled());
        QVERIFY(!f_->canvas().anyCollapsed());
        QVERIFY(!f_->canvas().geometry().folds());
    }

    void collapsingBringsEverythingBackIntoView() {
        QVERIFY(f_->open("llama-layer:layers=14,size=tiny"));
        const auto outside = [this] {
            const CanvasGeometry& geometry = f_->canvas().geometry();
            const QRectF drawing = geometry.transform().toView(geometry.layout()->bounds);
            return !geometry.viewRect().adjusted(-1, -1, 1, 1).contains(drawing);
        };
        QVERIFY(!outside());
        for (const char* path : {"layer 2", "layer 5", "layer 13"}) {
            const std::int32_t layer = group(path);
            f_->canvas().setCollapsed(layer, false);
            QVERIFY(f_->settled());
            f_->canvas().setCollapsed(layer, true);
            QVERIFY(f_->settled());
            QVERIFY(!outside());
        }
    }

    void theSignOfABoxTogglesIt() {
        QVERIFY(f_->open("llama-layer:layers=3,size=tiny"));
        f_->canvas().collapseAll();
        QVERIFY(f_->settled());
        const std::int32_t layer = group("layer 1");
        const std::int32_t box = f_->canvas().geometry().folds()->boxOf(layer);
        const QRectF sign = f_->canvas().geometry().toggleInView(box);
        QVERIFY(!sign.isEmpty());
        QTest::mouseClick(&f_->canvas(), Qt::LeftButton, {}, sign.center().toPoint());
        QVERIFY(f_->settled());
        QVERIFY(!f_->canvas().groups()->isCollapsed(layer));
        QVERIFY(f_->selected().empty());
    }

    void boxesActWhileALayoutIsMadeAndAfterItIsGivenUp() {
        QVERIFY(f_->open("llama-layer:layers=3,size=tiny"));
        f_->canvas().collapseAll();
        QVERIFY(f_->settled());
        const std::int32_t layer = group("layer 2");
        QTest::mouseDClick(&f_->canvas(), Qt::LeftButton, {}, boxMiddle(layer));
        QVERIFY(!f_->canvas().groups()->isCollapsed(layer));
        QTest::mouseDClick(&f_->canvas(), Qt::LeftButton, {},
                           boxMiddle(layer)); // the same picture yet
        QVERIFY(f_->canvas().groups()->isCollapsed(layer));
        QVERIFY(f_->settled());

        QTest::mouseDClick(&f_->canvas(), Qt::LeftButton, {}, boxMiddle(layer));
        f_->workspace().jobs().cancelAll();
        QVERIFY(f_->settled());
        QVERIFY(f_->canvas().groups()->isCollapsed(layer)); // as on screen
        QVERIFY(*f_->canvas().groups() == *f_->canvas().geometry().folds()->fold);
        QTest::mouseDClick(&f_->canvas(), Qt::LeftButton, {}, boxMiddle(layer));
        QVERIFY(f_->settled());
        QVERIFY(*f_->canvas().groups() == *f_->canvas().geometry().folds()->fold);
        QVERIFY(!f_->canvas().groups()->isCollapsed(layer));
    }

    void largeGraphsStartCollapsed() {
        QVERIFY(f_->open("llama-layer:layers=14,size=tiny"));
        QVERIFY(f_->workspace().problem()->opCount() > 2'500);
        QVERIFY(f_->canvas().anyCollapsed());
        QVERIFY(f_->canvas().geometry().folds()->boxes.size() < 30);
        // An op that is looked for shows as the box it is in.
        const OpId op = f_->canvas().groups()->tree().opsOf(group("layer 7")).front();
        f_->workspace().selection().reveal(op);
        QCOMPARE(f_->canvas().geometry().nodeInView(op),
                 f_->canvas().geometry().boxInView(
                     f_->canvas().geometry().folds()->boxOf(group("layer 7"))));
        f_->canvas().grab();
        // Expanded they are frames of the same layout.
        f_->canvas().expandAll();
        QVERIFY(f_->settled());
        QVERIFY(f_->canvas().geometry().folds());
        QVERIFY(!f_->canvas().geometry().folds()->isHidden(op));
        f_->canvas().grab();
    }

    void theWorkspaceKnowsWhatIsCollapsed() {
        QVERIFY(f_->open("llama-layer:layers=3,size=tiny"));
        f_->canvas().setCollapsed(group("layer 2"), true);
        f_->canvas().setCollapsed(group("layer 1/softmax"), true);
        QVERIFY(f_->settled());
        const io::Session session = f_->workspace().toSession();
        QCOMPARE(*session.collapsed, (std::vector<std::string>{"layer 1/softmax", "layer 2"}));
        f_->canvas().expandAll();
        QVERIFY(f_->settled());
        QCOMPARE(*f_->workspace().toSession().collapsed, std::vector<std::string>());
        f_->workspace().openSession(session);
        QVERIFY(f_->settled());
        QVERIFY(f_->canvas().groups()->isCollapsed(group("layer 2")));
        QVERIFY(f_->canvas().geometry().folds()->boxOf(group("layer 1/softmax")) >= 0);
        // One without groups has nothing to tell.
        QVERIFY(f_->open("random:ops=20"));
        QVERIFY(!f_->workspace().toSession().collapsed);
    }
};

QTEST_MAIN(TestCanvasGroups)
#include "TestCanvasGroups.moc"
