#include "views/workspace/Placement.h"

namespace doppler::views {

int Placement::edits() const {
    int differing = savedEdits;
    if (found && found != assignment) {
        for (std::size_t op = 0; op < assignment->size(); ++op) {
            differing += (*assignment)[op] != (*found)[op] ? 1 : 0;
        }
    }
    return differing;
}

QString Placement::label() const {
    if (!edited) {
        return origin;
    }
    const int count = edits();
    return QStringLiteral("%1, %2 edit%3").arg(origin).arg(count).arg(count == 1 ? "" : "s");
}

} // namespace doppler::views
