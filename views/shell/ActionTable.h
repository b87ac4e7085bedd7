#pragma once

#include <QAction>
#include <QKeySequence>
#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <optional>
#include <vector>

#include "views/icons/Icons.h"

namespace doppler::views {

/// One command of the window as it is declared.
struct ActionSpec {
    QString id;    ///< "file.open"
    QString group; ///< heading in the list of keys: "File"
    QString text;  ///< "&Open..."
    QList<QKeySequence> keys;
    std::optional<IconName> icon;
    bool checkable = false;
    QString help;       ///< longer words for tooltip and list of keys; empty: the text
    bool listed = true; ///< in the list of keys
};

/// A line of the list of keys.
struct KeyLine {
    QString group;
    QString keys;
    QString text;
};

/// All commands of the window in one place: menus, toolbar, tooltips and the list of keys are made
/// from it, so they cannot disagree.
class ActionTable : public QObject {
    Q_OBJECT

public:
    explicit ActionTable(QWidget* window);

    /// Adds a command; `run` gets the checked state.
    QAction* add(const ActionSpec& spec, std::function<void(bool)> run);
    /// The command with that id; it must exist.
    QAction* operator[](const QString& id) const;
    /// A key that a view handles itself (arrows on the canvas), for the list only.
    void addViewKey(const QString& group, const QString& keys, const QString& text);

    /// Everything that has a key, by group in order of first mention.
    std::vector<KeyLine> keyLines() const;
    const QList<QAction*>& actions() const { return actions_; }

    void setTheme(const Theme& theme);

    /// Text without mnemonic and dots, with its key: "Save (Ctrl+S)".
    static QString toolTip(const QString& text, const QList<QKeySequence>& keys);

private:
    struct Entry {
        ActionSpec spec;
        QAction* action = nullptr; ///< null: a view's own key
        QString viewKeys;
    };

    QWidget* window_;
    std::vector<Entry> entries_;
    QList<QAction*> actions_;
};

} // namespace doppler::views
