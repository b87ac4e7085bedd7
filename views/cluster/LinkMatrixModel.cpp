#include "views/cluster/LinkMatrixModel.h"

#include <algorithm>

namespace doppler::views {

namespace {
constexpr double kGiga = 1e9;
constexpr double kMicro = 1e3; // nanoseconds
constexpr double kLeastHeat = 0.06;
constexpr double kMostHeat = 0.55;
} // namespace

LinkMatrixModel::LinkMatrixModel(ClusterDraft& draft, const Appearance& appearance, QObject* parent)
    : QAbstractTableModel(parent), draft_(draft), appearance_(appearance) {}

int LinkMatrixModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : draft_.deviceCount();
}

int LinkMatrixModel::columnCount(const QModelIndex& parent) const {
    return rowCount(parent);
}

Qt::ItemFlags LinkMatrixModel::flags(const QModelIndex& index) const {
    if (!index.isValid() || index.row() == index.column()) {
        return Qt::NoItemFlags;
    }
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable;
}

QColor LinkMatrixModel::heat(double share) const {
    const Theme& theme = appearance_.theme();
    return theme.mixed(theme.accent, kLeastHeat + share * (kMostHeat - kLeastHeat));
}

QVariant LinkMatrixModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return int(Qt::AlignCenter);
    }
    if (index.row() == index.column()) {
        return role == Qt::DisplayRole ? QVariant(QStringLiteral("·")) : QVariant();
    }
    const cluster::Link& link = draft_.link(index.row(), index.column());
    const QString kind = QString::fromUtf8(cluster::name(link.kind).data(),
                                           static_cast<qsizetype>(cluster::name(link.kind).size()));
    const double bandwidth = link.bytesPerSecond / kGiga;
    const double latency = static_cast<double>(link.latencyNs) / kMicro;
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
        return shown_ == Shown::Bandwidth ? bandwidth : latency;
    case Qt::BackgroundRole: {
        // The same colour means the same bandwidth, whichever number is written.
        const double largest = draft_.largestBandwidth();
        return heat(largest > 0 ? std::min(1.0, link.bytesPerSecond / largest) : 0);
    }
    case Qt::ForegroundRole:
        return appearance_.theme().text;
    case Qt::ToolTipRole:
        return tr("%1 to %2: %3, %4 GB/s, %5 µs")
            .arg(QString::fromStdString(draft_.device(index.row()).name),
                 QString::fromStdString(draft_.device(index.column()).name), kind)
            .arg(bandwidth)
            .arg(latency);
    default:
        return {};
    }
}

bool LinkMatrixModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    bool isNumber = false;
    const double number = value.toDouble(&isNumber);
    if (role != Qt::EditRole || !(flags(index) & Qt::ItemIsEditable) || !isNumber || number < 0) {
        return false;
    }
    const auto change = [&](int from, int to) {
        cluster::Link& link = draft_.link(from, to);
        if (shown_ == Shown::Bandwidth) {
            link.bytesPerSecond = number * kGiga;
        } else {
            link.latencyNs = qRound64(number * kMicro);
        }
    };
    change(index.row(), index.column());
    if (bothWays_) {
        change(index.column(), index.row());
    }
    // The scale of the colours may have changed with it.
    Q_EMIT dataChanged(this->index(0, 0), this->index(rowCount() - 1, columnCount() - 1));
    return true;
}

QVariant LinkMatrixModel::headerData(int section, Qt::Orientation orientation, int role) const {
    const QString name = QString::fromStdString(draft_.device(section).name);
    if (role == Qt::DisplayRole) {
        const QString letter = appearance_.theme().device(section).letter;
        return orientation == Qt::Vertical ? QStringLiteral("%1  %2").arg(letter, name) : letter;
    }
    if (role == Qt::TextAlignmentRole) {
        return orientation == Qt::Vertical ? int(Qt::AlignLeft | Qt::AlignVCenter)
                                           : int(Qt::AlignCenter);
    }
    return role == Qt::ToolTipRole ? QVariant(name) : QVariant();
}

void LinkMatrixModel::setShown(Shown shown) {
    shown_ = shown;
    reset();
}

void LinkMatrixModel::reset() {
    beginResetModel();
    endResetModel();
}

} // namespace doppler::views
