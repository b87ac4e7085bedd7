#pragma once

#include "core/place/MemoryLedger.h"
#include "core/place/Placer.h"

namespace doppler::place {

/// What a placer's file defines: a function named as in Registry.cpp that returns this. `place`
/// may leave the result's value 0; it is found then.
struct PlacerEntry {
    PlacerInfo info;
    PlaceResult (*place)(const PlaceRequest&) = nullptr;
};

/// The result of a rule: simulates the assignment once. Pinned ops must already be in place.
PlaceResult evaluated(const PlaceRequest& request, sim::Assignment assignment,
                      std::vector<std::string> notes = {});

/// A rule that can count memory.
using MemoryRule = std::function<sim::Assignment(const sim::Problem&, MemoryCount)>;

/// The placement of such a rule. Where devices are small, the rule runs with ever stricter counts
/// until its placement fits them, as simulated; if none does, the one that overflows least.
sim::Assignment withinMemory(const PlaceRequest& request, const MemoryRule& rule);

/// Its result.
PlaceResult evaluatedWithinMemory(const PlaceRequest& request, const MemoryRule& rule);

/// "2 pinned ops stay on their devices", or nothing.
std::vector<std::string> pinNotes(const sim::Problem& problem);

} // namespace doppler::place
