#include "views/docks/ReportSection.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "views/theme/DeviceMark.h"

namespace doppler::views {

ReportSection::ReportSection(const Appearance& appearance, const QString& title, QWidget* parent)
    : QWidget(parent), appearance_(appearance), title_(title) {
    setAccessibleName(title);
    connect(&appearance, &Appearance::changed, this, qOverload<>(&QWidget::update));
}

void ReportSection::setData(std::shared_ptr<const sim::Problem> problem,
                            std::shared_ptr<const sim::Report> report) {
    problem_ = std::move(problem);
    report_ = std::move(report);
    if (hasData()) {
        update();
        setFixedHeight(kHeading + static_cast<int>(std::ceil(bodyHeight())));
    }
    QWidget::update();
}

void ReportSection::setTitle(const QString& title) {
    title_ = title;
    setAccessibleName(title);
}

double ReportSection::chipColumn() const {
    double width = kChip;
    for (DeviceId device = 0; device < deviceCount(); ++device) {
        width = std::max(width, chipWidth(theme().device(device), kChip));
    }
    return width;
}

QString ReportSection::deviceText(DeviceId device) const {
    return QStringLiteral("%1, %2").arg(
        theme().device(device).letter,
        QString::fromStdString(problem().cluster->device(device).name));
}

QRectF ReportSection::body() const {
    return {0, kHeading, static_cast<double>(width()), static_cast<double>(height() - kHeading)};
}

bool ReportSection::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && hasData()) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), this);
        return true;
    }
    return QWidget::event(event);
}

void ReportSection::paintEvent(QPaintEvent*) {
    if (!hasData()) {
        return;
    }
    QPainter painter(this);
    painter.setPen(theme().text);
    painter.setFont(fontOfSize(12, true));
    const QRectF heading(0, 0, width(), kHeading - 6);
    painter.drawText(heading, Qt::AlignLeft | Qt::AlignVCenter, title_);
    painter.setPen(theme().secondary);
    painter.setFont(fontOfSize(11));
    painter.drawText(heading, Qt::AlignRight | Qt::AlignVCenter, remark());
    paintBody(painter, body());
}

} // namespace doppler::views
