#include "views/training/TrainingDialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/graph/InputError.h"
#include "views/shell/PrimaryButton.h"
#include "views/training/TrainingRuns.h"

namespace doppler::views {

namespace {

constexpr double kLongestBudget = 24 * 3600;
constexpr int kWidth = 480;
const QString kCheckpointFile = QStringLiteral("checkpoint.pt");
const QString kFromCheckpoint = QStringLiteral("checkpoint");

QString describe(const QString& preset, bool fromGeneral) {
    const bool paper = preset == QLatin1String("paper");
    if (fromGeneral) {
        return paper ? TrainingDialog::tr("Imitates the general policies, then learns as in the "
                                          "DOPPLER paper, one episode at a time. Slow.")
                     : TrainingDialog::tr("Imitates the general policies tuned on this graph, "
                                          "then learns from batches of episodes. Seconds.");
    }
    return paper ? TrainingDialog::tr("As in the DOPPLER paper: imitates critical path, then "
                                      "learns from one episode at a time. Slow.")
                 : TrainingDialog::tr("Imitates short annealing, then learns from batches of "
                                      "episodes and its own best. Minutes.");
}

QString stagesText(const learn::TrainOptions& options) {
    QStringList parts;
    for (const learn::StagePlan& plan : options.stages) {
        const std::string_view name = learn::name(plan.stage);
        parts.append(QStringLiteral("%1:%2")
                         .arg(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())))
                         .arg(plan.episodes));
    }
    return parts.join(QLatin1Char(','));
}

} // namespace

