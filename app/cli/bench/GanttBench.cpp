#include "app/cli/bench/GanttBench.h"

#include <string>

#include "app/cli/OffscreenApplication.h"
#include "app/cli/bench/Measure.h"
#include "core/cost/FormatQuantity.h"
#include "core/workload/Workload.h"
#include "views/gantt/GanttPlot.h"
#include "views/gantt/GanttView.h"

namespace doppler::cli {

namespace {

constexpr int kWidth = 1600;
constexpr int kHeight = 440;
constexpr int kDevices = 4;
constexpr int kManyOps = 50'000; // with their transfers a little over 100,000 intervals
constexpr int kEditedOps = 400;
constexpr double kTargetMs = 16;

/// The timelines view of a random graph, placed in turns.
struct Window {
    views::Workspace workspace;
    views::Appearance appearance;
    views::GanttView view{workspace, appearance};

    explicit Window(int ops) {
        view.resize(kWidth, kHeight);
        view.show();
        const auto graph = workload::generate("random:ops=" + std::to_string(ops));
        const auto cluster =
            std::make_shared<const cluster::Cluster>(cluster::uniformCluster(kDevices));
        workspace.open(sim::makeProblem(graph, cluster, cost::CostModel::Physical, {}), {}, {},
                       cost::CostModel::Physical);
        sim::Assignment assignment;
        for (OpId op = 0; op < ops; ++op) {
            assignment.push_back(op % kDevices);
        }
        workspace.addPlacement(assignment, QStringLiteral("round-robin"), 0, 0);
        while (!workspace.jobs().jobs().empty() || workspace.current()->timeline == nullptr) {
            QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
        }
    }

    void repaint() { view.plot().replot(QCustomPlot::rpImmediateRefresh); }
};

BenchRow repaintRow() {
    Window window(kManyOps);
    const double seconds = medianSeconds([&] { window.repaint(); });
    const auto intervals = window.workspace.current()->timeline->intervals.size();
    return {"repaint 100,000 intervals, all in view",
            seconds * 1e3,
            "ms",
            kTargetMs,
            true,
            cost::formatCount(static_cast<std::int64_t>(intervals)) + " intervals, " +
                std::to_string(kWidth) + " x " + std::to_string(kHeight)};
}

BenchRow editRow() {
    Window window(kEditedOps);
    DeviceId device = 0;
    const double seconds = medianSeconds([&] {
        // Always a real change: the op goes round all devices.
        window.workspace.assign({kEditedOps / 2}, device = (device + 1) % kDevices);
        window.repaint();
    });
    return {"edit to new timelines, 400 ops", seconds * 1e3, "ms", kTargetMs, true,
            "simulation, report and repaint"};
}

} // namespace

std::vector<BenchRow> benchGantt() {
    const OffscreenApplication application;
    return {repaintRow(), editRow()};
}

} // namespace doppler::cli
