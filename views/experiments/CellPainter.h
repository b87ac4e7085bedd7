#pragma once

#include <QStyledItemDelegate>

#include "views/theme/Appearance.h"

namespace doppler::views {

class ResultsModel;

/// Paints the cells of the results: value, deviation, distance to the best, and a bar with a
/// whisker; a progress bar where a run is being made.
class CellPainter : public QStyledItemDelegate {
    Q_OBJECT

public:
    static constexpr int kRowHeight = 44;
    static constexpr int kPadding = 14;

    CellPainter(const ResultsModel& model, const Appearance& appearance, QObject* parent = nullptr);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

private:
    void paintFigure(QPainter& painter, const QRect& rect, const QModelIndex& index) const;
    void paintBar(QPainter& painter, const QRect& rect, const QModelIndex& index) const;
    void paintActivity(QPainter& painter, const QRect& rect, const QModelIndex& index) const;

    const ResultsModel& model_;
    const Appearance& appearance_;
};

} // namespace doppler::views
