#include "core/place/Registry.h"

#include <chrono>

#include "core/cost/FormatQuantity.h"
#include "core/graph/InputError.h"
#include "core/place/MemoryNotes.h"
#include "core/place/PlacerEntry.h"
#include "core/place/SearchEvaluator.h"

// The one list of placers, in the order they are shown: the name of the function in a placer's file
// that returns its entry.
#define DOPPLER_PLACERS(PLACER)                                                                    \
    PLACER(instantPlacer)                                                                          \
    PLACER(singlePlacer)                                                                           \
    PLACER(randomPlacer)                                                                           \
    PLACER(roundRobinPlacer)                                                                       \
    PLACER(criticalPathPlacer)                                                                     \
    PLACER(heftPlacer)                                                                             \
    PLACER(cpopPlacer)                                                                             \
    PLACER(peftPlacer)                                                                             \
    PLACER(mTopoPlacer)                                                                            \
    PLACER(mEtfPlacer)                                                                             \
    PLACER(mSctPlacer)                                                                             \
    PLACER(minCutPlacer)                                                                           \
    PLACER(dmdaPlacer)                                                                             \
    PLACER(enumerativePlacer)                                                                      \
    PLACER(mcmcPlacer)                                                                             \
    PLACER(tabuPlacer)                                                                             \
    PLACER(linearEsPlacer)                                                                         \
    PLACER(exactPlacer)                                                                            \
    PLACER(annealPlacer)

namespace doppler::place {

#define DECLARE(name) PlacerEntry name();
DOPPLER_PLACERS(DECLARE)
#undef DECLARE

namespace {

#define CALL(name) name(),
const std::vector<PlacerEntry>& entries() {
    static const std::vector<PlacerEntry> all = {DOPPLER_PLACERS(CALL)};
    return all;
}
#undef CALL

class FunctionPlacer : public Placer {
public:
    explicit FunctionPlacer(PlaceResult (*function)(const PlaceRequest&)) : function_(function) {}

    PlaceResult place(const PlaceRequest& request) const override {
        const auto start = std::chrono::steady_clock::now();
        PlaceResult result = function_(request);
        result.objective = request.objective;
        const bool plain = request.objective == Objective();
        // What does not fit has a value above every makespan.
        const bool fits = plain && result.value > 0 && result.value == result.makespan;
        const std::vector<std::string> tooSmall =
            fits ? std::vector<std::string>() : memoryNotes(request.problem, result.assignment);
        result.notes.insert(result.notes.end(), tooSmall.begin(), tooSmall.end());
        if (plain && tooSmall.empty()) {
            result.value = result.makespan;
        } else if (result.value == 0) {
            Evaluator evaluator(request.problem, request.objective);
            evaluator.stopOn(request.stop);
            result.value = evaluator.value(result.assignment);
            result.valueRuns = evaluator.gaveUp() ? evaluator.runsMade() : 0;
        }
        if (result.valueRuns > 0) {
            result.notes.push_back("the stop came during the first evaluation: its value is over " +
                                   std::to_string(result.valueRuns) + " of " +
                                   std::to_string(request.objective.runs) + " noisy runs");
        }
        result.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return result;
    }

private:
    PlaceResult (*function_)(const PlaceRequest&);
};

} // namespace

const std::vector<PlacerInfo>& placers() {
    static const std::vector<PlacerInfo> infos = [] {
        std::vector<PlacerInfo> list;
        for (const PlacerEntry& entry : entries()) {
            list.push_back(entry.info);
        }
        return list;
    }();
    return infos;
}

std::unique_ptr<Placer> makePlacer(std::string_view name, const std::string& where) {
    std::string names;
    for (const PlacerEntry& entry : entries()) {
        if (entry.info.name == name) {
            return std::make_unique<FunctionPlacer>(entry.place);
        }
        names += (names.empty() ? "" : ", ") + entry.info.name;
    }
    if (name == kTrainedPlacer) {
        throw InputError(where, "\"doppler\", which needs a trained policy",
                         "a method that needs none (only `doppler place --placer doppler --policy "
                         "CHECKPOINT` takes one)");
    }
    throw InputError(where, "\"" + std::string(name) + "\"", "one of: " + names);
}

} // namespace doppler::place
