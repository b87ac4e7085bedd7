#include "core/graph/Graph.h"

namespace doppler::graph {

bool Graph::hasOwnName(OpId op) const {
    return !names_.empty() && !names_[at(op)].empty();
}

std::string Graph::opName(OpId op) const {
    if (hasOwnName(op)) {
        return names_[at(op)];
    }
    return std::string(kindName(op)) + " " + std::to_string(op);
}

std::span<const std::int64_t> Graph::shape(OpId op) const {
    if (shapeBegin_.empty()) {
        return {};
    }
    const std::size_t begin = shapeBegin_[at(op)];
    return std::span(shapeDims_).subspan(begin, shapeBegin_[at(op) + 1] - begin);
}

std::span<const EdgeId> Graph::inEdges(OpId op) const {
    const std::size_t begin = at(inBegin_[at(op)]);
    return std::span(inEdges_).subspan(begin, at(inBegin_[at(op) + 1]) - begin);
}

std::int64_t Graph::edgeBytes(EdgeId edge) const {
    return edgeBytes_.empty() ? outputBytes(source(edge)) : edgeBytes_[at(edge)];
}

std::int64_t Graph::edgeFileTransfer(EdgeId edge) const {
    return edgeFileTransfer_.empty() ? fileTransfer(source(edge)) : edgeFileTransfer_[at(edge)];
}

std::span<const Use> Graph::uses(OpId op) const {
    if (usesBegin_.empty()) {
        return {};
    }
    const std::size_t begin = usesBegin_[at(op)];
    return std::span(uses_).subspan(begin, usesBegin_[at(op) + 1] - begin);
}

} // namespace doppler::graph
