#include "views/running/CalibrationTables.h"

#include <QHeaderView>
#include <QTableWidget>
#include <algorithm>

#include "views/format/Format.h"
#include "views/icons/Icons.h"

namespace doppler::views {

namespace {

constexpr int kRowHeight = 24;
constexpr int kNarrowest = 84; // room for the bold titles

QTableWidget* makeTable(const QStringList& titles, const QString& name, QWidget* parent) {
    auto* table = new QTableWidget(0, static_cast<int>(titles.size()), parent);
    table->setAccessibleName(name);
    table->setHorizontalHeaderLabels(titles);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setAlternatingRowColors(true);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setFrameShape(QFrame::NoFrame);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    table->horizontalHeader()->setMinimumSectionSize(kNarrowest);
    table->horizontalHeaderItem(0)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    for (int column = 1; column < table->columnCount(); ++column) {
        table->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    }
    return table;
}

QTableWidgetItem* textItem(const QString& text) {
    auto* item = new QTableWidgetItem(text);
    item->setToolTip(text);
    return item;
}

QTableWidgetItem* numberItem(const QString& text) {
    auto* item = new QTableWidgetItem(text);
    item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return item;
}

QString nameOf(const cluster::Cluster& cluster, DeviceId device) {
    return QString::fromStdString(cluster.device(device).name);
}

} // namespace

CalibrationTables::CalibrationTables(const Appearance& appearance, QWidget* parent)
    : QTabWidget(parent)
    , appearance_(appearance)
    , kernels_(makeTable({tr("Kernel"), tr("On"), tr("Time"), tr("Within"), tr("Samples")},
                         tr("Kernels"), this))
    , links_(makeTable(
          {tr("Links like"), tr("Latency"), tr("Bandwidth"), tr("Fit within"), tr("Samples")},
          tr("Links"), this)) {
    addTab(kernels_, tr("Kernels"));
    addTab(links_, tr("Links"));
    setDocumentMode(true);
}

void CalibrationTables::setProfile(const cluster::Profile& profile,
                                   const cluster::Cluster& cluster) {
    fillKernels(profile, cluster);
    fillLinks(profile, cluster);
    setTabText(0, tr("Kernels (%1)").arg(profile.kernels.size()));
    setTabText(1, tr("Links (%1)").arg(profile.links.size()));
}

void CalibrationTables::fillKernels(const cluster::Profile& profile,
                                    const cluster::Cluster& cluster) {
    std::vector<cluster::KernelTime> sorted = profile.kernels;
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
        return std::pair(a.spiky, a.ns) > std::pair(b.spiky, b.ns); // what is to be asked about
    });
    kernels_->setRowCount(static_cast<int>(sorted.size()));
    for (int row = 0; row < kernels_->rowCount(); ++row) {
        const cluster::KernelTime& kernel = sorted[static_cast<std::size_t>(row)];
        QTableWidgetItem* name = textItem(QString::fromStdString(kernel.kernel));
        if (kernel.spiky) {
            name->setIcon(icon(IconName::Warning, appearance_.theme()));
            name->setToolTip(tr("Its samples are two populations a hundredfold apart: the median "
                                "says little.\n%1")
                                 .arg(name->text()));
        }
        kernels_->setItem(row, 0, name);
        kernels_->setItem(row, 1, numberItem(nameOf(cluster, kernel.device)));
        kernels_->setItem(row, 2, numberItem(timeText(kernel.ns, cost::TimeUnit::Nanoseconds)));
        kernels_->setItem(row, 3, numberItem(percentText(kernel.spread)));
        kernels_->setItem(row, 4, numberItem(countText(kernel.samples)));
    }
}

void CalibrationTables::fillLinks(const cluster::Profile& profile,
                                  const cluster::Cluster& cluster) {
    links_->setRowCount(static_cast<int>(profile.links.size()));
    for (int row = 0; row < links_->rowCount(); ++row) {
        const cluster::LinkTime& link = profile.links[static_cast<std::size_t>(row)];
        links_->setItem(
            row, 0,
            textItem(tr("%1 to %2").arg(nameOf(cluster, link.from), nameOf(cluster, link.to))));
        links_->setItem(row, 1, numberItem(timeText(link.latencyNs, cost::TimeUnit::Nanoseconds)));
        links_->setItem(row, 2, numberItem(byteRateText(link.bytesPerSecond)));
        links_->setItem(row, 3, numberItem(percentText(link.error)));
        links_->setItem(row, 4, numberItem(countText(link.samples)));
    }
}

} // namespace doppler::views
