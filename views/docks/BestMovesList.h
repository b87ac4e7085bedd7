#pragma once

#include <QWidget>

#include "views/docks/BestMoves.h"
#include "views/theme/Appearance.h"
#include "views/workspace/Workspace.h"

namespace doppler::views {

/// The changes that help most, one row each: op, from, to, gain, Apply. A click on the row selects
/// the ops; Apply (or Enter) moves them as one undo step.
class BestMovesList : public QWidget {
    Q_OBJECT

public:
    BestMovesList(Workspace& workspace, const Appearance& appearance, QWidget* parent = nullptr);

    void setMoves(BestMoves moves);
    void setStale(bool stale);
    /// Moves the first op of row `row`.
    void apply(int row);
    int count() const { return static_cast<int>(moves_.moves.size()); }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int rowAt(const QPointF& position) const;
    bool onApply(const QPointF& position) const;
    int applyWidth() const;
    void setHighlighted(int row);

    Workspace& workspace_;
    const Appearance& appearance_;
    BestMoves moves_;
    int highlighted_ = -1;
    bool stale_ = false;
};

} // namespace doppler::views
