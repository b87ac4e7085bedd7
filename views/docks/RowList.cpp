#include "views/docks/RowList.h"

#include <QKeyEvent>
#include <QPainter>
#include <algorithm>

namespace doppler::views {

namespace {
constexpr int kPreferredWidth = 220;
}

RowList::RowList(Workspace& workspace, const Appearance& appearance, int rowHeight, QWidget* parent)
    : QWidget(parent), workspace_(workspace), appearance_(appearance), rowHeight_(rowHeight) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&appearance, &Appearance::changed, this, qOverload<>(&QWidget::update));
}

QSize RowList::sizeHint() const {
    // One row's room for the sentence that stands in an empty list.
    return {kPreferredWidth, rowHeight_ * std::max(1, count())};
}

void RowList::setStale(bool stale) {
    stale_ = stale;
    update();
}

void RowList::rowsChanged() {
    stale_ = false;
    highlighted_ = -1;
    updateGeometry();
    update();
}

void RowList::paintFocus(QPainter& painter) const {
    if (hasFocus()) {
        painter.setOpacity(1);
        painter.setPen(QPen(appearance_.theme().accent, 2));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    }
}

int RowList::rowAt(const QPointF& position) const {
    const int row = static_cast<int>(position.y()) / rowHeight_;
    return position.y() >= 0 && row < count() ? row : -1;
}

void RowList::setHighlighted(int row) {
    if (row != highlighted_) {
        highlighted_ = row;
        highlightChanged(row);
        update();
    }
}

void RowList::mousePressEvent(QMouseEvent* event) {
    const int row = rowAt(event->position());
    if (event->button() == Qt::LeftButton && row >= 0) {
        pressed(row, event->position());
    }
}

void RowList::mouseMoveEvent(QMouseEvent* event) {
    setHighlighted(rowAt(event->position()));
}

void RowList::leaveEvent(QEvent*) {
    setHighlighted(-1);
}

void RowList::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Down:
        setHighlighted(std::min(highlighted_ + 1, count() - 1));
        return;
    case Qt::Key_Up:
        setHighlighted(std::max(highlighted_ - 1, 0));
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (highlighted_ >= 0) {
            activate(highlighted_);
        }
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace doppler::views
