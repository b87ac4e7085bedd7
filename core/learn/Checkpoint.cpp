#include "core/learn/Checkpoint.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "core/graph/InputError.h"
#include "core/io/Checksum.h"
#include "core/io/Formats.h"
#include "core/io/JsonField.h"
#include "core/io/JsonText.h"
#include "core/learn/DeviceFeatureNames.h"
#include "core/learn/GraphFeatures.h"
#include "core/learn/TrainOptionsJson.h"

namespace doppler::learn {

namespace {

constexpr std::string_view kMagic = "doppler-checkpoint/3\n";
constexpr std::string_view kMagicWithoutBest = "doppler-checkpoint/2\n";
constexpr std::string_view kMagicWithoutChecksum = "doppler-checkpoint/1\n";
static_assert(kMagic.size() == kMagicWithoutBest.size() &&
              kMagic.size() == kMagicWithoutChecksum.size());
static_assert(std::endian::native == std::endian::little, "weights are written as they lie");

io::OrderedJson recordJson(const SavedRecord& record) {
    return {{"makespan", record.makespan},
            {"by", std::string(name(record.by))},
            {"assignment", record.assignment}};
}

io::OrderedJson elitesJson(const std::vector<Elite>& elites) {
    io::OrderedJson json = io::OrderedJson::array();
    for (const Elite& each : elites) {
        json.push_back(
            {{"makespan", each.makespan}, {"order", each.order}, {"assignment", each.assignment}});
    }
    return json;
}

io::OrderedJson problemJson(const SavedProblem& problem) {
    return {{"graph", problem.graph},
            {"hash", problem.hash},
            {"best", recordJson(problem.best)},
            {"policy", recordJson(problem.policy)},
            {"greedy", recordJson(problem.greedy)},
            {"teacher", problem.teacher},
            {"runningMean", problem.baseline.mean},
            {"runningSquare", problem.baseline.square},
            {"runningEpisodes", problem.baseline.episodes},
            {"elites", elitesJson(problem.elites)},
            {"imitated", elitesJson(problem.imitated)},
            {"evaluator", problem.evaluator},
            {"kept", problem.kept}};
}

io::OrderedJson progressJson(const SavedProgress& progress) {
    return {{"stage", progress.stage},
            {"stageUpdates", progress.stageUpdates},
            {"stageEpisodes", progress.stageEpisodes},
            {"updates", progress.updates},
            {"episodes", progress.episodes},
            {"seconds", progress.seconds},
            {"smoothed", progress.smoothed},
            {"bestSmoothed", progress.bestSmoothed},
            {"bestSum", progress.bestSum},
            {"improvedAt", progress.improvedAt},
            {"agreedInARow", progress.agreedInARow},
            {"onSystem", progress.onSystem},
            {"finished", progress.finished},
            {"episodesFileBytes", progress.episodesFileBytes}};
}

io::OrderedJson bestJson(const BestWeights& best) {
    if (best.weights.empty()) {
        return nullptr;
    }
    return {{"score", best.score}, {"update", best.update}};
}

io::OrderedJson networkJson(const TrainOptions& options) {
    const NetworkShape shape = networkShape(options);
    io::OrderedJson weights = io::OrderedJson::array();
    for (const Weight& weight : shape.weights) {
        weights.push_back({weight.name, weight.rows, weight.columns});
    }
    return {{"opFeatures", nodeFeatureNames(options.extendedFeatures)},
            {"deviceFeatures", deviceFeatureNames()},
            {"weights", std::move(weights)}};
}

std::vector<std::int32_t> readIds(const io::JsonField& json) {
    std::vector<std::int32_t> ids;
    for (const io::JsonField& each : json.elements()) {
        ids.push_back(each.integer32());
    }
    return ids;
}

SavedRecord readRecord(const io::JsonField& json) {
    SavedRecord record;
    record.makespan = json["makespan"].integer();
    record.assignment = readIds(json["assignment"]);
    for (const Origin origin : {Origin::Teacher, Origin::Sample, Origin::Greedy, Origin::Polish}) {
        if (json["by"].string() == name(origin)) {
            record.by = origin;
        }
    }
    return record;
}

std::vector<Elite> readElites(const io::JsonField& json) {
    std::vector<Elite> elites;
    for (const io::JsonField& each : json.elements()) {
        elites.push_back(
            {each["makespan"].integer(), readIds(each["order"]), readIds(each["assignment"])});
    }
    return elites;
}

SavedProblem readProblem(const io::JsonField& json) {
    SavedProblem problem;
    problem.graph = json["graph"].string();
    problem.hash = json["hash"].string();
    problem.best = readRecord(json["best"]);
    problem.policy = readRecord(json["policy"]);
    problem.greedy = readRecord(json["greedy"]);
    problem.teacher = json["teacher"].integer();
    problem.baseline.mean = json["runningMean"].number();
    problem.baseline.square = json["runningSquare"].number();
    // Of an earlier version, which did not count: it begins anew.
    problem.baseline.episodes = json.integerOr("runningEpisodes", 0);
    problem.elites = readElites(json["elites"]);
    problem.imitated = readElites(json["imitated"]);
    problem.evaluator = json["evaluator"].string();
    problem.kept = json["kept"].integer();
    return problem;
}

SavedProgress readProgress(const io::JsonField& json) {
    SavedProgress progress;
    progress.stage = json["stage"].integer32();
    progress.stageUpdates = json["stageUpdates"].integer();
    progress.stageEpisodes = json["stageEpisodes"].integer();
    progress.updates = json["updates"].integer();
    progress.episodes = json["episodes"].integer();
    progress.seconds = json["seconds"].number();
    progress.smoothed = json["smoothed"].number();
    progress.bestSmoothed = json["bestSmoothed"].number();
    progress.bestSum = json["bestSum"].number();
    progress.improvedAt = json["improvedAt"].integer();
    progress.agreedInARow = json["agreedInARow"].integer();
    progress.onSystem = json["onSystem"].boolean();
    progress.finished = json["finished"].boolean();
    progress.episodesFileBytes = json["episodesFileBytes"].integer();
    return progress;
}

void checkNetwork(const io::JsonField& found, const TrainOptions& options,
                  const std::string& where) {
    const io::OrderedJson expected = networkJson(options);
    const io::Json json = found.json();
    const io::Json wanted = io::Json::parse(expected.dump());
    for (const char* key : {"opFeatures", "deviceFeatures", "weights"}) {
        if (!json.contains(key) || json[key] != wanted[key]) {
            throw InputError(where + ": its network is not the one that this program builds",
                             std::string(key) + " " +
                                 (json.contains(key) ? json[key].dump() : "none").substr(0, 200),
                             wanted[key].dump().substr(0, 200));
        }
    }
}

void append(std::string& text, const std::vector<float>& values) {
    text.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
}

std::vector<float> takeFloats(std::string_view& bytes, std::size_t count) {
    std::vector<float> values(count);
    std::memcpy(values.data(), bytes.data(), count * sizeof(float));
    bytes.remove_prefix(count * sizeof(float));
    return values;
}

/// Takes a line that holds a number and nothing else.
std::size_t takeNumber(std::string_view& bytes, const std::string& where) {
    const std::size_t line = std::min(bytes.find('\n'), bytes.size());
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(bytes.data(), bytes.data() + line, number);
    if (line == bytes.size() || error != std::errc() || end != bytes.data() + line) {
        io::failAsDamaged(where, "no number in one of its first lines");
    }
    bytes.remove_prefix(line + 1);
    return number;
}

bool finite(const std::vector<float>& values) {
    return std::all_of(values.begin(), values.end(),
                       [](float each) { return std::isfinite(each); });
}

/// FNV-1a over numbers.
class Digest {
public:
    void add(std::uint64_t value) {
        for (int i = 0; i < 8; ++i) {
            state_ = (state_ ^ ((value >> (8 * i)) & 0xffU)) * 0x100000001b3ULL;
        }
    }
    void add(std::int64_t value) { add(static_cast<std::uint64_t>(value)); }
    void add(int value) { add(static_cast<std::uint64_t>(static_cast<std::int64_t>(value))); }
    std::uint64_t value() const { return state_; }

private:
    std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

} // namespace

void checkNetworkSize(const TrainOptions& options) {
    if (options.hidden < 8 || options.hidden > 1024 || options.hidden % 8 != 0) {
        throw InputError("hidden size", std::to_string(options.hidden),
                         "a multiple of 8 from 8 to 1024");
    }
    if (options.layers < 0 || options.layers > 16) {
        throw InputError("layers", std::to_string(options.layers), "0 to 16");
    }
}

NetworkShape networkShape(const TrainOptions& options) {
    return {options.hidden, options.layers,
            static_cast<int>(nodeFeatureNames(options.extendedFeatures).size())};
}

void writeCheckpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
    io::OrderedJson header = {{"programVersion", checkpoint.programVersion},
                              {"seed", checkpoint.seed},
                              {"adamSteps", checkpoint.adamSteps},
                              {"network", networkJson(checkpoint.options)},
                              {"options", toJson(checkpoint.options)},
                              {"progress", progressJson(checkpoint.progress)},
                              {"bestWeights", bestJson(checkpoint.best)},
                              {"problems", io::OrderedJson::array()}};
    for (const SavedProblem& problem : checkpoint.problems) {
        header["problems"].push_back(problemJson(problem));
    }
    const std::string text = io::jsonRow(header);
    std::string body = std::to_string(text.size()) + "\n" + text;
    append(body, checkpoint.weights);
    append(body, checkpoint.adamMean);
    append(body, checkpoint.adamSquare);
    append(body, checkpoint.best.weights);
    io::writeFileAtomically(path, std::string(kMagic) + io::withChecksum(body));
}

Checkpoint readCheckpoint(const std::filesystem::path& path) {
    const std::string file = io::readFile(path);
    const std::string where = "checkpoint \"" + path.string() + "\"";
    std::string_view rest(file);
    const bool withChecksum = rest.starts_with(kMagic) || rest.starts_with(kMagicWithoutBest);
    if (!withChecksum && !rest.starts_with(kMagicWithoutChecksum)) {
        throw InputError(where, "a file of another format",
                         "one that starts with \"doppler-checkpoint/3\", as training writes it");
    }
    rest.remove_prefix(kMagic.size());
    if (withChecksum) {
        io::takeChecksum(rest, where);
    }
    const std::size_t size = takeNumber(rest, where);
    if (size > rest.size()) {
        io::failAsDamaged(where, "a file that is cut short");
    }
    const io::JsonDocument document = io::parseJson(rest.substr(0, size), where);
    rest.remove_prefix(size);

    const io::JsonField header(document);
    Checkpoint checkpoint;
    checkpoint.programVersion = header["programVersion"].string();
    checkpoint.seed = header["seed"].unsignedInteger();
    checkpoint.adamSteps = header["adamSteps"].integer();
    checkpoint.options = trainOptionsFromJson(header["options"]);
    checkNetworkSize(checkpoint.options);
    checkNetwork(header["network"], checkpoint.options, where);
    checkpoint.progress = readProgress(header["progress"]);
    for (const io::JsonField& problem : header["problems"].elements()) {
        checkpoint.problems.push_back(readProblem(problem));
    }
    const std::size_t weights = networkShape(checkpoint.options).size;
    const auto best = header.find("bestWeights");
    const std::size_t arrays = best ? 4 : 3;
    if (rest.size() != arrays * weights * sizeof(float)) {
        throw InputError(where, std::to_string(rest.size()) + " bytes of weights",
                         std::to_string(arrays * weights * sizeof(float)));
    }
    checkpoint.weights = takeFloats(rest, weights);
    checkpoint.adamMean = takeFloats(rest, weights);
    checkpoint.adamSquare = takeFloats(rest, weights);
    if (best) {
        checkpoint.best.score = (*best)["score"].number();
        checkpoint.best.update = (*best)["update"].integer();
        checkpoint.best.weights = takeFloats(rest, weights);
    }
    if (!finite(checkpoint.weights) || !finite(checkpoint.adamMean) ||
        !finite(checkpoint.adamSquare) || !finite(checkpoint.best.weights)) {
        io::failAsDamaged(where, "weights that are no numbers");
    }
    if (!withChecksum) {
        checkpoint.note = where + " is of an earlier version, without a checksum: damage that "
                                  "leaves it readable would not be noticed";
    }
    return checkpoint;
}

namespace {

std::string inWords(const std::string& graph, const std::string& cluster,
                    const std::string& costs) {
    return "\"" + graph + "\" on " + cluster + " with " + costs + " costs";
}

/// What run.json tells of a problem; else its name.
std::string savedInWords(const std::filesystem::path& folder, std::size_t index,
                         const SavedProblem& saved) {
    const std::filesystem::path file = folder / "run.json";
    std::error_code error;
    if (std::filesystem::exists(file, error)) {
        const io::Json run = io::Json::parse(io::readFile(file), nullptr, false);
        const io::Json problems =
            run.is_object() ? run.value("problems", io::Json::array()) : io::Json::array();
        if (problems.is_array() && index < problems.size() && problems[index].is_object() &&
            problems[index].value("hash", io::Json()) == saved.hash) {
            const io::Json& problem = problems[index];
            const auto text = [&problem](const char* key) {
                const io::Json value = problem.value(key, io::Json());
                return value.is_string() ? value.get<std::string>() : std::string("?");
            };
            return inWords(saved.graph, text("cluster"), text("costs"));
        }
    }
    return "\"" + saved.graph + "\"";
}

} // namespace

void checkProblems(const Checkpoint& checkpoint, const std::filesystem::path& folder,
                   const std::vector<std::shared_ptr<const sim::Problem>>& problems) {
    const std::string where = "the run in \"" + folder.string() + "\"";
    if (checkpoint.problems.size() != problems.size()) {
        throw InputError(where, std::to_string(checkpoint.problems.size()) + " problems",
                         std::to_string(problems.size()));
    }
    for (std::size_t i = 0; i < problems.size(); ++i) {
        const SavedProblem& saved = checkpoint.problems[i];
        const std::string hash = problemHash(*problems[i]);
        if (saved.hash != hash) {
            const sim::Problem& problem = *problems[i];
            const std::string found = savedInWords(folder, i, saved);
            const std::string expected = inWords(problem.graph->name(), problem.cluster->name(),
                                                 std::string(cost::name(problem.costs->model())));
            throw InputError(where + " is of another problem", found,
                             expected + (found == expected ? ", with the same ops, devices, pins "
                                                             "and simulator options"
                                                           : ""));
        }
    }
}

std::string problemHash(const sim::Problem& problem) {
    const graph::Graph& graph = *problem.graph;
    const cost::CostTable& costs = *problem.costs;
    const int devices = problem.deviceCount();
    Digest digest;
    digest.add(graph.opCount());
    digest.add(graph.edgeCount());
    digest.add(devices);
    for (DeviceId device = 0; device < devices; ++device) {
        digest.add(problem.cluster->device(device).slots);
        digest.add(problem.cluster->device(device).capacityBytes);
        for (DeviceId to = 0; to < devices; ++to) {
            digest.add(device == to ? std::uint64_t{0} : costs.linkClass(device, to) + 1);
        }
    }
    for (OpId op = 0; op < graph.opCount(); ++op) {
        digest.add(problem.pin(op));
        digest.add(graph.outputBytes(op));
        for (DeviceId device = 0; device < devices; ++device) {
            digest.add(costs.compute(op, device));
        }
    }
    for (EdgeId edge = 0; edge < graph.edgeCount(); ++edge) {
        digest.add(graph.source(edge));
        digest.add(graph.target(edge));
        for (std::size_t cls = 0; devices > 1 && cls < costs.linkClasses(); ++cls) {
            digest.add(costs.transferOfClass(edge, graph.source(edge), cls));
        }
    }
    const sim::SimOptions& options = problem.options;
    digest.add(static_cast<int>(options.mode));
    digest.add(static_cast<int>(options.contention));
    digest.add(static_cast<int>(options.sharing));
    digest.add(static_cast<int>(options.choice));
    digest.add(static_cast<int>(options.memory));
    digest.add(options.cores);
    digest.add(options.seed);
    digest.add(std::bit_cast<std::uint64_t>(options.durationVariation));
    return io::hexText(digest.value());
}

} // namespace doppler::learn
