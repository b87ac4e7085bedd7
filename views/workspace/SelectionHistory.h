#pragma once

#include <QObject>
#include <vector>

#include "core/graph/Ids.h"

namespace doppler::views {

class Selection;

/// The ops that were looked at one after the other, for going back and forward like in a browser.
class SelectionHistory : public QObject {
    Q_OBJECT

public:
    explicit SelectionHistory(Selection& selection, QObject* parent = nullptr);

    bool canGoBack() const { return position_ > 0; }
    bool canGoForward() const { return position_ + 1 < static_cast<int>(ops_.size()); }
    void back();
    void forward();
    /// Forgets everything: the ops belong to another graph.
    void clear();

Q_SIGNALS:
    void changed();

private:
    void record();
    void goTo(int position);

    Selection& selection_;
    std::vector<OpId> ops_;
    int position_ = -1;
    bool moving_ = false;
};

} // namespace doppler::views
