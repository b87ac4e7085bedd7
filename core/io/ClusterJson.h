#pragma once

#include <memory>
#include <string>

#include "core/cluster/Cluster.h"
#include "core/io/JsonField.h"

namespace doppler::io {

inline constexpr const char* kClusterJsonFormat = "doppler-cluster/1";

/// A cluster object inside a larger document (a session), or a whole one. See parseClusterJson. A
/// profile in it is checked, and read by openProfile().
std::shared_ptr<const cluster::Cluster> readClusterJson(const JsonField& root,
                                                        const std::string& where);

} // namespace doppler::io
