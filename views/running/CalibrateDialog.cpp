#include "views/running/CalibrateDialog.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <set>

#include "core/engine/Processors.h"
#include "core/engine/Runtimes.h"
#include "core/graph/InputError.h"
#include "core/io/Formats.h"
#include "core/io/ProfileJson.h"
#include "core/workload/Workload.h"
#include "views/format/Format.h"
#include "views/running/CalibrationTables.h"
#include "views/shell/OpenDocument.h"
#include "views/shell/PrimaryButton.h"
#include "views/shell/Prompts.h"

namespace doppler::views {

namespace {

constexpr int kWidth = 640;
constexpr int kRounds = 12;
const QString kCpu = QStringLiteral("cpu");

/// Notes and warnings of a calibration, in sentences.
QStringList remarks(const engine::Calibration& calibration) {
    QStringList lines;
    if (!calibration.spiky.empty()) {
        lines.append(CalibrateDialog::tr(
                         "%1 of %2 kernels took one of two times a hundredfold apart (first in the "
                         "table): better measure again when nothing else runs")
                         .arg(calibration.spiky.size())
                         .arg(calibration.profile.kernels.size()));
    }
    if (calibration.disturbed > 0) {
        lines.append(CalibrateDialog::tr("Other programs ran beside %1 of %2 runs: times may be "
                                         "too long")
                         .arg(calibration.disturbed)
                         .arg(calibration.runs));
    }
    for (const std::string& note : calibration.notes) {
        lines.append(QString::fromStdString(note));
    }
    return lines;
}

} // namespace

CalibrateDialog::CalibrateDialog(Workspace& workspace, const Appearance& appearance,
                                 Prompts& prompts, QWidget* parent)
    : MeasurementDialog(workspace, tr("Calibrate"), parent)
    , prompts_(prompts)
    , devices_(new QComboBox(this))
    , also_(new QLineEdit(this))
    , rounds_(new QSpinBox(this))
    , tables_(new CalibrationTables(appearance, this))
    , save_(new QPushButton(tr("Save as…"), this))
    , use_(new QPushButton(tr("Use"), this)) {
    auto* graph =
        new QLabel(workload::isWorkload(workspace.graphSource().toStdString())
                       ? tr("Kernels of %1, and copies of all sizes").arg(workspace.graphSource())
                       : tr("Copies of all sizes; name a workload for its kernels"),
                   this);
    graph->setWordWrap(true);
    also_->setPlaceholderText(tr("further workloads, separated by spaces"));
    also_->setToolTip(tr("Their kernels are measured too, e.g. ffnn:size=tiny"));
    rounds_->setRange(1, 10'000);
    rounds_->setValue(kRounds);
    rounds_->setToolTip(tr("Each has two runs of each workload, under random placements"));
    save_->setToolTip(tr("Writes a cluster file with what was measured, and uses it"));
    use_->setToolTip(tr("Times the open problem with what was measured; kept in the session"));

    form().addRow(tr("&Devices"), devices_);
    form().addRow(tr("Measured"), graph);
    form().addRow(tr("&Also"), also_);
    form().addRow(tr("&Rounds"), rounds_);
    setBody(tables_);
    addButton(save_);
    addButton(use_);
    setMinimumWidth(kWidth);
    connect(save_, &QPushButton::clicked, this, &CalibrateDialog::saveAs);
    connect(use_, &QPushButton::clicked, this, [this] { use(measured_->source); });
    connect(runtime(), &QComboBox::currentTextChanged, this, [this] {
        fillDevices();
        refresh();
    });
    connect(also_, &QLineEdit::textChanged, this, [this] { refresh(); });
    fillDevices();
    CalibrateDialog::refresh();
}

// Processors are measured as a cluster of processors, unless it is open already.
void CalibrateDialog::fillDevices() {
    devices_->clear();
    const auto open = [this] {
        devices_->addItem(
            tr("%1, %2 (open)")
                .arg(titleOf(workspace().clusterSource()),
                     countOf(workspace().problem()->deviceCount(), QStringLiteral("device"))),
            QString());
    };
    const QString prefix = QStringLiteral("cpu:");
    if (runtimeName() != kCpu) {
        open();
        return;
    }
    const QString opened = QString::fromStdString(workspace().problem()->cluster->name());
    if (opened.startsWith(prefix)) {
        open();
    }
    const auto processors = static_cast<int>(engine::usableProcessors().size());
    for (const int count : std::set<int>{2, processors, 4}) {
        const QString source = prefix + QString::number(count);
        if (source != opened) {
            devices_->addItem(
                tr("%1, %2 of this machine").arg(source, countOf(count, QStringLiteral("device"))),
                source);
        }
    }
    if (!opened.startsWith(prefix)) {
        open();
    }
}

std::vector<std::string> CalibrateDialog::graphs() const {
    std::vector<std::string> list;
    if (workload::isWorkload(workspace().graphSource().toStdString())) {
        list.push_back(workspace().graphSource().toStdString());
    }
    for (const QString& word : also_->text().split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        list.push_back(word.toStdString());
    }
    return list;
}

QString CalibrateDialog::obstacle() const {
    return graphs().empty() ? tr("A graph from a file does not say what its ops compute: name a "
                                 "workload to measure")
                            : QString();
}

void CalibrateDialog::refresh() {
    MeasurementDialog::refresh();
    tables_->setVisible(hasResult());
    save_->setVisible(hasResult());
    use_->setVisible(hasResult());
    save_->setEnabled(canUse());
    use_->setEnabled(canUse());
    makeOrdinary(hasResult() ? startButton() : use_);
    makePrimary(hasResult() ? use_ : startButton());
}

void CalibrateDialog::start() {
    measured_.reset();
    Measured wanted{.cluster = workspace().problem()->cluster,
                    .source = devices_->currentData().toString(),
                    .calibration = {},
                    .sharedProcessors = 0};
    if (wanted.source.isEmpty()) {
        wanted.source = workspace().clusterSource();
    } else {
        wanted.cluster = openClusterSource(wanted.source);
    }
    measure<Measured>(
        tr("Calibrating %1").arg(runtimeName()),
        [wanted, graphs = graphs(), runtime = runtimeName().toStdString(),
         rounds = rounds_->value()](JobContext& context) {
            Measured measured = wanted;
            measured.sharedProcessors = engine::sharedProcessors(runtime, *wanted.cluster);
            engine::CalibrationRequest request;
            request.cluster = wanted.cluster;
            for (const std::string& graph : graphs) {
                request.programs.push_back(engine::executableProgram(graph));
            }
            request.runtime = runtime;
            request.rounds = rounds;
            request.devicesAtOnce = measured.sharedProcessors;
            request.stop = context.stopToken();
            request.progress = [&context](double share, const std::string& what) {
                context.report(share, QString::fromStdString(what));
            };
            measured.calibration = engine::calibrate(request);
            return measured;
        },
        [this](const Measured& measured) { showResult(measured); });
}

void CalibrateDialog::showResult(const Measured& measured) {
    const engine::Calibration& found = measured.calibration;
    if (found.outcome != engine::Outcome::Done) {
        setVerdict(QString::fromStdString(found.message));
        return;
    }
    measured_ = measured;
    tables_->setProfile(found.profile, *measured.cluster);
    QString text = found.profile.emulated ? tr("Emulated: nothing was measured. %1 of the testbed.")
                                                .arg(countOf(found.runs, QStringLiteral("run")))
                                          : tr("%1 on the runtime %2.")
                                                .arg(countOf(found.runs, QStringLiteral("run")),
                                                     QString::fromStdString(found.profile.runtime));
    for (const QString& line : remarks(found)) {
        text += QLatin1Char('\n') + line + QLatin1Char('.');
    }
    setVerdict(text);
}

void CalibrateDialog::use(const QString& source) {
    if (!canUse() || !workspace().hasProblem()) {
        return;
    }
    sim::SimOptions options = workspace().costModel() == cost::CostModel::Published
                                  ? sim::SimOptions()
                                  : workspace().problem()->options;
    options.cores = measured_->sharedProcessors;
    try {
        workspace().changeProblem(
            measured_->cluster, source, cost::CostModel::Profiled, options,
            std::make_shared<const cluster::Profile>(measured_->calibration.profile));
    } catch (const InputError& error) {
        setVerdict(QString::fromUtf8(error.what()));
        return;
    }
    accept();
}

void CalibrateDialog::saveAs() {
    const QString path =
        prompts_.savePath(tr("Save the measured cluster"), tr("Clusters (*.json);;All files (*)"),
                          QStringLiteral("measured.json"));
    if (path.isEmpty() || !canUse()) {
        return;
    }
    try {
        io::writeFileAtomically(
            path.toStdString(),
            io::writeClusterJson(*measured_->cluster, measured_->calibration.profile));
    } catch (const std::exception& error) {
        setVerdict(QString::fromUtf8(error.what()));
        return;
    }
    use(path);
}

} // namespace doppler::views
