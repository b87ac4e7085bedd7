#pragma once

#include <QCoreApplication>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "views/canvas/GraphCanvas.h"
#include "views/canvas/GraphView.h"
#include "views/gantt/GanttPlot.h"
#include "views/gantt/GanttView.h"
#include "views/shell/MainWindow.h"
#include "views/theme/Appearance.h"

namespace doppler::tests {

/// Answers as the test says, and counts the questions.
class ScriptedPrompts : public views::Prompts {
public:
    SaveAnswer answer = SaveAnswer::Cancel;
    QString path;                                  ///< for both file dialogs; empty: cancelled
    std::optional<io::GraphDimensions> sizes;      ///< nothing: cancelled
    std::optional<views::DimensionQuestion> asked; ///< the last question for sizes
    int questions = 0;

    SaveAnswer askToSave(const QString&) override {
        ++questions;
        return answer;
    }
    QString openPath(const QString&, const QString&) override { return path; }
    QString savePath(const QString&, const QString&, const QString&) override { return path; }
    std::optional<io::GraphDimensions>
    dimensions(const views::DimensionQuestion& question) override {
        asked = question;
        return sizes;
    }
};

/// The real window with settings, caches and recovery files of its own.
class WindowFixture {
public:
    explicit WindowFixture(const QStringList& methods = {QStringLiteral("round-robin"),
                                                         QStringLiteral("critical-path")}) {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("doppler-test"));
        QCoreApplication::setApplicationName(QStringLiteral("window"));
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path());
        methods_ = methods;
        restart();
    }
    ~WindowFixture() { window.reset(); }

    /// Closes the program and starts it again, with the same settings and files.
    void restart() {
        window.reset();
        views::MainWindowOptions options;
        options.recoveryFolder = folder.filePath(QStringLiteral("recovery"));
        options.firstMethods = methods_;
        auto scripted = std::make_unique<ScriptedPrompts>();
        prompts = scripted.get();
        options.prompts = std::move(scripted);
        window = std::make_unique<views::MainWindow>(appearance, std::move(options));
        window->resize(1600, 1000);
        window->show();
    }

    views::Workspace& workspace() { return window->workspace(); }
    views::Selection& selection() { return workspace().selection(); }
    QAction* action(const char* id) { return window->actions()[QLatin1String(id)]; }
    QString file(const QString& name) const { return folder.filePath(name); }
    QString write(const QString& name, const QByteArray& text) const {
        QFile output(file(name));
        if (!output.open(QIODevice::WriteOnly) || output.write(text) != text.size()) {
            qFatal("cannot write %s", qPrintable(output.fileName()));
        }
        return output.fileName();
    }

    bool isQuiet() {
        return workspace().jobs().jobs().empty() && !window->documents().isOpening() &&
               !window->graphView().canvas().isLayoutRunning();
    }
    /// Waits until nothing runs any more.
    bool settle() {
        const bool quiet = QTest::qWaitFor([this] { return isQuiet(); }, 60'000);
        QCoreApplication::processEvents();
        return quiet;
    }
    /// Opens and waits for the first placements.
    bool open(const QString& source) {
        window->documents().open(source);
        return settle() && workspace().hasProblem() && workspace().current() != nullptr;
    }
    Time makespan() { return workspace().current()->makespan(); }
    DeviceId deviceOf(OpId op) {
        return (*workspace().current()->assignment)[static_cast<std::size_t>(op)];
    }
    DeviceId otherDevice(OpId op) {
        return (deviceOf(op) + 1) % workspace().problem()->deviceCount();
    }

    views::GraphCanvas& canvas() { return window->graphView().canvas(); }
    QPoint onCanvas(OpId op) {
        canvas().grab(); // what is painted is what is hit
        return canvas().geometry().nodeInView(op).center().toPoint();
    }
    void clickOnCanvas(OpId op) { QTest::mouseClick(&canvas(), Qt::LeftButton, {}, onCanvas(op)); }

    views::GanttPlot& plot() { return window->ganttView().plot(); }
    QPoint onTimelines(OpId op) {
        const views::GanttTrack& track = plot().scene().tracks.front();
        const std::int32_t index = track.timeline->executionOf[static_cast<std::size_t>(op)];
        return plot()
            .geometryOf()
            .intervalRect(0, track.interval(index), track.lanes->rowOf(index))
            .center()
            .toPoint();
    }
    QPoint onLane(DeviceId device, int x) {
        return {x, qRound(plot().geometryOf().laneRect(0, device).center().y())};
    }

    QTemporaryDir folder;
    views::Appearance appearance;
    std::unique_ptr<views::MainWindow> window;
    ScriptedPrompts* prompts = nullptr;

private:
    QStringList methods_;
};

} // namespace doppler::tests
