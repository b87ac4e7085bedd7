#include "views/running/FidelityDialog.h"

#include <QComboBox>
#include <QFormLayout>
#include <QSpinBox>
#include <cmath>

#include "core/engine/Runtimes.h"
#include "views/format/Format.h"
#include "views/running/FidelityPlot.h"
#include "views/running/RealRuns.h"

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

Outcome compare(const engine::RunSetupRequest& wanted, int assignments, int repeats,
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
    : MeasurementDialog(workspace, tr("How well is it predicted?"), parent)
    , runs_(runs)
    , assignments_(new QSpinBox(this))
    , repeats_(new QSpinBox(this))
    , plot_(new FidelityPlot(appearance, this)) {
    assignments_->setRange(2, 1000);
    assignments_->setValue(40);
    assignments_->setToolTip(tr("Placements from random to the best a short search finds"));
    repeats_->setRange(1, 100);
    repeats_->setValue(9);
    repeats_->setToolTip(tr("Runs of each; their median counts"));
    form().addRow(tr("&Placements"), assignments_);
    form().addRow(tr("&Runs of each"), repeats_);
    setBody(plot_);
    setMinimumWidth(kWidth);
    connect(runtime(), &QComboBox::currentTextChanged, this, [this] { refresh(); });
    plot_->setPoints({}, false);
    refresh();
}

QString FidelityDialog::obstacle() const {
    const QString why = runs_.obstacle(runtimeName());
    return why.isEmpty() && workspace().problem()->costs->unit() != cost::TimeUnit::Nanoseconds
               ? tr("The simulated times are in the units of a file: choose physical or profiled "
                    "costs to compare them with a clock")
               : why;
}

void FidelityDialog::start() {
    measure<Outcome>(
        tr("Simulated against %1").arg(runtimeName()),
        [request = setupRequest(workspace(), runtimeName()), count = assignments_->value(),
         repeats = repeats_->value()](JobContext& context) {
            return compare(request, count, repeats, context);
        },
        [this](const Outcome& outcome) {
            showResult(outcome.fidelity, outcome.emulated, outcome.notes);
        });
}

void FidelityDialog::showResult(const engine::Fidelity& fidelity, bool emulated,
                                const QStringList& notes) {
    if (fidelity.outcome != engine::Outcome::Done) {
        setVerdict(QString::fromStdString(fidelity.message));
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
        setVerdict(tr("The machine is not quiet: %1 of %2 runs were disturbed by other "
                      "work, and what is left says nothing.")
                       .arg(fidelity.rejected)
                       .arg(fidelity.rejected + fidelity.accepted));
        return;
    }
    setVerdict(
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
