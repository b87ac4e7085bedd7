#include "views/docks/ReportDock.h"

#include <QFileDialog>
#include <QLabel>
#include <QMessageBox>
#include <QSaveFile>
#include <QScrollArea>
#include <QStackedLayout>
#include <QVBoxLayout>

#include "views/docks/ReportCsv.h"
#include "views/docks/ReportMemory.h"
#include "views/docks/ReportTraffic.h"
#include "views/docks/ReportUtilisation.h"
#include "views/running/LaneDifference.h"

namespace doppler::views {

namespace {
constexpr int kPadding = 12;
constexpr int kBetweenGroups = 20;
} // namespace

ReportDock::ReportDock(Workspace& workspace, Appearance& appearance, QWidget* parent)
    : QWidget(parent)
    , workspace_(workspace)
    , scroll_(new QScrollArea)
    , empty_(new QLabel(tr("Place the graph to see how each device spends its time.")))
    , utilisation_(new ReportUtilisation(appearance))
    , traffic_(new ReportTraffic(appearance))
    , memory_(new ReportMemory(appearance))
    , lanes_(new LaneDifference(appearance)) {
    auto* sections = new QWidget;
    auto* column = new QVBoxLayout(sections);
    column->setContentsMargins(kPadding, kPadding, kPadding, kPadding);
    column->setSpacing(kBetweenGroups);
    column->addWidget(utilisation_);
    column->addWidget(lanes_);
    column->addWidget(traffic_);
    column->addWidget(memory_);
    column->addStretch();
    scroll_->setWidget(sections);
    scroll_->setWidgetResizable(true);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->viewport()->setBackgroundRole(QPalette::Base);
    sections->setBackgroundRole(QPalette::Base);
    sections->setAutoFillBackground(true);

    empty_->setWordWrap(true);
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setMargin(kPadding);
    empty_->setBackgroundRole(QPalette::Base);
    empty_->setAutoFillBackground(true);
    auto* stack = new QStackedLayout(this);
    stack->setContentsMargins(0, 0, 0, 0);
    stack->addWidget(scroll_);
    stack->addWidget(empty_);

    connect(&workspace, &Workspace::timelineChanged, this, &ReportDock::update);
    connect(&workspace, &Workspace::currentChanged, this, &ReportDock::update);
    connect(&workspace, &Workspace::placementsChanged, this, &ReportDock::update);
    connect(traffic_, &ReportTraffic::cellChosen, this, &ReportDock::selectTraffic);
    update();
}

QString ReportDock::subtitle() const {
    return subtitle_;
}

bool ReportDock::canExport() const {
    const Placement* shown = workspace_.current();
    return shown != nullptr && shown->report != nullptr;
}

void ReportDock::update() {
    const Placement* shown = workspace_.current();
    const QString label = shown == nullptr ? QString() : shown->label();
    const bool ready = canExport();
    if (ready) {
        utilisation_->setData(workspace_.problem(), shown->report);
        traffic_->setData(workspace_.problem(), shown->report);
        memory_->setData(workspace_.problem(), shown->report);
        lanes_->setPlacement(workspace_.problem(), shown);
    }
    static_cast<QStackedLayout*>(layout())->setCurrentWidget(ready ? static_cast<QWidget*>(scroll_)
                                                                   : empty_);
    if (label != subtitle_) {
        subtitle_ = label;
        Q_EMIT subtitleChanged();
    }
}

void ReportDock::selectTraffic(DeviceId from, DeviceId to) {
    const Placement* shown = workspace_.current();
    if (shown == nullptr) {
        return;
    }
    const graph::Graph& graph = *workspace_.problem()->graph;
    const auto deviceOf = [&](OpId op) {
        return (*shown->assignment)[static_cast<std::size_t>(op)];
    };
    std::set<OpId> crossing;
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        if (deviceOf(graph.source(edge)) == from && deviceOf(graph.target(edge)) == to) {
            crossing.insert(graph.source(edge));
        }
    }
    if (!crossing.empty()) {
        workspace_.selection().select(std::move(crossing));
    }
}

bool ReportDock::exportCsv(const QString& path, QString* error) const {
    const Placement* shown = workspace_.current();
    if (!canExport()) {
        *error = tr("There is no report to export.");
        return false;
    }
    QSaveFile file(path);
    const QByteArray csv = reportCsv(*workspace_.problem(), *shown->report).toUtf8();
    if (!file.open(QIODevice::WriteOnly) || file.write(csv) != csv.size() || !file.commit()) {
        *error = tr("%1: cannot be written: %2.").arg(path, file.errorString());
        return false;
    }
    return true;
}

void ReportDock::exportCsv() {
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export report"), QStringLiteral("report.csv"), tr("CSV table (*.csv)"));
    QString error;
    if (!path.isEmpty() && !exportCsv(path, &error)) {
        QMessageBox::warning(this, tr("Export report"), error);
    }
}

} // namespace doppler::views