TrainingDialog::TrainingDialog(const TrainingSettings& start, const QString& problemText,
                               QWidget* parent)
    : QDialog(parent)
    , preset_(new QComboBox(this))
    , description_(new QLabel(this))
    , stages_(new QLineEdit(start.stages, this))
    , mode_(new QComboBox(this))
    , budget_(new QDoubleSpinBox(this))
    , seed_(new QSpinBox(this))
    , polish_(new QCheckBox(tr("Improve the best by short annealing now and then"), this))
    , system_(new QComboBox(this))
    , startFrom_(new QComboBox(this))
    , checkpoint_(new QLineEdit(QDir::toNativeSeparators(start.checkpoint()), this))
    , folder_(new QLineEdit(QDir::toNativeSeparators(start.folder), this))
    , problem_(new QLabel(this))
    , fault_(new QLabel(this)) {
    setWindowTitle(tr("Train a policy"));
    for (const std::string& name : learn::presetNames()) {
        preset_->addItem(QString::fromStdString(name));
    }
    preset_->setCurrentText(start.preset);
    mode_->addItem(tr("both, SEL and PLC"), QStringLiteral("dual"));
    mode_->addItem(tr("SEL only: device by rule"), QStringLiteral("sel-only"));
    mode_->addItem(tr("PLC only: order by rule"), QStringLiteral("plc-only"));
    mode_->addItem(tr("one joint decision"), QStringLiteral("joint"));
    mode_->setCurrentIndex(std::max(0, mode_->findData(start.policyMode)));
    budget_->setRange(0, kLongestBudget);
    budget_->setDecimals(0);
    budget_->setSuffix(tr(" s"));
    budget_->setSpecialValueText(tr("until all episodes are done"));
    budget_->setValue(start.budgetSeconds);
    seed_->setRange(0, 1'000'000);
    seed_->setValue(static_cast<int>(start.seed));
    polish_->setChecked(start.polish);
    polish_->setToolTip(tr("What it finds is told apart from what the policy finds"));
    system_->addItem(tr("left out"), QString());
    system_->addItem(tr("an emulated testbed"), QStringLiteral("emulated"));
    system_->addItem(tr("the processors of this machine"), QStringLiteral("cpu"));
    system_->setCurrentIndex(std::max(0, system_->findData(start.systemEvaluator)));
    system_->setToolTip(tr("Where stage III runs its placements"));
    startFrom_->addItem(tr("random weights"), QString());
    startFrom_->addItem(tr("the general policies"), kGeneralPolicies);
    startFrom_->addItem(tr("a checkpoint"), kFromCheckpoint);
    startFrom_->setItemData(1,
                            tr("They come with the program, are tuned on this graph for a few "
                               "seconds, and are imitated first"),
                            Qt::ToolTipRole);
    startFrom_->setItemData(2, tr("Weights of an earlier training, on any graph"), Qt::ToolTipRole);
    startFrom_->setCurrentIndex(start.init == kGeneralPolicies ? 1 : start.init.isEmpty() ? 0 : 2);
    checkpoint_->setPlaceholderText(tr("checkpoint.pt of an earlier training"));
    description_->setWordWrap(true);
    description_->setMinimumHeight(2 * fontMetrics().lineSpacing());
    description_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    problem_->setWordWrap(true);
    problem_->setText(problemText);
    fault_->setWordWrap(true);
    fault_->setObjectName(QStringLiteral("fault"));

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 20, 20, 20);
    layout->setSpacing(16);
    auto* form = new QFormLayout();
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    form->addRow(tr("Problem"), problem_);
    form->addRow(tr("&Preset"), preset_);
    form->addRow(QString(), description_);
    form->addRow(tr("S&tages"), stages_);
    form->addRow(tr("Stage &III on"), system_);
    form->addRow(tr("&Policy"), mode_);
    form->addRow(tr("&Budget"), budget_);
    form->addRow(tr("&Seed"), seed_);
    form->addRow(tr("Polish"), polish_);
    checkpointRow_ =
        withButton(checkpoint_, tr("Choose a checkpoint"), &TrainingDialog::chooseCheckpoint);
    form->addRow(tr("Start &from"), startFrom_);
    form->addRow(QString(), checkpointRow_);
    form->addRow(tr("Keep &in"),
                 withButton(folder_, tr("Choose a folder"), &TrainingDialog::chooseFolder));
    layout->addLayout(form);
    layout->addWidget(fault_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    train_ = buttons->addButton(tr("Train"), QDialogButtonBox::AcceptRole);
    makePrimary(train_);
    layout->addWidget(buttons);
    setMinimumWidth(kWidth);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(preset_, &QComboBox::currentTextChanged, this, &TrainingDialog::presetChanged);
    connect(stages_, &QLineEdit::textChanged, this, &TrainingDialog::check);
    connect(folder_, &QLineEdit::textChanged, this, &TrainingDialog::check);
    connect(system_, &QComboBox::currentIndexChanged, this, &TrainingDialog::check);
    connect(startFrom_, &QComboBox::currentIndexChanged, this, &TrainingDialog::check);
    connect(checkpoint_, &QLineEdit::textChanged, this, &TrainingDialog::check);
    presetChanged();
}

QWidget* TrainingDialog::withButton(QLineEdit* field, const QString& name,
                                    void (TrainingDialog::*choose)()) {
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(field, 1);
    auto* button = new QToolButton(row);
    button->setText(QStringLiteral("…"));
    button->setToolTip(name);
    button->setAccessibleName(name);
    layout->addWidget(button);
    connect(button, &QToolButton::clicked, this, choose);
    return row;
}

void TrainingDialog::presetChanged() {
    stages_->setPlaceholderText(
        stagesText(learn::presetOptions(preset_->currentText().toStdString())));
    check();
}

