#include "tests/support/FuzzTargets.h"

#include <array>
#include <map>
#include <optional>
#include <stdexcept>

#include "core/graph/GraphBuilder.h"
#include "core/graph/InputError.h"
#include "core/graph/Topology.h"
#include "core/io/Csv.h"
#include "core/io/ForeignFormats.h"
#include "core/io/Formats.h"
#include "core/io/Gzip.h"
#include "core/io/LossNotes.h"
#include "core/io/Onnx.h"
#include "core/io/Session.h"
#include "core/io/TraceTimeline.h"
#include "tests/support/SameGraph.h"

namespace doppler::tests {

namespace {

constexpr const char* kWhere = "fuzz";

void require(bool holds, const std::string& what) {
    if (!holds) {
        throw std::logic_error(what);
    }
}

std::string_view textOf(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

/// Runs `read` on the text; a refusal is fine.
template <typename Read>
int answer(const std::uint8_t* data, std::size_t size, Read read) {
    try {
        read(textOf(data, size));
    } catch (const InputError& error) {
        require(*error.what() != '\0', "an error without a message");
    }
    return 0;
}

void requireSame(const graph::Graph& a, const graph::Graph& b) {
    const std::string difference = firstDifference(a, b);
    require(difference.empty(), "changed by writing and reading: " + difference);
}

/// What every accepted graph must stand: facts and the own formats.
void exercise(const graph::Graph& graph) {
    graph::graphFacts(graph);
    requireSame(graph, *io::parseGraphJson(io::writeGraphJson(graph), graph.name()).graph);
    io::writeOpCsv(graph);
    const auto dot = io::parseGraph(io::writeDot(graph), graph.name()).graph;
    if (io::lossNotes(graph, "dot").empty()) {
        requireSame(graph, *dot);
    }
    const auto graphMl = io::parseGraph(io::writeGraphMl(graph), graph.name()).graph;
    if (io::lossNotes(graph, "graphml").empty()) {
        requireSame(graph, *graphMl);
    }
}

/// The reader of a foreign graph format.
template <typename Parse>
int answerGraph(const std::uint8_t* data, std::size_t size, Parse parse) {
    return answer(data, size, [&](std::string_view text) { exercise(*parse(text, kWhere).graph); });
}

} // namespace

int fuzzGraph(const std::uint8_t* data, std::size_t size) {
    return answer(data, size,
                  [](std::string_view text) { exercise(*io::parseGraph(text, kWhere).graph); });
}

int fuzzGraphText(const std::uint8_t* data, std::size_t size) {
    return answer(data, size, [](std::string_view text) {
        const auto graph = io::parseGraphText(text, kWhere).graph;
        exercise(*graph);
        requireSame(*graph, *io::parseGraphText(io::writeGraphText(*graph), kWhere).graph);
    });
}

int fuzzGraphJson(const std::uint8_t* data, std::size_t size) {
    return answer(data, size,
                  [](std::string_view text) { exercise(*io::parseGraphJson(text, kWhere).graph); });
}

int fuzzStg(const std::uint8_t* data, std::size_t size) {
    return answerGraph(data, size, io::parseStg);
}

int fuzzSaga(const std::uint8_t* data, std::size_t size) {
    return answerGraph(data, size, [](std::string_view text, const std::string& where) {
        const io::JsonDocument document = io::parseJson(text, where);
        return io::readSaga(io::JsonField(document), where);
    });
}

int fuzzWfFormat(const std::uint8_t* data, std::size_t size) {
    return answerGraph(data, size, [](std::string_view text, const std::string& where) {
        const io::JsonDocument document = io::parseJson(text, where);
        return io::readWfFormat(io::JsonField(document), where);
    });
}

int fuzzDot(const std::uint8_t* data, std::size_t size) {
    return answerGraph(data, size, io::parseDotGraph);
}

int fuzzDax(const std::uint8_t* data, std::size_t size) {
    return answerGraph(data, size, io::parseDax);
}

int fuzzGraphMl(const std::uint8_t* data, std::size_t size) {
    return answerGraph(data, size, io::parseGraphMl);
}

int fuzzOnnx(const std::uint8_t* data, std::size_t size) {
    return answerGraph(data, size, [](std::string_view bytes, const std::string& where) {
        return io::parseOnnx(bytes, where);
    });
}

int fuzzChakra(const std::uint8_t* data, std::size_t size) {
    return answerGraph(data, size, io::parseChakra);
}

int fuzzChakraJson(const std::uint8_t* data, std::size_t size) {
    return answerGraph(data, size, [](std::string_view text, const std::string& where) {
        const std::string joined = io::joinedJsonObjects(text);
        const io::JsonDocument document = io::parseJson(joined.empty() ? text : joined, where);
        return io::readChakraJson(io::JsonField(document), where);
    });
}

int fuzzTrace(const std::uint8_t* data, std::size_t size) {
    return answer(data, size, [](std::string_view text) {
        const std::optional<io::ReadTrace> trace = io::parseTrace(text, kWhere);
        if (!trace) {
            return;
        }
        const io::TraceTimeline& timeline = *trace->timeline;
        std::map<std::pair<std::int32_t, std::int32_t>, Time> rowEnds;
        for (const io::TraceSpan& span : timeline.spans) {
            require(span.start >= 0 && span.start <= span.end && span.end <= timeline.length,
                    "a span outside its timeline");
            if (span.row < io::kMostTraceRows) {
                Time& end = rowEnds[{span.lane, span.row}];
                require(span.start >= end, "two spans at once in one row");
                end = span.end;
            }
        }
        for (const io::TraceLane& lane : timeline.lanes) {
            require(lane.busy >= 0 && lane.busy <= timeline.length, "a lane busier than possible");
        }
    });
}

int fuzzGzip(const std::uint8_t* data, std::size_t size) {
    return answer(data, size, [](std::string_view bytes) { io::gunzip(bytes, kWhere); });
}

int fuzzCluster(const std::uint8_t* data, std::size_t size) {
    return answer(data, size, [](std::string_view text) {
        const auto cluster = io::parseClusterJson(text, kWhere);
        require(*io::parseClusterJson(io::writeClusterJson(*cluster), kWhere) == *cluster,
                "a cluster changed by writing and reading");
    });
}

int fuzzAssignment(const std::uint8_t* data, std::size_t size) {
    return answer(data, size, [](std::string_view text) {
        graph::GraphBuilder builder("three");
        for (const char* name : {"a", "b", ""}) {
            builder.addOp({.name = name});
        }
        const auto graph = builder.build();
        const cluster::Cluster cluster = cluster::uniformCluster(3);
        const sim::Assignment read = io::parseAssignment(text, kWhere, *graph, cluster);
        require(io::parseAssignment(io::writeAssignmentList(read), kWhere, *graph, cluster) == read,
                "an assignment changed by writing and reading");
    });
}

int fuzzSession(const std::uint8_t* data, std::size_t size) {
    return answer(data, size, [](std::string_view text) {
        const std::string written = io::writeSession(io::parseSession(text, kWhere));
        require(io::looksLikeSession(written), "a session that does not look like one");
        require(io::writeSession(io::parseSession(written, kWhere)) == written,
                "a session changed by writing and reading");
    });
}

std::span<const FuzzTarget> fuzzTargets() {
    static constexpr std::array kTargets{
        FuzzTarget{"Graph", fuzzGraph},
        FuzzTarget{"GraphText", fuzzGraphText},
        FuzzTarget{"GraphJson", fuzzGraphJson},
        FuzzTarget{"Stg", fuzzStg},
        FuzzTarget{"Saga", fuzzSaga},
        FuzzTarget{"WfFormat", fuzzWfFormat},
        FuzzTarget{"Dot", fuzzDot},
        FuzzTarget{"Dax", fuzzDax},
        FuzzTarget{"GraphMl", fuzzGraphMl},
        FuzzTarget{"Onnx", fuzzOnnx},
        FuzzTarget{"Chakra", fuzzChakra},
        FuzzTarget{"ChakraJson", fuzzChakraJson},
        FuzzTarget{"Trace", fuzzTrace},
        FuzzTarget{"Gzip", fuzzGzip},
        FuzzTarget{"Cluster", fuzzCluster},
        FuzzTarget{"Assignment", fuzzAssignment},
        FuzzTarget{"Session", fuzzSession},
    };
    return kTargets;
}

} // namespace doppler::tests
