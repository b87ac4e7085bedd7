#pragma once

#include <QDialog>
#include <QPointer>
#include <QString>

#include "views/jobs/JobRunner.h"

class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTimer;

namespace doppler::views {

class Appearance;
class WorkloadForm;

/// File > New from workload: a workload, its parameters, and what comes out of them, counted while
/// one types.
class WorkloadDialog : public QDialog {
    Q_OBJECT

public:
    explicit WorkloadDialog(const Appearance& appearance, QWidget* parent = nullptr);

    /// The workload as text: "chainmm:n=5000".
    QString source() const;
    void choose(const QString& workload);
    WorkloadForm* form() const;
    /// "76 ops, 80 edges, ...", or what is wrong.
    QString summary() const;

private:
    void countLater();
    void count();

    const Appearance& appearance_;
    QComboBox* workloads_;
    QLabel* description_;
    QStackedWidget* forms_;
    QLabel* summary_;
    QPushButton* create_;
    QTimer* timer_;
    QPointer<Job> counting_;
    JobRunner jobs_; // last: its threads end before the rest goes
};

} // namespace doppler::views
