#include "views/docks/ChainStrip.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>

#include "views/docks/WhyText.h"
#include "views/format/Format.h"
#include "views/format/OpName.h"
#include "views/theme/DeviceMark.h"

namespace doppler::views {

namespace {
constexpr int kStripHeight = 30;
constexpr qreal kChipHeight = 20;
constexpr qreal kChipPadding = 5;
constexpr qreal kArrow = 14;
constexpr qreal kTransferWidth = 30;
constexpr qreal kTransferHeight = 10;
constexpr int kStepsBack = 12;
constexpr int kFontPixels = 11;
constexpr qreal kMostNameWidth = 72;
} // namespace

ChainStrip::ChainStrip(Workspace& workspace, const Appearance& appearance, QWidget* parent)
    : QWidget(parent), workspace_(workspace), appearance_(appearance) {
    setMouseTracking(true);
    setFixedHeight(kStripHeight);
    setAccessibleName(QStringLiteral("Chain of causes"));
}

QSize ChainStrip::sizeHint() const {
    return {200, kStripHeight};
}

void ChainStrip::setOp(OpId op) {
    op_ = op;
    update();
}

QString ChainStrip::label(const sim::Interval& interval) const {
    const QFontMetricsF metrics(fontOfSize(kFontPixels, true));
    return QStringLiteral("%1 %2").arg(
        appearance_.theme().device(interval.device).letter,
        metrics.elidedText(shortOpName(*workspace_.problem()->graph, interval.op), Qt::ElideMiddle,
                           kMostNameWidth));
}

// Newest link at the right; older ones as far as they fit.
std::vector<ChainStrip::Link> ChainStrip::layOut() const {
    const Placement* shown = workspace_.committed();
    if (op_ == kNoOp || shown == nullptr || !shown->timeline) {
        return {};
    }
    const QFontMetricsF metrics(fontOfSize(kFontPixels, true));
    const std::vector<std::int32_t> chain = causeChain(*shown->timeline, op_, kStepsBack);
    std::vector<Link> links;
    qreal used = 0;
    for (auto step = chain.rbegin(); step != chain.rend(); ++step) {
        const sim::Interval& interval = shown->timeline->intervals[static_cast<std::size_t>(*step)];
        const qreal width = interval.isTransfer()
                                ? kTransferWidth
                                : metrics.horizontalAdvance(label(interval)) + 2 * kChipPadding;
        if (used + width + kArrow > this->width() && !links.empty()) {
            break;
        }
        const qreal height = interval.isTransfer() ? kTransferHeight : kChipHeight;
        links.push_back({*step, QRectF(used, (kStripHeight - height) / 2, width, height)});
        used += width + kArrow;
    }
    // Laid out from the right end; turn it round.
    const qreal total = used - kArrow;
    for (Link& link : links) {
        link.rect.moveLeft(total - link.rect.right());
    }
    std::reverse(links.begin(), links.end());
    return links;
}

void ChainStrip::paintEvent(QPaintEvent*) {
    const std::vector<Link> links = layOut();
    if (links.empty()) {
        return;
    }
    const Theme& theme = appearance_.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(fontOfSize(kFontPixels, true));
    for (std::size_t i = 0; i < links.size(); ++i) {
        const sim::Interval& interval =
            workspace_.committed()
                ->timeline->intervals[static_cast<std::size_t>(links[i].interval)];
        const QRectF& rect = links[i].rect;
        QPainterPath shape;
        shape.addRoundedRect(rect, 3, 3);
        const DeviceStyle style = theme.device(interval.device);
        painter.fillPath(shape, style.fill);
        painter.fillPath(shape, hatchBrush(style));
        if (interval.isTransfer()) {
            painter.fillRect(QRectF(rect.right() - 8, rect.top(), 8, rect.height()),
                             theme.device(interval.to).fill);
        } else {
            painter.setPen(style.text);
            painter.drawText(rect, Qt::AlignCenter, label(interval));
        }
        if (!interval.isTransfer() && interval.op == op_) {
            painter.setPen(QPen(theme.accent, 2));
            painter.drawRoundedRect(rect.adjusted(-2, -2, 2, 2), 4, 4);
        }
        if (i + 1 < links.size()) {
            const qreal y = kStripHeight / 2.0;
            const qreal from = rect.right() + 3;
            const qreal to = links[i + 1].rect.left() - 3;
            painter.setPen(QPen(theme.ink, 1.5));
            painter.drawLine(QPointF(from, y), QPointF(to - 3, y));
            QPainterPath head;
            head.moveTo(to, y);
            head.lineTo(to - 4, y - 3);
            head.lineTo(to - 4, y + 3);
            head.closeSubpath();
            painter.fillPath(head, theme.ink);
        }
    }
}

const ChainStrip::Link* ChainStrip::linkAt(const std::vector<Link>& links,
                                           const QPointF& position) const {
    const auto hit = std::find_if(links.begin(), links.end(), [&](const Link& link) {
        return link.rect.adjusted(-2, -6, 2, 6).contains(position);
    });
    return hit == links.end() ? nullptr : &*hit;
}

void ChainStrip::mousePressEvent(QMouseEvent* event) {
    const std::vector<Link> links = layOut();
    if (const Link* link = linkAt(links, event->position())) {
        const auto& intervals = workspace_.committed()->timeline->intervals;
        workspace_.selection().reveal(intervals[static_cast<std::size_t>(link->interval)].op);
    }
}

void ChainStrip::mouseMoveEvent(QMouseEvent* event) {
    const std::vector<Link> links = layOut();
    setCursor(linkAt(links, event->position()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

bool ChainStrip::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const std::vector<Link> links = layOut();
        if (const Link* link = linkAt(links, help->pos())) {
            const sim::Interval& interval =
                workspace_.committed()
                    ->timeline->intervals[static_cast<std::size_t>(link->interval)];
            const cost::TimeUnit unit = workspace_.problem()->costs->unit();
            const QString name =
                QString::fromStdString(workspace_.problem()->graph->opName(interval.op));
            QToolTip::showText(
                help->globalPos(),
                QStringLiteral("%1%2\n%3 to %4")
                    .arg(interval.isTransfer() ? QStringLiteral("transfer of ") : QString(), name,
                         timeText(interval.start, unit), timeText(interval.end, unit)),
                this);
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    return QWidget::event(event);
}

} // namespace doppler::views
