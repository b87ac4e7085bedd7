#pragma once

#include <QDateTime>
#include <QObject>
#include <QString>
#include <optional>
#include <vector>

#include "core/cost/CostTable.h"

namespace doppler::views {

/// One thing opened or saved before.
struct RecentEntry {
    enum class Kind { Graph, Session, Workload };
    QString source; ///< file, or workload text
    Kind kind = Kind::Graph;
    QString summary; ///< "76 ops, 4 devices"
    QDateTime when;
    /// What a graph or workload was opened with; empty and none: not known, or a session's own.
    QString cluster;
    std::optional<cost::CostModel> costs;
};

/// What was opened lately, newest first; kept in the settings. Files that are gone are left out.
class RecentFiles : public QObject {
    Q_OBJECT

public:
    explicit RecentFiles(QObject* parent = nullptr) : QObject(parent) {}

    std::vector<RecentEntry> entries() const;
    void add(const RecentEntry& entry);
    /// Whether add() keeps anything; unwatched runs leave the list alone.
    void setRemembering(bool on) { remembering_ = on; }
    void remove(const QString& source);
    void clear();

    /// "today 09:14", "yesterday", "Thu", "12 Nov".
    static QString whenText(const QDateTime& when, const QDateTime& now);

Q_SIGNALS:
    void changed();

private:
    void store(const std::vector<RecentEntry>& entries);

    bool remembering_ = true;
};

} // namespace doppler::views
