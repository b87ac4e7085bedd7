#pragma once

#include <QTableView>

namespace doppler::views {

class Appearance;
class ResultsModel;

/// The table of an experiment: each cell a mean with its deviation, its distance to the best, and a
/// bar. A click (or Return) on a cell opens its best placement.
class ResultsTable : public QTableView {
    Q_OBJECT

public:
    ResultsTable(ResultsModel& model, const Appearance& appearance, QWidget* parent = nullptr);

    /// Left edge and width of each graph's column in the viewport, for what stands below.
    QList<std::pair<int, int>> problemColumns() const;
    int methodColumnWidth() const;
    /// Paints the header and all rows, whatever is scrolled.
    void paintAll(QPainter& painter);
    QSize wholeSize() const;

Q_SIGNALS:
    void cellOpened(const QModelIndex& index);
    void columnsMoved(); ///< problemColumns() has changed

private:
    void fitColumns();
    void openAt(const QModelIndex& index);
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

    ResultsModel& results_;
    const Appearance& appearance_;
};

} // namespace doppler::views
