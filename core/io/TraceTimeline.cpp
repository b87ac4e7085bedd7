#include "core/io/TraceTimeline.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

#include "core/io/MessageText.h"
#include "core/io/ReadMonitor.h"
#include "core/io/TaskGraph.h"
#include "core/io/TraceEvents.h"

namespace doppler::io {

namespace {

std::size_t at(std::int32_t index) {
    return static_cast<std::size_t>(index);
}

bool isTimed(const TraceEvent& event) {
    return event.time != TraceEvent::kNoTime;
}

/// What the metadata say of a process or a thread.
struct Naming {
    std::string name;
    std::string labels;
    double order = 0;
};

class TimelineBuilder {
public:
    explicit TimelineBuilder(std::vector<TraceEvent> events) : events_(std::move(events)) {}

    ReadTrace build(const std::string& where, bool brokenOff) {
        timeline_.name = graphNameOf(where);
        timeline_.events = static_cast<std::int64_t>(events_.size());
        // Files are written thread by thread, or as events end: not in order of time.
        std::stable_sort(events_.begin(), events_.end(),
                         [](const TraceEvent& a, const TraceEvent& b) { return a.time < b.time; });
        for (const TraceEvent& event : events_) {
            last_ = std::max({last_, event.time, endOf(event)});
        }
        for (const TraceEvent& event : events_) {
            take(event);
        }
        closeOpen();
        nameLanes();
        arrange();
        report(brokenOff);
        ReadTrace result;
        result.timeline = std::make_shared<const TraceTimeline>(std::move(timeline_));
        result.report.notes = std::move(notes_);
        return result;
    }

private:
    struct Lane {
        std::string process;
        std::string thread;
        std::string category; ///< of asynchronous spans
        bool async = false;
    };
    struct Open {
        std::int32_t lane = 0;
        std::int32_t name = 0;
        Time start = 0;
    };

    static Time endOf(const TraceEvent& event) {
        return event.phase == 'X' && isTimed(event) && event.duration > 0
                   ? event.time + event.duration
                   : event.time;
    }

    void take(const TraceEvent& event) {
        switch (event.phase) {
        case 'M':
            takeMetadata(event);
            return;
        case 's':
        case 't':
        case 'f':
            takeFlow(event);
            return;
        case 'i':
        case 'I':
        case 'R':
        case 'n':
        case 'T':
            ++timeline_.instants;
            return;
        case 'C':
            ++timeline_.counters;
            return;
        case 'X':
        case 'B':
        case 'E':
        case 'b':
        case 'e':
        case 'S':
        case 'F':
            if (!isTimed(event)) {
                ++untimed_;
                return;
            }
            takeSpan(event);
            return;
        default:
            ++others_;
        }
    }

    void takeSpan(const TraceEvent& event) {
        if (event.flowIn || event.flowOut) {
            ++timeline_.flows;
        }
        const bool async =
            event.phase == 'b' || event.phase == 'e' || event.phase == 'S' || event.phase == 'F';
        if (event.phase == 'X') {
            negative_ += event.duration != TraceEvent::kNoTime && event.duration < 0 ? 1 : 0;
            add({laneOf(event, false), nameOf(event.name), event.time}, endOf(event));
        } else if (event.phase == 'B') {
            open_[laneOf(event, false)].push_back(
                {laneOf(event, false), nameOf(event.name), event.time});
        } else if (event.phase == 'E') {
            endOne(open_[laneOf(event, false)], event.time);
        } else if (async && (event.phase == 'b' || event.phase == 'S')) {
            asyncOf(event).push_back({laneOf(event, true), nameOf(event.name), event.time});
        } else {
            endOne(asyncOf(event), event.time);
        }
    }

    std::vector<Open>& asyncOf(const TraceEvent& event) {
        return openAsync_[{event.process, event.category, event.id}];
    }

    void endOne(std::vector<Open>& open, Time end) {
        if (open.empty()) {
            ++endsAlone_;
            return;
        }
        add(open.back(), end);
        open.pop_back();
    }

    void add(const Open& open, Time end) {
        TraceSpan span;
        span.lane = open.lane;
        span.name = open.name;
        span.start = open.start;
        span.end = std::max(end, open.start);
        timeline_.spans.push_back(span);
    }

    void closeOpen() {
        const auto close = [this](std::vector<Open>& open) {
            for (; !open.empty(); open.pop_back()) {
                add(open.back(), last_);
                ++beginsAlone_;
            }
        };
        for (auto& [lane, open] : open_) {
            close(open);
        }
        for (auto& [key, open] : openAsync_) {
            close(open);
        }
    }

