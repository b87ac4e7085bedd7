#include "views/docks/PlacementsModel.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "views/docks/MakespanScale.h"
#include "views/format/Format.h"
#include "views/running/RealResult.h"

namespace doppler::views {

namespace {

constexpr double kBytesPerGigabyte = 1e9;
const QString kUnknown = QStringLiteral("–");

QString foundText(double seconds) {
    if (seconds < 0.01) {
        return QStringLiteral("<0.01");
    }
    return QString::number(seconds, 'f', seconds < 10 ? 2 : 1);
}

/// In the unit of the simulated times beside it; emulated ones are marked.
QString realText(const RealResult& real, const TimeScale& scale) {
    const double value = real.mean / scale.factor;
    return (real.emulated ? QStringLiteral("~") : QString()) +
           QString::number(value, 'f', value < 100 ? 2 : 1);
}

/// Three significant digits, so that the column keeps its width.
QString trafficText(std::int64_t bytes) {
    const double gigabytes = static_cast<double>(bytes) / kBytesPerGigabyte;
    return byteNumber(bytes, {kBytesPerGigabyte, {}}, gigabytes < 10 ? 2 : gigabytes < 100 ? 1 : 0);
}

} // namespace

PlacementsModel::PlacementsModel(Workspace& workspace, const Appearance& appearance,
                                 QObject* parent)
    : QAbstractTableModel(parent), workspace_(workspace), appearance_(appearance) {
    connect(&workspace, &Workspace::placementsChanged, this, &PlacementsModel::refresh);
    connect(&workspace, &Workspace::currentChanged, this, &PlacementsModel::refresh);
    connect(&workspace, &Workspace::timelineChanged, this, &PlacementsModel::refresh);
    connect(&appearance, &Appearance::changed, this, &PlacementsModel::refresh);
    refresh();
}

// Most changes touch figures only; rows keep their selection then.
void PlacementsModel::refresh() {
    std::vector<int> ids;
    for (const Placement& placement : workspace_.placements()) {
        ids.push_back(placement.id);
    }
    const auto isIn = [](const std::vector<int>& list, int id) {
        return std::find(list.begin(), list.end(), id) != list.end();
    };
    isChanging_ = true;
    // Row by row, so that selection and an open editor survive what comes from the background.
    for (int row = rowCount() - 1; row >= 0; --row) {
        if (!isIn(ids, ids_[static_cast<std::size_t>(row)])) {
            beginRemoveRows({}, row, row);
            ids_.erase(ids_.begin() + row);
            endRemoveRows();
        }
    }
    for (int row = 0; row < static_cast<int>(ids.size()); ++row) {
        const int id = ids[static_cast<std::size_t>(row)];
        if (!isIn(ids_, id)) {
            beginInsertRows({}, row, row);
            ids_.insert(ids_.begin() + row, id);
            endInsertRows();
        }
    }
    isChanging_ = false;
    if (ids != ids_) { // only the order differs
        beginResetModel();
        ids_ = std::move(ids);
        endResetModel();
        return;
    }
    if (!ids_.empty()) {
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
        Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    }
}

int PlacementsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(ids_.size());
}

int PlacementsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

Qt::ItemFlags PlacementsModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) {
        return Qt::NoItemFlags;
    }
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    if (index.column() == Method) {
        flags |= Qt::ItemIsEditable;
    }
    return flags;
}

namespace {

/// With what it was found for, where the makespans beside it were not.
QString methodText(const Placement& placement) {
    return placement.objective.name.isEmpty()
               ? placement.label()
               : QStringLiteral("%1, %2").arg(placement.label(), placement.objective.text());
}

/// For the memory of the devices: the makespan is one that no such machine has.
bool isTooBig(const Placement& placement) {
    return placement.timeline && placement.report && placement.report->memoryOverflow;
}

} // namespace

QString PlacementsModel::makespanText(Time makespan) const {
    const TimeScale scale = makespanScale(workspace_);
    return timeNumber(makespan, scale, makespanDecimals(workspace_.bound().value, scale));
}

QString PlacementsModel::text(const Placement& placement, int column) const {
    if (column == Method) {
        return methodText(placement);
    }
    if (column == Found) {
        return foundText(placement.seconds);
    }
    if (!placement.timeline || !placement.report) {
        return kUnknown;
    }
    switch (column) {
    case Real:
        return placement.real &&
                       placement.real->problem->costs->unit() == workspace_.problem()->costs->unit()
                   ? realText(*placement.real, makespanScale(workspace_))
                   : kUnknown;
    case Makespan:
        return makespanText(placement.makespan());
    case Gap:
        return workspace_.bound().value > 0
                   ? percentText(sim::gap(placement.makespan(), workspace_.bound().value))
                   : kUnknown;
    case Traffic:
        return trafficText(placement.report->totalTraffic);
    case Imbalance:
        return QString::number(100 * placement.report->imbalance, 'f', 0) + QStringLiteral(" %");
    default:
        return {};
    }
}

