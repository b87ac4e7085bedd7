#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <cstdint>

#include "core/place/Placer.h"

namespace doppler::views {

class Job;
class Workspace;

/// What to place with. Rules ignore the budget; methods without chance ignore seed and runs.
struct PlaceChoice {
    QString method;
    double budgetSeconds = 2;
    std::uint64_t seed = 1;
    int runs = 1; ///< with seeds seed, seed + 1, ...

    bool operator==(const PlaceChoice&) const = default;
};

/// Runs placers in the background on the open problem; each result becomes a row.
class Placing : public QObject {
    Q_OBJECT

public:
    explicit Placing(Workspace& workspace, QObject* parent = nullptr);

    /// Undoable; the new row is shown.
    void place(const PlaceChoice& choice);
    /// The rows that a newly opened graph starts with: quick rules at once, then a short search.
    /// They are no changes: nothing to undo or to save.
    void placeAtFirst(const QStringList& methods = {});
    /// Searches and rules that are running.
    int running() const { return running_; }

    static const place::PlacerInfo* find(const QString& method);
    /// What was chosen last, also by an earlier run of the program.
    static PlaceChoice storedChoice();
    static void storeChoice(const PlaceChoice& choice);

Q_SIGNALS:
    void finished();

private:
    void start(const PlaceChoice& choice, bool byHand);
    void deliver(const PlaceChoice& choice, const sim::Problem& problem,
                 const place::PlaceResult& result, bool byHand);

    Workspace& workspace_;
    int running_ = 0;
};

} // namespace doppler::views