    void takeMetadata(const TraceEvent& event) {
        Naming& naming = event.name.starts_with("process_")
                             ? processes_[event.process]
                             : threads_[{event.process, event.thread}];
        if (event.name == "process_name" || event.name == "thread_name") {
            naming.name = event.label;
        } else if (event.name == "process_labels") {
            naming.labels = event.label;
        } else if (event.name == "process_sort_index" || event.name == "thread_sort_index") {
            naming.order = event.sortIndex;
        }
    }

    void takeFlow(const TraceEvent& event) {
        ++timeline_.flows;
        int& state = flows_[{event.category, event.name, event.id}];
        state |= event.phase == 's' ? 1 : event.phase == 'f' ? 2 : 0;
    }

    std::int32_t laneOf(const TraceEvent& event, bool async) {
        const auto [entry, added] =
            laneIndex_.try_emplace({event.process, async ? std::string() : event.thread,
                                    async ? event.category : std::string(), async},
                                   static_cast<std::int32_t>(lanes_.size()));
        if (added) {
            lanes_.push_back({event.process, event.thread, event.category, async});
        }
        return entry->second;
    }

    std::int32_t nameOf(const std::string& name) {
        const auto [entry, added] =
            nameIndex_.try_emplace(name, static_cast<std::int32_t>(timeline_.names.size()));
        if (added) {
            timeline_.names.push_back(toUtf8(name.empty() ? "(no name)" : name));
        }
        return entry->second;
    }

    std::string laneName(const Lane& lane) const {
        const auto process = processes_.find(lane.process);
        std::string name;
        if (process != processes_.end() && !process->second.name.empty()) {
            name = process->second.name;
            if (!process->second.labels.empty()) {
                name += " (" + process->second.labels + ")";
            }
        } else if (!lane.process.empty()) {
            name = "process " + lane.process;
        }
        if (lane.async) {
            return name + (name.empty() ? "" : ": ") +
                   (lane.category.empty() ? "async" : "async " + lane.category);
        }
        const auto thread = threads_.find({lane.process, lane.thread});
        std::string own = thread != threads_.end() && !thread->second.name.empty()
                              ? thread->second.name
                          : lane.thread.empty() ? std::string("all threads")
                                                : "thread " + lane.thread;
        own.erase(own.find_last_not_of(' ') + 1);
        return name.empty() ? own : name + ": " + own;
    }

    /// Lanes in the order the trace asks for, then as they came.
    void nameLanes() {
        const auto orderOf = [this](const Lane& lane) {
            const auto process = processes_.find(lane.process);
            const auto thread = threads_.find({lane.process, lane.thread});
            return std::pair(process == processes_.end() ? 0.0 : process->second.order,
                             thread == threads_.end() ? 0.0 : thread->second.order);
        };
        std::vector<std::int32_t> order(lanes_.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
            return orderOf(lanes_[at(a)]) < orderOf(lanes_[at(b)]);
        });
        std::vector<std::int32_t> place(lanes_.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            place[at(order[i])] = static_cast<std::int32_t>(i);
            timeline_.lanes.push_back({toUtf8(laneName(lanes_[at(order[i])]))});
        }
        for (TraceSpan& span : timeline_.spans) {
            span.lane = place[at(span.lane)];
        }
    }

    /// Origin, order, rows and busy times. What encloses a span stands above it.
    void arrange() {
        auto& spans = timeline_.spans;
        if (spans.empty()) {
            return;
        }
        const auto first =
            std::min_element(spans.begin(), spans.end(),
                             [](const auto& a, const auto& b) { return a.start < b.start; });
        timeline_.origin = first->start;
        for (TraceSpan& span : spans) {
            span.start -= timeline_.origin;
            span.end -= timeline_.origin;
            timeline_.length = std::max(timeline_.length, span.end);
        }
        std::stable_sort(spans.begin(), spans.end(), [](const TraceSpan& a, const TraceSpan& b) {
            return std::tuple(a.lane, a.start, b.end) < std::tuple(b.lane, b.start, a.end);
        });
        std::vector<Time> rowEnds;
        Time covered = 0;
        std::int32_t current = -1;
        for (TraceSpan& span : spans) {
            if (span.lane != current) {
                current = span.lane;
                rowEnds.clear();
                covered = 0;
            }
            TraceLane& lane = timeline_.lanes[at(span.lane)];
            const auto free = std::find_if(rowEnds.begin(), rowEnds.end(),
                                           [&](Time end) { return end <= span.start; });
            span.row = static_cast<std::int32_t>(free - rowEnds.begin());
            if (free != rowEnds.end()) {
                *free = span.end;
            } else if (span.row < kMostTraceRows) {
                rowEnds.push_back(span.end);
            } else {
                ++tooDeep_;
            }
            lane.rows = std::max(lane.rows, std::min(span.row + 1, kMostTraceRows));
            ++lane.spans;
            if (span.end > covered) {
                lane.busy += span.end - std::max(covered, span.start);
                covered = span.end;
            }
        }
    }

