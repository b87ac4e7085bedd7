#pragma once

#include "core/place/Placer.h"

namespace doppler::place {

/// The start that the request asks for, its pinned ops put where they belong (told in `notes`); or
/// nothing. Throws InputError if it does not fit the problem.
std::optional<sim::Assignment> requestedStart(const PlaceRequest& request,
                                              std::vector<std::string>& notes);

} // namespace doppler::place
