#include "views/experiments/ObjectiveDialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "views/shell/PrimaryButton.h"

namespace doppler::views {

namespace {

constexpr int kMostRuns = 1000; // more makes a search too slow to find anything
constexpr int kUsualRuns = 32;
constexpr double kLargestWeight = 1000;

} // namespace

ObjectiveDialog::ObjectiveDialog(const place::Objective& objective, QWidget* parent)
    : QDialog(parent)
    , measure_(new QComboBox(this))
    , runs_(new QSpinBox(this))
    , traffic_(new QDoubleSpinBox(this))
    , memory_(new QComboBox(this)) {
    setWindowTitle(tr("Objective"));
    const bool plain = objective.measure == place::Objective::Measure::Makespan;
    measure_->addItems(
        {tr("makespan"), tr("mean of noisy runs"), tr("95th percentile of noisy runs")});
    measure_->setCurrentIndex(static_cast<int>(objective.measure));
    runs_->setRange(2, kMostRuns);
    runs_->setValue(plain ? kUsualRuns : objective.runs);
    runs_->setEnabled(!plain);
    runs_->setToolTip(tr("Seeded runs of each placement whose op durations vary"));
    traffic_->setRange(0, kLargestWeight);
    traffic_->setDecimals(3);
    traffic_->setSingleStep(0.1);
    traffic_->setSpecialValueText(tr("does not count"));
    traffic_->setValue(objective.traffic);
    traffic_->setToolTip(tr("Adds this much of the summed time of all transfers"));
    memory_->addItems(
        {tr("a limit: what fits is better"), tr("a penalty by what is missing"), tr("ignored")});
    memory_->setCurrentIndex(static_cast<int>(objective.memory));

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 20, 20, 20);
    layout->setSpacing(16);
    auto* form = new QFormLayout();
    form->addRow(tr("&Make small"), measure_);
    form->addRow(tr("&Noisy runs"), runs_);
    form->addRow(tr("&Traffic"), traffic_);
    form->addRow(tr("M&emory"), memory_);
    layout->addLayout(form);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    makePrimary(buttons->addButton(tr("Apply"), QDialogButtonBox::AcceptRole));
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(measure_, &QComboBox::currentIndexChanged, this,
            [this](int index) { runs_->setEnabled(index > 0); });
}

place::Objective ObjectiveDialog::objective() const {
    place::Objective objective;
    objective.measure = static_cast<place::Objective::Measure>(measure_->currentIndex());
    if (objective.measure != place::Objective::Measure::Makespan) {
        objective.runs = runs_->value();
    }
    objective.traffic = traffic_->value();
    objective.memory = static_cast<place::Objective::Memory>(memory_->currentIndex());
    return objective;
}

} // namespace doppler::views
