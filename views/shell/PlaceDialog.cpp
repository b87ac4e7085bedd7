#include "views/shell/PlaceDialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "core/place/Registry.h"
#include "views/shell/PrimaryButton.h"

namespace doppler::views {

namespace {

constexpr double kLongestBudget = 3600;
constexpr int kMostRuns = 100;
constexpr int kWidth = 420;

} // namespace

PlaceDialog::PlaceDialog(const PlaceChoice& start, QWidget* parent)
    : QDialog(parent)
    , method_(new QComboBox(this))
    , description_(new QLabel(this))
    , budget_(new QDoubleSpinBox(this))
    , seed_(new QSpinBox(this))
    , runs_(new QSpinBox(this)) {
    setWindowTitle(tr("Place with…"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 20, 20, 20);
    layout->setSpacing(12);
    for (const place::PlacerInfo& info : place::placers()) {
        method_->addItem(QString::fromStdString(info.name));
    }
    method_->setCurrentText(start.method);
    budget_->setRange(0.1, kLongestBudget);
    budget_->setDecimals(1);
    budget_->setSuffix(tr(" s"));
    budget_->setValue(start.budgetSeconds);
    seed_->setRange(0, 1'000'000);
    seed_->setValue(static_cast<int>(start.seed));
    runs_->setRange(1, kMostRuns);
    runs_->setValue(start.runs);
    description_->setWordWrap(true);
    // Two lines, so that the fields below do not jump.
    description_->setMinimumHeight(2 * fontMetrics().lineSpacing());
    description_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    description_->setMinimumWidth(kWidth);

    auto* form = new QFormLayout();
    form->addRow(tr("&Method"), method_);
    form->addRow(QString(), description_);
    form->addRow(tr("&Budget"), budget_);
    form->addRow(tr("&Seed"), seed_);
    form->addRow(tr("&Runs"), runs_);
    layout->addLayout(form);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    place_ = buttons->addButton(tr("Place"), QDialogButtonBox::AcceptRole);
    makePrimary(place_);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(method_, &QComboBox::currentTextChanged, this, &PlaceDialog::methodChanged);
    methodChanged();
}

void PlaceDialog::methodChanged() {
    const place::PlacerInfo* info = Placing::find(method_->currentText());
    place_->setEnabled(info != nullptr);
    if (info == nullptr) {
        return;
    }
    description_->setText(QString::fromStdString(info->description));
    description_->setToolTip(QString::fromStdString(info->source));
    budget_->setEnabled(info->search);
    budget_->setToolTip(info->search ? tr("Time each run may take")
                                     : tr("A rule takes one pass, whatever the budget"));
    seed_->setEnabled(info->random);
    runs_->setEnabled(info->random);
    runs_->setToolTip(info->random ? tr("Runs with successive seeds, each its own row")
                                   : tr("Without chance every run gives the same"));
}

PlaceChoice PlaceDialog::choice() const {
    return {method_->currentText(), budget_->value(), static_cast<std::uint64_t>(seed_->value()),
            runs_->value()};
}

} // namespace doppler::views
