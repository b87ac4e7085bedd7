#pragma once

#include <QTest>

#include "core/cluster/Cluster.h"
#include "core/workload/Workload.h"
#include "views/canvas/GraphCanvas.h"
#include "views/canvas/GraphView.h"

namespace doppler::tests {

/// The real graph view with a workspace of its own: ops are placed round robin on four devices.
class CanvasFixture {
public:
    CanvasFixture()
        : view_(std::make_unique<views::GraphView>(
              workspace_, appearance_, std::make_shared<views::LayoutLibrary>(QString()))) {
        view_->resize(960, 460);
        view_->show();
    }

    views::Workspace& workspace() { return workspace_; }
    views::Appearance& appearance() { return appearance_; }
    views::GraphView& view() { return *view_; }
    views::GraphCanvas& canvas() { return view_->canvas(); }
    void closeView() { view_.reset(); }

    QPoint at(OpId op) { return canvas().geometry().nodeInView(op).center().toPoint(); }
    const std::set<OpId>& selected() { return workspace_.selection().ops(); }
    DeviceId deviceOf(OpId op) {
        return (*workspace_.current()->assignment)[static_cast<std::size_t>(op)];
    }
    QColor pixel(const QPointF& point) {
        const QPixmap picture = canvas().grab();
        return picture.toImage().pixelColor((point * picture.devicePixelRatio()).toPoint());
    }
    /// The colour a node is filled with on screen.
    QRgb fill(OpId op) {
        canvas().grab(); // overlays may move the drawing
        const QRectF node = canvas().geometry().nodeInView(op);
        return pixel(QPointF(node.right() - 5, node.center().y())).rgb();
    }
    void click(OpId op, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mouseClick(&canvas(), Qt::LeftButton, modifiers, at(op));
    }
    void drag(const QList<QPoint>& points, Qt::KeyboardModifiers modifiers = {},
              bool release = true) {
        QTest::mousePress(&canvas(), Qt::LeftButton, modifiers, points.first());
        for (const QPoint& point : points) {
            QTest::mouseMove(&canvas(), point);
        }
        if (release) {
            QTest::mouseRelease(&canvas(), Qt::LeftButton, modifiers, points.last());
        }
    }

    /// Waits for the layout.
    bool settled() {
        const bool quiet = QTest::qWaitFor([this] { return !canvas().isLayoutRunning(); }, 60'000);
        canvas().grab();
        return quiet && !canvas().geometry().isEmpty();
    }
    bool open(const char* workload) {
        auto problem =
            sim::makeProblem(workload::generate(workload),
                             std::make_shared<const cluster::Cluster>(cluster::uniformCluster(4)),
                             cost::CostModel::Published, {});
        workspace_.open(problem, QString::fromLatin1(workload), QStringLiteral("uniform:4"),
                        cost::CostModel::Published);
        sim::Assignment assignment(static_cast<std::size_t>(problem->opCount()), 0);
        for (std::size_t op = 0; op < assignment.size(); ++op) {
            assignment[op] = static_cast<DeviceId>(op % 4);
        }
        workspace_.addPlacement(assignment, QStringLiteral("test"), 0, 0);
        return settled();
    }

private:
    views::Workspace workspace_;
    views::Appearance appearance_;
    std::unique_ptr<views::GraphView> view_;
};

} // namespace doppler::tests