    void noteCount(std::size_t count, const std::string& thing, const std::string& what) {
        if (count > 0) {
            notes_.push_back(countNote(count, thing, what));
        }
    }

    void report(bool brokenOff) {
        if (brokenOff) {
            notes_.emplace_back("the file breaks off: what stands before that is shown");
        }
        noteCount(beginsAlone_, "begin", "without an end: lasts to the end of the trace");
        noteCount(endsAlone_, "end", "without a begin: ignored");
        noteCount(untimed_, "event", "without a time: ignored");
        noteCount(negative_, "span", "of negative duration: taken as 0");
        std::size_t noEnd = 0;
        std::size_t noStart = 0;
        for (const auto& [key, state] : flows_) {
            noEnd += (state & 2) == 0 ? 1 : 0;
            noStart += (state & 1) == 0 ? 1 : 0;
        }
        noteCount(noEnd, "flow", "without an end");
        noteCount(noStart, "flow", "without a start");
        noteCount(static_cast<std::size_t>(timeline_.flows), "flow event", "counted, not drawn");
        noteCount(tooDeep_, "span",
                  "beyond the " + std::to_string(kMostTraceRows) + " that a lane shows at once");
        noteCount(others_, "event", "of kinds that have no span: ignored");
    }

    std::vector<TraceEvent> events_;
    TraceTimeline timeline_;
    std::vector<std::string> notes_;
    std::vector<Lane> lanes_;
    std::map<std::tuple<std::string, std::string, std::string, bool>, std::int32_t> laneIndex_;
    std::unordered_map<std::string, std::int32_t> nameIndex_;
    std::map<std::string, Naming> processes_;
    std::map<std::pair<std::string, std::string>, Naming> threads_;
    std::map<std::int32_t, std::vector<Open>> open_; ///< by lane, innermost last
    std::map<std::tuple<std::string, std::string, std::string>, std::vector<Open>> openAsync_;
    std::map<std::tuple<std::string, std::string, std::string>, int> flows_; ///< 1: start, 2: end
    Time last_ = TraceEvent::kNoTime;
    std::size_t beginsAlone_ = 0;
    std::size_t endsAlone_ = 0;
    std::size_t untimed_ = 0;
    std::size_t negative_ = 0;
    std::size_t others_ = 0;
    std::size_t tooDeep_ = 0;
};

} // namespace

bool mayBeTrace(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r\n\xEF\xBB\xBF";
    const std::size_t begin = text.find_first_not_of(kBlank);
    if (begin == std::string_view::npos) {
        return false;
    }
    return (text[begin] == '{' && text.find("\"traceEvents\"") != std::string_view::npos) ||
           (text[begin] == '[' && text.find("\"ph\"") != std::string_view::npos);
}

std::optional<ReadTrace> parseTrace(std::string_view text, const std::string& where,
                                    const ReadMonitor* monitor) {
    TraceEvents events = parseTraceEvents(text, where, monitor);
    if (!events.isTrace) {
        return std::nullopt;
    }
    return TimelineBuilder(std::move(events.events)).build(where, events.brokenOff);
}

GraphOrTrace parseGraphOrTrace(std::string_view text, const std::string& where) {
    return parseGraphOrTrace(text, where, {}, nullptr);
}

GraphOrTrace parseGraphOrTrace(std::string_view text, const std::string& where,
                               const GraphDimensions& dimensions, const ReadMonitor* monitor) {
    if (mayBeTrace(text)) {
        if (std::optional<ReadTrace> trace = parseTrace(text, where, monitor)) {
            return std::move(*trace);
        }
    }
    return parseGraph(text, where, dimensions, monitor);
}

} // namespace doppler::io
