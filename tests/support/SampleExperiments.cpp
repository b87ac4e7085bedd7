#include "tests/support/SampleExperiments.h"

#include <utility>

#include "tests/support/SampleProblems.h"

namespace doppler::tests {

place::Experiment chainExperiment(std::vector<std::string> methods, int seeds) {
    place::Experiment experiment;
    experiment.problems.push_back(place::prepareProblem("chain", chainProblem()));
    experiment.methods = std::move(methods);
    experiment.seeds = seeds;
    experiment.budgetSeconds = 0.05;
    experiment.version = "1";
    return experiment;
}

void addRun(place::RunStore& store, const place::Experiment& experiment, std::size_t method,
            std::uint64_t seed, Time makespan, bool overflow) {
    place::RunRecord record;
    record.mode = std::string("wc"); // not assigned: GCC 12 takes the buffer for uninitialised
    record.unit = std::string("ns");
    record.memoryOverflow = overflow;
    record.peakMemory = overflow ? 2000 : 1000;
    record.key = experiment.key(0, method, seed);
    record.makespan = makespan;
    record.value = makespan;
    record.assignment = roundRobin(*experiment.problems[0].problem);
    store.add(record);
}

} // namespace doppler::tests
