#include "views/shell/StatusFields.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QTimer>

#include "core/sim/Bounds.h"
#include "views/format/Format.h"
#include "views/shell/DeviceLegend.h"
#include "views/shell/ElidedLabel.h"
#include "views/shell/JobsIndicator.h"
#include "views/theme/Appearance.h"
#include "views/workspace/Workspace.h"

namespace doppler::views {

namespace {

constexpr int kHeight = 28;
constexpr int kNoticeMs = 8000;
constexpr int kLeastNotice = 120;
constexpr int kChipsGap = 8; // between the word and the chips

QString speedText(double microseconds) {
    if (microseconds < 1000) {
        return QStringLiteral("%1 µs").arg(std::max(1.0, microseconds), 0, 'f', 0);
    }
    return QStringLiteral("%1 ms").arg(microseconds / 1000, 0, 'f', 1);
}

} // namespace

StatusFields::StatusFields(Workspace& workspace, const Appearance& appearance, QWidget* parent)
    : QWidget(parent)
    , workspace_(workspace)
    , appearance_(appearance)
    , makespan_(new QLabel(this))
    , difference_(new QLabel(this))
    , bound_(new QLabel(this))
    , gap_(new QLabel(this))
    , speed_(new QLabel(this))
    , devicesLabel_(new QLabel(tr("Devices"), this))
    , ready_(new QLabel(tr("Ready"), this))
    , devices_(new DeviceLegend(workspace, appearance, this))
    , notice_(new ElidedLabel(this))
    , jobs_(new JobsIndicator(workspace.jobs(), appearance, this))
    , noticeTimer_(new QTimer(this))
    , refreshTimer_(new QTimer(this)) {
    setFixedHeight(kHeight);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 0, 12, 0);
    layout->setSpacing(16);
    fields_ = {{ready_, 0}, {makespan_, 0}, {difference_, 1},   {bound_, 3},
               {gap_, 2},   {speed_, 6},    {devicesLabel_, 5}, {devices_, 4}};
    for (const Field& field : fields_) {
        if (field.widget == devices_) {
            layout->addSpacing(kChipsGap - layout->spacing());
        }
        layout->addWidget(field.widget);
        if (auto* label = qobject_cast<QLabel*>(field.widget)) {
            label->setTextFormat(Qt::RichText);
        }
    }
    layout->addWidget(notice_, 1);
    layout->addWidget(jobs_);
    ready_->setAccessibleName(ready_->text());
    notice_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);

    noticeTimer_->setSingleShot(true);
    noticeTimer_->setInterval(kNoticeMs);
    connect(noticeTimer_, &QTimer::timeout, notice_, &QLabel::clear);
    // One refresh for the burst of signals that a change of the problem sends.
    refreshTimer_->setSingleShot(true);
    refreshTimer_->setInterval(0);
    connect(refreshTimer_, &QTimer::timeout, this, &StatusFields::refreshNow);

    for (const auto signal : {&Workspace::problemChanged, &Workspace::currentChanged,
                              &Workspace::timelineChanged, &Workspace::boundChanged}) {
        connect(&workspace, signal, this, &StatusFields::refresh);
    }
    connect(&workspace, &Workspace::notice, this, &StatusFields::showNotice);
    connect(&appearance, &Appearance::changed, this, &StatusFields::refresh);
    connect(jobs_, &JobsIndicator::sizeChanged, this, &StatusFields::fit);
    refreshNow();
}

void StatusFields::showNotice(const QString& text) {
    notice_->setText(text);
    noticeTimer_->start();
}

QString StatusFields::text() const {
    QStringList parts;
    for (const Field& field : fields_) {
        const auto* label = qobject_cast<QLabel*>(field.widget);
        if (label != nullptr && field.wanted) {
            parts.append(label->accessibleName());
        }
    }
    return parts.join(QStringLiteral(" | "));
}

