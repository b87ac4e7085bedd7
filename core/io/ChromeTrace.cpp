#include "core/io/ChromeTrace.h"

#include <algorithm>
#include <map>

#include "core/io/JsonText.h"

namespace doppler::io {

using sim::Interval;
using sim::Problem;
using sim::Timeline;

namespace {

std::size_t at(std::int32_t id) {
    return static_cast<std::size_t>(id);
}

/// Microseconds with the nanoseconds as decimals: exact, as no double is.
std::string microseconds(Time ns) {
    constexpr Time kNsPerMicrosecond = 1000;
    std::string decimals = std::to_string(ns % kNsPerMicrosecond);
    decimals.insert(0, 3 - decimals.size(), '0');
    return std::to_string(ns / kNsPerMicrosecond) + "." + decimals;
}

/// Where an interval is drawn: process = device, thread = lane.
struct Row {
    DeviceId process = 0;
    int thread = 0;
};

/// Gives each interval a row without overlap. Compute slots are rows as they are; transfers
/// between one pair may run at once, and then take further rows of that pair.
class Rows {
public:
    Rows(const Problem& problem, const Timeline& timeline) {
        for (const Interval& interval : timeline.intervals) {
            if (!interval.isTransfer()) {
                const int slots = problem.cluster->device(interval.device).slots;
                rows_.push_back({interval.device, interval.slot});
                name(rows_.back(),
                     slots == 1 ? "compute" : "compute slot " + std::to_string(interval.slot));
                continue;
            }
            std::vector<Time>& lanes = busyUntil_[{interval.device, interval.to}];
            auto lane = std::find_if(lanes.begin(), lanes.end(),
                                     [&](Time end) { return end <= interval.start; });
            if (lane == lanes.end()) {
                lane = lanes.insert(lanes.end(), 0);
            }
            *lane = interval.end;
            const auto index = static_cast<int>(lane - lanes.begin());
            rows_.push_back({interval.device, threadOf(interval, index)});
            name(rows_.back(), "to " + problem.cluster->device(interval.to).name +
                                   (index == 0 ? "" : " (" + std::to_string(index + 1) + ")"));
        }
    }

    const Row& row(std::size_t interval) const { return rows_[interval]; }
    const std::map<std::pair<DeviceId, int>, std::string>& names() const { return names_; }

private:
    // Threads are numbered so that a viewer lists compute first, then links by receiver.
    static int threadOf(const Interval& interval, int index) {
        constexpr int kFirstLink = 1'000;
        constexpr int kLanesPerPair = 100'000;
        return kFirstLink + interval.to * kLanesPerPair + std::min(index, kLanesPerPair - 1);
    }

    void name(const Row& row, const std::string& text) {
        names_.try_emplace({row.process, row.thread}, text);
    }

    std::vector<Row> rows_;
    std::map<std::pair<DeviceId, DeviceId>, std::vector<Time>> busyUntil_;
    std::map<std::pair<DeviceId, int>, std::string> names_;
};

/// The events as JSON rows.
class TraceWriter {
public:
    TraceWriter(const Problem& problem, const Timeline& timeline, const TimelineSource& source)
        : problem_(problem), timeline_(timeline), source_(source), rows_(problem, timeline) {}

    std::string write() {
        text_.member("displayTimeUnit", "ns");
        const bool units = problem_.costs->unit() == cost::TimeUnit::Units;
        OrderedJson facts = {
            {"graph", problem_.graph->name()},
            {"cluster", problem_.cluster->name()},
            {"time", units ? "the file's own units, written as nanoseconds" : "nanoseconds"}};
        if (!source_.runtime.empty()) {
            facts["runtime"] = source_.runtime;
            facts["emulated"] = source_.emulated;
        }
        if (!source_.notes.empty()) {
            facts["notes"] = source_.notes;
        }
        text_.member("otherData", facts);
        text_.beginList("traceEvents");
        writeNames();
        for (std::size_t i = 0; i < timeline_.intervals.size(); ++i) {
            writeSlice(i);
        }
        for (std::size_t i = 0; i < timeline_.intervals.size(); ++i) {
            if (timeline_.intervals[i].isTransfer()) {
                writeFlows(i);
            }
        }
        text_.endList();
        return text_.finish();
    }

private:
    void writeNames() {
        for (DeviceId device = 0; device < problem_.deviceCount(); ++device) {
            text_.element({{"ph", "M"},
                           {"pid", device},
                           {"name", "process_name"},
                           {"args", {{"name", problem_.cluster->device(device).name}}}});
            text_.element({{"ph", "M"},
                           {"pid", device},
                           {"name", "process_sort_index"},
                           {"args", {{"sort_index", device}}}});
        }
        for (const auto& [row, name] : rows_.names()) {
            text_.element({{"ph", "M"},
                           {"pid", row.first},
                           {"tid", row.second},
                           {"name", "thread_name"},
                           {"args", {{"name", name}}}});
            text_.element({{"ph", "M"},
                           {"pid", row.first},
                           {"tid", row.second},
                           {"name", "thread_sort_index"},
                           {"args", {{"sort_index", row.second}}}});
        }
    }

