#include "core/io/DeviceMap.h"

#include <unordered_set>

#include "core/graph/InputError.h"
#include "core/io/JsonText.h"
#include "core/io/MessageText.h"

namespace doppler::io {

std::string writeDeviceMap(const sim::Assignment& assignment, const graph::Graph& graph,
                           const cluster::Cluster& cluster) {
    std::unordered_set<std::string> names;
    JsonText text;
    for (OpId op = 0; op < graph.opCount(); ++op) {
        const std::string name = graph.opName(op);
        if (!names.insert(name).second) {
            throw InputError("device map", "two ops called " + quotedText(name), "unique names");
        }
        text.member(name, cluster.device(assignment[static_cast<std::size_t>(op)]).name);
    }
    return text.finish();
}

} // namespace doppler::io
