#pragma once

#include "views/docks/BestMoves.h"
#include "views/docks/RowList.h"

namespace doppler::views {

/// The changes that help most, one row each: op, from, to, gain, Apply. A click on the row selects
/// the ops; Apply (or Enter) moves them as one undo step.
class BestMovesList : public RowList {
    Q_OBJECT

public:
    BestMovesList(Workspace& workspace, const Appearance& appearance, QWidget* parent = nullptr);

    void setMoves(BestMoves moves);
    /// Moves the first op of row `row`.
    void apply(int row);
    int count() const override { return static_cast<int>(moves_.moves.size()); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void activate(int row) override { apply(row); }
    void pressed(int row, const QPointF& position) override;
    void highlightChanged(int row) override;

private:
    int applyWidth() const;

    BestMoves moves_;
};

} // namespace doppler::views
