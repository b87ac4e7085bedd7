#include "core/io/TraceEvents.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/graph/InputError.h"
#include "core/io/JsonError.h"
#include "core/io/JsonField.h"
#include "core/io/ReadSteps.h"

namespace doppler::io {

namespace {

constexpr std::size_t kDeepest = 1000;

/// Keeps the few fields that matter of each event while the text is parsed: a document of a large
/// trace would take ten times its size.
class EventReader {
public:
    // The names and types below are the library's SAX interface.
    using number_integer_t = Json::number_integer_t;
    using number_unsigned_t = Json::number_unsigned_t;
    using number_float_t = Json::number_float_t;
    using string_t = Json::string_t;
    using binary_t = Json::binary_t;

    EventReader(std::string_view text, const std::string& where, const ReadMonitor* monitor)
        : text_(text), where_(where), progress_(text, monitor) {}

    TraceEvents take() { return std::move(result_); }

    bool null() { return true; }
    bool boolean(bool value) {
        if (atField() && (key_ == "flow_in" || key_ == "flow_out")) {
            (key_ == "flow_in" ? event_.flowIn : event_.flowOut) = value;
        }
        return true;
    }
    bool number_integer(number_integer_t value) { return scalar(std::to_string(value), true); }
    bool number_unsigned(number_unsigned_t value) { return scalar(std::to_string(value), true); }
    bool number_float(number_float_t, const string_t& text) { return scalar(text, true); }
    bool string(string_t& value) { return scalar(value, false); }
    bool binary(binary_t&) { return true; }

    bool start_object(std::size_t) {
        if (depth_ == eventDepth_) {
            event_ = {};
        }
        inArguments_ = inArguments_ || (depth_ == eventDepth_ + 1 && key_ == "args");
        return deeper();
    }
    bool end_object() {
        --depth_;
        if (depth_ == eventDepth_) {
            result_.events.push_back(std::move(event_));
        } else if (depth_ == eventDepth_ + 1) {
            inArguments_ = false;
        }
        return true;
    }
    bool start_array(std::size_t) {
        const bool bare = depth_ == 0;
        if (eventDepth_ == kNowhere && (bare || (depth_ == 1 && key_ == "traceEvents"))) {
            eventDepth_ = depth_ + 1;
            result_.isTrace = !bare;
        }
        return deeper();
    }
    bool end_array() {
        if (--depth_ + 1 == eventDepth_) {
            eventDepth_ = kNowhere;
        }
        return true;
    }
    bool key(string_t& key) {
        // Copying every key of every argument would be wasted.
        if (depth_ == 1 || depth_ == eventDepth_ + 1 || inArguments_) {
            key_ = key;
        }
        return true;
    }

    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception& error) {
        const bool atEnd = position == 0 || position - 1 >= text_.size();
        if (atEnd && eventDepth_ != kNowhere && !result_.events.empty()) {
            result_.brokenOff = true;
            return false;
        }
        throwBadJson(text_, where_, position, error);
    }

private:
    static constexpr std::size_t kNowhere = 1'000'000; // deeper than any text gets

    bool deeper() {
        if (++depth_ > kDeepest) {
            throw InputError(where_, "JSON nested deeper than " + std::to_string(kDeepest),
                             "less nesting");
        }
        return true;
    }

    /// Directly in an event, not deeper.
    bool atField() const { return depth_ == eventDepth_ + 1; }

    bool scalar(const std::string& value, bool isNumber) {
        progress_.step();
        if (inArguments_ && depth_ == eventDepth_ + 2) {
            if ((key_ == "name" || key_ == "labels") && !isNumber) {
                event_.label = value;
            } else if (key_ == "sort_index" && isNumber) {
                std::from_chars(value.data(), value.data() + value.size(), event_.sortIndex);
            }
        } else if (atField()) {
            field(value);
        }
        return true;
    }

    void field(const std::string& value) {
        if (key_ == "ph") {
            if (value.size() != 1) {
                throw InputError(where_ + ", event " + std::to_string(result_.events.size()),
                                 "\"ph\" of " + std::to_string(value.size()) + " letters", "one");
            }
            event_.phase = value.front();
            result_.isTrace = true;
        } else if (key_ == "name") {
            event_.name = value;
        } else if (key_ == "cat") {
            event_.category = value;
        } else if (key_ == "pid") {
            event_.process = value;
        } else if (key_ == "tid") {
            event_.thread = value;
        } else if (key_ == "id" || key_ == "bind_id") {
            event_.id = value;
        } else if (key_ == "ts") {
            event_.time = timeOf(value);
        } else if (key_ == "dur") {
            event_.duration = timeOf(value);
        }
    }

    Time timeOf(const std::string& value) const {
        const Time time = traceTime(value);
        if (time == TraceEvent::kNoTime) {
            throw InputError(where_ + ", event " + std::to_string(result_.events.size()),
                             "\"" + key_ + "\" of " + value, "microseconds");
        }
        return time;
    }

    std::string_view text_;
    const std::string& where_;
    JsonProgress progress_;
    TraceEvents result_;
    TraceEvent event_;
    std::string key_;
    std::size_t depth_ = 0;
    std::size_t eventDepth_ = kNowhere; ///< nesting at which events stand
    bool inArguments_ = false;
};

} // namespace

Time traceTime(std::string_view text) {
    // Through a double, a time stamp of today would lose its nanoseconds.
    constexpr Time kNsPerMicrosecond = 1000;
    constexpr Time kMost = std::numeric_limits<Time>::max() / 4 / kNsPerMicrosecond;
    const char* const end = text.data() + text.size();
    const bool negative = text.starts_with('-');
    Time whole = 0;
    const auto [stop, error] = std::from_chars(text.data(), end, whole);
    if (error == std::errc() && std::abs(whole) <= kMost &&
        (stop == end || (*stop == '.' && std::find_if(stop, end, [](char c) {
                                             return c == 'e' || c == 'E';
                                         }) == end))) {
        Time fraction = 0;
        Time unit = kNsPerMicrosecond / 10;
        for (const char* digit = stop == end ? end : stop + 1; digit != end; ++digit) {
            if (*digit < '0' || *digit > '9') {
                return TraceEvent::kNoTime;
            }
            fraction += (*digit - '0') * unit;
            if (unit == 0) {
                fraction += *digit >= '5' ? 1 : 0; // the first digit below a nanosecond
                break;
            }
            unit /= 10;
        }
        return whole * kNsPerMicrosecond + (negative ? -fraction : fraction);
    }
    double value = 0;
    const auto [realStop, realError] = std::from_chars(text.data(), end, value);
    if (realError != std::errc() || realStop != end || !std::isfinite(value) ||
        std::fabs(value) > static_cast<double>(kMost)) {
        return TraceEvent::kNoTime;
    }
    return std::llround(value * static_cast<double>(kNsPerMicrosecond));
}

TraceEvents parseTraceEvents(std::string_view text, const std::string& where,
                             const ReadMonitor* monitor) {
    if (text.starts_with("\xEF\xBB\xBF")) {
        text.remove_prefix(3);
    }
    EventReader reader(text, where, monitor);
    Json::sax_parse(text.begin(), text.end(), &reader);
    return reader.take();
}

} // namespace doppler::io
