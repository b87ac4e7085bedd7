#pragma once

#include <QObject>
#include <QStringList>
#include <functional>
#include <string>
#include <vector>

#include "core/graph/Graph.h"

namespace doppler::views {

class Appearance;
struct CanvasScene;
class Prompts;
class Workspace;

/// Writes what is open to files of other kinds. Each command asks for the file; a failure is one
/// message.
class Exporter : public QObject {
    Q_OBJECT

public:
    Exporter(Workspace& workspace, Prompts& prompts, const Appearance& appearance,
             QObject* parent = nullptr);

    /// What the canvas shows; a scene that is not laid out yet is drawn from scratch.
    void graphPicture(const CanvasScene& scene);
    void timelinePicture();
    void assignmentJson(int placementId = -1); ///< -1: the shown one
    void assignmentList();
    void graphJson();
    void graphDot();
    void graphMl();
    void opsCsv();
    void intervalsCsv();
    void deviceMap(); ///< JSON {op name: device name}
    void chromeTrace();
    void placementsCsv(const QString& csv);

Q_SIGNALS:
    void failed(const QString& message);
    void done(const QString& path);
    /// What the file that was written cannot hold of the graph, a line each.
    void lost(const QString& path, const QStringList& notes);

private:
    /// What a file is to hold, and what it cannot.
    struct Content {
        std::string text;
        std::vector<std::string> losses;
    };
    using Text = std::function<std::string()>;
    using Contents = std::function<Content()>;
    /// Asks, then lets `text` be made and written in the background.
    void writeText(const QString& title, const QString& filter, const QString& ending, Text text);
    void write(const QString& title, const QString& filter, const QString& ending,
               Contents contents);
    /// The open graph as `text` makes it for `format` (see io::lossNotes).
    void writeGraph(const QString& title, const QString& filter, const QString& ending,
                    const char* format, std::function<std::string(const graph::Graph&)> text);
    /// Lets `draw` make the file in the background.
    void drawPicture(const QString& path, std::function<void(QString* error)> draw);
    QString suggestion(const QString& ending) const;

    Workspace& workspace_;
    Prompts& prompts_;
    const Appearance& appearance_;
};

} // namespace doppler::views
