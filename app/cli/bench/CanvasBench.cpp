#include "app/cli/bench/CanvasBench.h"

#include <QImage>
#include <QThread>
#include <string>

#include "app/cli/OffscreenApplication.h"
#include "app/cli/bench/Measure.h"
#include "core/cost/FormatQuantity.h"
#include "core/workload/Workload.h"
#include "views/canvas/GraphCanvas.h"

namespace doppler::cli {

namespace {

constexpr int kWidth = 1600;
constexpr int kHeight = 1000;
constexpr int kDevices = 4;
constexpr double kRepaintTargetMs = 16;
constexpr double kOpenTargetSeconds = 2;

/// A canvas in a workspace of its own.
struct Window {
    views::Workspace workspace;
    views::Appearance appearance;
    views::GraphCanvas canvas{workspace, appearance,
                              std::make_shared<views::LayoutLibrary>(QString())};
    QImage image{kWidth, kHeight, QImage::Format_RGB32};

    Window() { canvas.resize(kWidth, kHeight); }

    void open(const std::shared_ptr<const sim::Problem>& problem) {
        workspace.open(problem, {}, {}, cost::CostModel::Physical);
        sim::Assignment assignment;
        for (OpId op = 0; op < problem->opCount(); ++op) {
            assignment.push_back(op % kDevices);
        }
        workspace.addPlacement(assignment, QStringLiteral("round-robin"), 0, 0);
    }

    void waitForLayout() {
        while (canvas.geometry().isEmpty()) {
            QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
            QThread::usleep(200);
        }
    }

    /// Paints all of it, nothing kept from the picture before.
    void repaint() {
        canvas.setMatches({});
        canvas.render(&image);
    }
};

void measure(int ops, double repaintTarget, double openTarget, std::vector<BenchRow>& rows) {
    const auto graph = workload::generate("random:ops=" + std::to_string(ops));
    const auto problem = sim::makeProblem(
        graph, std::make_shared<const cluster::Cluster>(cluster::uniformCluster(kDevices)),
        cost::CostModel::Physical, {});
    Window window;
    const double open = secondsOf([&] {
        window.open(problem);
        window.waitForLayout();
        window.repaint();
    });
    while (!window.workspace.jobs().jobs().empty()) { // simulation and bound must not disturb
        QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
    }
    const double repaint = medianSeconds([&] { window.repaint(); });
    const std::string size = cost::formatCount(ops);
    const std::string note = std::to_string(kWidth) + " x " + std::to_string(kHeight) + ", " +
                             cost::formatCount(graph->edgeCount()) + " edges";
    rows.push_back(
        {"repaint " + size + " ops, all in view", repaint * 1e3, "ms", repaintTarget, true, note});
    rows.push_back({"open " + size + " ops to the first picture", open, "s", openTarget, true,
                    "layout included"});
}

} // namespace

std::vector<BenchRow> benchCanvas() {
    const OffscreenApplication application;
    std::vector<BenchRow> rows;
    measure(10'000, kRepaintTargetMs, kOpenTargetSeconds, rows);
    measure(100'000, 0, 0, rows);
    return rows;
}

} // namespace doppler::cli
