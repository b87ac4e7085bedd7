#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;

namespace doppler::views {

class Appearance;
class ElidedLabel;

/// The head of a pane: its name, a line about what it shows, and controls at the right end.
class PaneTitle : public QWidget {
    Q_OBJECT

public:
    PaneTitle(const QString& title, const Appearance& appearance, QWidget* parent = nullptr);

    void setSubtitle(const QString& text);
    QString subtitle() const;
    void addControl(QWidget* control, int stretch = 0);

private:
    void applyTheme();
    void paintEvent(QPaintEvent* event) override;

    const Appearance& appearance_;
    QHBoxLayout* layout_;
    QLabel* title_;
    ElidedLabel* subtitle_;
};

} // namespace doppler::views
