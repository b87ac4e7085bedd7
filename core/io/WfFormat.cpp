#include <unordered_map>

#include "core/io/ForeignFormats.h"
#include "core/io/TaskGraph.h"

// WfCommons WfFormat. Versions differ in where things stand and what they are called; which one a
// file follows is told by its content, for what files say of their version is often wrong.

namespace doppler::io {

namespace {

/// The first of several members that is there.
std::optional<JsonField> findAny(const JsonField& object, std::initializer_list<const char*> keys) {
    for (const char* key : keys) {
        if (const auto field = object.find(key)) {
            return field;
        }
    }
    return std::nullopt;
}

class WfReader {
public:
    WfReader(const JsonField& root, const std::string& where)
        : workflow_(root["workflow"])
        , where_(where)
        , tasks_(root.stringOr("name", graphNameOf(where))) {}

    ReadGraph read() {
        const auto specification = workflow_.find("specification");
        const JsonField holder = specification ? *specification : workflow_;
        const auto list = findAny(holder, {"tasks", "jobs"});
        if (!list) {
            holder.fail("no \"tasks\"", "them (\"jobs\" in early versions)");
        }
        readExecution();
        if (const auto files = specification ? specification->find("files") : std::nullopt) {
            for (const JsonField& file : files->elements()) {
                fileBytes_[file["id"].string()] = bytesOf(file);
            }
        }
        for (const JsonField& task : list->elements()) {
            addTask(task);
        }
        for (const JsonField& task : list->elements()) {
            addLinks(task);
        }
        return tasks_.build(where_, "WfFormat", graph::FileCostUnit::NanosecondsAndBytes);
    }

private:
    static std::string idOf(const JsonField& task) {
        const auto id = findAny(task, {"id", "name"});
        if (!id) {
            task.fail("a task without id and name", "one of them");
        }
        return id->string();
    }

    std::int64_t bytesOf(const JsonField& file) {
        const auto size = findAny(file, {"sizeInBytes", "size"});
        return size ? tasks_.bytes(size->number()) : -1;
    }

    /// Run times stand apart from the tasks since 1.5.
    void readExecution() {
        const auto execution = workflow_.find("execution");
        const auto list = execution ? execution->find("tasks") : std::nullopt;
        if (!list) {
            return;
        }
        for (const JsonField& task : list->elements()) {
            if (const auto runtime = findAny(task, {"runtimeInSeconds", "runtime"})) {
                runtimes_[idOf(task)] = runtime->number();
            }
        }
    }

    void addTask(const JsonField& task) {
        const std::string id = idOf(task);
        graph::OpSpec spec;
        spec.name = task.stringOr("name", id);
        spec.kindName = task.stringOr("category", task.stringOr("type", "task"));
        const auto runtime = findAny(task, {"runtimeInSeconds", "runtime"});
        const auto executed = runtimes_.find(id);
        spec.fileCompute = runtime                       ? tasks_.nanoseconds(runtime->number())
                           : executed != runtimes_.end() ? tasks_.nanoseconds(executed->second)
                                                         : -1;
        idByName_.try_emplace(spec.name, id);
        tasks_.addTask(id, std::move(spec));
    }

    /// Parents are ids or names: whichever there is.
    std::string resolve(const JsonField& reference) const {
        const std::string& text = reference.string();
        const auto named = idByName_.find(text);
        return tasks_.hasTask(text) || named == idByName_.end() ? text : named->second;
    }

    void addLinks(const JsonField& task) {
        const std::string id = idOf(task);
        if (const auto parents = task.find("parents")) {
            for (const JsonField& parent : parents->elements()) {
                tasks_.addDependency(resolve(parent), id);
            }
        }
        if (const auto files = task.find("files")) {
            for (const JsonField& file : files->elements()) {
                const auto name = findAny(file, {"name", "id"});
                if (!name) {
                    file.fail("a file without name and id", "one of them");
                }
                addFile(id, name->string(), bytesOf(file), file["link"].string() == "output");
            }
        }
        for (const char* key : {"inputFiles", "outputFiles"}) {
            if (const auto files = task.find(key)) {
                for (const JsonField& file : files->elements()) {
                    const auto bytes = fileBytes_.find(file.string());
                    addFile(id, file.string(), bytes == fileBytes_.end() ? -1 : bytes->second,
                            key[0] == 'o');
                }
            }
        }
    }

    void addFile(const std::string& task, const std::string& name, std::int64_t bytes,
                 bool written) {
        if (written) {
            tasks_.addWrite(task, name, bytes);
        } else {
            tasks_.addRead(task, name, bytes);
        }
    }

    JsonField workflow_;
    std::string where_;
    TaskGraph tasks_;
    std::unordered_map<std::string, double> runtimes_; // seconds
    std::unordered_map<std::string, std::int64_t> fileBytes_;
    std::unordered_map<std::string, std::string> idByName_;
};

} // namespace

bool looksLikeWfFormat(const JsonField& root) {
    return root.isObject() && root.find("workflow").has_value();
}

ReadGraph readWfFormat(const JsonField& root, const std::string& where) {
    return WfReader(root, where).read();
}

} // namespace doppler::io
