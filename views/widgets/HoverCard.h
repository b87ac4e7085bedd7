#pragma once

#include <QLabel>

#include "views/theme/Appearance.h"

namespace doppler::views {

/// A small card of rich text that follows the pointer inside a view and never takes its events.
class HoverCard : public QLabel {
    Q_OBJECT

public:
    HoverCard(const Appearance& appearance, QWidget* view);

    /// Shows `html` beside `pointer` (in the view), where it covers neither the pointer nor leaves
    /// the view.
    void showAt(const QPointF& pointer, const QString& html);

private:
    void restyle(const Theme& theme);
};

} // namespace doppler::views
