#include "views/running/CalibrateDialog.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <set>

#include "core/engine/Processors.h"
#include "core/engine/Runtimes.h"
#include "core/graph/InputError.h"
#include "core/io/Formats.h"
#include "core/io/ProfileJson.h"
#include "core/workload/Workload.h"
#include "views/format/Format.h"
#include "views/jobs/JobRunner.h"
#include "views/running/CalibrationTables.h"
#include "views/shell/OpenDocument.h"
#include "views/shell/PrimaryButton.h"
#include "views/shell/Prompts.h"
#include "views/workspace/Workspace.h"

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
    : QDialog(parent)
    , workspace_(workspace)
    , prompts_(prompts)
    , runtime_(new QComboBox(this))
    , devices_(new QComboBox(this))
    , graph_(new QLabel(this))
    , also_(new QLineEdit(this))
    , rounds_(new QSpinBox(this))
    , verdict_(new QLabel(this))
    , tables_(new CalibrationTables(appearance, this))
    , progress_(new QProgressBar(this))
    , start_(new QPushButton(this))
    , save_(new QPushButton(tr("Save as…"), this))
    , use_(new QPushButton(tr("Use"), this)) {
    setWindowTitle(tr("Calibrate"));
    for (const engine::RuntimeKind& kind : engine::runtimeKinds()) {
        runtime_->addItem(QString::fromStdString(kind.name));
        runtime_->setItemData(runtime_->count() - 1, QString::fromStdString(kind.description),
                              Qt::ToolTipRole);
    }
    graph_->setText(workload::isWorkload(workspace.graphSource().toStdString())
                        ? tr("Kernels of %1, and copies of all sizes").arg(workspace.graphSource())
                        : tr("Copies of all sizes; name a workload for its kernels"));
    graph_->setWordWrap(true);
    also_->setPlaceholderText(tr("further workloads, separated by spaces"));
    also_->setToolTip(tr("Their kernels are measured too, e.g. ffnn:size=tiny"));
    rounds_->setRange(1, 10'000);
    rounds_->setValue(kRounds);
    rounds_->setToolTip(tr("Each has two runs of each workload, under random placements"));
    verdict_->setWordWrap(true);
    verdict_->setMinimumHeight(3 * fontMetrics().lineSpacing());
    verdict_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    verdict_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    progress_->setTextVisible(false);
    save_->setToolTip(tr("Writes a cluster file with what was measured, and uses it"));
    use_->setToolTip(tr("Times the open problem with what was measured; kept in the session"));

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 20, 20, 20);
    layout->setSpacing(12);
    auto* form = new QFormLayout();
    form->addRow(tr("Run&time"), runtime_);
    form->addRow(tr("&Devices"), devices_);
    form->addRow(tr("Measured"), graph_);
    form->addRow(tr("&Also"), also_);
    form->addRow(tr("&Rounds"), rounds_);
    layout->addLayout(form);
    layout->addWidget(verdict_);
    layout->addWidget(tables_, 1);
    auto* row = new QHBoxLayout();
    row->addWidget(progress_, 1);
    row->addStretch();
    auto* close = new QPushButton(tr("Close"), this);
    for (QPushButton* button : {close, start_, save_, use_}) {
        row->addWidget(button);
    }
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
    connect(save_, &QPushButton::clicked, this, &CalibrateDialog::saveAs);
    connect(use_, &QPushButton::clicked, this, [this] { use(measured_->source); });
    connect(runtime_, &QComboBox::currentTextChanged, this, [this] {
        fillDevices();
        refresh();
    });
    connect(also_, &QLineEdit::textChanged, this, &CalibrateDialog::refresh);
    fillDevices();
    refresh();
}

CalibrateDialog::~CalibrateDialog() {
    if (isRunning()) {
        job_->cancel();
    }
}

QString CalibrateDialog::verdict() const {
    return verdict_->text();
}

// Processors are measured as a cluster of processors, unless it is open already.
void CalibrateDialog::fillDevices() {
    devices_->clear();
    const auto open = [this] {
        devices_->addItem(
            tr("%1, %2 (open)")
                .arg(titleOf(workspace_.clusterSource()),
                     countOf(workspace_.problem()->deviceCount(), QStringLiteral("device"))),
            QString());
    };
    const QString prefix = QStringLiteral("cpu:");
    if (runtime_->currentText() != kCpu) {
        open();
        return;
    }
    const QString opened = QString::fromStdString(workspace_.problem()->cluster->name());
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
    if (workload::isWorkload(workspace_.graphSource().toStdString())) {
        list.push_back(workspace_.graphSource().toStdString());
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
    if (!isRunning() && !measured_) {
        verdict_->setText(obstacle());
    }
    start_->setText(isRunning() ? tr("Cancel") : measured_ ? tr("Measure again") : tr("Start"));
    start_->setEnabled(isRunning() || obstacle().isEmpty());
    progress_->setVisible(isRunning());
    tables_->setVisible(measured_.has_value());
    save_->setVisible(measured_.has_value());
    use_->setVisible(measured_.has_value());
    save_->setEnabled(canUse());
    use_->setEnabled(canUse());
    makeOrdinary(measured_ ? start_ : use_);
    makePrimary(measured_ ? use_ : start_);
}

void CalibrateDialog::start() {
    measured_.reset();
    Measured wanted{.cluster = workspace_.problem()->cluster,
                    .source = devices_->currentData().toString(),
                    .calibration = {},
                    .sharedProcessors = 0};
    if (wanted.source.isEmpty()) {
        wanted.source = workspace_.clusterSource();
    } else {
        wanted.cluster = openClusterSource(wanted.source);
    }
    verdict_->clear();
    job_ = workspace_.jobs().start<Measured>(
        {tr("Calibrating %1").arg(runtime_->currentText()), false, false, this},
        [wanted, graphs = graphs(), runtime = runtime_->currentText().toStdString(),
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
        [this](const Measured& measured) { showResult(measured); },
        [this](const QString& message) { verdict_->setText(message); });
    connect(job_, &Job::progressed, this, [this] {
        progress_->setRange(0, job_->fraction() < 0 ? 0 : 1000);
        progress_->setValue(static_cast<int>(1000 * job_->fraction()));
        verdict_->setText(job_->text());
    });
    connect(job_, &Job::finished, this, [this] {
        const QString said =
            job_->isCancelled() ? tr("Cancelled: nothing was kept.") : verdict_->text();
        job_ = nullptr;
        refresh();
        verdict_->setText(said);
    });
    refresh();
}

void CalibrateDialog::showResult(const Measured& measured) {
    const engine::Calibration& found = measured.calibration;
    if (found.outcome != engine::Outcome::Done) {
        verdict_->setText(QString::fromStdString(found.message));
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
    verdict_->setText(text);
}

void CalibrateDialog::use(const QString& source) {
    if (!canUse() || !workspace_.hasProblem()) {
        return;
    }
    sim::SimOptions options = workspace_.costModel() == cost::CostModel::Published
                                  ? sim::SimOptions()
                                  : workspace_.problem()->options;
    options.cores = measured_->sharedProcessors;
    try {
        workspace_.changeProblem(
            measured_->cluster, source, cost::CostModel::Profiled, options,
            std::make_shared<const cluster::Profile>(measured_->calibration.profile));
    } catch (const InputError& error) {
        verdict_->setText(QString::fromUtf8(error.what()));
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
        verdict_->setText(QString::fromUtf8(error.what()));
        return;
    }
    use(path);
}

} // namespace doppler::views
