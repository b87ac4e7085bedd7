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

std::string quoted(std::string_view text) {
    return '"' + std::string(text) + '"';
}

/// The text of an objective, and where it stands.
struct Source {
    std::string_view text;
    const std::string& where;

    [[noreturn]] void refuse() const { throw InputError(where, quoted(text), kGrammar); }

    /// `expected` says what a number of that range is.
    template <typename Number>
    Number number(std::string_view part, Number least, Number most, const char* expected) const {
        Number value{};
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
        if (error != std::errc() || end != part.data() + part.size() ||
            !(value >= least && value <= most)) {
            throw InputError(where, quoted(part) + " in " + quoted(text), expected);
        }
        return value;
    }
};

std::string_view name(Objective::Memory memory) {
    constexpr std::string_view kNames[] = {"hard", "penalty", "ignore"};
    return kNames[static_cast<std::size_t>(memory)];
}

void parseMeasure(std::string_view part, const Source& source, Objective& objective) {
    if (part == "makespan") {
        return;
    }
    if (part.starts_with("mean:")) {
        objective.measure = Objective::Measure::Mean;
    } else if (part.starts_with("p95:")) {
        objective.measure = Objective::Measure::Percentile95;
    } else {
        source.refuse();
    }
    static_assert(kMostRuns == 10'000);
    objective.runs = source.number<int>(part.substr(part.find(':') + 1), 1, kMostRuns,
                                        "a number of noisy runs from 1 to 10000");
}

void parseTerm(std::string_view part, const Source& source, Objective& objective) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) {
        source.refuse();
    }
    const std::string_view value = part.substr(equals + 1);
    if (part.substr(0, equals) == "traffic") {
        static_assert(kLargestWeight == 1e6);
        objective.traffic =
            source.number<double>(value, 0.0, kLargestWeight, "a weight from 0 to 1000000");
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
    source.refuse();
}

} // namespace

double noiseOf(const Objective& objective, const sim::Problem& problem) {
    if (objective.measure == Objective::Measure::Makespan) {
        return 0;
    }
    const double drawn = problem.options.durationVariation;
    return drawn > 0 ? drawn : kDefaultVariation;
}

Objective usualObjective(const sim::Problem& problem) {
    Objective objective;
    if (problem.options.durationVariation > 0) {
        objective.measure = Objective::Measure::Mean;
        objective.runs = kUsualNoisyRuns;
    }
    return objective;
}

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

std::string nameWithNoise(const Objective& objective, const sim::Problem& problem) {
    std::ostringstream text;
    text << name(objective);
    if (const double noise = noiseOf(objective, problem); noise > 0) {
        text << ", noise " << noise;
    }
    return text.str();
}

Objective parseObjective(std::string_view text, const std::string& where) {
    const Source source{text, where};
    Objective objective;
    std::size_t begin = 0;
    for (bool first = true; begin <= text.size(); first = false) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view part = text.substr(begin, end - begin);
        if (first) {
            parseMeasure(part, source, objective);
        } else {
            parseTerm(part, source, objective);
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