void StatusFields::setField(QLabel* label, const QString& name, const QString& value,
                            const QString& after) {
    const QString muted = appearance_.theme().secondary.name();
    QString html = QStringLiteral("%1 <b>%2</b>").arg(name, value.toHtmlEscaped());
    if (!after.isEmpty()) {
        html += QStringLiteral("&nbsp; <span style='color:%1'>%2</span>")
                    .arg(muted, after.toHtmlEscaped());
    }
    label->setText(html);
    label->setAccessibleName(QStringLiteral("%1 %2 %3").arg(name, value, after).trimmed());
}

void StatusFields::refresh() {
    if (!refreshTimer_->isActive()) {
        refreshTimer_->start();
    }
}

void StatusFields::refreshNow() {
    const Theme& theme = appearance_.theme();
    const bool open = workspace_.hasProblem();
    const Placement* shown = workspace_.current();
    const bool timed = shown != nullptr && shown->timeline != nullptr;
    const cost::TimeUnit unit = open ? workspace_.problem()->costs->unit() : cost::TimeUnit::Units;
    const sim::Bound& bound = workspace_.bound();

    if (timed) {
        setField(makespan_, tr("Makespan"), timeText(shown->makespan(), unit));
        setField(speed_, tr("Simulated in"), speedText(shown->simulationMicroseconds));
        speed_->setText(tr("Simulated in %1").arg(speedText(shown->simulationMicroseconds)));
        const double gap = sim::gap(shown->makespan(), bound.value);
        setField(gap_, tr("Gap"), percentText(gap));
    }
    if (timed && workspace_.hasLastDifference()) {
        const Time difference = workspace_.lastDifference();
        const QColor ink = difference < 0   ? theme.better
                           : difference > 0 ? theme.worse
                                            : theme.secondary;
        difference_->setText(QStringLiteral("<b style='color:%1'>%2</b>")
                                 .arg(ink.name(), signedTimeText(difference, unit)));
        difference_->setAccessibleName(tr("Last edit %1").arg(signedTimeText(difference, unit)));
        difference_->setToolTip(tr("What the last edit did to the makespan"));
    }
    if (bound.value > 0) {
        setField(bound_, tr("Bound"), timeText(bound.value, unit),
                 QString::fromStdString(bound.name));
        bound_->setToolTip(QString::fromStdString(bound.description));
    }
    const std::pair<QWidget*, bool> wanted[] = {
        {ready_, !open},
        {makespan_, timed},
        {difference_, timed && workspace_.hasLastDifference()},
        {bound_, open && bound.value > 0},
        {gap_, timed && bound.value > 0},
        {speed_, timed},
        {devicesLabel_, open},
        {devices_, open},
    };
    for (const auto& [widget, show] : wanted) {
        for (Field& field : fields_) {
            if (field.widget == widget) {
                field.wanted = show;
            }
        }
    }
    fit();
}

void StatusFields::fit() {
    const int gap = layout()->spacing();
    int room = width() - 24 - jobs_->sizeHint().width() - gap;
    if (!notice_->text().isEmpty()) {
        room -= kLeastNotice;
    }
    std::vector<Field*> byPriority;
    for (Field& field : fields_) {
        byPriority.push_back(&field);
    }
    std::stable_sort(byPriority.begin(), byPriority.end(),
                     [](const Field* a, const Field* b) { return a->priority < b->priority; });
    for (Field* field : byPriority) {
        const int need = field->widget->sizeHint().width() + gap;
        const bool fits = field->wanted && (room >= need || field->priority == 0);
        room -= fits ? need : 0;
        field->widget->setVisible(fits);
    }
    update();
}

void StatusFields::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(appearance_.theme().border);
    const int half = layout()->spacing() / 2;
    for (const Field& field : fields_) {
        const bool separated = field.widget != ready_ && field.widget != makespan_ &&
                               field.widget != devices_ && field.widget->isVisible();
        if (separated) {
            const int x = field.widget->x() - half;
            painter.drawLine(x, height() / 2 - 8, x, height() / 2 + 8);
        }
    }
}

void StatusFields::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

} // namespace doppler::views
