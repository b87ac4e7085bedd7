#include "views/running/RunDialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "core/engine/Runtimes.h"
#include "views/shell/PrimaryButton.h"

namespace doppler::views {

namespace {

constexpr int kWidth = 420;
constexpr int kMostRuns = 1000;

} // namespace

RunDialog::RunDialog(const RealRuns& runs, const RunChoice& start, QWidget* parent)
    : QDialog(parent)
    , runs_(runs)
    , runtime_(new QComboBox(this))
    , description_(new QLabel(this))
    , count_(new QSpinBox(this))
    , warmUps_(new QSpinBox(this))
    , check_(new QCheckBox(tr("Compare with the whole program on one device"), this))
    , seed_(new QSpinBox(this)) {
    setWindowTitle(tr("Run for real"));
    for (const engine::RuntimeKind& kind : engine::runtimeKinds()) {
        runtime_->addItem(QString::fromStdString(kind.name),
                          QString::fromStdString(kind.description));
    }
    runtime_->setCurrentText(start.runtime);
    count_->setRange(1, kMostRuns);
    count_->setValue(start.runs);
    warmUps_->setRange(0, kMostRuns);
    warmUps_->setValue(start.warmUps);
    warmUps_->setToolTip(tr("Runs before these, which do not count"));
    check_->setChecked(start.check);
    check_->setToolTip(tr("Takes the time and memory of the whole program"));
    seed_->setRange(0, 1'000'000);
    seed_->setValue(static_cast<int>(start.seed));
    seed_->setToolTip(tr("Seeds the input numbers, or the luck of an emulated run"));
    description_->setWordWrap(true);
    description_->setMinimumHeight(3 * fontMetrics().lineSpacing());
    description_->setAlignment(Qt::AlignTop | Qt::AlignLeft);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 20, 20, 20);
    layout->setSpacing(16);
    auto* form = new QFormLayout();
    form->addRow(tr("Run&time"), runtime_);
    form->addRow(QString(), description_);
    form->addRow(tr("&Runs"), count_);
    form->addRow(tr("&Warm-up"), warmUps_);
    form->addRow(tr("Check"), check_);
    form->addRow(tr("&Seed"), seed_);
    layout->addLayout(form);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    run_ = buttons->addButton(tr("Run"), QDialogButtonBox::AcceptRole);
    makePrimary(run_);
    layout->addWidget(buttons);
    setMinimumWidth(kWidth);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(runtime_, &QComboBox::currentTextChanged, this, &RunDialog::runtimeChanged);
    runtimeChanged();
}

void RunDialog::runtimeChanged() {
    const QString obstacle = runs_.obstacle(runtime_->currentText());
    description_->setText(obstacle.isEmpty() ? runtime_->currentData().toString() : obstacle);
    run_->setEnabled(obstacle.isEmpty());
    check_->setEnabled(runtime_->currentText() != QLatin1String("emulated"));
}

RunChoice RunDialog::choice() const {
    RunChoice choice;
    choice.runtime = runtime_->currentText();
    choice.runs = count_->value();
    choice.warmUps = warmUps_->value();
    choice.check = check_->isEnabled() && check_->isChecked();
    choice.seed = static_cast<std::uint64_t>(seed_->value());
    return choice;
}

} // namespace doppler::views
