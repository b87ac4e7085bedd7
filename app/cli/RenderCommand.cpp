#include <cstdlib>
#include <iostream>
#include <optional>

#include <QApplication>
#include <QFileInfo>
#include <QRegularExpression>

#include "app/cli/Commands.h"
#include "app/cli/Output.h"
#include "app/cli/OutputFile.h"
#include "app/cli/PlacerNames.h"
#include "app/cli/ProblemOptions.h"
#include "app/cli/TraceFacts.h"
#include "app/cli/UsageError.h"
#include "core/place/Registry.h"
#include "core/sim/Bounds.h"
#include "core/sim/Report.h"
#include "core/sim/Simulator.h"
#include "views/gantt/TraceTrack.h"
#include "views/render/RenderGantt.h"
#include "views/render/RenderGraph.h"

namespace doppler::cli {

namespace {

struct Options {
    ProblemOptions problem;
    std::string assignment;
    std::string placer;
    std::uint64_t seed = 1;
    OutputFile output;
    std::string view = "graph";
    std::string theme = "light";
    std::string size;
    bool json = false;
};

constexpr int kGanttWidth = 1600;
constexpr int kGanttFrame = 110; // axis and title
constexpr int kGanttLane = 48;   // per device

/// Qt's warnings are about desktops (sessions, runtime folders) that a picture does not need.
void printFaultsOnly(QtMsgType type, const QMessageLogContext&, const QString& message) {
    if (type == QtCriticalMsg || type == QtFatalMsg) {
        std::cerr << message.toStdString() << '\n';
    }
}

constexpr int kLargestSide = 12'000;

/// "1600x900"; an empty size where none is given.
QSize parseSize(const std::string& text) {
    static const QRegularExpression pattern(QStringLiteral("^(\\d{1,5})x(\\d{1,5})$"));
    if (text.empty()) {
        return {};
    }
    const QRegularExpressionMatch match = pattern.match(QString::fromStdString(text));
    const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
    if (!match.hasMatch() || size.isEmpty() || size.width() > kLargestSide ||
        size.height() > kLargestSide) {
        throw UsageError("--size: found \"" + text + "\", expected WIDTHxHEIGHT, each from 1 to " +
                         std::to_string(kLargestSide) + " pixels");
    }
    return size;
}

std::optional<sim::Assignment> findAssignment(const Options& options,
                                              const std::shared_ptr<const sim::Problem>& problem) {
    if (!options.assignment.empty()) {
        return openAssignment(options.assignment, *problem);
    }
    if (options.placer.empty()) {
        return std::nullopt;
    }
    place::PlaceRequest request;
    request.problem = problem;
    request.seed = options.seed;
    return place::makePlacer(options.placer)->place(request).assignment;
}

views::Theme themeOf(const Options& options) {
    return options.theme == "dark" ? views::Theme::darkTheme() : views::Theme::light();
}

/// What painting needs. A picture needs no display; whoever wants another platform says so.
class PictureProgram {
public:
    PictureProgram() : application_(start(), arguments_) {}

private:
    int& start() {
        setenv("QT_QPA_PLATFORM", "offscreen", 0);
        qInstallMessageHandler(printFaultsOnly);
        return count_;
    }

