#include "views/running/FidelityDialog.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <cmath>

#include "core/engine/Runtimes.h"
#include "views/format/Format.h"
#include "views/jobs/JobRunner.h"
#include "views/running/FidelityPlot.h"
#include "views/running/RealRuns.h"
#include "views/shell/PrimaryButton.h"
#include "views/workspace/Workspace.h"

namespace doppler::views {

namespace {

constexpr std::int64_t kEvaluations = 4000; // of the search for a good placement
constexpr double kNsPerMs = 1e6;
constexpr int kWidth = 560;

struct Outcome {
    engine::Fidelity fidelity;
    bool emulated = false;
    QStringList notes;
};

Outcome measure(const engine::RunSetupRequest& wanted, int assignments, int repeats,
                JobContext& context) {
    const engine::RunSetup setup = engine::setUpRun(wanted);
    engine::FidelityRequest request;
    request.problem = setup.simulated;
    request.executed = setup.executed;
    request.runtime = setup.runtime.get();
    request.repeats = repeats;
    request.shared = setup.sharedProcessors > 0;
    request.stop = context.stopToken();
    request.progress = [&](double share, const std::string& what) {
        context.report(share, QString::fromStdString(what));
    };
    context.report(-1, FidelityDialog::tr("looking for placements"));
    request.assignments = engine::assignmentsOfAllQualities(setup.simulated, assignments, 1,
                                                            kEvaluations, context.stopToken());
    Outcome outcome{engine::measureFidelity(request), setup.runtime->info().emulated, {}};
    for (const std::string& note : setup.notes) {
        outcome.notes.append(QString::fromStdString(note));
    }
    return outcome;
}

QString correlation(double value) {
    return std::isfinite(value) ? QString::number(value, 'f', 3)
                                : FidelityDialog::tr("not defined");
}

} // namespace

FidelityDialog::FidelityDialog(Workspace& workspace, const RealRuns& runs,
                               const Appearance& appearance, QWidget* parent)
    : QDialog(parent)
    , workspace_(workspace)
    , runs_(runs)
    , runtime_(new QComboBox(this))
    , assignments_(new QSpinBox(this))
    , repeats_(new QSpinBox(this))
    , plot_(new FidelityPlot(appearance, this))
    , verdict_(new QLabel(this))
    , progress_(new QProgressBar(this))
    , start_(new QPushButton(this)) {
    setWindowTitle(tr("How well is it predicted?"));
    for (const engine::RuntimeKind& kind : engine::runtimeKinds()) {
        runtime_->addItem(QString::fromStdString(kind.name));
    }
    assignments_->setRange(2, 1000);
    assignments_->setValue(40);
    assignments_->setToolTip(tr("Placements from random to the best a short search finds"));
    repeats_->setRange(1, 100);
    repeats_->setValue(9);
    repeats_->setToolTip(tr("Runs of each; their median counts"));
    verdict_->setWordWrap(true);
    verdict_->setMinimumHeight(3 * fontMetrics().lineSpacing());
    verdict_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    verdict_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    progress_->setTextVisible(false);
    progress_->setVisible(false);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 20, 20, 20);
    layout->setSpacing(12);
    auto* form = new QFormLayout();
    form->addRow(tr("Run&time"), runtime_);
    form->addRow(tr("&Placements"), assignments_);
    form->addRow(tr("&Runs of each"), repeats_);
    layout->addLayout(form);
    layout->addWidget(plot_, 1);
    layout->addWidget(verdict_);
    auto* row = new QHBoxLayout();
    row->addWidget(progress_, 1);
    row->addStretch();
    auto* close = new QPushButton(tr("Close"), this);
    row->addWidget(close);
    makePrimary(start_);
    row->addWidget(start_);
    layout->addLayout(row);
    setMinimumWidth(kWidth);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(start_, &QPushButton::clicked, this, [this] {
        if (isRunning()) {
            job_->cancel();
        } else {
            start();
        }
    });
    connect(runtime_, &QComboBox::currentTextChanged, this, &FidelityDialog::refresh);
    plot_->setPoints({}, false);
    refresh();
}

FidelityDialog::~FidelityDialog() {
    if (isRunning()) {
        job_->cancel();
    }
}

QString FidelityDialog::verdict() const {
    return verdict_->text();
}

void FidelityDialog::refresh() {
    QString obstacle = runs_.obstacle(runtime_->currentText());
    if (obstacle.isEmpty() && workspace_.problem()->costs->unit() != cost::TimeUnit::Nanoseconds) {
        obstacle = tr("The simulated times are in the units of a file: choose physical or "
                      "profiled costs to compare them with a clock");
    }
    if (!isRunning()) {
        verdict_->setText(obstacle);
    }
    start_->setText(isRunning() ? tr("Cancel") : tr("Start"));
    start_->setEnabled(isRunning() || obstacle.isEmpty());
    progress_->setVisible(isRunning());
}

void FidelityDialog::start() {
    verdict_->clear();
    job_ = workspace_.jobs().start<Outcome>(
        {tr("Simulated against %1").arg(runtime_->currentText()), false, false, this},
        [request = setupRequest(workspace_, runtime_->currentText()), count = assignments_->value(),
         repeats = repeats_->value()](JobContext& context) {
            return measure(request, count, repeats, context);
        },
        [this](const Outcome& outcome) {
            showResult(outcome.fidelity, outcome.emulated, outcome.notes);
        },
        [this](const QString& message) { verdict_->setText(message); });
    connect(job_, &Job::progressed, this, [this] {
        progress_->setRange(0, job_->fraction() < 0 ? 0 : 1000);
        progress_->setValue(static_cast<int>(1000 * job_->fraction()));
    });
    connect(job_, &Job::finished, this, [this] {
        const QString said = verdict_->text();
        job_ = nullptr;
        refresh();
        verdict_->setText(said);
    });
    refresh();
}

void FidelityDialog::showResult(const engine::Fidelity& fidelity, bool emulated,
                                const QStringList& notes) {
    if (fidelity.outcome != engine::Outcome::Done) {
        verdict_->setText(QString::fromStdString(fidelity.message));
        return;
    }
    std::vector<QPointF> points;
    for (const engine::FidelityRow& row : fidelity.rows) {
        if (row.measured) {
            points.emplace_back(static_cast<double>(row.simulated) / kNsPerMs,
                                static_cast<double>(*row.measured) / kNsPerMs);
        }
    }
    plot_->setPoints(points, emulated);
    if (!fidelity.usable()) {
        verdict_->setText(tr("The machine is not quiet: %1 of %2 runs were disturbed by other "
                             "work, and what is left says nothing.")
                              .arg(fidelity.rejected)
                              .arg(fidelity.rejected + fidelity.accepted));
        return;
    }
    verdict_->setText(
        tr("Median error %1, worst %2. Rank correlation %3 (two halves of the measurement agree "
           "to %4). %5 of %6 runs accepted.%7")
            .arg(percentText(fidelity.medianError), percentText(fidelity.worstError),
                 correlation(fidelity.rankCorrelation), correlation(fidelity.splitHalf))
            .arg(fidelity.accepted)
            .arg(fidelity.accepted + fidelity.rejected)
            .arg(emulated ? tr(" Emulated: nothing was measured.") : QString()) +
        (notes.isEmpty() ? QString() : QLatin1Char('\n') + notes.join(QStringLiteral("; "))));
}

} // namespace doppler::views
