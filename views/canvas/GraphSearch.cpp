#include "views/canvas/GraphSearch.h"

#include <QRegularExpression>
#include <QStringList>
#include <algorithm>

namespace doppler::views {

namespace {

QString text(std::string_view view) {
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

/// True if a word of `name` starts with `start`: "sum 4" finds "sum 40" while it is typed.
bool hasWordStart(const QString& name, const QString& start) {
    for (qsizetype at = name.indexOf(start); at >= 0; at = name.indexOf(start, at + 1)) {
        if (at == 0 || !name[at - 1].isLetterOrNumber()) {
            return true;
        }
    }
    return false;
}

bool hasConsecutive(std::span<const std::int64_t> shape, const std::vector<std::int64_t>& part) {
    return std::search(shape.begin(), shape.end(), part.begin(), part.end()) != shape.end();
}

/// The numbers of "2500x5000"; empty for anything else.
std::vector<std::int64_t> dimensionsOf(const QString& word) {
    std::vector<std::int64_t> dimensions;
    for (const QString& number : word.split(QRegularExpression(QStringLiteral("[x×]")))) {
        bool isNumber = false;
        dimensions.push_back(number.toLongLong(&isNumber));
        if (!isNumber) {
            return {};
        }
    }
    return dimensions;
}

} // namespace

void GraphSearch::setGraph(std::shared_ptr<const graph::Graph> graph) {
    graph_ = std::move(graph);
    setQuery({});
}

bool GraphSearch::matchesWord(OpId op, const QString& word,
                              const std::vector<std::int64_t>& dimensions,
                              const QString& name) const {
    if (dimensions.size() == 1) {
        return dimensions[0] == op || hasConsecutive(graph_->shape(op), dimensions) ||
               hasWordStart(name, word);
    }
    if (!dimensions.empty() && hasConsecutive(graph_->shape(op), dimensions)) {
        return true;
    }
    return name.contains(word) || text(graph_->kindName(op)).contains(word, Qt::CaseInsensitive) ||
           text(graph::name(graph_->kind(op))).contains(word, Qt::CaseInsensitive) ||
           text(graph::name(graph_->dtype(op))) == word;
}

int GraphSearch::setQuery(const QString& query) {
    query_ = query.simplified().toLower();
    matches_.clear();
    index_ = 0;
    if (query_.isEmpty() || !graph_) {
        return 0;
    }
    QString spaced = query_;
    // "2500 x 5000" is one word.
    spaced.replace(QRegularExpression(QStringLiteral("(?<=\\d) ?[x×] ?(?=\\d)")),
                   QStringLiteral("x"));
    std::vector<std::pair<QString, std::vector<std::int64_t>>> words;
    for (const QString& word : spaced.split(u' ')) {
        words.emplace_back(word, dimensionsOf(word));
    }
    std::vector<OpId> exact;
    for (OpId op = 0; op < graph_->opCount(); ++op) {
        const QString name = QString::fromStdString(graph_->opName(op)).toLower();
        if (name == query_ || QString::number(op) == query_) {
            exact.push_back(op);
        } else if (std::all_of(words.begin(), words.end(), [&](const auto& word) {
                       return matchesWord(op, word.first, word.second, name);
                   })) {
            matches_.push_back(op);
        }
    }
    matches_.insert(matches_.begin(), exact.begin(), exact.end());
    return static_cast<int>(matches_.size());
}

std::vector<std::uint8_t> GraphSearch::mask() const {
    std::vector<std::uint8_t> mask;
    if (isActive() && graph_) {
        mask.assign(static_cast<std::size_t>(graph_->opCount()), 0);
        for (const OpId op : matches_) {
            mask[static_cast<std::size_t>(op)] = 1;
        }
    }
    return mask;
}

OpId GraphSearch::current() const {
    return matches_.empty() ? kNoOp : matches_[index_];
}

OpId GraphSearch::step(bool forward) {
    if (!matches_.empty()) {
        index_ = (index_ + (forward ? 1 : matches_.size() - 1)) % matches_.size();
    }
    return current();
}

} // namespace doppler::views
