#include "app/cli/Output.h"

#include <algorithm>
#include <iostream>

#include "core/cost/FormatQuantity.h"
#include "core/io/Csv.h"
#include "core/sim/SimOptionNames.h"

namespace doppler::cli {

namespace {

/// Characters that a terminal shows: UTF-8 continuation bytes do not count.
std::size_t shownWidth(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

std::string padded(const std::string& text, std::size_t width, bool toTheRight) {
    const std::string space(width - std::min(width, shownWidth(text)), ' ');
    return toTheRight ? space + text : text + space;
}

} // namespace

void printJson(const Json& json) {
    // Names of a file need not be valid UTF-8; what is not is replaced, never a failure.
    std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

Json problemJson(const sim::Problem& problem, const io::ImportReport& report) {
    return {{"graph", problem.graph->name()},
            {"nodes", problem.opCount()},
            {"edges", problem.graph->edgeCount()},
            {"cluster", problem.cluster->name()},
            {"devices", problem.deviceCount()},
            {"costs", cost::name(problem.costs->model())},
            {"mode", sim::name(problem.options.mode)},
            {"unit", cost::name(problem.costs->unit())},
            {"report", report.notes}};
}

Json boundJson(const sim::Bound& bound) {
    return bound.value > 0 ? Json(bound.value) : Json();
}

Json gapJson(Time makespan, const sim::Bound& bound) {
    return bound.value > 0 ? Json(sim::gap(makespan, bound.value)) : Json();
}

std::string problemLine(const sim::Problem& problem) {
    const sim::SimOptions& options = problem.options;
    std::string line = problem.graph->name() + " (" + cost::formatCount(problem.opCount()) +
                       " ops, " + cost::formatCount(problem.graph->edgeCount()) + " edges) on " +
                       problem.cluster->name() + " (" + std::to_string(problem.deviceCount()) +
                       " devices), " + std::string(cost::name(problem.costs->model())) + " costs, ";
    if (options == sim::SimOptions::published()) {
        return line + "published simulator";
    }
    if (options == sim::SimOptions{}) {
        return line + "default simulator";
    }
    return line + "own simulator options";
}

std::string TextTable::terminal() const {
    std::vector<std::size_t> widths;
    for (const Column& column : columns_) {
        widths.push_back(shownWidth(column.title));
    }
    for (const auto& row : rows_) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], shownWidth(row[i]));
        }
    }
    std::string text;
    const auto addLine = [&](const auto& cellAt) {
        std::string line;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            line += (i == 0 ? "" : "  ") + padded(cellAt(i), widths[i], columns_[i].number);
        }
        text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    };
    addLine([&](std::size_t i) { return columns_[i].title; });
    for (const auto& row : rows_) {
        addLine([&](std::size_t i) { return row[i]; });
    }
    return text;
}

std::string TextTable::markdown() const {
    std::string titles = "|";
    std::string rule = "|";
    for (const Column& column : columns_) {
        titles += " " + column.title + " |";
        rule += column.number ? " ---: |" : " --- |";
    }
    std::string text = titles + '\n' + rule + '\n';
    for (const auto& row : rows_) {
        text += "|";
        for (const std::string& cell : row) {
            text += " " + cell + " |";
        }
        text += '\n';
    }
    return text;
}

std::string TextTable::csv() const {
    std::string text;
    const auto addLine = [&](const auto& cellAt) {
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            text += (i == 0 ? "" : ",") + io::csvCell(cellAt(i));
        }
        text += '\n';
    };
    addLine([&](std::size_t i) { return columns_[i].title; });
    for (const auto& row : rows_) {
        addLine([&](std::size_t i) { return row[i]; });
    }
    return text;
}

} // namespace doppler::cli
