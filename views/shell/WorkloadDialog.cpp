#include "views/shell/WorkloadDialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include "core/graph/Topology.h"
#include "core/workload/Workload.h"
#include "views/format/Format.h"
#include "views/shell/PrimaryButton.h"
#include "views/shell/WorkloadForm.h"
#include "views/theme/Appearance.h"

namespace doppler::views {

namespace {

constexpr int kCountDelayMs = 150;
constexpr int kWidth = 480;

QString describe(const graph::GraphFacts& facts) {
    QString line =
        QObject::tr("%1, %2, %3")
            .arg(countOf(facts.nodes, QObject::tr("op")), countOf(facts.edges, QObject::tr("edge")),
                 countOf(facts.inputs, QObject::tr("input")));
    if (facts.flops > 0) {
        line += QStringLiteral(" · ") + flopsText(facts.flops);
    }
    if (facts.edgeBytes > 0) {
        line += QStringLiteral(" · ") + QObject::tr("%1 on edges").arg(bytesText(facts.edgeBytes));
    }
    return line;
}

} // namespace

WorkloadDialog::WorkloadDialog(const Appearance& appearance, QWidget* parent)
    : QDialog(parent)
    , appearance_(appearance)
    , workloads_(new QComboBox(this))
    , description_(new QLabel(this))
    , forms_(new QStackedWidget(this))
    , summary_(new QLabel(this))
    , timer_(new QTimer(this)) {
    setWindowTitle(tr("New from workload"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 20, 20, 20);
    layout->setSpacing(12);
    workloads_->setAccessibleName(tr("Workload"));
    layout->addWidget(workloads_);
    description_->setWordWrap(true);
    layout->addWidget(description_);

    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setWidget(forms_);
    scroll->setMinimumSize(kWidth, 260);
    layout->addWidget(scroll, 1);
    for (const workload::WorkloadInfo& info : workload::workloads()) {
        workloads_->addItem(
            QStringLiteral("%1  (%2)")
                .arg(QString::fromStdString(info.title), QString::fromStdString(info.name)),
            QString::fromStdString(info.name));
        auto* page = new QWidget(forms_);
        auto* pageLayout = new QVBoxLayout(page);
        auto* form = new WorkloadForm(info, page);
        pageLayout->addWidget(form);
        pageLayout->addStretch(1);
        forms_->addWidget(page);
        connect(form, &WorkloadForm::changed, this, &WorkloadDialog::countLater);
    }
    summary_->setObjectName(QStringLiteral("summary"));
    summary_->setWordWrap(true);
    summary_->setMinimumHeight(2 * fontMetrics().height());
    layout->addWidget(summary_);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    create_ = buttons->addButton(tr("Create"), QDialogButtonBox::AcceptRole);
    makePrimary(create_);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    connect(workloads_, &QComboBox::currentIndexChanged, this, [this](int index) {
        const workload::WorkloadInfo& info = workload::workloads()[static_cast<std::size_t>(index)];
        forms_->setCurrentIndex(index);
        description_->setText(QString::fromStdString(info.description));
        description_->setToolTip(QString::fromStdString(info.source));
        countLater();
    });
    timer_->setSingleShot(true);
    timer_->setInterval(kCountDelayMs);
    connect(timer_, &QTimer::timeout, this, &WorkloadDialog::count);
    Q_EMIT workloads_->currentIndexChanged(0);
}

WorkloadForm* WorkloadDialog::form() const {
    return forms_->currentWidget()->findChild<WorkloadForm*>();
}

QString WorkloadDialog::source() const {
    return form()->source();
}

void WorkloadDialog::choose(const QString& workload) {
    workloads_->setCurrentIndex(std::max(0, workloads_->findData(workload)));
}

QString WorkloadDialog::summary() const {
    return summary_->text();
}

void WorkloadDialog::countLater() {
    create_->setEnabled(false);
    timer_->start();
}

void WorkloadDialog::count() {
    if (counting_) {
        counting_->cancel();
    }
    const QString wanted = source();
    const auto show = [this](const QString& text, bool good) {
        QPalette colours = palette();
        if (!good) {
            colours.setColor(QPalette::WindowText, appearance_.theme().worse);
        }
        summary_->setPalette(colours);
        summary_->setText(text);
        create_->setEnabled(good);
    };
    counting_ = jobs_.start<graph::GraphFacts>(
        {tr("Counting"), false, true},
        [text = wanted.toStdString()](JobContext&) {
            return graph::graphFacts(*workload::generate(text));
        },
        [show](const graph::GraphFacts& facts) { show(describe(facts), true); },
        [show](const QString& message) { show(message, false); });
}

} // namespace doppler::views