// A wrong list of stages is said here, not after the dialog has closed.
void TrainingDialog::check() {
    QString fault;
    try {
        settings().options();
    } catch (const InputError& error) {
        fault = QString::fromUtf8(error.what());
    }
    if (fault.isEmpty() && folder_->text().trimmed().isEmpty()) {
        fault = tr("A training needs a folder");
    }
    const bool fromCheckpoint = startFrom_->currentData().toString() == kFromCheckpoint;
    if (fault.isEmpty() && fromCheckpoint && checkpoint_->text().trimmed().isEmpty()) {
        fault = tr("Choose the checkpoint to start from");
    }
    const bool resumes = settings().resume;
    // A run that goes on keeps what it was started with.
    for (QWidget* field :
         std::initializer_list<QWidget*>{preset_, stages_, mode_, seed_, polish_, startFrom_}) {
        field->setEnabled(!resumes);
    }
    checkpointRow_->setEnabled(!resumes && fromCheckpoint);
    if (resumes) {
        description_->setText(tr("This folder holds a run: it goes on with what it was started "
                                 "with, for the budget from now on."));
    } else {
        description_->setText(
            describe(preset_->currentText(), settings().init == kGeneralPolicies));
    }
    train_->setText(resumes ? tr("Resume") : tr("Train"));
    train_->setEnabled(fault.isEmpty());
    stages_->setToolTip(tr("Episodes of each stage, as imitation:500,simulation:20000"));
    fault_->setText(fault);
    fault_->setVisible(!fault.isEmpty());
    fit();
}

// Lines that wrap need a height that depends on the width, which no dialog asks its layout for.
void TrainingDialog::fit() {
    layout()->activate();
    const int wide = std::max(kWidth, isVisible() ? width() : 0);
    setMinimumHeight(
        std::max(layout()->totalMinimumSize().height(), layout()->totalHeightForWidth(wide)));
}

void TrainingDialog::chooseFolder() {
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("Keep the run in"), folder_->text());
    if (!folder.isEmpty()) {
        folder_->setText(QDir::toNativeSeparators(folder));
    }
}

void TrainingDialog::chooseCheckpoint() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Start from a checkpoint"),
                                                      checkpoint_->text(), tr("All files (*)"));
    if (!path.isEmpty()) {
        checkpoint_->setText(QDir::toNativeSeparators(path));
    }
}

TrainingSettings TrainingDialog::settings() const {
    TrainingSettings settings;
    settings.preset = preset_->currentText();
    settings.stages = stages_->text().trimmed();
    settings.policyMode = mode_->currentData().toString();
    settings.budgetSeconds = budget_->value();
    settings.seed = static_cast<std::uint64_t>(seed_->value());
    settings.polish = polish_->isChecked();
    settings.systemEvaluator = system_->currentData().toString();
    settings.init = startFrom_->currentData().toString();
    if (settings.init == kFromCheckpoint) {
        settings.init = QDir::fromNativeSeparators(checkpoint_->text().trimmed());
    }
    settings.folder = QDir::fromNativeSeparators(folder_->text().trimmed());
    const QDir folder(settings.folder);
    settings.resume = QFile::exists(folder.filePath(kCheckpointFile));
    return settings;
}

TrainingSettings TrainingDialog::stored() {
    const QSettings stored;
    TrainingSettings settings;
    const auto value = [&stored](const char* key, const QVariant& otherwise) {
        return stored.value(QStringLiteral("training/") + QLatin1String(key), otherwise);
    };
    const QString preset = value("preset", settings.preset).toString();
    const std::vector<std::string>& known = learn::presetNames();
    if (std::find(known.begin(), known.end(), preset.toStdString()) != known.end()) {
        settings.preset = preset;
    }
    settings.budgetSeconds = value("budget", settings.budgetSeconds).toDouble();
    settings.polish = value("polish", settings.polish).toBool();
    settings.folder = TrainingRuns::defaultFolder();
    return settings;
}

void TrainingDialog::store(const TrainingSettings& settings) {
    QSettings stored;
    stored.setValue(QStringLiteral("training/preset"), settings.preset);
    stored.setValue(QStringLiteral("training/budget"), settings.budgetSeconds);
    stored.setValue(QStringLiteral("training/polish"), settings.polish);
}

} // namespace doppler::views
