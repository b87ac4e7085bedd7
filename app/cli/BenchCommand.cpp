#include <algorithm>
#include <iostream>

#include "app/cli/Commands.h"
#include "app/cli/Output.h"
#include "app/cli/bench/BenchRow.h"
#include "app/cli/bench/CanvasBench.h"
#include "app/cli/bench/EngineBench.h"
#include "app/cli/bench/GanttBench.h"
#include "app/cli/bench/LearnBench.h"
#include "app/cli/bench/PlacerBench.h"
#include "app/cli/bench/SimBench.h"

namespace doppler::cli {

namespace {

/// Figures that are measured together.
struct Suite {
    std::string name;
    std::vector<BenchRow> (*measure)();
};

const std::vector<Suite>& suites() {
    static const std::vector<Suite> all = {{"sim", benchSimulator},   {"engine", benchEngine},
                                           {"canvas", benchCanvas},   {"gantt", benchGantt},
                                           {"instant", benchInstant}, {"learn", benchLearning}};
    return all;
}

std::vector<std::string> suiteNames() {
    std::vector<std::string> names;
    for (const Suite& suite : suites()) {
        names.push_back(suite.name);
    }
    return names;
}

bool meets(const BenchRow& row) {
    return row.lowerIsBetter ? row.value <= row.target : row.value >= row.target;
}

Json toJson(const std::vector<BenchRow>& rows) {
    Json items = Json::array();
    for (const BenchRow& row : rows) {
        Json item = {{"name", row.name}, {"value", row.value}, {"unit", row.unit}};
        if (row.target > 0) {
            item["target"] = row.target;
            item["lower_is_better"] = row.lowerIsBetter;
            item["met"] = meets(row);
        }
        item["note"] = row.note;
        items.push_back(std::move(item));
    }
    return {{"rows", std::move(items)}};
}

std::string number(double value) {
    std::ostringstream text;
    text.precision(4);
    text << value;
    return text.str();
}

std::string toText(const std::vector<BenchRow>& rows) {
    TextTable table({{"figure", false},
                     {"measured"},
                     {"unit", false},
                     {"asked"},
                     {"", false},
                     {"note", false}});
    for (const BenchRow& row : rows) {
        const bool asked = row.target > 0;
        table.add({row.name, number(row.value), row.unit,
                   asked ? (row.lowerIsBetter ? "<= " : ">= ") + number(row.target) : "-",
                   !asked       ? ""
                   : meets(row) ? "ok"
                                : "missed",
                   row.note});
    }
    return table.terminal();
}

int measure(const std::vector<std::string>& chosen, bool json) {
    std::vector<BenchRow> rows;
    for (const Suite& suite : suites()) {
        if (std::find(chosen.begin(), chosen.end(), suite.name) != chosen.end()) {
            std::cerr << "measuring " << suite.name << '\n';
            const std::vector<BenchRow> measured = suite.measure();
            rows.insert(rows.end(), measured.begin(), measured.end());
        }
    }
    if (json) {
        printJson(toJson(rows));
    } else {
        std::cout << toText(rows);
    }
    return kDone;
}

} // namespace

void addBenchCommand(CLI::App& app, CommandRun& run) {
    struct Options {
        std::vector<std::string> suites = suiteNames();
        bool json = false;
    };
    const auto options = std::make_shared<Options>();
    CLI::App& command =
        addCommand(app, "bench", "Measure the speed of this build", "doppler bench --json");
    command.add_option("--only", options->suites, "Only these figures, separated by commas")
        ->delimiter(',')
        ->check(CLI::IsMember(suiteNames()));
    addJsonFlag(command, options->json);
    command.callback(
        [options, &run] { run = [options] { return measure(options->suites, options->json); }; });
}

} // namespace doppler::cli
