#include "app/cli/TraceFacts.h"

#include <filesystem>
#include <iostream>

#include "core/cost/FormatQuantity.h"
#include "core/workload/Workload.h"

namespace doppler::cli {

namespace {

double share(Time part, Time whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

} // namespace

std::optional<io::ReadTrace> openTrace(const std::string& text) {
    std::error_code unreadable;
    if (workload::isWorkload(text) || !std::filesystem::is_regular_file(text, unreadable)) {
        return std::nullopt;
    }
    const std::string content = io::readFile(text);
    std::optional<io::ReadTrace> trace;
    if (io::mayBeTrace(content)) {
        trace = io::parseTrace(content, text);
    }
    if (trace) {
        for (const std::string& note : trace->report.notes) {
            std::cerr << text << ": " << note << '\n';
        }
    }
    return trace;
}

void printTraceFacts(const io::ReadTrace& trace) {
    const io::TraceTimeline& timeline = *trace.timeline;
    const auto line = [](const std::string& label, const std::string& value) {
        std::cout << label << std::string(22 - label.size(), ' ') << value << '\n';
    };
    const auto time = [](Time ns) { return cost::formatTime(ns, cost::TimeUnit::Nanoseconds); };
    line("trace", timeline.name + " (a timeline: it has no dependencies to place by)");
    line("events", cost::formatCount(timeline.events));
    line("spans", cost::formatCount(static_cast<std::int64_t>(timeline.spans.size())));
    line("lanes", cost::formatCount(static_cast<std::int64_t>(timeline.lanes.size())));
    line("length", time(timeline.length));
    line("flow events", cost::formatCount(timeline.flows));
    line("instants, counters",
         cost::formatCount(timeline.instants) + ", " + cost::formatCount(timeline.counters));
    std::cout << '\n';
    TextTable table({{"lane", false}, {"spans"}, {"rows"}, {"busy"}, {"share"}});
    for (const io::TraceLane& lane : timeline.lanes) {
        table.add({lane.name, cost::formatCount(lane.spans), cost::formatCount(lane.rows),
                   time(lane.busy), cost::formatPercent(share(lane.busy, timeline.length))});
    }
    std::cout << table.terminal();
}

Json traceJson(const io::ReadTrace& trace) {
    const io::TraceTimeline& timeline = *trace.timeline;
    Json json = {{"name", timeline.name},
                 {"format", "trace"},
                 {"timeline", true},
                 {"events", timeline.events},
                 {"spans", timeline.spans.size()},
                 {"length_ns", timeline.length},
                 {"origin_ns", timeline.origin},
                 {"flow_events", timeline.flows},
                 {"instants", timeline.instants},
                 {"counters", timeline.counters}};
    json["lanes"] = Json::array();
    for (const io::TraceLane& lane : timeline.lanes) {
        json["lanes"].push_back({{"name", lane.name},
                                 {"spans", lane.spans},
                                 {"rows", lane.rows},
                                 {"busy_ns", lane.busy}});
    }
    json["report"] = trace.report.notes;
    return json;
}

} // namespace doppler::cli
