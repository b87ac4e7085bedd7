#include "core/io/LossNotes.h"

#include <algorithm>

#include "core/io/TaskGraph.h"

namespace doppler::io {

using graph::FileCostUnit;
using graph::Graph;

namespace {

class Losses {
public:
    Losses(const Graph& graph, std::string_view format) : graph_(graph), format_(format) {}

    /// "<what> <count> <thing>s", unless there are none.
    void add(std::size_t count, const std::string& what, const std::string& thing,
             const std::string& instead = {}) {
        if (count > 0) {
            notes_.push_back(std::string(format_) + " does not hold " + what + " " +
                             countNote(count, thing, instead));
            while (notes_.back().ends_with(' ')) {
                notes_.back().pop_back();
            }
        }
    }

    /// Ops for which `holds` is true.
    template <typename Holds>
    std::size_t ops(Holds holds) const {
        std::size_t count = 0;
        for (OpId op = 0; op < graph_.opCount(); ++op) {
            count += holds(op) ? 1 : 0;
        }
        return count;
    }

    template <typename Holds>
    std::size_t edges(Holds holds) const {
        std::size_t count = 0;
        for (EdgeId edge = 0; edge < graph_.edgeCount(); ++edge) {
            count += holds(edge) ? 1 : 0;
        }
        return count;
    }

    void text() {
        const FileCostUnit unit = graph_.fileCostUnit();
        if (unit == FileCostUnit::Nanoseconds || unit == FileCostUnit::NanosecondsAndBytes) {
            notes_.push_back(std::string(format_) +
                             " does not hold times: nanoseconds become units");
        }
        if (unit == FileCostUnit::NanosecondsAndBytes) {
            add(edges([this](EdgeId edge) { return graph_.edgeBytes(edge) > 0; }), "the bytes over",
                "edge", "(their transfers become free)");
        } else if (graph_.hasEdgeFileTransfer()) {
            add(edges([this](EdgeId edge) {
                    return graph_.edgeFileTransfer(edge) !=
                           graph_.fileTransfer(graph_.source(edge));
                }),
                "the transfer costs of", "edge", "(only one for each op)");
        }
        add(ops([this](OpId op) {
                return graph_.flops(op) > 0 || graph_.outputBytes(op) > 0 ||
                       graph_.bytesTouched(op) > 0;
            }),
            "the work and sizes of", "op");
        add(ops([this](OpId op) {
                return graph_.hasOwnName(op) || graph_.group(op) >= 0 || !graph_.detail(op).empty();
            }),
            "the names, groups and details of", "op");
        add(ops([this](OpId op) { return graph_.pinnedDevice(op) != kNoDevice; }), "the devices of",
            "pinned op");
        add(static_cast<std::size_t>(
                std::count_if(graph_.inputs().begin(), graph_.inputs().end(),
                              [](const graph::GraphInput& input) { return input.bytes > 0; })),
            "the sizes and readers of", "graph input");
        add(graph_.outputs().size(), "the marks of", "graph output");
    }

    /// DOT and GraphML hold everything else as attributes.
    void attributes() {
        const auto unwritable = [](std::string_view text) {
            return std::any_of(text.begin(), text.end(), [](char c) {
                return static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t';
            });
        };
        const std::size_t count = ops([&](OpId op) {
            return unwritable(graph_.opName(op)) || unwritable(graph_.kindName(op)) ||
                   unwritable(graph_.detail(op)) ||
                   (graph_.group(op) >= 0 &&
                    unwritable(graph_.groupNames()[static_cast<std::size_t>(graph_.group(op))]));
        });
        add(count, "control characters in the texts of", "op");
        add(static_cast<std::size_t>(std::count_if(
                graph_.inputs().begin(), graph_.inputs().end(),
                [&](const graph::GraphInput& input) { return unwritable(input.name); })),
            "control characters in the names of", "graph input");
        if (unwritable(graph_.name())) {
            notes_.push_back(std::string(format_) +
                             " does not hold control characters in the graph's name");
        }
    }

    void table() {
        add(edges([](EdgeId) { return true; }), "the", "edge", "(it lists the ops)");
    }

    std::vector<std::string> take() { return std::move(notes_); }

private:
    const Graph& graph_;
    std::string_view format_;
    std::vector<std::string> notes_;
};

} // namespace

std::vector<std::string> lossNotes(const Graph& graph, std::string_view format) {
    Losses losses(graph, format);
    if (format == "txt") {
        losses.text();
    } else if (format == "dot" || format == "graphml") {
        losses.attributes();
    } else if (format == "csv") {
        losses.table();
    }
    return losses.take();
}

} // namespace doppler::io
