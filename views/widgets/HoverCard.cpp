#include "views/widgets/HoverCard.h"

#include <algorithm>

namespace doppler::views {

namespace {
constexpr int kDistance = 16;
constexpr int kWidest = 360;
} // namespace

HoverCard::HoverCard(const Appearance& appearance, QWidget* view) : QLabel(view) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setTextFormat(Qt::RichText);
    setMargin(8);
    setMaximumWidth(kWidest);
    setWordWrap(false);
    restyle(appearance.theme());
    connect(&appearance, &Appearance::changed, this,
            [this, &appearance] { restyle(appearance.theme()); });
    hide();
}

void HoverCard::restyle(const Theme& theme) {
    setFont(fontOfSize(12));
    setStyleSheet(QStringLiteral("QLabel { background: %1; color: %2; border: 1px solid %3; "
                                 "border-radius: 6px; }")
                      .arg(theme.base.name(), theme.text.name(), theme.control.name()));
}

void HoverCard::showAt(const QPointF& pointer, const QString& html) {
    if (text() != html) {
        setText(html);
        setWordWrap(false);
        if (sizeHint().width() > kWidest) {
            setWordWrap(true);
        }
        adjustSize();
    }
    const QSize view = parentWidget()->size();
    const QPoint at = pointer.toPoint();
    int x = at.x() + kDistance;
    if (x + width() > view.width()) {
        x = at.x() - kDistance - width();
    }
    int y = at.y() + kDistance;
    if (y + height() > view.height()) {
        y = at.y() - kDistance - height();
    }
    move(std::clamp(x, 0, std::max(0, view.width() - width())),
         std::clamp(y, 0, std::max(0, view.height() - height())));
    show();
    raise();
}

} // namespace doppler::views
