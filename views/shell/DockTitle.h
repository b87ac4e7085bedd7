#pragma once

#include <QWidget>

class QAction;
class QDockWidget;
class QHBoxLayout;
class QLabel;

namespace doppler::views {

class Appearance;
class ElidedLabel;

/// The title bar of a dock: its name, a line about what it shows, and its commands.
class DockTitle : public QWidget {
    Q_OBJECT

public:
    DockTitle(QDockWidget* dock, const Appearance& appearance);

    void setSubtitle(const QString& text);
    QString subtitle() const;
    /// Adds a button left of the float button.
    void addButton(QAction* action);

private:
    void applyTheme();
    void paintEvent(QPaintEvent* event) override;

    QDockWidget* dock_;
    const Appearance& appearance_;
    QHBoxLayout* layout_;
    QLabel* title_;
    ElidedLabel* subtitle_;
    QAction* float_;
};

} // namespace doppler::views