    int count_ = 1;
    char name_[8] = "doppler";
    char* arguments_[2] = {name_, nullptr};
    QApplication application_;
};

/// True if the picture was written; else `error` says why not.
bool draw(const Options& options, QSize size, const std::shared_ptr<const sim::Problem>& problem,
          const std::optional<sim::Assignment>& assignment, QString* error) {
    const QString path = QString::fromStdString(options.output.path);
    const views::Theme theme = themeOf(options);
    if (!assignment) {
        return views::renderGraph(path, *problem, nullptr, nullptr, theme, size, error);
    }
    const sim::Timeline timeline = sim::simulate(problem, *assignment);
    if (options.view == "graph") {
        return views::renderGraph(path, *problem, &*assignment, &timeline, theme, size, error);
    }
    if (size.isEmpty()) {
        size = QSize(kGanttWidth, kGanttFrame + kGanttLane * problem->deviceCount());
    }
    return views::renderGantt(path, *problem, *assignment, timeline,
                              sim::makeReport(*problem, *assignment, timeline),
                              sim::lowerBound(*problem).value, theme, size, error);
}

/// A recorded trace has a timeline and nothing else.
int renderTraceFile(const Options& options, const io::ReadTrace& trace, QSize size) {
    if (options.view != "gantt") {
        throw UsageError(options.problem.graph + " is a trace: give --view gantt");
    }
    const PictureProgram program;
    QString error;
    if (!views::renderTrace(QString::fromStdString(options.output.path),
                            views::traceTrack(*trace.timeline), themeOf(options), size, &error)) {
        throw std::runtime_error(error.toStdString());
    }
    std::cerr << "wrote " << options.output.path << '\n';
    if (options.json) {
        Json json = traceJson(trace);
        json["file"] = options.output.path;
        json["view"] = options.view;
        printJson(json);
    }
    return kDone;
}

int render(const Options& options) {
    options.output.prepare();
    const QSize size = parseSize(options.size);
    if (const std::optional<io::ReadTrace> trace = openTrace(options.problem.graph)) {
        return renderTraceFile(options, *trace, size);
    }
    if (options.problem.cluster.empty()) {
        throw UsageError("--cluster is required");
    }
    if (options.view == "gantt" && options.assignment.empty() && options.placer.empty()) {
        throw UsageError("--view gantt draws a run: give --assignment FILE or --placer NAME");
    }
    const OpenedProblem opened = openProblem(options.problem);
    const std::optional<sim::Assignment> assignment = findAssignment(options, opened.problem);

    const PictureProgram program;
    QString error;
    if (!draw(options, size, opened.problem, assignment, &error)) {
        throw std::runtime_error(error.toStdString());
    }
    std::cerr << "wrote " << options.output.path << '\n';
    if (options.json) {
        Json json = problemJson(*opened.problem, opened.report);
        json["file"] = options.output.path;
        json["bytes"] = QFileInfo(QString::fromStdString(options.output.path)).size();
        json["view"] = options.view;
        printJson(json);
    }
    return kDone;
}

} // namespace

void addRenderCommand(CLI::App& app, CommandRun& run) {
    const auto options = std::make_shared<Options>();
    CLI::App& command =
        addCommand(app, "render", "Draw a graph or a simulated run to a file, without a display",
                   "doppler render chainmm --cluster p100x4 --placer heft --view gantt -o run.svg");
    addProblemOptions(command, options->problem);
    command.get_option("--cluster")->required(false)->option_text("CLUSTER (a trace needs none)");
    CLI::Option* assignment = command.add_option("--assignment", options->assignment,
                                                 "A placement file; colours ops by device");
    command.add_option("--placer", options->placer, "Or a method that finds the placement")
        ->check(placerName())
        ->option_text("NAME")
        ->excludes(assignment);
    command.add_option("--seed", options->seed, "Seed of the method")
        ->transform(seedNumber())
        ->option_text("N=1");
    options->output.command = &command;
    options->output.known = {"svg", "png", "pdf"};
    command.add_option("-o,--output", options->output.path, "The picture: .svg, .png or .pdf")
        ->required()
        ->check(fileName())
        ->option_text("FILE REQUIRED");
    command.add_option("--view", options->view, "What to draw: graph or gantt")
        ->capture_default_str()
        ->check(CLI::IsMember({"graph", "gantt"}))
        ->option_text("graph|gantt");
    command.add_option("--theme", options->theme, "light or dark")
        ->capture_default_str()
        ->check(CLI::IsMember({"light", "dark"}))
        ->option_text("light|dark");
    command
        .add_option(
            "--size", options->size,
            "Pixels at 100 % (a PNG has twice as many, to be sharp); default: what it needs")
        ->option_text("WIDTHxHEIGHT");
    addJsonFlag(command, options->json);
    command.callback([options, &run] { run = [options] { return render(*options); }; });
}

} // namespace doppler::cli
