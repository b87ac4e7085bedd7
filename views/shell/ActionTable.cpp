#include "views/shell/ActionTable.h"

#include <QWidget>

namespace doppler::views {

namespace {

QString plainText(QString text) {
    text.remove(QLatin1Char('&'));
    while (text.endsWith(QChar(u'\u2026')) || text.endsWith(QLatin1Char('.'))) {
        text.chop(1);
    }
    return text;
}

QString keyText(const QList<QKeySequence>& keys) {
    QStringList texts;
    for (const QKeySequence& key : keys) {
        texts.append(key.toString(QKeySequence::NativeText));
    }
    return texts.join(QStringLiteral(", "));
}

} // namespace

ActionTable::ActionTable(QWidget* window) : QObject(window), window_(window) {}

QString ActionTable::toolTip(const QString& text, const QList<QKeySequence>& keys) {
    const QString plain = plainText(text);
    return keys.isEmpty() ? plain
                          : QStringLiteral("%1 (%2)").arg(
                                plain, keys.front().toString(QKeySequence::NativeText));
}

QAction* ActionTable::add(const ActionSpec& spec, std::function<void(bool)> run) {
    auto* action = new QAction(spec.text, this);
    action->setObjectName(spec.id);
    action->setShortcuts(spec.keys);
    action->setCheckable(spec.checkable);
    action->setToolTip(toolTip(spec.help.isEmpty() ? spec.text : spec.help, spec.keys));
    action->setIconVisibleInMenu(false);
    connect(action, &QAction::triggered, this, std::move(run));
    window_->addAction(action); // its key works although no menu is open
    entries_.push_back({spec, action, {}});
    actions_.append(action);
    return action;
}

QAction* ActionTable::operator[](const QString& id) const {
    for (const Entry& entry : entries_) {
        if (entry.action != nullptr && entry.spec.id == id) {
            return entry.action;
        }
    }
    qFatal("no action named %s", qPrintable(id));
    return nullptr;
}

void ActionTable::addViewKey(const QString& group, const QString& keys, const QString& text) {
    entries_.push_back({{{}, group, text, {}, {}, false, {}}, nullptr, keys});
}

std::vector<KeyLine> ActionTable::keyLines() const {
    QStringList groups;
    for (const Entry& entry : entries_) {
        if (!groups.contains(entry.spec.group)) {
            groups.append(entry.spec.group);
        }
    }
    std::vector<KeyLine> lines;
    for (const QString& group : groups) {
        for (const Entry& entry : entries_) {
            const QString keys =
                entry.action != nullptr ? keyText(entry.spec.keys) : entry.viewKeys;
            if (entry.spec.group == group && entry.spec.listed && !keys.isEmpty()) {
                const QString& text = entry.spec.help.isEmpty() ? entry.spec.text : entry.spec.help;
                lines.push_back({group, keys, plainText(text)});
            }
        }
    }
    return lines;
}

void ActionTable::setTheme(const Theme& theme) {
    for (const Entry& entry : entries_) {
        if (entry.action != nullptr && entry.spec.icon) {
            entry.action->setIcon(icon(*entry.spec.icon, theme));
        }
    }
}

} // namespace doppler::views
