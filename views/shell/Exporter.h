#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <string>

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

private:
    using Text = std::function<std::string()>;
    /// Asks, then lets `text` be made and written in the background.
    void writeText(const QString& title, const QString& filter, const QString& ending, Text text);
    /// Lets `draw` make the file in the background.
    void drawPicture(const QString& path, std::function<void(QString* error)> draw);
    QString suggestion(const QString& ending) const;

    Workspace& workspace_;
    Prompts& prompts_;
    const Appearance& appearance_;
};

} // namespace doppler::views
