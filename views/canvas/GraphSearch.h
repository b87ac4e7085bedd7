#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "core/graph/Graph.h"

namespace doppler::views {

/// Finds ops by id, name, kind or shape, and steps through what it found.
///
/// A query is words that must all match: a number matches an id, a dimension or a whole word of
/// the name; "2500x5000" consecutive dimensions; anything else part of the name, kind or type.
class GraphSearch {
public:
    void setGraph(std::shared_ptr<const graph::Graph> graph);
    /// Returns how many ops match. An empty query matches nothing and filters nothing.
    int setQuery(const QString& query);

    const QString& query() const { return query_; }
    bool isActive() const { return !query_.isEmpty(); }
    /// Ascending, but an op whose id or name is the whole query comes first.
    const std::vector<OpId>& matches() const { return matches_; }
    /// By op: 1 where it matches.
    std::vector<std::uint8_t> mask() const;

    /// The match that is looked at, or kNoOp.
    OpId current() const;
    /// The next or previous match; after the last comes the first.
    OpId step(bool forward);

private:
    bool matchesWord(OpId op, const QString& word, const std::vector<std::int64_t>& dimensions,
                     const QString& name) const;

    std::shared_ptr<const graph::Graph> graph_;
    QString query_;
    std::vector<OpId> matches_;
    std::size_t index_ = 0;
};

} // namespace doppler::views