QVariant PlacementsModel::sortKey(const Placement& placement, int column) const {
    constexpr auto kLast = std::numeric_limits<double>::infinity();
    switch (column) {
    case Method:
        return placement.label();
    case Traffic:
        return placement.report ? static_cast<double>(placement.report->totalTraffic) : kLast;
    case Real:
        return placement.real ? placement.real->mean : kLast;
    case Imbalance:
        return placement.report ? placement.report->imbalance : kLast;
    case Found:
        return placement.seconds;
    default: // the gap grows with the makespan
        return placement.timeline ? static_cast<double>(placement.makespan()) : kLast;
    }
}

QString PlacementsModel::toolTip(const Placement& placement) const {
    QString text = placement.label();
    if (!placement.timeline || !placement.report) {
        return text + QStringLiteral("\nbeing simulated");
    }
    const cost::TimeUnit unit = workspace_.problem()->costs->unit();
    text += QStringLiteral("\nmakespan %1").arg(timeText(placement.makespan(), unit));
    text += QStringLiteral("\ntraffic between devices %1, %2 edges cross")
                .arg(bytesText(placement.report->totalTraffic))
                .arg(placement.report->crossDeviceEdges);
    text += QStringLiteral("\nbusiest device %1 % above the mean")
                .arg(100 * placement.report->imbalance, 0, 'f', 0);
    if (placement.report->memoryOverflow) {
        text += QStringLiteral("\ndoes not fit the memory of its devices (see Report)");
    }
    if (placement.real) {
        text +=
            QStringLiteral("\n%1: %2").arg(placement.real->title(), placement.real->description());
    }
    if (!placement.objective.name.isEmpty()) {
        text += QStringLiteral("\nfound for %1, which came to %2")
                    .arg(placement.objective.text(), timeText(placement.objective.value, unit));
    }
    text += QStringLiteral("\nfound in %1 by %2, seed %3")
                .arg(secondsText(placement.seconds), placement.method)
                .arg(placement.seed);
    return text;
}

QVariant PlacementsModel::data(const QModelIndex& index, int role) const {
    const Placement* placement =
        index.isValid() ? workspace_.placement(ids_[static_cast<std::size_t>(index.row())])
                        : nullptr;
    if (placement == nullptr) {
        return {};
    }
    switch (role) {
    case Qt::DisplayRole:
        return text(*placement, index.column());
    case Qt::EditRole:
        return index.column() == Method ? QVariant(placement->origin) : QVariant();
    case Qt::ToolTipRole:
        return toolTip(*placement);
    case Qt::AccessibleTextRole:
        return index.column() == Method
                   ? QVariant(toolTip(*placement).replace(QChar(u'\n'), QStringLiteral(", ")))
                   : QVariant(text(*placement, index.column()));
    case Qt::TextAlignmentRole:
        return index.column() == Method ? int(Qt::AlignLeft | Qt::AlignVCenter)
                                        : int(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        return index.column() == Makespan && isTooBig(*placement) ? appearance_.theme().worse
               : placement->stale                                 ? appearance_.theme().secondary
                                                                  : appearance_.theme().text;
    case Qt::FontRole:
        return fontOfSize(12, placement->id == workspace_.currentId());
    case SortRole:
        return sortKey(*placement, index.column());
    case IdRole:
        return placement->id;
    case ShownRole:
        return placement->id == workspace_.currentId();
    case GapRole:
        return placement->timeline && workspace_.bound().value > 0
                   ? QVariant(sim::gap(placement->makespan(), workspace_.bound().value))
                   : QVariant();
    default:
        return {};
    }
}

bool PlacementsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || index.column() != Method || !index.isValid()) {
        return false;
    }
    workspace_.renamePlacement(ids_[static_cast<std::size_t>(index.row())], value.toString());
    return true;
}

QVariant PlacementsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return section == Method ? int(Qt::AlignLeft | Qt::AlignVCenter)
                                 : int(Qt::AlignRight | Qt::AlignVCenter);
    }
    const QString unit = makespanScale(workspace_).column;
    if (role == Qt::DisplayRole) {
        switch (section) {
        case Method:
            return QStringLiteral("Method");
        case Makespan:
            return unit.isEmpty() ? QStringLiteral("Time") : unit.section(QChar(u' '), 0, 0);
        case Gap:
            return QStringLiteral("Gap");
        case Real:
            return QStringLiteral("Real");
        case Traffic:
            return QStringLiteral("GB");
        case Imbalance:
            return QStringLiteral("Imb.");
        case Found:
            return QStringLiteral("s");
        default:
            return {};
        }
    }
    if (role == Qt::ToolTipRole) {
        switch (section) {
        case Method:
            return QStringLiteral("How the placement was found; double click renames it");
        case Makespan:
            return QStringLiteral("Simulated makespan, %1").arg(unit);
        case Gap:
            return QStringLiteral("Makespan above the lower bound; the bar ends at 16 %");
        case Real:
            return QStringLiteral("Mean makespan when run; ~ if emulated");
        case Traffic:
            return QStringLiteral("Gigabytes moved between devices");
        case Imbalance:
            return QStringLiteral("Work of the busiest device above the mean");
        case Found:
            return QStringLiteral("Seconds the method took");
        default:
            return {};
        }
    }
    return {};
}

} // namespace doppler::views
