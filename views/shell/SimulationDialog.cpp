#include "views/shell/SimulationDialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include "core/sim/SimOptionNames.h"
#include "views/shell/PrimaryButton.h"

namespace doppler::views {

namespace {

enum PresetRow { kDefaultRow, kPublishedRow, kCustomRow };

constexpr int kMostCores = 1024;
constexpr double kMostVariation = 2;

/// The words of files and the command line, with the dashes read aloud as spaces.
template <typename Value>
QComboBox* makeBox(std::span<const sim::NamedOption<Value>> options, QWidget* parent) {
    auto* box = new QComboBox(parent);
    for (const sim::NamedOption<Value>& option : options) {
        QString name =
            QString::fromUtf8(option.name.data(), static_cast<qsizetype>(option.name.size()));
        if (name == QLatin1String("wc")) {
            name = QObject::tr("work-conserving");
        } else if (name == QLatin1String("bsp")) {
            name = QObject::tr("bulk-synchronous");
        } else {
            name.replace(QLatin1Char('-'), QLatin1Char(' '));
        }
        box->addItem(name, static_cast<int>(option.value));
    }
    return box;
}

template <typename Value>
Value valueOf(const QComboBox* box) {
    return static_cast<Value>(box->currentData().toInt());
}

template <typename Value>
void setValue(QComboBox* box, Value value) {
    box->setCurrentIndex(box->findData(static_cast<int>(value)));
}

} // namespace

SimulationDialog::SimulationDialog(const sim::SimOptions& options, QWidget* parent)
    : QDialog(parent)
    , preset_(new QComboBox(this))
    , mode_(makeBox(sim::executionModeNames(), this))
    , contention_(makeBox(sim::linkContentionNames(), this))
    , sharing_(makeBox(sim::transferSharingNames(), this))
    , choice_(makeBox(sim::readyChoiceNames(), this))
    , memory_(makeBox(sim::memoryPolicyNames(), this))
    , variation_(new QDoubleSpinBox(this))
    , cores_(new QSpinBox(this))
    , seed_(new QSpinBox(this)) {
    setWindowTitle(tr("Simulation options"));
    preset_->addItems({tr("default"), tr("published"), tr("custom")});
    variation_->setRange(0, kMostVariation);
    variation_->setSingleStep(0.05);
    variation_->setSpecialValueText(tr("fixed"));
    variation_->setToolTip(tr("Coefficient of variation of log-normal durations"));
    cores_->setRange(0, kMostCores);
    cores_->setSpecialValueText(tr("each device its own"));
    cores_->setToolTip(tr("Processors that all devices and their transfers share"));
    seed_->setRange(0, 1'000'000);
    seed_->setToolTip(tr("Seeds random choice and varying durations"));

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 20, 20, 20);
    layout->setSpacing(16);
    auto* form = new QFormLayout();
    form->addRow(tr("&Preset"), preset_);
    form->addRow(tr("&Execution"), mode_);
    form->addRow(tr("&Link contention"), contention_);
    form->addRow(tr("&Transfers"), sharing_);
    form->addRow(tr("&Next op"), choice_);
    form->addRow(tr("&Memory"), memory_);
    form->addRow(tr("&Durations"), variation_);
    form->addRow(tr("&Cores"), cores_);
    form->addRow(tr("&Seed"), seed_);
    layout->addLayout(form);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    QPushButton* apply = buttons->addButton(tr("Apply"), QDialogButtonBox::AcceptRole);
    makePrimary(apply);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    setOptions(options);
    for (QComboBox* box : {mode_, contention_, sharing_, choice_, memory_}) {
        connect(box, &QComboBox::currentIndexChanged, this, &SimulationDialog::showPreset);
    }
    connect(variation_, &QDoubleSpinBox::valueChanged, this, &SimulationDialog::showPreset);
    connect(cores_, &QSpinBox::valueChanged, this, &SimulationDialog::showPreset);
    connect(seed_, &QSpinBox::valueChanged, this, &SimulationDialog::showPreset);
    connect(preset_, &QComboBox::activated, this, [this](int row) {
        if (row != kCustomRow) {
            setOptions(row == kPublishedRow ? sim::SimOptions::published() : sim::SimOptions());
        }
    });
}

sim::SimOptions SimulationDialog::options() const {
    sim::SimOptions options;
    options.mode = valueOf<sim::ExecutionMode>(mode_);
    options.contention = valueOf<sim::LinkContention>(contention_);
    options.sharing = valueOf<sim::TransferSharing>(sharing_);
    options.choice = valueOf<sim::ReadyChoice>(choice_);
    options.memory = valueOf<sim::MemoryPolicy>(memory_);
    options.durationVariation = variation_->value();
    options.cores = cores_->value();
    options.seed = static_cast<std::uint64_t>(seed_->value());
    return options;
}

void SimulationDialog::setOptions(const sim::SimOptions& options) {
    setValue(mode_, options.mode);
    setValue(contention_, options.contention);
    setValue(sharing_, options.sharing);
    setValue(choice_, options.choice);
    setValue(memory_, options.memory);
    variation_->setValue(options.durationVariation);
    cores_->setValue(options.cores);
    seed_->setValue(static_cast<int>(options.seed));
    showPreset();
}

void SimulationDialog::showPreset() {
    const sim::SimOptions now = options();
    preset_->setCurrentIndex(now == sim::SimOptions()              ? kDefaultRow
                             : now == sim::SimOptions::published() ? kPublishedRow
                                                                   : kCustomRow);
}

} // namespace doppler::views
