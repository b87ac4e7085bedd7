#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/graph/InputError.h"
#include "core/io/ForeignFormats.h"
#include "core/io/MessageText.h"
#include "core/io/TaskGraph.h"
#include "core/io/Xml.h"

// Pegasus DAX (abstract workflows), versions 2 and 3: jobs with a run time in seconds and the
// files they use, and declared parents. What its header counts is not trusted.

namespace doppler::io {

namespace {

double numberOf(const std::string& text, const char* what) {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (text.empty() || error != std::errc() || stop != end || !std::isfinite(value)) {
        throw InputError(what, quotedText(text), "a number");
    }
    return value;
}

class DaxHandler : public XmlHandler {
public:
    explicit DaxHandler(const std::string& where) : tasks_(graphNameOf(where)) {}

    void start(std::string_view name, const Attributes& attributes) override {
        if (name == "job" || name == "dag" || name == "dax") {
            startJob(attributes);
        } else if (name == "uses" && !job_.empty()) {
            useFile(attributes);
        } else if (name == "profile") {
            const std::string* key = findAttribute(attributes, "key");
            inRuntime_ = !job_.empty() && key != nullptr && *key == "runtime";
            runtime_.clear();
        } else if (name == "child") {
            child_ = requiredAttribute(attributes, "ref", "child");
        } else if (name == "parent" && !child_.empty()) {
            declared_.emplace_back(requiredAttribute(attributes, "ref", "parent"), child_);
        }
    }

    void end(std::string_view name) override {
        if (name == "job" || name == "dag" || name == "dax") {
            job_.clear();
        } else if (name == "child") {
            child_.clear();
        } else if (name == "profile" && inRuntime_ && !job_.empty()) {
            inRuntime_ = false;
            tasks_.task(job_).fileCompute = tasks_.nanoseconds(numberOf(runtime_, "runtime"));
        }
    }

    void text(std::string_view piece) override {
        if (inRuntime_) {
            runtime_ += piece;
        }
    }

    ReadGraph build(const std::string& where) {
        for (const auto& [parent, child] : declared_) {
            tasks_.addDependency(parent, child);
        }
        return tasks_.build(where, "Pegasus DAX", graph::FileCostUnit::NanosecondsAndBytes);
    }

private:
    void startJob(const Attributes& attributes) {
        job_ = requiredAttribute(attributes, "id", "job");
        graph::OpSpec spec;
        spec.name = job_;
        const std::string* program = findAttribute(attributes, "name");
        spec.kindName = program != nullptr && !program->empty() ? *program : "job";
        const std::string* runtime = findAttribute(attributes, "runtime");
        spec.fileCompute =
            runtime != nullptr ? tasks_.nanoseconds(numberOf(*runtime, "runtime")) : -1;
        tasks_.addTask(job_, std::move(spec));
    }

    void useFile(const Attributes& attributes) {
        const std::string* file = findAttribute(attributes, "file");
        if (file == nullptr) {
            file = findAttribute(attributes, "name");
        }
        const std::string* link = findAttribute(attributes, "link");
        if (file == nullptr || link == nullptr) {
            return; // an executable, or something that no data flow follows from
        }
        const std::string* size = findAttribute(attributes, "size");
        const std::int64_t bytes = size != nullptr ? tasks_.bytes(numberOf(*size, "size")) : -1;
        if (*link == "output" || *link == "inout") {
            tasks_.addWrite(job_, *file, bytes);
        }
        if (*link == "input" || *link == "inout") {
            tasks_.addRead(job_, *file, bytes);
        }
    }

    TaskGraph tasks_;
    std::vector<std::pair<std::string, std::string>> declared_;
    std::string job_;
    std::string child_;
    std::string runtime_;
    bool inRuntime_ = false;
};

} // namespace

ReadGraph parseDax(std::string_view text, const std::string& where) {
    DaxHandler handler(where);
    parseXml(text, where, handler);
    return handler.build(where);
}

} // namespace doppler::io
