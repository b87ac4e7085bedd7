#include "views/cluster/DeviceTableModel.h"

#include <QFontMetrics>
#include <QSize>

#include "views/theme/DeviceMark.h"

namespace doppler::views {

namespace {

constexpr int kHeadingPadding = 10;
constexpr double kTera = 1e12;
constexpr double kGiga = 1e9;
constexpr double kMicro = 1e3; // nanoseconds

double& peak(cluster::Device& device, graph::DType dtype) {
    return device.peakFlops[static_cast<std::size_t>(dtype)];
}

double peak(const cluster::Device& device, graph::DType dtype) {
    return device.peakFlops[static_cast<std::size_t>(dtype)];
}

} // namespace

DeviceTableModel::DeviceTableModel(ClusterDraft& draft, const Appearance& appearance,
                                   QObject* parent)
    : QAbstractTableModel(parent), draft_(draft), appearance_(appearance) {}

int DeviceTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : draft_.deviceCount();
}

int DeviceTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

Qt::ItemFlags DeviceTableModel::flags(const QModelIndex& index) const {
    return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable
                           : Qt::NoItemFlags;
}

QVariant DeviceTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    if (role == Qt::DecorationRole && index.column() == Name) {
        return deviceIcon(appearance_.theme(), index.row());
    }
    if (role == Qt::TextAlignmentRole) {
        return index.column() <= Model ? int(Qt::AlignLeft | Qt::AlignVCenter)
                                       : int(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole && role != Qt::EditRole) {
        return {};
    }
    const cluster::Device& device = draft_.device(index.row());
    switch (index.column()) {
    case Name:
        return QString::fromStdString(device.name);
    case Model:
        return QString::fromStdString(device.model);
    case TeraflopsF32:
        return peak(device, graph::DType::F32) / kTera;
    case TeraflopsF16:
        return peak(device, graph::DType::F16) / kTera;
    case MemoryBandwidth:
        return device.memoryBytesPerSecond / kGiga;
    case Capacity: {
        const double gigabytes = static_cast<double>(device.capacityBytes) / kGiga;
        return role == Qt::EditRole ? QVariant(gigabytes)
                                    : QVariant(QString::number(gigabytes, 'f', 1));
    }
    case Launch:
        return static_cast<double>(device.launchOverheadNs) / kMicro;
    case Slots:
        return device.slots;
    case Speed:
        return device.relativeSpeed;
    default:
        return {};
    }
}

bool DeviceTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !index.isValid()) {
        return false;
    }
    cluster::Device& device = draft_.device(index.row());
    if (index.column() <= Model) {
        const std::string text = value.toString().trimmed().toStdString();
        (index.column() == Name ? device.name : device.model) = text;
    } else {
        bool isNumber = false;
        const double number = value.toDouble(&isNumber);
        if (!isNumber || number < 0) {
            return false;
        }
        switch (index.column()) {
        case TeraflopsF32:
            peak(device, graph::DType::F32) = number * kTera;
            break;
        case TeraflopsF16:
            peak(device, graph::DType::F16) = number * kTera;
            break;
        case MemoryBandwidth:
            device.memoryBytesPerSecond = number * kGiga;
            break;
        case Capacity:
            device.capacityBytes = qRound64(number * kGiga);
            break;
        case Launch:
            device.launchOverheadNs = qRound64(number * kMicro);
            break;
        case Slots:
            device.slots = qMax(1, qRound(number));
            break;
        case Speed:
            device.relativeSpeed = number;
            break;
        default:
            return false;
        }
    }
    Q_EMIT dataChanged(index, index);
    if (index.column() == Name) {
        Q_EMIT devicesChanged();
    }
    return true;
}

QVariant DeviceTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical) {
        return {};
    }
    struct Heading {
        const char* text;
        const char* help;
    };
    static constexpr Heading kHeadings[ColumnCount] = {
        {"Name", "Unique in the cluster"},
        {"Model", "What it is"},
        {"TFLOP/s f32", "Peak rate for 32-bit floats, and for types without a rate of their own"},
        {"TFLOP/s f16", "Peak rate for 16-bit floats; 0: as f32"},
        {"Memory GB/s", "Bandwidth of the device's memory"},
        {"Memory GB", "Capacity; 0: unlimited"},
        {"Launch µs", "Time lost at the start of each op"},
        {"Slots", "Ops that run at once"},
        {"Speed", "Divides published compute costs: 1 is as the file says"},
    };
    if (role == Qt::DisplayRole) {
        return QString::fromUtf8(kHeadings[section].text);
    }
    if (role == Qt::SizeHintRole) { // the header's own measure leaves no room to its sides
        const QFontMetrics metrics(fontOfSize(12, true));
        return QSize(metrics.horizontalAdvance(QString::fromUtf8(kHeadings[section].text)) +
                         2 * kHeadingPadding,
                     metrics.height() + kHeadingPadding);
    }
    if (role == Qt::ToolTipRole) {
        return QString::fromUtf8(kHeadings[section].help);
    }
    return {};
}

void DeviceTableModel::add() {
    beginInsertRows({}, rowCount(), rowCount());
    draft_.addDevice();
    endInsertRows();
    Q_EMIT devicesChanged();
}

void DeviceTableModel::copy(int row) {
    beginInsertRows({}, rowCount(), rowCount());
    draft_.copyDevice(row);
    endInsertRows();
    Q_EMIT devicesChanged();
}

void DeviceTableModel::remove(int row) {
    if (rowCount() == 1) {
        return;
    }
    beginRemoveRows({}, row, row);
    draft_.removeDevice(row);
    endRemoveRows();
    Q_EMIT devicesChanged();
}

void DeviceTableModel::reset() {
    beginResetModel();
    endResetModel();
}

} // namespace doppler::views
