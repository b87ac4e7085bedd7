#pragma once

#include <QTimer>
#include <QWidget>
#include <set>

#include "core/graph/Ids.h"
#include "views/theme/Appearance.h"

namespace doppler::views {

class GraphCanvas;

/// Says over the canvas what a new best placement changed: a dashed ring around each op that moved
/// and a line of text. It goes by itself after two seconds.
class MovedMarks : public QWidget {
    Q_OBJECT

public:
    MovedMarks(GraphCanvas& canvas, const Appearance& appearance);

    /// `makespanText`: "163.0 ms".
    void show(const QString& makespanText, std::set<OpId> moved);
    const QString& text() const { return text_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void paintRings(QPainter& painter) const;
    void paintText(QPainter& painter) const;

    GraphCanvas& canvas_;
    const Appearance& appearance_;
    std::set<OpId> moved_;
    QString text_;
    QTimer timer_;
};

} // namespace doppler::views
