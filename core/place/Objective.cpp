#include "core/place/Objective.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <vector>

#include "core/graph/InputError.h"

namespace doppler::place {

namespace {

constexpr int kMostRuns = 10'000;
constexpr double kLargestWeight = 1e6;
constexpr const char* kGrammar =
    "MEASURE[,memory=hard|penalty|ignore][,traffic=W], MEASURE one of makespan, mean:N, p95:N";

[[noreturn]] void refuse(std::string_view text) {
    throw InputError("objective", '"' + std::string(text) + '"', kGrammar);
}

template <typename Number>
Number number(std::string_view text, std::string_view whole, Number least, Number most) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() ||
        !(value >= least && value <= most)) {
        refuse(whole);
    }
    return value;
}

std::string_view name(Objective::Memory memory) {
    constexpr std::string_view kNames[] = {"hard", "penalty", "ignore"};
    return kNames[static_cast<std::size_t>(memory)];
}

void parseMeasure(std::string_view part, std::string_view whole, Objective& objective) {
    if (part == "makespan") {
        return;
    }
    if (part.starts_with("mean:")) {
        objective.measure = Objective::Measure::Mean;
    } else if (part.starts_with("p95:")) {
        objective.measure = Objective::Measure::Percentile95;
    } else {
        refuse(whole);
    }
    objective.runs = number<int>(part.substr(part.find(':') + 1), whole, 1, kMostRuns);
}

void parseTerm(std::string_view part, std::string_view whole, Objective& objective) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) {
        refuse(whole);
    }
    const std::string_view value = part.substr(equals + 1);
    if (part.substr(0, equals) == "traffic") {
        objective.traffic = number<double>(value, whole, 0.0, kLargestWeight);
        return;
    }
    if (part.substr(0, equals) == "memory") {
        for (const auto memory :
             {Objective::Memory::Hard, Objective::Memory::Penalty, Objective::Memory::Ignore}) {
            if (value == name(memory)) {
                objective.memory = memory;
                return;
            }
        }
    }
    refuse(whole);
}

} // namespace

std::string name(const Objective& objective) {
    std::ostringstream text;
    switch (objective.measure) {
    case Objective::Measure::Makespan:
        text << "makespan";
        break;
    case Objective::Measure::Mean:
        text << "mean:" << objective.runs;
        break;
    case Objective::Measure::Percentile95:
        text << "p95:" << objective.runs;
        break;
    }
    if (objective.memory != Objective::Memory::Hard) {
        text << ",memory=" << name(objective.memory);
    }
    if (objective.traffic > 0) {
        text << ",traffic=" << objective.traffic;
    }
    return text.str();
}

Objective parseObjective(std::string_view text) {
    Objective objective;
    std::size_t begin = 0;
    for (bool first = true; begin <= text.size(); first = false) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view part = text.substr(begin, end - begin);
        if (first) {
            parseMeasure(part, text, objective);
        } else {
            parseTerm(part, text, objective);
        }
        begin = end + 1;
    }
    return objective;
}

Time transferTime(const sim::Problem& problem, const sim::Assignment& assignment) {
    const graph::Graph& graph = *problem.graph;
    const auto deviceOf = [&](OpId op) { return assignment[static_cast<std::size_t>(op)]; };
    const bool shared = problem.options.sharing == sim::TransferSharing::PerDestination;
    std::vector<Time> copy(static_cast<std::size_t>(problem.deviceCount()), 0);
    Time sum = 0;
    for (OpId op = 0; op < graph.opCount(); ++op) {
        for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
            const DeviceId to = deviceOf(graph.target(edge));
            const Time time = problem.costs->transfer(edge, op, deviceOf(op), to);
            Time& sent = copy[static_cast<std::size_t>(to)];
            if (!shared) {
                sum += time;
            } else if (time > sent) {
                sum += time - sent;
                sent = time;
            }
        }
        for (EdgeId edge = graph.firstOutEdge(op); edge < graph.endOutEdge(op); ++edge) {
            copy[static_cast<std::size_t>(deviceOf(graph.target(edge)))] = 0;
        }
    }
    return sum;
}

} // namespace doppler::place