    /// `"ph": ..., "pid": ..., "tid": ..., "ts": ...`, the start of every event with a time.
    std::string head(const char* phase, const Row& row, Time time) const {
        return std::string("{\"ph\":\"") + phase + "\",\"pid\":" + std::to_string(row.process) +
               ",\"tid\":" + std::to_string(row.thread) + ",\"ts\":" + microseconds(time);
    }

    void writeSlice(std::size_t index) {
        const Interval& interval = timeline_.intervals[index];
        const graph::Graph& graph = *problem_.graph;
        OrderedJson arguments;
        arguments["op"] = interval.op;
        arguments["kind"] = graph.kindName(interval.op);
        arguments["ready"] = interval.ready;
        arguments["cause"] = sim::name(interval.cause);
        if (interval.isTransfer()) {
            arguments["bytes"] = interval.edge == kNoEdge ? graph.outputBytes(interval.op)
                                                          : graph.edgeBytes(interval.edge);
        }
        text_.rawElement(head("X", rows_.row(index), interval.start) +
                         ",\"dur\":" + microseconds(interval.end - interval.start) +
                         ",\"cat\":" + (interval.isTransfer() ? "\"transfer\"" : "\"op\"") +
                         ",\"name\":" + jsonRow(graph.opName(interval.op)) +
                         ",\"args\":" + jsonRow(arguments) + "}");
    }

    void writeFlow(std::size_t from, std::size_t to) {
        const std::string tail =
            ",\"cat\":\"data\",\"name\":\"data\",\"id\":" + std::to_string(++lastFlow_) +
            ",\"bp\":\"e\"}";
        text_.rawElement(head("s", rows_.row(from), timeline_.intervals[from].start) + tail);
        text_.rawElement(head("f", rows_.row(to), timeline_.intervals[to].start) + tail);
    }

    /// Arrows from the producer to the transfer and on to everyone who reads what it brought.
    void writeFlows(std::size_t index) {
        const Interval& transfer = timeline_.intervals[index];
        const graph::Graph& graph = *problem_.graph;
        if (const std::int32_t producer = executionOf(transfer.op); producer >= 0) {
            writeFlow(at(producer), index);
        }
        for (EdgeId edge = graph.firstOutEdge(transfer.op); edge < graph.endOutEdge(transfer.op);
             ++edge) {
            const std::int32_t reader = executionOf(graph.target(edge));
            const bool own = transfer.edge == kNoEdge || transfer.edge == edge;
            if (own && reader >= 0 && timeline_.intervals[at(reader)].device == transfer.to) {
                writeFlow(index, at(reader));
            }
        }
    }

    std::int32_t executionOf(OpId op) const {
        return at(op) < timeline_.executionOf.size() ? timeline_.executionOf[at(op)] : -1;
    }

    const Problem& problem_;
    const Timeline& timeline_;
    const TimelineSource& source_;
    Rows rows_;
    JsonText text_;
    std::int64_t lastFlow_ = 0;
};

OrderedJson intervalJson(const Interval& interval) {
    OrderedJson json;
    json["op"] = interval.op;
    json["device"] = interval.device;
    if (interval.isTransfer()) {
        json["to"] = interval.to;
    } else {
        json["slot"] = interval.slot;
    }
    if (interval.edge != kNoEdge) {
        json["edge"] = interval.edge;
    }
    json["ready"] = interval.ready;
    json["start"] = interval.start;
    json["end"] = interval.end;
    json["cause"] = sim::name(interval.cause);
    if (interval.causeInterval >= 0) {
        json["causeInterval"] = interval.causeInterval;
    }
    if (interval.lastInput >= 0) {
        json["lastInput"] = interval.lastInput;
    }
    return json;
}

} // namespace

std::string writeChromeTrace(const Problem& problem, const Timeline& timeline,
                             const TimelineSource& source) {
    return TraceWriter(problem, timeline, source).write();
}

std::string writeTimelineJson(const Problem& problem, const Timeline& timeline,
                              const TimelineSource& source) {
    JsonText text;
    text.member("format", "doppler-timeline/1");
    text.member("graph", problem.graph->name());
    if (!source.runtime.empty()) {
        text.member("runtime", source.runtime);
        text.member("emulated", source.emulated);
    }
    if (!source.notes.empty()) {
        text.member("notes", source.notes);
    }
    text.member("unit", cost::name(problem.costs->unit()));
    text.member("makespan", timeline.makespan);
    OrderedJson devices = OrderedJson::array();
    for (const cluster::Device& device : problem.cluster->devices()) {
        devices.push_back(device.name);
    }
    text.member("devices", devices);
    text.member("peakMemory", timeline.peakMemory);
    text.beginList("intervals");
    for (const Interval& interval : timeline.intervals) {
        text.element(intervalJson(interval));
    }
    text.endList();
    return text.finish();
}

} // namespace doppler::io
