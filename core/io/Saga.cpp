#include "core/io/ForeignFormats.h"
#include "core/io/TaskGraph.h"

namespace doppler::io {

namespace {

constexpr double kSecondsPerCost = 1e-3;

} // namespace

bool looksLikeSaga(const JsonField& root) {
    return root.isObject() && root.find("task_graph").has_value();
}

ReadGraph readSaga(const JsonField& root, const std::string& where) {
    const JsonField graph = root["task_graph"];
    TaskGraph tasks(root.stringOr("name", graphNameOf(where)), Repeated::Sum);
    for (const JsonField& task : graph["tasks"].elements()) {
        const std::string& name = task["name"].string();
        tasks.addTask(name,
                      {.name = name,
                       .kindName = "task",
                       .fileCompute = tasks.nanoseconds(task["cost"].number() * kSecondsPerCost)});
    }
    for (const JsonField& dependency : graph["dependencies"].elements()) {
        tasks.addDependency(dependency["source"].string(), dependency["target"].string(),
                            tasks.bytes(dependency["size"].number()));
    }
    tasks.note("costs taken as milliseconds at speed 1, sizes as bytes");
    if (const auto network = root.find("network")) {
        tasks.noteCount(network->find("nodes") ? (*network)["nodes"].size() : 0, "node",
                        "of the file's network ignored: the cluster says what there is");
    }
    return tasks.build(where, "SAGA JSON", graph::FileCostUnit::NanosecondsAndBytes);
}

} // namespace doppler::io
