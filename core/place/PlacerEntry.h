#pragma once

#include "core/place/MemoryLedger.h"
#include "core/place/Placer.h"

namespace doppler::place {

/// What a placer's file defines: a function named as in Registry.cpp that returns this.
struct PlacerEntry {
    PlacerInfo info;
    PlaceResult (*place)(const PlaceRequest&) = nullptr;
};

/// The result of a rule: simulates the assignment once. Pinned ops must already be in place.
PlaceResult evaluated(const PlaceRequest& request, sim::Assignment assignment,
                      std::vector<std::string> notes = {});

/// The result of a rule that can count memory. Where devices are small, the rule runs with ever
/// stricter counts until its placement fits them, as simulated; if none does, the one that
/// overflows least.
PlaceResult
evaluatedWithinMemory(const PlaceRequest& request,
                      const std::function<sim::Assignment(const sim::Problem&, MemoryCount)>& rule,
                      std::vector<std::string> notes = {});

/// Bytes by which the peak of each device exceeds its capacity, added up, as simulated.
std::int64_t overflowBytes(const std::shared_ptr<const sim::Problem>& problem,
                           const sim::Assignment& assignment);

/// "2 pinned ops stay on their devices", or nothing.
std::vector<std::string> pinNotes(const sim::Problem& problem);

} // namespace doppler::place
