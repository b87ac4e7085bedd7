#pragma once

#include <filesystem>

#include "core/place/Placer.h"

namespace doppler::learn {

/// Places with a trained policy as it is, without training: on any graph and any number of devices.
/// The better of the policy's greedy episode and of `samples` sampled ones, as the problem's
/// simulator sees them. Reports progress, stops when asked to (after the greedy episode), honours
/// pins; the budget plays no part. Throws InputError like readCheckpoint.
place::PlaceResult placeWithPolicy(const place::PlaceRequest& request,
                                   const std::filesystem::path& checkpoint, int samples = 64);

/// How it is listed among the placers.
place::PlacerInfo policyPlacerInfo();

} // namespace doppler::learn
