#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <deque>
#include <memory>

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

/// Runs placers in the background on the open problem; each result becomes a row. A few run at a
/// time, the others wait for their turn; cancelling one of a request drops those of it that wait.
class Placing : public QObject {
    Q_OBJECT

public:
    explicit Placing(Workspace& workspace, QObject* parent = nullptr);

    /// Undoable; the new row is shown.
    void place(const PlaceChoice& choice);
    /// The rows that a newly opened graph starts with: the placer instant, and quick rules
    /// to compare it with.
    /// They are no changes: nothing to undo or to save.
    void placeAtFirst(const QStringList& methods = {});
    /// Searches and rules that are running or wait for their turn.
    int running() const { return running_ + waiting(); }
    int waiting() const { return static_cast<int>(waiting_.size()); }

    static const place::PlacerInfo* find(const QString& method);
    /// What was chosen last, also by an earlier run of the program.
    static PlaceChoice storedChoice();
    static void storeChoice(const PlaceChoice& choice);

Q_SIGNALS:
    void finished();

private:
    /// One run that waits for its turn.
    struct Waiting {
        PlaceChoice choice;
        QString title;
        std::shared_ptr<const sim::Problem> problem;
        bool byHand = true;
        int request = 0;
    };
    void enqueue(Waiting next);
    void startNext();
    void start(const Waiting& next);
    void drop(int request);
    void deliver(const PlaceChoice& choice, const sim::Problem& problem,
                 const place::PlaceResult& result, bool byHand);

    Workspace& workspace_;
    std::deque<Waiting> waiting_;
    int running_ = 0;
    int lastRequest_ = 0;
};

} // namespace doppler::views
