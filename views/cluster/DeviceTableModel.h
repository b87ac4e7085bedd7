#pragma once

#include <QAbstractTableModel>

#include "views/cluster/ClusterDraft.h"
#include "views/theme/Appearance.h"

namespace doppler::views {

/// The devices of a draft, one row each, all editable in the units people use (TFLOP/s, GB).
class DeviceTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        Name,
        Model,
        TeraflopsF32,
        TeraflopsF16,
        MemoryBandwidth,
        Capacity,
        Launch,
        Slots,
        Speed,
        ColumnCount
    };

    DeviceTableModel(ClusterDraft& draft, const Appearance& appearance, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

    void add();
    void copy(int row);
    void remove(int row);
    /// The draft was replaced as a whole.
    void reset();

Q_SIGNALS:
    /// Names or the number of devices changed.
    void devicesChanged();

private:
    ClusterDraft& draft_;
    const Appearance& appearance_;
};

} // namespace doppler::views
