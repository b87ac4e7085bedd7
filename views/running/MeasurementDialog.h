#pragma once

#include <QDialog>
#include <QPointer>

#include "views/jobs/JobRunner.h"
#include "views/workspace/Workspace.h"

class QComboBox;
class QFormLayout;
class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace doppler::views {

/// A dialog that measures in the background: a form that begins with the runtime, what was found, a
/// verdict in words, and a button that starts and cancels.
class MeasurementDialog : public QDialog {
    Q_OBJECT

public:
    ~MeasurementDialog() override;

    bool isRunning() const { return !job_.isNull(); }
    /// What it says: why it cannot start, how far it is, or what was found.
    QString verdict() const;

protected:
    MeasurementDialog(Workspace& workspace, const QString& title, QWidget* parent);

    /// Why nothing can be measured; empty if it can.
    virtual QString obstacle() const = 0;
    /// Something was found, and the verdict speaks of it.
    virtual bool hasResult() const { return false; }
    /// Brings buttons and verdict up to date; to be called at the end of the constructor.
    virtual void refresh();

    /// Fields under the runtime.
    QFormLayout& form() { return *form_; }
    /// Shows `body` between form and verdict, as tall as there is room.
    void setBody(QWidget* body);
    /// A button right of the one that starts.
    void addButton(QPushButton* button);
    QPushButton* startButton() { return start_; }
    QComboBox* runtime() { return runtime_; }
    QString runtimeName() const;
    Workspace& workspace() { return workspace_; }
    const Workspace& workspace() const { return workspace_; }
    void setVerdict(const QString& text);

    /// Starts what start() is to do; a message of an exception becomes the verdict.
    template <typename Result>
    void measure(const QString& title, std::function<Result(JobContext&)> work,
                 std::function<void(Result)> done) {
        setVerdict({});
        follow(workspace_.jobs().start<Result>(
            {title, false, false, this}, std::move(work), std::move(done),
            [this](const QString& message) { setVerdict(message); }));
    }
    /// The start button was pressed.
    virtual void start() = 0;

private:
    void follow(Job* job);

    Workspace& workspace_;
    QVBoxLayout* layout_;
    QFormLayout* form_;
    QComboBox* runtime_;
    QLabel* verdict_;
    QHBoxLayout* buttons_;
    QProgressBar* progress_;
    QPushButton* start_;
    QPointer<Job> job_;
};

} // namespace doppler::views
