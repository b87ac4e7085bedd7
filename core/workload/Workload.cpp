#include "core/workload/Workload.h"

#include <algorithm>

#include "core/graph/InputError.h"
#include "core/workload/Generators.h"
#include "core/workload/Splitter.h"

namespace doppler::workload {

namespace {

const std::vector<Generator>& generators() {
    static const std::vector<Generator> all = [] {
        std::vector<Generator> list{chainMatmul(),        feedForward(),       llamaBlockWorkload(),
                                    llamaLayerWorkload(), mixtureOfExperts(),  inceptionV3(),
                                    rnnLanguageModel(),   neuralTranslation(), randomGraph()};
        for (Generator& generator : list) {
            generator.info.executable = static_cast<bool>(generator.program);
        }
        return list;
    }();
    return all;
}

const Generator* find(std::string_view name) {
    const auto entry =
        std::find_if(generators().begin(), generators().end(),
                     [&](const Generator& generator) { return generator.info.name == name; });
    return entry == generators().end() ? nullptr : &*entry;
}

const Generator& get(const std::string& name) {
    if (const Generator* generator = find(name)) {
        return *generator;
    }
    std::string known;
    for (const Generator& generator : generators()) {
        known += (known.empty() ? "" : ", ") + generator.info.name;
    }
    throw InputError("workload", "\"" + name + "\"", "one of " + known);
}

/// Refuses programs whose totals (FLOPs, published costs) would not fit 64 bits, or whose blocks
/// would not fit memory.
void checkSize(const TensorProgram& program) {
    constexpr double kMostWork = 1e18;
    constexpr double kMostBlocks = 1e7;
    double work = 0;
    double blocks = 0;
    for (const Tensor& tensor : program.tensors) {
        const auto count = static_cast<double>(tensor.blockCount());
        blocks += count;
        // Published costs are the whole operation's on each block, transfers four times that.
        work += static_cast<double>(graph::elementCount(tensor.fullShape)) *
                (program.publishedCosts ? 4 * count : 2);
    }
    const std::string where = "workload \"" + program.name + "\"";
    if (work > kMostWork) {
        throw InputError(where, "sizes with costs beyond 10^18", "smaller sizes");
    }
    if (blocks > kMostBlocks) {
        throw InputError(where, "sizes that make more than 10,000,000 ops", "smaller sizes");
    }
}

std::shared_ptr<const SplitProgram> build(const Generator& generator,
                                          const ParameterReader& parameters) {
    TensorProgram program = generator.program(parameters);
    checkSize(program);
    return split(std::move(program));
}

} // namespace

const std::vector<WorkloadInfo>& workloads() {
    static const std::vector<WorkloadInfo> all = [] {
        std::vector<WorkloadInfo> infos;
        for (const Generator& generator : generators()) {
            infos.push_back(generator.info);
        }
        return infos;
    }();
    return all;
}

bool isWorkload(std::string_view text) {
    return find(text.substr(0, text.find(':'))) != nullptr;
}

std::pair<std::string, Parameters> parseWorkload(std::string_view text) {
    const std::size_t colon = text.find(':');
    std::pair<std::string, Parameters> parsed{std::string(text.substr(0, colon)), {}};
    if (colon == std::string_view::npos) {
        return parsed;
    }
    const std::string where = "workload \"" + std::string(text) + "\"";
    std::string_view rest = text.substr(colon + 1);
    while (!rest.empty()) {
        const std::size_t comma = rest.find(',');
        const std::string_view item = rest.substr(0, comma);
        const std::size_t equals = item.find('=');
        if (equals == std::string_view::npos || equals == 0) {
            throw InputError(where, "\"" + std::string(item) + "\"",
                             "key=value, with a comma between two of them");
        }
        const std::string key(item.substr(0, equals));
        if (!parsed.second.emplace(key, item.substr(equals + 1)).second) {
            throw InputError(where, "\"" + key + "\" twice", "each parameter once");
        }
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
    return parsed;
}

std::shared_ptr<const SplitProgram> generateProgram(const std::string& name,
                                                    const Parameters& parameters) {
    const Generator& generator = get(name);
    const ParameterReader reader(generator.info, parameters);
    return generator.program ? build(generator, reader) : nullptr;
}

std::shared_ptr<const SplitProgram> generateProgram(std::string_view text) {
    const auto [name, parameters] = parseWorkload(text);
    return generateProgram(name, parameters);
}

std::shared_ptr<const graph::Graph> generate(const std::string& name,
                                             const Parameters& parameters) {
    const Generator& generator = get(name);
    const ParameterReader reader(generator.info, parameters);
    return generator.program ? build(generator, reader)->graph : generator.graph(reader);
}

std::shared_ptr<const graph::Graph> generate(std::string_view text) {
    const auto [name, parameters] = parseWorkload(text);
    return generate(name, parameters);
}

} // namespace doppler::workload
