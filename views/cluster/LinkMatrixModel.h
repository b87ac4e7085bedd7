#pragma once

#include <QAbstractTableModel>

#include "views/cluster/ClusterDraft.h"
#include "views/theme/Appearance.h"

namespace doppler::views {

/// Bandwidth (GB/s) or latency (µs) of every directed link of a draft, sender by row, as a heat map
/// of one hue. The diagonal is empty.
class LinkMatrixModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum class Shown { Bandwidth, Latency };

    LinkMatrixModel(ClusterDraft& draft, const Appearance& appearance, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

    void setShown(Shown shown);
    /// An edit of a link also changes the one in the other direction.
    void setBothWays(bool bothWays) { bothWays_ = bothWays; }
    /// Devices came, went or were renamed.
    void reset();

private:
    QColor heat(double share) const;

    ClusterDraft& draft_;
    const Appearance& appearance_;
    Shown shown_ = Shown::Bandwidth;
    bool bothWays_ = true;
};

} // namespace doppler::views
