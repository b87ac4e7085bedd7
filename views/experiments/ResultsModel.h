#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "views/experiments/CellFigures.h"
#include "views/experiments/ExperimentSession.h"

namespace doppler::views {

/// Methods x graphs of a session: a column for the method, one a graph, one for the mean rank; the
/// rows sorted by one of them.
class ResultsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role {
        DetailRole = Qt::UserRole, ///< second line of a header
        FailureRole                ///< why the last run of a cell failed, if it did
    };

    explicit ResultsModel(const ExperimentSession& session, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

    void setValue(CellValue value);
    CellValue value() const { return value_; }
    int sortColumn() const { return sortColumn_; }
    Qt::SortOrder sortOrder() const { return sortOrder_; }

    int problemCount() const { return static_cast<int>(session_.columns().size()); }
    bool isProblem(int column) const { return column > 0 && column <= problemCount(); }
    bool isRank(int column) const { return column == problemCount() + 1; }
    std::size_t problemOf(int column) const { return static_cast<std::size_t>(column - 1); }
    /// The method of a row, as the experiment numbers them.
    std::size_t methodOf(int row) const { return order_[static_cast<std::size_t>(row)]; }

    const CellFigure& figure(const QModelIndex& index) const;
    double barEnd(int column) const { return figures_[problemOf(column)].barEnd(); }
    CellActivity activity(const QModelIndex& index) const;
    const place::CellSummary& summary(const QModelIndex& index) const;
    const ExperimentSession& session() const { return session_; }

Q_SIGNALS:
    void orderChanged();

private:
    void tableChanged();
    void resultsChanged();
    void computeFigures();
    void reorder();
    bool computeOrder();
    double sortKey(std::size_t method) const;

    const ExperimentSession& session_;
    CellValue value_ = CellValue::Gap;
    int sortColumn_ = -1; ///< -1: the mean rank, wherever it stands
    Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
    std::vector<std::size_t> order_;
    std::vector<ColumnFigures> figures_;
};

} // namespace doppler::views
