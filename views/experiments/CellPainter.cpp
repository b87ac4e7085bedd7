#include "views/experiments/CellPainter.h"

#include <QPainter>
#include <algorithm>

#include "views/experiments/ResultsModel.h"
#include "views/icons/Icons.h"

namespace doppler::views {

namespace {

constexpr int kTextTop = 6;
constexpr int kTextHeight = 20;
constexpr int kBarHeight = 5;
constexpr int kBarBottom = 9; // from the lower edge of the cell
constexpr int kGap = 8;
constexpr int kWhisker = 4; // half of its cap
constexpr int kBadgeHeight = 16;
constexpr int kIcon = 14;

int widthOf(const QPainter& painter, const QString& text) {
    return painter.fontMetrics().horizontalAdvance(text);
}

} // namespace

CellPainter::CellPainter(const ResultsModel& model, const Appearance& appearance, QObject* parent)
    : QStyledItemDelegate(parent), model_(model), appearance_(appearance) {}

void CellPainter::paint(QPainter* painter, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const {
    const Theme& theme = appearance_.theme();
    const QRect rect = option.rect;
    const bool problem = model_.isProblem(index.column());
    const bool best = problem && model_.figure(index).best;
    const bool firstRow = index.row() == 0;
    painter->save();
    painter->fillRect(rect, best                   ? theme.accentSoft
                            : index.row() % 2 == 0 ? theme.base
                                                   : theme.alt);
    if (problem || model_.isRank(index.column())) {
        painter->fillRect(QRect(rect.left(), rect.top(), 1, rect.height()), theme.border);
    }
    if (problem) {
        paintFigure(*painter, rect, index);
    } else {
        const bool rank = model_.isRank(index.column());
        painter->setFont(fontOfSize(13, firstRow));
        painter->setPen(theme.text);
        const QRect inside = rect.adjusted(kPadding, 0, -kPadding, 0);
        const QString text = index.data().toString();
        painter->drawText(inside, Qt::AlignVCenter | (rank ? Qt::AlignRight : Qt::AlignLeft),
                          painter->fontMetrics().elidedText(text, Qt::ElideRight, inside.width()));
    }
    if (option.state & QStyle::State_HasFocus) {
        painter->setPen(QPen(theme.accent, 2));
        painter->drawRect(rect.adjusted(2, 1, -1, -1));
    }
    painter->restore();
}

void CellPainter::paintFigure(QPainter& painter, const QRect& rect,
                              const QModelIndex& index) const {
    const Theme& theme = appearance_.theme();
    const CellFigure& figure = model_.figure(index);
    const CellActivity now = model_.activity(index);
    const QRect line(rect.left() + kPadding, rect.top() + kTextTop, rect.width() - 2 * kPadding,
                     kTextHeight);
    int right = line.right();
    if (!now.error.isEmpty()) {
        const QRect place(right - kIcon, line.top() + (kTextHeight - kIcon) / 2, kIcon, kIcon);
        icon(IconName::Warning, theme, theme.warning).paint(&painter, place);
        right = place.left() - kGap;
    }
    if (now.running) {
        paintActivity(painter, rect, index);
    }
    if (!figure.known) {
        if (!now.running) {
            painter.setFont(fontOfSize(13));
            painter.setPen(theme.secondary);
            painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft,
                             now.error.isEmpty() ? QStringLiteral("\u2013") : tr("failed"));
        }
        return;
    }
    painter.setFont(fontOfSize(13, true));
    painter.setPen(theme.text);
    // Right-aligned, so that the numbers of a column can be compared.
    const int valueWidth =
        std::max(widthOf(painter, QStringLiteral("100.0 %")), widthOf(painter, figure.text));
    const QRect value(line.left(), line.top(), valueWidth, line.height());
    painter.drawText(value, Qt::AlignVCenter | Qt::AlignRight, figure.text);
    int left = value.right() + kGap;

    painter.setFont(fontOfSize(11, figure.best));
    const QString tail = figure.best ? tr("best") : figure.distanceText;
    const int badge = widthOf(painter, tail) + (figure.best ? 2 * kGap : 0);
    const bool tailFits = !now.running && left + badge <= right;
    if (tailFits && figure.best) {
        const QRectF pill(right - badge, line.top() + (kTextHeight - kBadgeHeight) / 2.0, badge,
                          kBadgeHeight);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.accent);
        painter.drawRoundedRect(pill, kBadgeHeight / 2.0, kBadgeHeight / 2.0);
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(theme.onAccent);
        painter.drawText(pill, Qt::AlignCenter, tail);
    } else if (tailFits) {
        painter.setPen(theme.secondary);
        painter.drawText(QRect(right - badge, line.top(), badge, line.height()),
                         Qt::AlignVCenter | Qt::AlignRight, tail);
    }
    if (tailFits) {
        right -= badge + kGap;
    }
    painter.setFont(fontOfSize(12));
    if (!now.running && left + widthOf(painter, figure.spreadText) <= right) {
        painter.setPen(theme.secondary);
        painter.drawText(QRect(left, line.top(), right - left, line.height()),
                         Qt::AlignVCenter | Qt::AlignLeft, figure.spreadText);
    }
    if (!now.running) {
        paintBar(painter, rect, index);
    }
}

