#include "views/shell/Exporter.h"

#include <QFileInfo>
#include <algorithm>

#include "core/io/ChromeTrace.h"
#include "core/io/Csv.h"
#include "core/io/DeviceMap.h"
#include "core/io/Formats.h"
#include "core/io/LossNotes.h"
#include "core/io/PlacementFile.h"
#include "core/place/Registry.h"
#include "views/render/RenderGantt.h"
#include "views/render/RenderGraph.h"
#include "views/shell/OpenDocument.h"
#include "views/shell/Prompts.h"
#include "views/theme/Appearance.h"
#include "views/workspace/Workspace.h"

namespace doppler::views {

namespace {

constexpr QSize kTimelinePicture(1600, 520);

QString pictureFilter() {
    return Exporter::tr("Pictures (*.png *.svg *.pdf)");
}

/// What is known of a placement; what was found for it is no longer true once it was edited.
io::PlacementFile placementFile(const Placement& placement, const sim::Problem& problem) {
    io::PlacementFile file{*placement.assignment, {}};
    io::PlacementRecord& record = file.record;
    record.method = placement.method.toStdString();
    record.unit = cost::name(problem.costs->unit());
    if (placement.timeline && !placement.stale) {
        record.makespan = placement.makespan();
    }
    if (placement.edited) {
        return file;
    }
    record.seed = placement.seed;
    const FoundObjective& objective = placement.objective;
    const auto& placers = place::placers();
    if (!objective.name.isEmpty()) {
        record.objective = objective.name.toStdString();
        record.value = objective.value;
        record.noise = objective.noise > 0 ? std::optional(objective.noise) : std::nullopt;
    } else if (std::any_of(placers.begin(), placers.end(), [&](const place::PlacerInfo& info) {
                   return info.name == record.method;
               })) {
        record.objective = place::name(place::Objective());
        record.value = record.makespan;
    }
    return file;
}

} // namespace

Exporter::Exporter(Workspace& workspace, Prompts& prompts, const Appearance& appearance,
                   QObject* parent)
    : QObject(parent), workspace_(workspace), prompts_(prompts), appearance_(appearance) {}

QString Exporter::suggestion(const QString& ending) const {
    QString name = titleOf(workspace_.graphSource()).section(QLatin1Char(':'), 0, 0);
    if (const Placement* shown = workspace_.current()) {
        name += QLatin1Char('-') + shown->method;
    }
    return name + ending;
}

void Exporter::writeText(const QString& title, const QString& filter, const QString& ending,
                         Text text) {
    write(title, filter, ending, [text = std::move(text)] { return Content{text(), {}}; });
}

void Exporter::write(const QString& title, const QString& filter, const QString& ending,
                     Contents contents) {
    const QString path = prompts_.savePath(title, filter, suggestion(ending));
    if (path.isEmpty()) {
        return;
    }
    workspace_.jobs().start<QStringList>(
        {tr("Writing %1").arg(QFileInfo(path).fileName()), false, false},
        [path = path.toStdString(), contents = std::move(contents)](JobContext&) {
            const Content content = contents();
            io::writeFileAtomically(path, content.text);
            QStringList losses;
            for (const std::string& loss : content.losses) {
                losses.append(QString::fromStdString(loss));
            }
            return losses;
        },
        [this, path](const QStringList& losses) {
            Q_EMIT done(path);
            if (!losses.isEmpty()) {
                Q_EMIT lost(path, losses);
            }
        },
        [this](const QString& message) { Q_EMIT failed(message); });
}

void Exporter::writeGraph(const QString& title, const QString& filter, const QString& ending,
                          const char* format,
                          std::function<std::string(const graph::Graph&)> text) {
    write(title, filter, ending,
          [graph = workspace_.problem()->graph, format, text = std::move(text)] {
              return Content{text(*graph), io::lossNotes(*graph, format)};
          });
}

void Exporter::graphPicture(const CanvasScene& scene) {
    const QString path = prompts_.savePath(tr("Export the graph as a picture"), pictureFilter(),
                                           suggestion(QStringLiteral("-graph.png")));
    if (path.isEmpty()) {
        return;
    }
    drawPicture(path, [path, scene, theme = appearance_.theme()](QString* error) {
        if (scene.isEmpty()) {
            renderGraph(path, *scene.problem, scene.assignment.get(), scene.timeline.get(), theme,
                        {}, error);
        } else {
            renderScene(path, scene, theme, {}, error);
        }
    });
}

void Exporter::drawPicture(const QString& path, std::function<void(QString* error)> draw) {
    workspace_.jobs().start<QString>(
        {tr("Drawing %1").arg(QFileInfo(path).fileName()), false, false},
        [draw = std::move(draw)](JobContext&) {
            QString error;
            draw(&error);
            return error;
        },
        [this, path](const QString& error) {
            if (error.isEmpty()) {
                Q_EMIT done(path);
            } else {
                Q_EMIT failed(error);
            }
        },
        [this](const QString& message) { Q_EMIT failed(message); });
}

void Exporter::timelinePicture() {
    const Placement* shown = workspace_.current();
    if (shown == nullptr || !shown->timeline || !shown->report) {
        Q_EMIT failed(tr("There is no timeline to export yet"));
        return;
    }
    const QString path = prompts_.savePath(tr("Export the timelines as a picture"), pictureFilter(),
                                           suggestion(QStringLiteral("-gantt.png")));
    shown = workspace_.current(); // rows may have come while the dialog was open
    if (path.isEmpty() || shown == nullptr || !shown->timeline || !shown->report) {
        return;
    }
    drawPicture(path,
                [path, problem = workspace_.problem(), assignment = shown->assignment,
                 timeline = shown->timeline, report = shown->report,
                 bound = workspace_.bound().value, theme = appearance_.theme()](QString* error) {
                    renderGantt(path, *problem, *assignment, *timeline, *report, bound, theme,
                                kTimelinePicture, error);
                });
}

void Exporter::assignmentJson(int placementId) {
    const Placement* row =
        placementId < 0 ? workspace_.current() : workspace_.placement(placementId);
    if (row == nullptr) {
        return;
    }
    writeText(tr("Export the assignment"), tr("Assignments (*.json)"),
              QStringLiteral(".assignment.json"),
              [problem = workspace_.problem(), file = placementFile(*row, *workspace_.problem())] {
                  return io::writePlacementJson(file, *problem->graph, *problem->cluster);
              });
}

void Exporter::assignmentList() {
    if (const Placement* shown = workspace_.current()) {
        writeText(
            tr("Export the assignment as a comma list"), tr("Text (*.txt)"), QStringLiteral(".txt"),
            [assignment = shown->assignment] { return io::writeAssignmentList(*assignment); });
    }
}

void Exporter::graphJson() {
    writeGraph(tr("Export the graph"), tr("Graphs (*.json)"), QStringLiteral(".graph.json"), "json",
               io::writeGraphJson);
}

void Exporter::graphDot() {
    const Placement* shown = workspace_.current();
    writeGraph(tr("Export the graph for Graphviz"), tr("Graphviz (*.dot)"), QStringLiteral(".dot"),
               "dot",
               [assignment = shown ? shown->assignment : nullptr](const graph::Graph& graph) {
                   return io::writeDot(graph, assignment.get());
               });
}

void Exporter::graphMl() {
    writeGraph(tr("Export the graph as GraphML"), tr("GraphML (*.graphml)"),
               QStringLiteral(".graphml"), "graphml", io::writeGraphMl);
}

void Exporter::opsCsv() {
    writeGraph(tr("Export a table of the ops"), tr("Tables (*.csv)"), QStringLiteral("-ops.csv"),
               "csv", io::writeOpCsv);
}

void Exporter::intervalsCsv() {
    const Placement* shown = workspace_.current();
    if (shown == nullptr || !shown->timeline || shown->stale) {
        Q_EMIT failed(tr("There is no timeline to export yet"));
        return;
    }
    writeText(tr("Export a table of the intervals"), tr("Tables (*.csv)"),
              QStringLiteral("-intervals.csv"),
              [problem = workspace_.problem(), timeline = shown->timeline] {
                  return io::writeIntervalCsv(*problem, *timeline);
              });
}

void Exporter::deviceMap() {
    if (const Placement* shown = workspace_.current()) {
        writeText(tr("Export the assignment as a device map"), tr("Device maps (*.json)"),
                  QStringLiteral(".map.json"),
                  [problem = workspace_.problem(), assignment = shown->assignment] {
                      return io::writeDeviceMap(*assignment, *problem->graph, *problem->cluster);
                  });
    }
}

void Exporter::chromeTrace() {
    const Placement* shown = workspace_.current();
    if (shown == nullptr || !shown->timeline) {
        Q_EMIT failed(tr("There is no timeline to export yet"));
        return;
    }
    writeText(tr("Export the timeline as a Chrome trace"), tr("Chrome traces (*.json)"),
              QStringLiteral(".trace.json"),
              [problem = workspace_.problem(), timeline = shown->timeline] {
                  return io::writeChromeTrace(*problem, *timeline);
              });
}

void Exporter::placementsCsv(const QString& csv) {
    writeText(tr("Export the table of placements"), tr("Tables (*.csv)"),
              QStringLiteral("-placements.csv"), [csv = csv.toStdString()] { return csv; });
}

} // namespace doppler::views
