#include "views/experiments/ResultsTable.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>

#include "views/experiments/CellPainter.h"
#include "views/experiments/ResultsModel.h"

namespace doppler::views {

namespace {

constexpr int kHeaderHeight = 40;
constexpr int kMethodWidth = 138;
constexpr int kRankWidth = 112;
constexpr int kLeastColumn = 176;
constexpr int kMostColumn = 320;
constexpr int kArrow = 8;

/// Two lines a graph: its name, and its bound.
class ResultsHeader : public QHeaderView {
public:
    ResultsHeader(const ResultsModel& model, const Appearance& appearance, QWidget* parent)
        : QHeaderView(Qt::Horizontal, parent), model_(model), appearance_(appearance) {
        setSectionsClickable(true);
        setHighlightSections(false);
        setSectionResizeMode(QHeaderView::Fixed);
        setStretchLastSection(false);
        setFixedHeight(kHeaderHeight);
    }

    void paintSection(QPainter* painter, const QRect& rect, int section) const override {
        const Theme& theme = appearance_.theme();
        const bool problem = model_.isProblem(section);
        painter->save();
        painter->fillRect(rect, theme.alt);
        painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), theme.border);
        if (section > 0) {
            painter->fillRect(QRect(rect.left(), rect.top(), 1, rect.height()), theme.border);
        }
        QRect inside = rect.adjusted(CellPainter::kPadding, 3, -CellPainter::kPadding, -3);
        const int sorted =
            model_.sortColumn() < 0 ? model_.problemCount() + 1 : model_.sortColumn();
        if (section == sorted) {
            paintArrow(*painter, QPoint(inside.right() - kArrow / 2,
                                        problem ? inside.top() + 9 : rect.center().y()));
            inside.setRight(inside.right() - kArrow - 4);
        }
        const QString title = model_.headerData(section, Qt::Horizontal).toString();
        const auto draw = [&](const QRect& place, Qt::Alignment alignment, const QString& text) {
            painter->drawText(
                place, static_cast<int>(alignment | Qt::AlignVCenter),
                painter->fontMetrics().elidedText(text, Qt::ElideMiddle, place.width()));
        };
        painter->setFont(fontOfSize(problem ? 13 : 12, true));
        painter->setPen(problem ? theme.text : theme.secondary);
        if (!problem) {
            draw(inside, section == 0 ? Qt::AlignLeft : Qt::AlignRight, title);
        } else {
            const int half = inside.height() / 2;
            draw(QRect(inside.left(), inside.top(), inside.width(), half), Qt::AlignLeft, title);
            painter->setFont(fontOfSize(11));
            painter->setPen(theme.secondary);
            draw(QRect(inside.left(), inside.top() + half, inside.width(), half), Qt::AlignLeft,
                 model_.headerData(section, Qt::Horizontal, ResultsModel::DetailRole).toString());
        }
        painter->restore();
    }

private:
    void paintArrow(QPainter& painter, QPoint centre) const {
        const int tip = model_.sortOrder() == Qt::AscendingOrder ? -2 : 2;
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(appearance_.theme().secondary, 1.5));
        painter.drawPolyline(QPolygonF({QPointF(centre.x() - 3.5, centre.y() - tip),
                                        QPointF(centre.x(), centre.y() + tip),
                                        QPointF(centre.x() + 3.5, centre.y() - tip)}));
        painter.setRenderHint(QPainter::Antialiasing, false);
    }

    const ResultsModel& model_;
    const Appearance& appearance_;
};

} // namespace

