#pragma once

#include <QWidget>

#include "views/theme/Appearance.h"
#include "views/workspace/Workspace.h"

namespace doppler::views {

/// A small painted list of equal rows: one is highlighted by pointer or arrow keys, Enter activates
/// it. Subclasses paint the rows and say what a press and Enter do.
class RowList : public QWidget {
    Q_OBJECT

public:
    RowList(Workspace& workspace, const Appearance& appearance, int rowHeight,
            QWidget* parent = nullptr);

    virtual int count() const = 0;
    /// Dims the rows until new values come.
    void setStale(bool stale);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    virtual void activate(int row) = 0;
    virtual void pressed(int row, const QPointF& position) = 0;
    /// Another row is highlighted (-1: none).
    virtual void highlightChanged(int row) = 0;

    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

    bool isStale() const { return stale_; }
    int highlighted() const { return highlighted_; }
    /// New contents: nothing is highlighted, the size may be another.
    void rowsChanged();
    void paintFocus(QPainter& painter) const;

    Workspace& workspace_;
    const Appearance& appearance_;

private:
    int rowAt(const QPointF& position) const;
    void setHighlighted(int row);

    int rowHeight_;
    int highlighted_ = -1;
    bool stale_ = false;
};

} // namespace doppler::views