void CellPainter::paintBar(QPainter& painter, const QRect& rect, const QModelIndex& index) const {
    const Theme& theme = appearance_.theme();
    const CellFigure& figure = model_.figure(index);
    const QRect track(rect.left() + kPadding, rect.bottom() - kBarBottom - kBarHeight,
                      rect.width() - 2 * kPadding, kBarHeight);
    const double scale = track.width() / model_.barEnd(index.column());
    const int length =
        std::clamp(static_cast<int>(figure.value * scale), figure.value > 0 ? 1 : 0, track.width());
    painter.fillRect(track, theme.idle);
    painter.fillRect(QRect(track.topLeft(), QSize(length, kBarHeight)),
                     figure.best ? theme.accent : theme.disabled);
    const int centre = track.center().y();
    if (figure.value * scale > track.width() + 1) {
        // Broken: it goes on beyond the scale.
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.base, 1.6));
        for (const int at : {8, 4}) {
            painter.drawLine(QPointF(track.right() - at, track.bottom() + 2),
                             QPointF(track.right() - at + 4, track.top() - 1));
        }
        painter.setRenderHint(QPainter::Antialiasing, false);
        return;
    }
    if (figure.spread > 0) {
        const int from =
            track.left() + static_cast<int>(std::max(figure.value - figure.spread, 0.0) * scale);
        const int to = std::min(
            track.left() + static_cast<int>((figure.value + figure.spread) * scale), track.right());
        painter.setPen(QPen(theme.ink, 1.5));
        painter.drawLine(from, centre, to, centre);
        painter.drawLine(from, centre - kWhisker, from, centre + kWhisker);
        painter.drawLine(to, centre - kWhisker, to, centre + kWhisker);
    }
}

void CellPainter::paintActivity(QPainter& painter, const QRect& rect,
                                const QModelIndex& index) const {
    const Theme& theme = appearance_.theme();
    const CellActivity now = model_.activity(index);
    const place::CellSummary& cell = model_.summary(index);
    const QRect track(rect.left() + kPadding, rect.bottom() - kBarBottom - kBarHeight,
                      rect.width() - 2 * kPadding, kBarHeight);
    painter.fillRect(track, theme.accentSoft);
    painter.setPen(QPen(theme.accent, 1));
    painter.drawRect(track.adjusted(0, 0, -1, -1));
    const double done = std::clamp(now.fraction, 0.0, 1.0);
    painter.fillRect(
        QRect(track.topLeft(), QSize(static_cast<int>(done * track.width()), kBarHeight)),
        theme.accent);
    painter.setFont(fontOfSize(11));
    painter.setPen(theme.link);
    const QString run = tr("run %1 of %2").arg(now.seed).arg(cell.expectedRuns);
    const QRect line(rect.left() + kPadding, rect.top() + kTextTop, rect.width() - 2 * kPadding,
                     kTextHeight);
    const int alignment = cell.empty() ? Qt::AlignLeft : Qt::AlignRight;
    painter.drawText(line, Qt::AlignVCenter | alignment, run);
}

} // namespace doppler::views
