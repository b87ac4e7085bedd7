#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace doppler::learn {

/// The three stages of the DOPPLER paper (section 4).
enum class Stage : std::uint8_t {
    Imitation,  ///< I: learn a teacher's choices
    Simulation, ///< II: policy gradient on the simulator's makespan
    System,     ///< III: the same on what the system evaluator measures
};

/// "imitation", "simulation", "system".
std::string_view name(Stage stage);

/// A stage and how many episodes it takes. In stage I an episode is one imitated placement.
struct StagePlan {
    Stage stage = Stage::Simulation;
    std::int64_t episodes = 0;

    bool operator==(const StagePlan&) const = default;
};

/// Reads "imitation:2000,simulation:4000". Throws InputError for an unknown or repeated stage, a
/// wrong order or a count that is none.
std::vector<StagePlan> parseStages(std::string_view text);

/// Which decisions the policy takes; the rest is the critical-path heuristic (the op of largest
/// b-level; the device of earliest start, of earliest finish on unlike devices).
enum class PolicyMode : std::uint8_t {
    Dual,    ///< SEL picks the op, PLC the device
    SelOnly, ///< PLC replaced by the heuristic
    PlcOnly, ///< SEL replaced by the heuristic
    /// One policy over pairs: op and device are picked in one step among all pairs of a candidate
    /// and a device that may be chosen for it, with SEL's score plus PLC's as the pair's.
    Joint,
};

/// "dual", "sel-only", "plc-only", "joint".
std::string_view name(PolicyMode mode);
/// Throws InputError, which lists the names.
PolicyMode parsePolicyMode(std::string_view text);

/// Who is imitated in stage I, and starts the set of elites.
enum class Teacher : std::uint8_t {
    CriticalPath,
    Annealing, ///< the general policies tuned on the problem, then annealing from the best
    General,   ///< the general policies tuned on the problem, without annealing: few-shot learning
};

/// How a policy is built and trained. The two presets are starting points; every number may be
/// changed.
struct TrainOptions {
    std::string preset = "fast";

    // The network.
    int hidden = 64;
    int layers = 2;
    /// z-scores of logarithms and the position of the op in the graph, beside the paper's five
    /// features. Without position, blocks of one operation look alike.
    bool extendedFeatures = true;
    PolicyMode mode = PolicyMode::Dual;

    std::vector<StagePlan> stages;

    // Stage I.
    Teacher teacher = Teacher::Annealing;
    int teacherPlacements = 2;   ///< how thorough a teacher that searches is
    double imitationRate = 1e-3; ///< learning rate
    bool decayImitationRate = false;

    // Stages II and III.
    int batch = 64;
    double firstRate = 1e-3;
    double lastRate = 5e-4;
    /// Updates over which the rate falls from first to last; 0: the whole stage.
    std::int64_t rateUpdates = 2000;
    double firstEpsilon = 0; ///< share of random choices, falls linearly to 0 over the stage
    double temperature = 1;
    double entropy = 0; ///< weight of the mean entropy of a decision in the objective
    double clipNorm = 1;
    /// Baseline: the batch's mean, or a running mean over updates with this share of the new value;
    /// it settles over the first 50 episodes of each graph, from which nothing is learnt.
    double runningBaseline = 0; ///< 0: the batch's mean
    int elites = 16;            ///< best distinct placements that are imitated; 0: none
    int elitesPerUpdate = 8;
    /// Stage III: measurements an episode; their median counts.
    int systemRepeats = 1;

    /// Now and then a short annealing from the best; what it finds joins the elites.
    bool polish = true;
    /// A stage ends when its mean and its best have not improved for so many updates; 0: never.
    std::int64_t patience = 1500;

    bool operator==(const TrainOptions&) const = default;
};

/// Names of the presets: "fast", "paper".
const std::vector<std::string>& presetNames();

/// Throws InputError for an unknown name.
///  - fast: batched updates, imitation of annealed placements and of its own best;
///  - paper: the DOPPLER paper's settings: single-episode updates, critical-path teacher, its five
///    features, hidden size 128, running baseline, decaying rate and epsilon. Its rate of stage II
///    is 1e-4; here it is 1e-3.
TrainOptions presetOptions(std::string_view name);

} // namespace doppler::learn
