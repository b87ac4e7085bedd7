#include "views/workspace/SelectionHistory.h"

#include "views/workspace/Selection.h"

namespace doppler::views {

namespace {
constexpr std::size_t kMost = 200;
}

SelectionHistory::SelectionHistory(Selection& selection, QObject* parent)
    : QObject(parent), selection_(selection) {
    connect(&selection, &Selection::changed, this, &SelectionHistory::record);
}

void SelectionHistory::record() {
    const OpId op = selection_.current();
    const bool same = position_ >= 0 && ops_[static_cast<std::size_t>(position_)] == op;
    if (moving_ || op == kNoOp || same) {
        return;
    }
    ops_.resize(static_cast<std::size_t>(position_ + 1));
    ops_.push_back(op);
    if (ops_.size() > kMost) {
        ops_.erase(ops_.begin());
    }
    position_ = static_cast<int>(ops_.size()) - 1;
    Q_EMIT changed();
}

void SelectionHistory::goTo(int position) {
    position_ = position;
    moving_ = true;
    selection_.reveal(ops_[static_cast<std::size_t>(position)]);
    moving_ = false;
    Q_EMIT changed();
}

void SelectionHistory::back() {
    if (canGoBack()) {
        goTo(position_ - 1);
    }
}

void SelectionHistory::forward() {
    if (canGoForward()) {
        goTo(position_ + 1);
    }
}

void SelectionHistory::clear() {
    ops_.clear();
    position_ = -1;
    Q_EMIT changed();
}

} // namespace doppler::views