ResultsTable::ResultsTable(ResultsModel& model, const Appearance& appearance, QWidget* parent)
    : QTableView(parent), results_(model), appearance_(appearance) {
    setModel(&model);
    setItemDelegate(new CellPainter(model, appearance, this));
    setHorizontalHeader(new ResultsHeader(model, appearance, this));
    setAccessibleName(tr("Results by method and graph"));
    setShowGrid(false);
    setSelectionMode(QAbstractItemView::NoSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setMouseTracking(true);
    setTabKeyNavigation(false);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(CellPainter::kRowHeight);
    connect(horizontalHeader(), &QHeaderView::sectionClicked, this, [this](int section) {
        const int sorted =
            results_.sortColumn() < 0 ? results_.problemCount() + 1 : results_.sortColumn();
        const bool again = section == sorted && results_.sortOrder() == Qt::AscendingOrder;
        results_.sort(section, again ? Qt::DescendingOrder : Qt::AscendingOrder);
        horizontalHeader()->viewport()->update();
    });
    connect(&model, &QAbstractItemModel::modelReset, this, &ResultsTable::fitColumns);
    connect(horizontalScrollBar(), &QScrollBar::valueChanged, this, &ResultsTable::columnsMoved);
    connect(&appearance, &Appearance::changed, this, [this] {
        viewport()->update();
        horizontalHeader()->viewport()->update();
    });
    fitColumns();
}

void ResultsTable::fitColumns() {
    const int problems = results_.problemCount();
    setColumnWidth(0, kMethodWidth);
    setColumnWidth(problems + 1, kRankWidth);
    const int room = viewport()->width() - kMethodWidth - kRankWidth;
    for (int i = 0; i < problems; ++i) {
        // Whole pixels; the last ones take what is left.
        const int wide = room * (i + 1) / problems - room * i / problems;
        setColumnWidth(i + 1, std::clamp(wide, kLeastColumn, kMostColumn));
    }
    Q_EMIT columnsMoved();
}

QList<std::pair<int, int>> ResultsTable::problemColumns() const {
    QList<std::pair<int, int>> columns;
    for (int i = 1; i <= results_.problemCount(); ++i) {
        columns.append({columnViewportPosition(i), columnWidth(i)});
    }
    return columns;
}

int ResultsTable::methodColumnWidth() const {
    return columnWidth(0);
}

QSize ResultsTable::wholeSize() const {
    return {horizontalHeader()->length(),
            kHeaderHeight + CellPainter::kRowHeight * results_.rowCount()};
}

void ResultsTable::paintAll(QPainter& painter) {
    auto* header = static_cast<ResultsHeader*>(horizontalHeader());
    QStyleOptionViewItem option;
    option.initFrom(this);
    option.state = QStyle::State_Enabled;
    int left = 0;
    for (int column = 0; column < results_.columnCount(); ++column) {
        const int width = columnWidth(column);
        header->paintSection(&painter, QRect(left, 0, width, kHeaderHeight), column);
        for (int row = 0; row < results_.rowCount(); ++row) {
            option.rect = QRect(left, kHeaderHeight + row * CellPainter::kRowHeight, width,
                                CellPainter::kRowHeight);
            itemDelegate()->paint(&painter, option, results_.index(row, column));
        }
        left += width;
    }
}

void ResultsTable::openAt(const QModelIndex& index) {
    if (index.isValid() && results_.isProblem(index.column()) && !results_.summary(index).empty()) {
        Q_EMIT cellOpened(index);
    }
}

void ResultsTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    fitColumns();
}

void ResultsTable::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        openAt(currentIndex());
        return;
    }
    QTableView::keyPressEvent(event);
}

void ResultsTable::mouseMoveEvent(QMouseEvent* event) {
    QTableView::mouseMoveEvent(event);
    const QModelIndex index = indexAt(event->pos());
    const bool opens =
        index.isValid() && results_.isProblem(index.column()) && !results_.summary(index).empty();
    viewport()->setCursor(opens ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void ResultsTable::mouseReleaseEvent(QMouseEvent* event) {
    QTableView::mouseReleaseEvent(event);
    if (event->button() == Qt::LeftButton && indexAt(event->pos()) == currentIndex()) {
        openAt(currentIndex());
    }
}

} // namespace doppler::views
