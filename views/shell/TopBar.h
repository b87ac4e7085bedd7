#pragma once

#include <QToolBar>

class QAction;
class QLabel;
class QLineEdit;
class QToolButton;

namespace doppler::views {

class ActionTable;
class Appearance;
class ProblemFields;

/// The toolbar: open and save, what the problem is, place, undo and redo, lasso and pin, search.
class TopBar : public QToolBar {
    Q_OBJECT

public:
    TopBar(ActionTable& actions, ProblemFields& fields, QMenu* recentMenu, QMenu* placeMenu,
           const Appearance& appearance, QWidget* parent = nullptr);

    QLineEdit* search() const { return search_; }
    /// Says in the search field which of how many; empty text: nothing to say.
    void setSearchResult(const QString& text, bool found);
    QToolButton* placeButton() const { return place_; }
    /// Grey where there is nothing to work on.
    void setProblemOpen(bool open);

private:
    QToolButton* button(QAction* action);
    QWidget* separator();
    void applyTheme();
    void resizeEvent(QResizeEvent* event) override;
    void placeHint();
    bool eventFilter(QObject* watched, QEvent* event) override;

    const Appearance& appearance_;
    QAction* placeAction_;
    QToolButton* open_ = nullptr;
    QToolButton* place_ = nullptr;
    QLineEdit* search_ = nullptr;
    QAction* searchIcon_ = nullptr;
    QLabel* searchHint_ = nullptr;
    QList<QWidget*> separators_;
};

} // namespace doppler::views
