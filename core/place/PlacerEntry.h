#pragma once

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

/// "2 pinned ops stay on their devices", or nothing.
std::vector<std::string> pinNotes(const sim::Problem& problem);

} // namespace doppler::place
