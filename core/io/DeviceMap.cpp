#include "core/io/DeviceMap.h"

#include <unordered_set>

#include "core/graph/InputError.h"
#include "core/io/JsonText.h"
#include "core/io/MessageText.h"

namespace doppler::io {

void checkDeviceMap(const graph::Graph& graph) {
    std::unordered_set<std::string> names;
    for (OpId op = 0; op < graph.opCount(); ++op) {
        const std::string name = graph.opName(op);
        if (!names.insert(name).second) {
            throw InputError("device map", "two ops called " + quotedText(name), "unique names");
        }
    }
}

std::string writeDeviceMap(const sim::Assignment& assignment, const graph::Graph& graph,
                           const cluster::Cluster& cluster) {
    checkDeviceMap(graph);
    JsonText text;
    for (OpId op = 0; op < graph.opCount(); ++op) {
        text.member(graph.opName(op),
                    cluster.device(assignment[static_cast<std::size_t>(op)]).name);
    }
    return text.finish();
}

} // namespace doppler::io
