#pragma once

#include <memory>
#include <string>

#include "core/cluster/Cluster.h"
#include "core/cluster/Profile.h"
#include "core/io/JsonField.h"

namespace doppler::io {

/// The "profile" member of a cluster file (see parseClusterJson): {runtime, emulated, processor,
/// blas, blasThreads, date, version, deviceFactors [by device], "kernels" [{kernel, device, ns,
/// samples, spread, spiky}], "links" [{pair [from, to], latencyNs, bytesPerSecond, samples,
/// error}]}. A device or a pair stands for all that have the same figures in the file (see
/// cluster::Profile and cost::kernelKey). Throws InputError, also where `emulated` contradicts
/// the runtime.
cluster::Profile readProfile(const JsonField& field, int deviceCount);

/// The text of that member, without a line break at its end.
std::string profileText(const cluster::Profile& profile);

/// The profile in a cluster file; null where the text of it (see openCluster) names a preset, or
/// where the file holds none. Throws InputError.
std::shared_ptr<const cluster::Profile> openProfile(const std::string& cluster);

/// A cluster file that holds the profile.
std::string writeClusterJson(const cluster::Cluster& cluster, const cluster::Profile& profile);

} // namespace doppler::io
