#include "core/io/Csv.h"

#include <charconv>
#include <string_view>
#include <vector>

#include "core/io/MessageText.h"

namespace doppler::io {

namespace {

std::string row(const std::vector<std::string>& cells) {
    std::string text;
    for (const std::string& cell : cells) {
        text += csvCell(cell) + ",";
    }
    text.back() = '\n';
    return text;
}

std::string dimensions(std::span<const std::int64_t> shape) {
    std::string text;
    for (const std::int64_t dimension : shape) {
        text += (text.empty() ? "" : "x") + std::to_string(dimension);
    }
    return text;
}

} // namespace

namespace {

bool looksLikeFormula(const std::string& text) {
    if (text.empty() || std::string_view("=+-@").find(text.front()) == std::string_view::npos) {
        return false;
    }
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return stop != end || error != std::errc();
}

} // namespace

std::string csvCell(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos && !looksLikeFormula(text)) {
        return text;
    }
    std::string quoted = "\"";
    for (const char c : text) {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted + "\"";
}

std::string writeOpCsv(const graph::Graph& graph) {
    const std::string unit = graph.fileCostUnit() == graph::FileCostUnit::Units ? "_units" : "_ns";
    std::string text =
        row({"op", "name", "kind", "operator", "group", "shape", "dtype", "flops", "output_bytes",
             "bytes_touched", "estimated", "compute" + unit, "transfer" + unit});
    const bool transfers =
        graph.hasFileCosts() && graph.fileCostUnit() != graph::FileCostUnit::NanosecondsAndBytes;
    for (OpId op = 0; op < graph.opCount(); ++op) {
        const std::string group =
            graph.group(op) < 0 ? ""
                                : graph.groupNames()[static_cast<std::size_t>(graph.group(op))];
        const bool typed = graph.dtype(op) != graph::DType::Unknown;
        text += row({std::to_string(op), graph.opName(op), std::string(graph::name(graph.kind(op))),
                     std::string(graph.kindName(op)), group, dimensions(graph.shape(op)),
                     typed ? std::string(graph::name(graph.dtype(op))) : "",
                     std::to_string(graph.flops(op)), std::to_string(graph.outputBytes(op)),
                     std::to_string(graph.bytesTouched(op)), graph.costEstimated(op) ? "yes" : "no",
                     graph.hasFileCosts() ? std::to_string(graph.fileCompute(op)) : "",
                     transfers ? std::to_string(graph.fileTransfer(op)) : ""});
    }
    return toUtf8(text);
}

std::string writeIntervalCsv(const sim::Problem& problem, const sim::Timeline& timeline,
                             const TimelineSource& source) {
    const std::string unit = problem.costs->unit() == cost::TimeUnit::Units ? "_units" : "_ns";
    const auto withSource = [&](std::vector<std::string> cells, const std::string& last) {
        if (!source.runtime.empty()) {
            cells.push_back(last);
        }
        return row(cells);
    };
    std::string text = withSource({"what", "op", "name", "device", "to", "slot", "ready" + unit,
                                   "start" + unit, "end" + unit, "cause"},
                                  "runtime");
    for (const sim::Interval& interval : timeline.intervals) {
        const bool transfer = interval.isTransfer();
        text += withSource({transfer ? "transfer" : "op", std::to_string(interval.op),
                            problem.graph->opName(interval.op),
                            problem.cluster->device(interval.device).name,
                            transfer ? problem.cluster->device(interval.to).name : "",
                            transfer ? "" : std::to_string(interval.slot),
                            std::to_string(interval.ready), std::to_string(interval.start),
                            std::to_string(interval.end), std::string(sim::name(interval.cause))},
                           source.runtime);
    }
    return toUtf8(text);
}

} // namespace doppler::io
