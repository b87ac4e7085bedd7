#pragma once

#include <QLabel>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QWidget>
#include <functional>

#include "views/docks/PlacementsModel.h"

namespace doppler::views {

/// The placements of the open problem: click shows one, double click or F2 renames, Delete
/// removes; the lower bound is a fixed last row.
class PlacementsView : public QWidget {
    Q_OBJECT

public:
    PlacementsView(Workspace& workspace, const Appearance& appearance, QWidget* parent = nullptr);

    ~PlacementsView() override;

    QTableView* table() { return table_; }
    /// The rows as shown, for export: a header line, then one a placement.
    QString toCsv() const;

Q_SIGNALS:
    void exportRequested(int placementId); ///< the assignment of that row

private:
    void showCurrentRow();
    void showBound();
    void openMenu(const QPoint& position);
    int idAt(const QModelIndex& index) const;

    Workspace& workspace_;
    const Appearance& appearance_;
    PlacementsModel* model_;
    QSortFilterProxyModel* sorted_;
    QTableView* table_;
    QLabel* boundText_;
    QLabel* boundName_;
    std::function<bool()> isEditing_;
    bool followingWorkspace_ = false;
};

} // namespace doppler::views
