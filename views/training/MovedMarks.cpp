#include "views/training/MovedMarks.h"

#include <QEvent>
#include <QPainter>

#include "views/canvas/GraphCanvas.h"
#include "views/format/Format.h"

namespace doppler::views {

namespace {

constexpr int kShownMs = 2000;
constexpr std::size_t kMostRings = 500; // beyond this they say nothing any more
constexpr double kRingGap = 4;
constexpr double kPillHeight = 26;
constexpr double kPillTop = 10;

} // namespace

MovedMarks::MovedMarks(GraphCanvas& canvas, const Appearance& appearance)
    : QWidget(&canvas), canvas_(canvas), appearance_(appearance) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
    timer_.setSingleShot(true);
    timer_.setInterval(kShownMs);
    connect(&timer_, &QTimer::timeout, this, &QWidget::hide);
    connect(&canvas, &GraphCanvas::zoomChanged, this, qOverload<>(&QWidget::update));
    canvas.installEventFilter(this);
}

void MovedMarks::show(const QString& makespanText, std::set<OpId> moved) {
    moved_ = std::move(moved);
    text_ = moved_.empty() ? makespanText
                           : tr("%1 · %2 moved")
                                 .arg(makespanText,
                                      countOf(static_cast<std::int64_t>(moved_.size()), tr("op")));
    setGeometry(canvas_.rect());
    raise();
    setVisible(true);
    update();
    timer_.start();
}

bool MovedMarks::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &canvas_ && event->type() == QEvent::Resize) {
        setGeometry(canvas_.rect());
    }
    return false;
}

void MovedMarks::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintRings(painter);
    paintText(painter);
}

void MovedMarks::paintRings(QPainter& painter) const {
    const CanvasGeometry& geometry = canvas_.geometry();
    if (geometry.isEmpty() || moved_.size() > kMostRings) {
        return;
    }
    QPen pen(appearance_.theme().accent, 2);
    pen.setDashPattern({3, 2});
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    for (const OpId op : moved_) {
        if (op < geometry.layout()->opCount()) {
            const QRectF box =
                geometry.nodeInView(op).adjusted(-kRingGap, -kRingGap, kRingGap, kRingGap);
            painter.drawRoundedRect(box, 5, 5);
        }
    }
}

void MovedMarks::paintText(QPainter& painter) const {
    const Theme& theme = appearance_.theme();
    painter.setFont(fontOfSize(12, true));
    const double wide = painter.fontMetrics().horizontalAdvance(text_) + 24.0;
    const QRectF pill((width() - wide) / 2, kPillTop, wide, kPillHeight);
    painter.setPen(QPen(theme.accent, 1));
    painter.setBrush(theme.accentSoft);
    painter.drawRoundedRect(pill, kPillHeight / 2, kPillHeight / 2);
    painter.setPen(theme.text);
    painter.drawText(pill, Qt::AlignCenter, text_);
}

} // namespace doppler::views
