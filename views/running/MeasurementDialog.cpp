#include "views/running/MeasurementDialog.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/engine/Runtimes.h"
#include "views/shell/PrimaryButton.h"

namespace doppler::views {

MeasurementDialog::MeasurementDialog(Workspace& workspace, const QString& title, QWidget* parent)
    : QDialog(parent)
    , workspace_(workspace)
    , layout_(new QVBoxLayout(this))
    , form_(new QFormLayout())
    , runtime_(new QComboBox(this))
    , verdict_(new QLabel(this))
    , buttons_(new QHBoxLayout())
    , progress_(new QProgressBar(this))
    , start_(new QPushButton(this)) {
    setWindowTitle(title);
    for (const engine::RuntimeKind& kind : engine::runtimeKinds()) {
        runtime_->addItem(QString::fromStdString(kind.name));
        runtime_->setItemData(runtime_->count() - 1, QString::fromStdString(kind.description),
                              Qt::ToolTipRole);
    }
    verdict_->setWordWrap(true);
    verdict_->setMinimumHeight(3 * fontMetrics().lineSpacing());
    verdict_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    verdict_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    progress_->setTextVisible(false);

    layout_->setContentsMargins(20, 20, 20, 20);
    layout_->setSpacing(12);
    form_->addRow(tr("Run&time"), runtime_);
    layout_->addLayout(form_);
    layout_->addWidget(verdict_);
    buttons_->addWidget(progress_, 1);
    buttons_->addStretch();
    auto* close = new QPushButton(tr("Close"), this);
    buttons_->addWidget(close);
    buttons_->addWidget(start_);
    layout_->addLayout(buttons_);
    makePrimary(start_);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(start_, &QPushButton::clicked, this, [this] {
        if (isRunning()) {
            job_->cancel();
        } else {
            start();
        }
    });
}

MeasurementDialog::~MeasurementDialog() {
    if (isRunning()) {
        job_->cancel();
    }
}

QString MeasurementDialog::verdict() const {
    return verdict_->text();
}

void MeasurementDialog::setVerdict(const QString& text) {
    verdict_->setText(text);
}

QString MeasurementDialog::runtimeName() const {
    return runtime_->currentText();
}

void MeasurementDialog::setBody(QWidget* body) {
    layout_->insertWidget(layout_->indexOf(verdict_), body, 1);
}

void MeasurementDialog::addButton(QPushButton* button) {
    buttons_->addWidget(button);
}

void MeasurementDialog::refresh() {
    const QString why = obstacle();
    if (!isRunning() && !hasResult()) {
        setVerdict(why);
    }
    start_->setText(isRunning() ? tr("Cancel") : hasResult() ? tr("Measure again") : tr("Start"));
    start_->setEnabled(isRunning() || why.isEmpty());
    progress_->setVisible(isRunning());
}

void MeasurementDialog::follow(Job* job) {
    job_ = job;
    connect(job_, &Job::progressed, this, [this] {
        progress_->setRange(0, job_->fraction() < 0 ? 0 : 1000);
        progress_->setValue(static_cast<int>(1000 * job_->fraction()));
        setVerdict(job_->text());
    });
    connect(job_, &Job::finished, this, [this] {
        const QString said = job_->isCancelled() ? tr("Cancelled: nothing was kept.") : verdict();
        job_ = nullptr;
        refresh();
        setVerdict(said);
    });
    refresh();
}

} // namespace doppler::views
