#pragma once

#include <QWidget>
#include <vector>

#include "views/theme/Appearance.h"
#include "views/workspace/Workspace.h"

namespace doppler::views {

/// The chain of causes around an op as a row of chips with arrows: an op reads "B 67", a transfer
/// is a bar in the colours of sender and receiver. Click selects.
class ChainStrip : public QWidget {
    Q_OBJECT

public:
    ChainStrip(Workspace& workspace, const Appearance& appearance, QWidget* parent = nullptr);

    /// Chain of `op` in the shown timeline; kNoOp empties the strip.
    void setOp(OpId op);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Link {
        std::int32_t interval;
        QRectF rect;
    };
    std::vector<Link> layOut() const;
    const Link* linkAt(const std::vector<Link>& links, const QPointF& position) const;
    QString label(const sim::Interval& interval) const;

    Workspace& workspace_;
    const Appearance& appearance_;
    OpId op_ = kNoOp;
};

} // namespace doppler::views
