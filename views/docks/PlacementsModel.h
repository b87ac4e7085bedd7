#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "views/theme/Appearance.h"
#include "views/workspace/Workspace.h"

namespace doppler::views {

/// The placements of the workspace as a table, one row each, in the workspace's order. Sorting is
/// the proxy's business: SortRole gives plain numbers.
class PlacementsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Method, Makespan, Gap, Real, Traffic, Imbalance, Found, ColumnCount };
    enum Role {
        SortRole = Qt::UserRole,
        IdRole,
        GapRole,   ///< double, of the Gap column; absent until the bound is known
        ShownRole, ///< bool: the shown placement
    };

    PlacementsModel(Workspace& workspace, const Appearance& appearance, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

    /// While rows come and go: what a view does with its current row then is nobody's choice.
    bool isChanging() const { return isChanging_; }

private:
    void refresh();
    QString makespanText(Time makespan) const;
    QString text(const Placement& placement, int column) const;
    QVariant sortKey(const Placement& placement, int column) const;
    QString toolTip(const Placement& placement) const;

    Workspace& workspace_;
    const Appearance& appearance_;
    std::vector<int> ids_;
    bool isChanging_ = false;
};

} // namespace doppler::views
