#pragma once

#include <QDateTime>
#include <QObject>
#include <QString>
#include <vector>

namespace doppler::views {

/// One thing opened or saved before.
struct RecentEntry {
    enum class Kind { Graph, Session, Workload };
    QString source; ///< file, or workload text
    Kind kind = Kind::Graph;
    QString summary; ///< "76 ops, 4 devices"
    QDateTime when;
};

/// What was opened lately, newest first; kept in the settings. Files that are gone are left out.
class RecentFiles : public QObject {
    Q_OBJECT

public:
    explicit RecentFiles(QObject* parent = nullptr) : QObject(parent) {}

    std::vector<RecentEntry> entries() const;
    void add(const RecentEntry& entry);
    void remove(const QString& source);
    void clear();

    /// "today 09:14", "yesterday", "Thu", "12 Nov".
    static QString whenText(const QDateTime& when, const QDateTime& now);

Q_SIGNALS:
    void changed();

private:
    void store(const std::vector<RecentEntry>& entries);
};

} // namespace doppler::views
