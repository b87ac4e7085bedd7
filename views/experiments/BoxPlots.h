#pragma once

#include <QStringList>
#include <vector>

#include "views/charts/QCustomPlotHeader.h"
#include "views/theme/Theme.h"

namespace doppler::views {

/// What the box plots show: a sample for each method and graph.
struct BoxPlotData {
    struct Column {
        QString title;
        QString axis;                             ///< "gap, %"
        std::vector<std::vector<double>> samples; ///< by method; empty: nothing there
        int best = -1;                            ///< method of the least mean
    };
    QStringList methods;
    std::vector<Column> columns;
};

/// Spread over seeds: one axis a graph below its column in the table, one row a method. Box:
/// quartiles and median; whiskers: smallest and largest; dots: the runs. Runs far beyond the others
/// are left out of the range.
class BoxPlots : public QCustomPlot {
    Q_OBJECT

public:
    explicit BoxPlots(QWidget* parent = nullptr);

    void setData(BoxPlotData data);
    /// Left edge and width of each column, in pixels of this widget.
    void setColumns(const QList<std::pair<int, int>>& columns, int methodWidth);
    void setSameScale(bool same);
    void setTheme(const Theme& theme);

    /// Names of methods of which at least one column shows nothing, because it is beyond the range.
    QStringList leftOut() const { return leftOut_; }
    const BoxPlotData& data() const { return data_; }
    /// Ends of the axis of a column.
    QCPRange rangeOf(int column) const;
    /// Paints all on a surface of that size, with these columns.
    void paintTo(QPainter& painter, const QSize& size, const QList<std::pair<int, int>>& columns);
    int wantedHeight() const;
    QSize minimumSizeHint() const override { return {200, wantedHeight()}; }

private:
    void rebuild();
    void addColumn(std::size_t column, QCPAxisRect* rect, const QCPRange& range);
    void styleAxes(QCPAxisRect* rect, std::size_t column);
    std::vector<QCPRange> computeRanges();
    void place(const QSize& size, const QList<std::pair<int, int>>& columns);
    void paintTexts(QCPPainter& painter) const;
    void resizeEvent(QResizeEvent* event) override;

    BoxPlotData data_;
    Theme theme_;
    QList<std::pair<int, int>> columns_;
    QList<std::pair<int, int>> placed_;
    int methodWidth_ = 0;
    bool sameScale_ = false;
    QStringList leftOut_;
    std::vector<QCPRange> ranges_;
    std::vector<QCPAxisRect*> rects_;
    QCPLayoutInset* inset_;
};

} // namespace doppler::views
