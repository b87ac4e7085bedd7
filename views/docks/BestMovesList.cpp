#include "views/docks/BestMovesList.h"

#include <QFontMetrics>
#include <QPainter>
#include <algorithm>

#include "views/format/Format.h"
#include "views/theme/DeviceMark.h"

namespace doppler::views {

namespace {
constexpr int kRowHeight = 24;
constexpr int kChip = 16;
constexpr int kGap = 8;
constexpr int kArrowWidth = 14;
constexpr int kBarWidth = 44;
constexpr int kBarHeight = 8;
constexpr double kStaleOpacity = 0.45;
const QString kApply = QStringLiteral("Apply");
} // namespace

BestMovesList::BestMovesList(Workspace& workspace, const Appearance& appearance, QWidget* parent)
    : RowList(workspace, appearance, kRowHeight, parent) {
    setAccessibleName(QStringLiteral("Best moves"));
}

void BestMovesList::setMoves(BestMoves moves) {
    moves_ = std::move(moves);
    rowsChanged();
}

void BestMovesList::apply(int row) {
    if (isStale() || row < 0 || row >= count()) {
        return;
    }
    const BestMove move = moves_.moves[static_cast<std::size_t>(row)];
    workspace_.assign({move.ops.front()}, move.to);
}

int BestMovesList::applyWidth() const {
    return QFontMetrics(fontOfSize(12)).horizontalAdvance(kApply);
}

void BestMovesList::paintEvent(QPaintEvent*) {
    const Theme& theme = appearance_.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont plain = fontOfSize(12);
    const QFont bold = fontOfSize(12, true);
    painter.setFont(plain);
    if (isStale()) {
        painter.setOpacity(kStaleOpacity);
    }
    if (moves_.moves.empty()) {
        painter.setPen(theme.secondary);
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter,
                         moves_.tried > 0 ? QStringLiteral("No single move shortens the makespan.")
                                          : QStringLiteral("Being computed…"));
        return;
    }
    const graph::Graph& graph = *workspace_.problem()->graph;
    const TimeScale scale =
        timeScale(std::max<Time>(workspace_.bound().value, moves_.moves.front().gain),
                  workspace_.problem()->costs->unit());
    const auto gainText = [&](const BestMove& move) {
        // Two significant digits at least: small gains are still gains.
        const double gain = static_cast<double>(move.gain) / scale.factor;
        const int decimals = gain >= 0.1 ? 2 : gain >= 0.01 ? 3 : 4;
        return signedTimeNumber(-move.gain, scale, decimals);
    };
    const QFontMetrics metrics(bold);
    int gainWidth = 0;
    for (const BestMove& move : moves_.moves) {
        gainWidth = std::max(gainWidth, metrics.horizontalAdvance(gainText(move)));
    }
    const int applyLeft = width() - applyWidth();
    const int gainLeft = applyLeft - kGap - gainWidth;
    const int barLeft = gainLeft - kGap - kBarWidth;
    const int chipsLeft = barLeft - 2 * kGap - 2 * kChip - kArrowWidth;
    for (int row = 0; row < count(); ++row) {
        const BestMove& move = moves_.moves[static_cast<std::size_t>(row)];
        const int top = row * kRowHeight;
        if (row == highlighted()) {
            painter.fillRect(QRect(0, top, width(), kRowHeight), theme.accentSoft);
        }
        painter.setFont(plain);
        painter.setPen(theme.text);
        QString name = QString::fromStdString(graph.opName(move.ops.front()));
        const QString more =
            move.ops.size() > 1 ? QStringLiteral("  +%1").arg(move.ops.size() - 1) : QString();
        const int moreWidth = metrics.horizontalAdvance(more);
        name = QFontMetrics(plain).elidedText(name, Qt::ElideRight, chipsLeft - kGap - moreWidth);
        painter.drawText(QRect(0, top, chipsLeft, kRowHeight), Qt::AlignLeft | Qt::AlignVCenter,
                         name);
        painter.setPen(theme.secondary);
        painter.drawText(
            QRect(QFontMetrics(plain).horizontalAdvance(name), top, moreWidth + kGap, kRowHeight),
            Qt::AlignLeft | Qt::AlignVCenter, more);

        const qreal chipTop = top + (kRowHeight - kChip) / 2.0;
        paintDeviceChip(painter, QRectF(chipsLeft, chipTop, kChip, kChip), theme.device(move.from));
        painter.setPen(theme.text);
        painter.drawText(QRect(chipsLeft + kChip, top, kArrowWidth, kRowHeight), Qt::AlignCenter,
                         QStringLiteral("→"));
        paintDeviceChip(painter, QRectF(chipsLeft + kChip + kArrowWidth, chipTop, kChip, kChip),
                        theme.device(move.to));

        const double share =
            static_cast<double>(move.gain) / static_cast<double>(moves_.moves.front().gain);
        painter.fillRect(QRectF(barLeft, top + (kRowHeight - kBarHeight) / 2.0,
                                std::max(1.0, share * kBarWidth), kBarHeight),
                         theme.better);
        painter.setFont(bold);
        painter.setPen(theme.better);
        painter.drawText(QRect(gainLeft, top, gainWidth, kRowHeight),
                         Qt::AlignRight | Qt::AlignVCenter, gainText(move));
        painter.setFont(plain);
        painter.setPen(theme.link);
        painter.drawText(QRect(applyLeft, top, applyWidth() + 1, kRowHeight),
                         Qt::AlignRight | Qt::AlignVCenter, kApply);
    }
    paintFocus(painter);
}

void BestMovesList::pressed(int row, const QPointF& position) {
    if (position.x() >= width() - applyWidth() - kGap / 2.0) {
        apply(row);
        return;
    }
    const std::vector<OpId>& ops = moves_.moves[static_cast<std::size_t>(row)].ops;
    workspace_.selection().reveal(ops.front());
    workspace_.selection().add({ops.begin(), ops.end()});
}

void BestMovesList::highlightChanged(int row) {
    setCursor(row >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (row < 0) {
        return;
    }
    const BestMove& move = moves_.moves[static_cast<std::size_t>(row)];
    constexpr std::size_t kNamed = 8;
    QStringList names;
    for (std::size_t i = 0; i < std::min(move.ops.size(), kNamed); ++i) {
        names << QString::fromStdString(workspace_.problem()->graph->opName(move.ops[i]));
    }
    const QString text = names.join(QStringLiteral(", "));
    setToolTip(
        move.ops.size() == 1
            ? QStringLiteral("Move %1 to device %2")
                  .arg(text, appearance_.theme().device(move.to).letter)
            : QStringLiteral("Any one of %1 gains as much; Apply moves the first").arg(text));
    setAccessibleDescription(toolTip());
}

} // namespace doppler::views
